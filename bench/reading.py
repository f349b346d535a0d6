"""Measures the reader of prompts: ``python -m bench.reading``.

It prints how many English prompts of each part are read wholly right for FiG and for the scene
graph when the rules answer every prompt, and the processor time of 1,000 prompts. The part
`held_out` is left out: it is looked at once, at the end.
"""

import time

from hallascope.data.files.readings.gold_readings import PARTS, gold_readings
from hallascope.metrics.reading.comparison import compare_reading
from hallascope.metrics.reading.confidence import SYSTEMS
from hallascope.metrics.reading.prompt import read_prompt


def main() -> None:
    """Print the table."""
    print("| part | prompts | FiG | scene graph | seconds for 1,000 |")
    print("| --- | --- | --- | --- | --- |")
    for part in PARTS[:2]:
        golds = [one for one in gold_readings(part) if one.language == "en" and not one.unreadable]
        read_prompt("a cat on a mat")  # the models of the reader are loaded
        began = time.process_time()
        readings = [read_prompt(gold.prompt) for gold in golds]
        seconds = 1_000 * (time.process_time() - began) / len(golds)
        compared = [compare_reading(*pair) for pair in zip(golds, readings, strict=True)]
        shares = [sum(one.right(system) for one in compared) / len(golds) for system in SYSTEMS]
        cells = " | ".join(f"{share:.1%}" for share in shares)
        print(f"| {part} | {len(golds)} | {cells} | {seconds:.1f} |")


if __name__ == "__main__":
    main()
