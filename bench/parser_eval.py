"""Measures how well prompts are read and names matched: ``python -m bench.parser_eval``.

Both are held against gold readings and gold names. The rules read, or a model (--parser), whose
replies are kept, or another person or program did (--readings).
"""

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_args

import typer

from bench.gold import (
    PARTS,
    READINGS,
    Part,
    gold_name_pairs,
    gold_readings,
    labels_alike,
    read_required,
)
from bench.measuring import JsonOption, launch, show
from hallascope.data.prompt_reading import GoldReading, PromptReading
from hallascope.data.requests import Failure
from hallascope.engine.errors import BadRequest
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.prompt_parsing import parse_prompts
from hallascope.engine.services import create_services
from hallascope.metrics.reading.comparison import (
    ElementKind,
    ReadingComparison,
    compare_reading,
)
from hallascope.metrics.reading.confidence import SYSTEMS, System, is_sure, of_system
from hallascope.metrics.reading.prompt import read_prompt
from hallascope.metrics.statistics.intervals import mean_interval

# which elements each system asks for
ELEMENTS: Mapping[System, frozenset[ElementKind]] = {
    "fig": frozenset({"object", "count", "color", "position", "text", "negation"}),
    "scene-graph": frozenset(
        {"object", "count", "color", "attribute", "position", "relation", "negation"}
    ),
}
Reader = Callable[[str], PromptReading]
TableRow = Mapping[str, Any]


def share_row(what: str, parts: Iterable[tuple[int, int]]) -> TableRow:
    """Return the share of all parts in all wholes, with the 95 % interval by prompt or pair.

    One pair is of one prompt. There is no share of nothing, and no interval under two prompts.
    """
    counted = [(part, whole) for part, whole in parts if whole]
    interval = mean_interval([part for part, _ in counted], [whole for _, whole in counted])
    low, high = interval[:2] if interval else (None, None)
    whole = sum(whole for _, whole in counted)
    value = sum(part for part, _ in counted) / whole if whole else None
    return {"what": what, "share": value, "low": low, "high": high, "of": whole}


def is_read_right(comparison: ReadingComparison, system: System) -> bool:
    """Return whether everything that a system asks for is read right."""
    return not any(mistake.kind in ELEMENTS[system] for mistake in comparison.mistakes)


def right_row(what: str, system: System, chosen: Iterable[ReadingComparison]) -> TableRow:
    """Return the share of prompts that are read right for a system."""
    return share_row(what, ((is_read_right(one, system), 1) for one in chosen))


class ParserEvaluation(NamedTuple):
    """Holds how a reader did on gold readings.

    `recognized`: for each prompt that the reader cannot be asked to read, whether it says so.
    `withheld`: prompts that it should have read and did not.
    """

    comparisons: Sequence[ReadingComparison]
    recognized: Sequence[bool]
    withheld: Sequence[str]

    def rows(self) -> Iterator[TableRow]:
        """Yield every figure: shares of prompts, then precision and recall of elements."""
        strata = {"": self.comparisons}
        strata["natural"] = [one for one in self.comparisons if one.gold.natural]
        for name in sorted({one.gold.stratum for one in self.comparisons}):
            strata[name] = [one for one in self.comparisons if one.gold.stratum == name]
        for system in SYSTEMS:
            for stratum, chosen in strata.items():
                sure = [one for one in chosen if is_sure(one.reading, system)]
                others = [one for one in chosen if one not in sure]
                name = f"{system} {stratum}".strip()
                yield right_row(f"{name}: prompts read right", system, chosen)
                yield share_row(f"{name}: prompts scored", ((one in sure, 1) for one in chosen))
                yield right_row(f"{name}: of these read right", system, sure)
                yield right_row(f"{name}: of the others read right", system, others)
            surest = sorted(self.comparisons, key=lambda one: -of_system(one.reading, system))
            for percent in range(10, 101, 10):
                kept = surest[: round(len(surest) * percent / 100)]
                yield right_row(f"{system}: the surest {percent} % read right", system, kept)
        for kind in get_args(ElementKind):
            found = [
                [each for each in one.elements if each.kind == kind] for one in self.comparisons
            ]
            precision = (
                (sum(e.gold for e in own if e.read), sum(e.read for e in own)) for own in found
            )
            recall = (
                (sum(e.read for e in own if e.gold), sum(e.gold for e in own)) for own in found
            )
            yield share_row(f"{kind}: precision", precision)
            yield share_row(f"{kind}: recall", recall)
        yield share_row("unreadable prompts recognized", ((one, 1) for one in self.recognized))

    def mistakes(self) -> list[dict[str, object]]:
        """Return the prompts that are read wrong, with what is wrong."""
        wrong = [(one.gold.prompt, one.mistakes) for one in self.comparisons if one.mistakes]
        pairs = [*wrong, *((prompt, "no reading") for prompt in self.withheld)]
        return [{"prompt": prompt, "mistakes": mistakes} for prompt, mistakes in pairs]


