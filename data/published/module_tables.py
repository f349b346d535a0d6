"""Holds published tables that rank no image model: FiG, tables 2 to 4, and T2I-FactualBench, 4.

They compare the parts of a method (detectors, captioners), or a method with people. The numbers
are those that are printed; where the paper itself prints another one, a note says so.
"""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
_FIG_METRICS = ("object", "colour", "number", "positional", "text", "chair_i")
_FIG_TITLES = ("object", "color", "number", "position", "text", "CHAIR-i (lower is better)")
_FIG_PARTS = {
    "2": "Detectors",
    "3": "Captioners of regions",
    "4": "Language models that merge captions",
}
# The configuration that FiG's paper recommends stands in three of its tables.
_RECOMMENDED = {"1": "Flux-Dev", "3": "InstructBLIP-Vicuna 7b", "4": "Qwen-7b"}
_TARGETS = {"concept": "Concept factuality", "composition": "Composition factuality"}


@dataclass(frozen=True)
class PublishedNumber:
    """Holds a number in text, "" where there is none; `note` is what is doubtful."""

    text: str
    note: str = ""


@dataclass(frozen=True)
class PublishedTableRow:
    """Holds a row: its name, the group that it stands in, and a number for each column."""

    name: str
    group: str
    numbers: tuple[PublishedNumber, ...]


@dataclass(frozen=True, kw_only=True)
class PublishedTable:
    """Holds a table of a paper that belongs to a metric.

    `unit` is that of its numbers, `rows_are` what its rows name.
    """

    metric: str
    title: str
    source: str
    unit: str
    rows_are: str
    columns: tuple[str, ...]
    rows: tuple[PublishedTableRow, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """Return the notes of its numbers, each once, in their order."""
        numbers = (number for row in self.rows for number in row.numbers)
        return tuple(dict.fromkeys(number.note for number in numbers if number.note))


def tables_of_metric(metric: str) -> tuple[PublishedTable, ...]:
    """Return the tables that belong to a metric, () where there are none."""
    return tuple(table for table in published_tables() if table.metric == metric)


@cache
def published_tables() -> tuple[PublishedTable, ...]:
    """Return all tables, in the order of their papers."""
    return (*(_fig_table(number) for number in _FIG_PARTS), _agreement_table())


def _fig_table(number: str) -> PublishedTable:
    printed = {
        (row["table"], row["name"], row["dataset"], row["metric"]): _percent(row["percent"])
        for row in _rows("fig_scores.csv")
    }
    rows = dict.fromkeys((name, dataset) for table, name, dataset, _ in printed if table == number)
    return PublishedTable(
        metric="fig",
        title=_FIG_PARTS[number],
        source=f"FiG, table {number}",
        unit="percent",
        rows_are="model",
        columns=_FIG_TITLES,
        rows=tuple(
            PublishedTableRow(
                name,
                dataset,
                tuple(
                    PublishedNumber(
                        printed[number, name, dataset, metric],
                        _contradiction(printed, number, name, dataset, metric),
                    )
                    for metric in _FIG_METRICS
                ),
            )
            for name, dataset in rows
        ),
    )


def _percent(text: str) -> str:
    return f"{float(text):.2f}" if text else ""


def _contradiction(
    printed: dict[tuple[str, str, str, str], str],
    number: str,
    name: str,
    dataset: str,
    metric: str,
) -> str:
    """Return what other tables print for the same configuration, "" where they agree."""
    if _RECOMMENDED.get(number) != name:
        return ""
    own = printed[number, name, dataset, metric]
    others: dict[str, list[str]] = {}
    for table, recommended in _RECOMMENDED.items():
        value = printed[table, recommended, dataset, metric]
        if value != own:
            others.setdefault(value, []).append(table)
    said = [f"{_table_words(tables)} {value}" for value, tables in others.items()]
    if not said:
        return ""
    return f"{own} on {dataset}: {' and '.join(said)} for the same configuration"


def _table_words(tables: Sequence[str]) -> str:
    if len(tables) == 1:
        return f"table {tables[0]} prints"
    return f"tables {' and '.join(tables)} print"


def _agreement_table() -> PublishedTable:
    return PublishedTable(
        metric="factualbench",
        title="Correlation of automatic metrics with people",
        source="T2I-FactualBench, table 4 (150 concept and 150 composition samples)",
        unit="correlation from -1 to 1",
        rows_are="metric",
        columns=("Spearman", "Kendall"),
        rows=tuple(
            PublishedTableRow(
                row["metric"],
                _TARGETS[row["target"]],
                (
                    PublishedNumber(f"{float(row['spearman']):.3f}"),
                    PublishedNumber(f"{float(row['kendall']):.3f}"),
                ),
            )
            for row in _rows("factualbench_agreement.csv")
        ),
    )


def _rows(name: str) -> list[dict[str, Any]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
