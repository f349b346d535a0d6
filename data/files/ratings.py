"""Reads tables of ratings by people and of scores by metrics, row by row.

What cannot be used is named with file and line.

Ratings: ``item, rater, value`` or ``item, value``. Scores: ``item, metric, value``. A column
``group`` names the cluster of an item, such as its prompt. A column ``dimension`` names what is
rated, such as "fidelity"; ratings with ``item`` and ``rater`` but no ``value`` have a column for
each dimension. A table with ``item`` but neither of the other columns is wide: each further column
is a rater or a metric. An empty cell of such columns is no value. Other columns are not read.
Numbers may have a decimal comma.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar, get_args

from hallascope.data.files import tidy
from hallascope.data.files.csv_tables import BadTable, CsvRow, column_titles, rows
from hallascope.data.files.sheets import Complaint

_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")  # or a decimal comma: nobody can tell
ScaleLevel = Literal["nominal", "ordinal", "interval"]
SCALE_LEVELS: tuple[ScaleLevel, ...] = get_args(ScaleLevel)
_SCALE = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*\.\.\s*(-?\d+(?:\.\d+)?)\s*")


class BadScale(ValueError):
    """Tells that what was given is no scale; the message is one sentence."""


T = TypeVar("T")


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

    The name is "" where nobody is named, and so are the group and the dimension.
    """

    item: str
    by: str
    value: float
    row: CsvRow
    group: str = ""
    dimension: str = ""


@dataclass(frozen=True)
class Table:
    """Holds the rows that can be used, in their order, and what was wrong with the rest."""

    file: str
    numbers: tuple[Number, ...]
    complaints: tuple[Complaint, ...]

    def by_dimension(self) -> dict[str, dict[str, list[float]]]:
        """Return the values of each dimension by item, in the order of the file."""
        by_dimension: dict[str, dict[str, list[float]]] = {}
        for number in self.numbers:
            by_item = by_dimension.setdefault(number.dimension, {})
            by_item.setdefault(number.item, []).append(number.value)
        return by_dimension

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
            f"the scale {text!r} is none: write its lowest and highest rating, such as '1..5', or"
            f" what it is: {', '.join(SCALE_LEVELS)}"
        )
    return scale


class ScaleOption(NamedTuple):
    """Holds what is said of a scale: its ends, and the level at which it measures, or None."""

    bounds: Scale | None = None
    level: ScaleLevel | None = None


def read_scale_option(text: str) -> ScaleOption:
    """Read the ends of a scale, its level, or both: "1..5", "ordinal", "ordinal 1..5".

    Raises BadScale.
    """
    level: ScaleLevel | None = None
    rest = []
    for word in text.split():
        known = next((name for name in SCALE_LEVELS if name == word.casefold()), None)
        if known is None:
            rest.append(word)
        elif level in (None, known):
            level = known
        else:
            raise BadScale(f"the scale {text!r} has two levels: name one of {level} and {known}")
    if rest or level is None:
        return ScaleOption(read_scale(" ".join(rest)) if text.strip() else None, level)
    return ScaleOption(None, level)


def read_ratings(path: Path, scale: Scale | None = None, missing: Sequence[str] = ()) -> Table:
    """Read ratings; without the column `rater` every row is a rating by somebody else.

    Rows whose value is one of the texts in `missing` are no ratings. Raises BadTable.
    """
    return _read_table(path, "rater", scale, needed=False, missing=missing)


def read_scores(path: Path, missing: Sequence[str] = ()) -> Table:
    """Read scores of any number of metrics; `missing` as in `read_ratings`. Raises BadTable."""
    return _read_table(path, "metric", None, needed=True, missing=missing)


def _read_table(
    path: Path, name: str, scale: Scale | None, needed: bool, missing: Sequence[str]
) -> Table:
    complaints: list[Complaint] = []
    lines: dict[tuple[str, str, str], int] = {}

    def read(row: CsvRow) -> Number:
        number = _number(row, name, scale)
        if name in row.cells:
            _once(number, name, lines)
        return number

    found = _long_rows(path, name, needed, complaints)
    numbers = read_usable(path, found, "value", read, complaints, missing)
    return Table(path.name, tuple(numbers), tuple(complaints))


def read_usable(
    path: Path,
    found: Iterable[CsvRow],
    column: str,
    read: Callable[[CsvRow], T],
    complaints: list[Complaint],
    missing: Sequence[str],
) -> list[T]:
    """Return what `read` makes of each row; one that raises UnusableRating is left out and named.

    Rows whose cell of `column` is one of the texts in `missing` say nothing. Raises BadTable where
    there is no row at all.
    """
    declared = set(missing)
    usable: list[T] = []
    for row in found:
        if row.cells[column].strip() in declared:
            continue
        try:
            usable.append(read(row))
        except UnusableRating as problem:
            complaints.append(row.complaint(f"{problem}; the row is left out"))
    if not usable and not complaints:
        raise BadTable(
            f"the file {path.name!r} holds no row below its header: add one for each {column}"
        )
    return usable


