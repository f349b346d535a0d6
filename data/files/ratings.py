"""Reads tables of ratings by people and of scores by metrics, row by row.

What cannot be used is named with file and line.

Ratings: ``item, rater, value`` or ``item, value``. Scores: ``item, metric, value``. Other columns
are not read.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from hallascope.data.files import tidy
from hallascope.data.files.csv_tables import BadTable, CsvRow, rows
from hallascope.data.files.sheets import Complaint

_SCALE = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*\.\.\s*(-?\d+(?:\.\d+)?)\s*")


class BadScale(ValueError):
    """Tells that what was given is no scale; the message is one sentence."""


class UnusableRating(ValueError):
    """A row cannot be used; the message is the problem."""


class Scale(NamedTuple):
    """The lowest and the highest rating there is."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.low:g}..{self.high:g}"


class Number(NamedTuple):
    """Holds one row: the item, who rated it or which metric scored it, and the value.

    The name is "" where nobody is named.
    """

    item: str
    by: str
    value: float
    row: CsvRow


@dataclass(frozen=True)
class Table:
    """Holds the rows that can be used, in their order, and what was wrong with the rest."""

    file: str
    numbers: tuple[Number, ...]
    complaints: tuple[Complaint, ...]

    def by_item(self) -> dict[str, list[Number]]:
        by_item: dict[str, list[Number]] = {}
        for number in self.numbers:
            by_item.setdefault(number.item, []).append(number)
        return by_item

    def by_name(self) -> dict[str, dict[str, Number]]:
        """Return the numbers of each rater or metric by item, in the order of the file."""
        by_name: dict[str, dict[str, Number]] = {}
        for number in self.numbers:
            by_name.setdefault(number.by, {})[number.item] = number
        return by_name


def read_scale(text: str) -> Scale:
    """Read a scale such as "1..5". Raises BadScale."""
    match = _SCALE.fullmatch(text)
    scale = Scale(float(match[1]), float(match[2])) if match else None
    if scale is None or not scale.low < scale.high:
        raise BadScale(
            f"the scale {text!r} is none: write its lowest and highest rating, such as '1..5'"
        )
    return scale


def read_ratings(path: Path, scale: Scale | None = None) -> Table:
    """Read ratings; without the column `rater` every row is a rating by somebody else.

    Raises BadTable.
    """
    return _read_table(path, "rater", scale, needed=False)


def read_scores(path: Path) -> Table:
    """Read scores of any number of metrics. Raises BadTable."""
    return _read_table(path, "metric", None, needed=True)


def _read_table(path: Path, name: str, scale: Scale | None, needed: bool) -> Table:
    complaints: list[Complaint] = []
    columns = ("item", name, "value") if needed else ("item", "value")
    numbers: list[Number] = []
    lines: dict[tuple[str, str], int] = {}
    for row in rows(path, columns, complaints, optional=(name,)):
        try:
            number = _number(row, name, scale)
            if name in row.cells:
                _once(number, name, lines)
            numbers.append(number)
        except UnusableRating as problem:
            complaints.append(row.complaint(f"{problem}; the row is left out"))
    if not numbers and not complaints:
        raise BadTable(
            f"the file {path.name!r} holds no row below its header: add one for each value"
        )
    return Table(path.name, tuple(numbers), tuple(complaints))


def _number(row: CsvRow, name: str, scale: Scale | None) -> Number:
    item = tidy.line(row.cells["item"])
    by = tidy.line(row.cells.get(name, ""))
    if not item:
        raise UnusableRating("the item is empty")
    if name in row.cells and not by:
        raise UnusableRating(f"the {name} is empty")
    value = _value(row.cells)
    if scale and not scale.low <= value <= scale.high:
        raise UnusableRating(
            f"the rating {row.cells['value'].strip()} lies outside of the scale {scale}"
        )
    return Number(item, by, value, row)


def _value(cells: Mapping[str, str]) -> float:
    text = cells["value"].strip()
    try:
        value = float(text) if "_" not in text else math.nan
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise UnusableRating(f"the value {text!r} is no number" if text else "the value is empty")
    return value


def _once(number: Number, name: str, lines: dict[tuple[str, str], int]) -> None:
    """Raise UnusableRating where the same rater or metric stood at the same item before."""
    first = lines.setdefault((number.item, number.by), number.row.line)
    if first != number.row.line:
        raise UnusableRating(
            f"the {name} {number.by!r} has a value for the item {number.item!r} at line {first}"
            " already"
        )


def unmatched(scored: Table, rated: Table) -> Iterator[Complaint]:
    """Yield a complaint for each row of an item that stands in one of the tables only."""
    for table, other, what in (
        (scored, rated, "rated by people"),
        (rated, scored, "scored by a metric"),
    ):
        known = other.by_item()
        for number in table.numbers:
            if number.item not in known:
                yield number.row.complaint(
                    f"the item {number.item!r} is not {what} in {other.file!r}; the row is left out"
                )
