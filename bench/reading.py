"""Compares the readers of prompts: ``python -m bench.reading``.

It prints for the rules of `hallascope.metrics.parsing` and for those of
`hallascope.metrics.reading`, which are to replace them, how many English prompts of each part are
read wholly right for FiG and for the scene graph, and the processor time of 1,000 prompts. Both
answer every prompt. The part `held_out` is left out: it is looked at once, at the end.
"""

import time
from collections.abc import Callable, Mapping

from hallascope.data.files.readings.gold_readings import PARTS, gold_readings
from hallascope.data.prompt_reading import PromptReading
from hallascope.metrics.parsing.reading import read_prompt as read_by_old_rules
from hallascope.metrics.parsing.readings.comparison import SYSTEMS, compare_reading
from hallascope.metrics.reading.reader import read_prompt

READERS: Mapping[str, Callable[[str], PromptReading]] = {
    "metrics/parsing": read_by_old_rules,
    "metrics/reading": read_prompt,
}


def main() -> None:
    """Print the table."""
    print("| reader | part | prompts | FiG | scene graph | seconds for 1,000 |")
    print("| --- | --- | --- | --- | --- | --- |")
    for part in PARTS[:2]:
        golds = [one for one in gold_readings(part) if one.language == "en" and not one.unreadable]
        for name, read in READERS.items():
            read("a cat on a mat")  # the models of the reader are loaded
            began = time.process_time()
            readings = [read(gold.prompt) for gold in golds]
            seconds = 1_000 * (time.process_time() - began) / len(golds)
            compared = [compare_reading(*pair) for pair in zip(golds, readings, strict=True)]
            shares = [sum(one.right(system) for one in compared) / len(golds) for system in SYSTEMS]
            cells = (f"{share:.1%}" for share in shares)
            print(f"| {name} | {part} | {len(golds)} | {' | '.join(cells)} | {seconds:.1f} |")


if __name__ == "__main__":
    main()
