"""Formats how often intervals cover the truth, and how often equal models are told apart.

A table of its own has the scores that people's labels correct.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn

if TYPE_CHECKING:
    from hallascope.metrics.statistics.coverage import CorrectionCell, CoverageTables, SampleCell


class SimulatedShare(NamedTuple):
    """Holds a share of a table: the name of its row, its correlation and number of prompts."""

    name: str
    correlation: str
    prompts: int
    share: float


def document(tables: "CoverageTables") -> dict[str, Any]:
    """Return all cells as a document."""
    return {
        name: value if isinstance(value, int) else [cell._asdict() for cell in value]
        for name, value in tables._asdict().items()
    }


def lines(tables: "CoverageTables") -> str:
    """Return the tables for people, in percent: numbers of prompts across, the rest down."""
    means = [
        SimulatedShare(f"{cell.mean:g}", cell.correlation, cell.prompts, cell.covered)
        for cell in tables.means
    ]
    differences = [
        SimulatedShare(
            f"{cell.mean:g}, {cell.other:g}", cell.correlation, cell.prompts, cell.covered
        )
        for cell in tables.differences
    ]
    false_positives = [
        SimulatedShare(f"{cell.mean:g}", cell.correlation, cell.prompts, cell.below)
        for cell in tables.false_positives
    ]
    corrected = [
        SimulatedShare("corrected", cell.correlation, cell.prompts, cell.corrected)
        for cell in tables.equal_boards
    ]
    uncorrected = [
        SimulatedShare("not corrected", cell.correlation, cell.prompts, cell.uncorrected)
        for cell in tables.equal_boards
    ]
    parts = [
        f"In percent of {tables.draws:,} draws a cell, of {tables.boards:,} boards a cell; five"
        " questions a prompt; the columns are numbers of prompts.",
        "95 % intervals of a score that cover its true mean",
        _table("true mean", means),
        f"lowest: {_percent(min(cell.share for cell in means))}",
        "95 % intervals of the difference of two models that cover the true difference",
        _table("true means", differences),
        f"lowest: {_percent(min(cell.share for cell in differences))}",
        "pairs of equal models with p < 0.05 by sign flips (under 6 prompts there is no p)",
        _table("true mean", false_positives),
        f"highest: {_percent(max(cell.share for cell in false_positives))}",
        "boards of ten equal models with any p < 0.05",
        _table("p", [*corrected, *uncorrected]),
        f"highest with the correction: {_percent(max(cell.share for cell in corrected))}",
        "95 % intervals of a score corrected by labels that cover what people would say, of 200"
        f" judged prompts ({tables.boards:,} draws a cell); mean widths in points of 100",
        _correction_table(tables.corrections),
        f"lowest: {_percent(min(cell.covered for cell in tables.corrections))}",
        "95 % intervals of a labeling plan that cover what people would say, of 200 judged prompts"
        f" ({tables.boards:,} draws a cell); the columns are numbers of labeled prompts, with the"
        " mean width in points of 100",
        _sample_table(tables.samples),
        f"lowest: {_percent(min(cell.covered for cell in tables.samples))}",
    ]
    return "\n\n".join(parts)


def _correction_table(cells: "Sequence[CorrectionCell]") -> str:
    return printing.table(
        (
            TextColumn("people's mean", lambda cell: f"{cell.mean:g}"),
            TextColumn("sensitivity", lambda cell: f"{cell.sensitivity:g}"),
            TextColumn("specificity", lambda cell: f"{cell.specificity:g}"),
            TextColumn("labeled", lambda cell: str(cell.labeled)),
            TextColumn("covered", lambda cell: _percent(cell.covered)),
            TextColumn("by the judge alone", lambda cell: _percent(cell.judge)),
            TextColumn("width", lambda cell: _percent(cell.width)),
            TextColumn("width by labels alone", lambda cell: _percent(cell.people)),
        ),
        cells,
    )


def _sample_table(cells: "Sequence[SampleCell]") -> str:
    """Return a table with a row for each design, mean and judge, a column for each count."""
    rows: dict[tuple[str, ...], dict[int, str]] = {}
    for cell in cells:
        name = (
            cell.design,
            f"{cell.mean:g}",
            f"{cell.sensitivity:g}",
            f"{cell.specificity:g}",
        )
        rows.setdefault(name, {})[cell.labeled] = (
            f"{_percent(cell.covered)} ({_percent(cell.width)})"
        )
    counts = next(iter(rows.values()))
    columns = (
        TextColumn("design", lambda row: row[0][0]),
        TextColumn("people's mean", lambda row: row[0][1]),
        TextColumn("sensitivity", lambda row: row[0][2]),
        TextColumn("specificity", lambda row: row[0][3]),
        *(TextColumn(str(count), partial(_cell, count)) for count in counts),
    )
    return printing.table(columns, list(rows.items()))


def _table(head: str, cells: Iterable[SimulatedShare]) -> str:
    """Return a table with a row for each name and correlation, a column for each count."""
    rows: dict[tuple[str, str], dict[int, str]] = {}
    for cell in cells:
        rows.setdefault((cell.name, cell.correlation), {})[cell.prompts] = _percent(cell.share)
    counts = next(iter(rows.values()))
    columns = (
        TextColumn(head, lambda row: row[0][0]),
        TextColumn("correlation", lambda row: row[0][1]),
        *(TextColumn(str(count), partial(_cell, count)) for count in counts),
    )
    return printing.table(columns, list(rows.items()))


def _cell(count: int, row: tuple[object, Mapping[int, str]]) -> str:
    return row[1][count]


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"