def evaluate_reader(
    gold: Sequence[GoldReading], reader: Reader, languages: frozenset[str] = frozenset({"en"})
) -> ParserEvaluation:
    """Compare what a reader reads with gold readings.

    `languages`: those that it is made for; prompts in others, and prompts that nobody can read, it
    must recognize as unreadable.
    """
    comparisons: list[ReadingComparison] = []
    recognized: list[bool] = []
    withheld: list[str] = []
    for expected in gold:
        reading = reader(expected.prompt)
        if expected.unreadable or expected.language not in languages:
            recognized.append(bool(reading.unreadable))
            continue
        if reading.unreadable:
            withheld.append(expected.prompt)
        comparisons.append(compare_reading(expected, reading))
    return ParserEvaluation(comparisons, recognized, withheld)


def read_by_model(
    prompts: Sequence[str], parser: str, policy: SpendingPolicy
) -> dict[str, PromptReading]:
    """Have a model read the prompts."""
    services = create_services()
    return {
        prompt: PromptReading(prompt=prompt, unreadable=result.message, source="model")
        if isinstance(result, Failure)
        else result
        for prompt, result in parse_prompts(services, prompts, parser, policy).items()
    }


def main(
    part: Annotated[Part, typer.Option(help="test and held_out: to report only.")] = PARTS[0],
    folder: Annotated[Path, typer.Option(help="Of gold readings, in place of ours.")] = READINGS,
    fig_at_least: Annotated[float, typer.Option(min=0, max=1, help="Fail below.")] = 0,
    scene_graph_at_least: Annotated[float, typer.Option(min=0, max=1, help="Fail below.")] = 0,
    parser: Annotated[str, typer.Option(help="The model that reads, in place of the rules.")] = "",
    readings: Annotated[Path | None, typer.Option(help="Measure those of this file.")] = None,
    budget: Annotated[float | None, typer.Option(help="The most that --parser may cost.")] = None,
    as_json: JsonOption = False,
) -> None:
    gold = gold_readings(part, folder)
    if not gold:
        raise BadRequest(f"There are no gold readings in {str(folder / part)!r}: name others.")
    read_prompt("a cat on a mat")  # the models of the reader are loaded
    began = time.process_time()
    prompts = [expected.prompt for expected in gold]
    if readings:
        read = {reading.prompt: reading for reading in read_required(readings)}
    elif parser:
        read = read_by_model(prompts, parser, SpendingPolicy(run=budget))
    else:
        read = {prompt: read_prompt(prompt) for prompt in prompts}
    gold = [expected for expected in gold if expected.prompt in read]
    if not gold:
        raise BadRequest(f"No prompt of {str(readings)!r} is in this part: choose another --part.")
    # others read every language; a model must say that it cannot read what it does not translate
    known = {one.language for one in gold if readings or read[one.prompt].translation}
    found = evaluate_reader(gold, read.__getitem__, frozenset({"en"} | known))
    seconds = (time.process_time() - began) * 1000 / len(gold)
    # of names there are two parts; `test` is the one that nobody looked at before
    pairs = gold_name_pairs("development" if part == "development" else "test")
    wrong = [pair for pair in pairs if labels_alike(pair.expected, pair.observed) is not pair.same]
    names = share_row(
        "names judged as by a language model", ((pair not in wrong, 1) for pair in pairs)
    )
    rows = [*found.rows(), names]
    more = {"mistakes": found.mistakes(), "names": wrong, "seconds_for_1000_prompts": seconds}
    show(rows, as_json, **more)
    shares = {row["what"]: row["share"] or 0 for row in rows}
    bounds: Mapping[System, float] = {"fig": fig_at_least, "scene-graph": scene_graph_at_least}
    right = {system: shares[f"{system}: prompts read right"] for system in bounds}
    sys.exit(int(any(right[system] < bound for system, bound in bounds.items())))


if __name__ == "__main__":
    launch(main)