def _long_rows(
    path: Path, name: str, needed: bool, complaints: list[Complaint]
) -> Iterator[CsvRow]:
    """Yield the rows with one value each; each cell of a wide table is such a row."""
    columns = ("item", name, "value") if needed else ("item", "value")
    kept = ("item", "group") if needed else ("item", "group", "dimension")
    titles = column_titles(path, (*columns, name))
    names = titles.keys()
    by_dimension = not needed and {"item", name} <= names and not names & {"value", "dimension"}
    if by_dimension:
        variable, kept = "dimension", ("item", "group", name)
    else:
        variable = name
    wide = by_dimension or ("item" in names and not names & {"value", name})
    if not wide or not names - set(kept):
        yield from rows(path, columns, complaints, optional=(name, "group", "dimension"))
        return
    for row in rows(path, ("item",), complaints, unique=True):
        shared = {column: row.cells[column] for column in kept if column in row.cells}
        for column, cell in row.cells.items():
            if column not in kept and cell.strip():
                yield CsvRow(
                    row.file, row.line, {**shared, variable: titles[column], "value": cell}
                )


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
    group = tidy.line(row.cells.get("group", ""))
    if "group" in row.cells and not group:
        raise UnusableRating("the group is empty")
    dimension = tidy.line(row.cells.get("dimension", "")) if name == "rater" else ""
    if name == "rater" and "dimension" in row.cells and not dimension:
        raise UnusableRating("the dimension is empty")
    return Number(item, by, value, row, group, dimension)


def _value(cells: Mapping[str, str]) -> float:
    text = cells["value"].strip()
    if _THOUSANDS.fullmatch(text):
        raise UnusableRating(f"the value {text!r} may be thousands or a decimal: write a point")
    if _DECIMAL_COMMA.fullmatch(text):
        text = text.replace(",", ".")
    try:
        value = float(text) if "_" not in text else math.nan
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise UnusableRating(f"the value {text!r} is no number" if text else "the value is empty")
    return value


def _once(number: Number, name: str, lines: dict[tuple[str, str, str], int]) -> None:
    """Raise UnusableRating where the same rater or metric stood at the same item before."""
    place = (number.item, number.by, number.dimension)
    first = lines.setdefault(place, number.row.line)
    if first != number.row.line:
        of = f" and the dimension {number.dimension!r}" if number.dimension else ""
        raise UnusableRating(
            f"the {name} {number.by!r} has a value for the item {number.item!r}{of} at line {first}"
            " already"
        )


def unmatched(scored: Table, rated: Table) -> Iterator[Complaint]:
    """Yield a complaint for each row of an item that stands in one of the tables only."""
    for table, other, what in (
        (scored, rated, "rated by people"),
        (rated, scored, "scored by a metric"),
    ):
        known = {number.item for number in other.numbers}
        for number in table.numbers:
            if number.item not in known:
                yield number.row.complaint(
                    f"the item {number.item!r} is not {what} in {other.file!r}; the row is left out"
                )


def join_groups(numbers: Iterable[Number]) -> dict[str, str]:
    """Return the group of each item that has one. Raises BadTable where an item has two."""
    groups: dict[str, str] = {}
    for number in numbers:
        if number.group and groups.setdefault(number.item, number.group) != number.group:
            raise BadTable(
                f"{number.row.file}, row {number.row.line}: the item {number.item!r} has the group"
                f" {number.group!r} and before it {groups[number.item]!r}: give it one"
            )
    return groups


@dataclass(frozen=True)
class StudyTables:
    """Holds what two tables have in common, and every row that is left out.

    `scores` are by metric and item, `ratings` by dimension and item (one dimension, "", where none
    is named), `groups` the cluster of each item, empty without a column `group`. Items that stand
    in one of the tables only are in none of them.
    """

    scores: Mapping[str, Mapping[str, float]]
    ratings: Mapping[str, Mapping[str, Sequence[float]]]
    groups: Mapping[str, str]
    left_out: tuple[Complaint, ...]


def join_tables(scored: Table, rated: Table) -> StudyTables:
    """Return the items of both tables. Raises BadTable where an item has two groups."""
    items = {number.item for number in scored.numbers} & {number.item for number in rated.numbers}
    groups = join_groups((*scored.numbers, *rated.numbers))
    return StudyTables(
        scores={
            name: {item: number.value for item, number in numbers.items() if item in items}
            for name, numbers in scored.by_name().items()
        },
        ratings={
            dimension: {item: values for item, values in by_item.items() if item in items}
            for dimension, by_item in (rated.by_dimension() or {"": {}}).items()
        },
        groups={item: group for item, group in groups.items() if item in items},
        left_out=(*scored.complaints, *rated.complaints, *unmatched(scored, rated)),
    )
