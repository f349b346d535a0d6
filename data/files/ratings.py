"""Reads tables of ratings by people and of scores by metrics, row by row.

What cannot be used is named with file and line.

Ratings: ``item, rater, value`` or ``item, value``. Scores: ``item, metric, value``. A column
``group`` names the cluster of an item, such as its prompt. A column ``dimension`` names what is
rated, such as "fidelity"; ratings with ``item`` and ``rater`` but no ``value`` have a column for
each dimension. A table with ``item`` but neither of the other columns is wide: each further column
is a rater or a metric. An empty cell of such columns is no value. Other columns are not read.
Numbers may have a decimal comma.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, TypeVar, get_args

from pydantic import BeforeValidator, Field

from hallascope.data.files.published_ratings import (
    alias_key,
    is_published,
    published_rows,
    row_aliases,
)
from hallascope.data.files.row_records import FilledText, parse_record
from hallascope.data.files.tables import (
    BadTable,
    Complaint,
    TableRow,
    UnreadableCell,
    leave_out,
    read_rows,
    read_titles,
)

_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")  # or a decimal comma: nobody can tell
ScaleLevel = Literal["nominal", "ordinal", "interval"]
SCALE_LEVELS: tuple[ScaleLevel, ...] = get_args(ScaleLevel)
_SCALE = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*\.\.\s*(-?\d+(?:\.\d+)?)\s*")


class BadScale(ValueError):
    """Tells that what was given is no scale; the message is one sentence."""


T = TypeVar("T")


class Scale(NamedTuple):
    """The lowest and the highest rating there is."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.low:g}..{self.high:g}"


def _parse_value(cell: object) -> object:
    text = str(cell).strip()
    if _THOUSANDS.fullmatch(text):
        raise ValueError(f"the value {text!r} may be thousands or a decimal: write a point")
    if _DECIMAL_COMMA.fullmatch(text):
        text = text.replace(",", ".")
    if "_" in text:
        raise ValueError(f"the value {text!r} is no number: write one")
    return text


@dataclass(frozen=True, kw_only=True)
class Number:
    """Holds one row: the item, who rated it or which metric scored it, and the value.

    The rater, or metric, is "" where nobody is named, and so are the group and the dimension.
    """

    item: FilledText
    value: Annotated[
        float,
        BeforeValidator(_parse_value),
        Field(allow_inf_nan=False, description="a number"),
    ]
    row: TableRow
    rater: FilledText = ""
    metric: FilledText = ""
    group: FilledText = ""
    dimension: FilledText = ""

    @property
    def by(self) -> str:
        return self.metric or self.rater


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

    def groups(self) -> Iterator[tuple[str, str, TableRow]]:
        """Yield the item, the group and the row of each number."""
        yield from ((number.item, number.group, number.row) for number in self.numbers)

    def by_name(self) -> dict[str, dict[str, Number]]:
        """Return the numbers of each rater or metric by item, in the order of the file."""
        by_name: dict[str, dict[str, Number]] = {}
        for number in self.numbers:
            by_name.setdefault(number.by, {})[number.item] = number
        return by_name


class ScaleOption(NamedTuple):
    """Holds what is said of a scale: its ends, and the level at which it measures, or None."""

    bounds: Scale | None = None
    level: ScaleLevel | None = None


def read_scale_option(text: str) -> ScaleOption:
    """Read the ends of a scale, its level, or both: "1..5", "ordinal", "ordinal 1..5".

    Raises BadScale.
    """
    words = text.casefold().split()
    levels = [name for name in SCALE_LEVELS if name in words]
    if len(levels) > 1:
        raise BadScale(f"the scale {text!r} has two levels: name one of {' and '.join(levels)}")
    level = levels[0] if levels else None
    bounds = " ".join(word for word in words if word != level)
    if not bounds:
        return ScaleOption(None, level)
    match = _SCALE.fullmatch(bounds)
    scale = Scale(float(match[1]), float(match[2])) if match else None
    if scale is None or not scale.low < scale.high:
        raise BadScale(
            f"the scale {bounds!r} is none: write its lowest and highest rating, such as '1..5', or"
            f" what it is: {', '.join(SCALE_LEVELS)}"
        )
    return ScaleOption(scale, level)


def read_ratings(path: Path, scale: Scale | None = None, missing: Sequence[str] = ()) -> Table:
    """Read ratings; without the column `rater` every row is a rating by somebody else.

    Rows whose value is one of the texts in `missing` are no ratings. Raises BadTable.
    """
    return _read_table(path, "rater", missing, scale)


def read_scores(path: Path, missing: Sequence[str] = ()) -> Table:
    """Read scores of any number of metrics; `missing` as in `read_ratings`. Raises BadTable."""
    return _read_table(path, "metric", missing)


def _read_table(
    path: Path,
    name: Literal["rater", "metric"],
    missing: Sequence[str],
    scale: Scale | None = None,
) -> Table:
    complaints: list[Complaint] = []
    lines: dict[object, int] = {}
    columns = {"item", "value", "group", name} | ({"dimension"} if name == "rater" else set())

    def read(row: TableRow) -> Number:
        number = parse_record(
            Number, {own: row.cells[own] for own in columns if own in row.cells} | {"row": row}
        )
        if scale and not scale.low <= number.value <= scale.high:
            raise UnreadableCell(f"the rating {number.value:g} lies outside of the scale {scale}")
        if name in row.cells:
            of = f" and the dimension {number.dimension!r}" if number.dimension else ""
            what = f"the {name} {number.by!r} has a value for the item {number.item!r}{of}"
            check_once((number.item, number.by, number.dimension), row, lines, what)
        return number

    found = _long_rows(path, name, complaints)
    numbers = read_usable(path, found, "value", read, complaints, missing)
    return Table(path.name, tuple(numbers), tuple(complaints))


def read_usable(
    path: Path,
    found: Iterable[TableRow],
    column: str,
    read: Callable[[TableRow], T],
    complaints: list[Complaint],
    missing: Sequence[str],
) -> list[T]:
    """Return what `read` makes of each row; one that raises UnreadableCell is left out and named.

    Rows whose cell of `column` is one of the texts in `missing` say nothing. Raises BadTable where
    there is no row at all.
    """
    usable: list[T] = []
    for row in found:
        if row.cells[column].strip() not in missing:
            with leave_out(row, complaints):
                usable.append(read(row))
    if not usable and not complaints:
        raise BadTable(
            f"the file {path.name!r} holds no row below its header: add one for each {column}"
        )
    return usable


def _long_rows(
    path: Path, name: Literal["rater", "metric"], complaints: list[Complaint]
) -> Iterator[TableRow]:
    """Yield the rows with one value each; each cell of a wide table is such a row."""
    is_rated = name == "rater"
    columns = ("item", "value") if is_rated else ("item", name, "value")
    kept = ("item", "group", "dimension") if is_rated else ("item", "group")
    titles = read_titles(path, (*columns, name))
    names = titles.keys()
    if is_published(path):
        yield from published_rows(path, name, complaints)
        return
    by_dimension = is_rated and {"item", name} <= names and not names & {"value", "dimension"}
    variable = "dimension" if by_dimension else name
    if by_dimension:
        kept = ("item", "group", name)
    wide = by_dimension or ("item" in names and not names & {"value", name})
    if not wide or not names - set(kept):
        yield from read_rows(path, columns, complaints, optional=(name, "group", "dimension"))
        return
    for row in read_rows(path, ("item",), complaints, unique=True):
        shared = {column: row.cells[column] for column in kept if column in row.cells}
        for column, cell in row.cells.items():
            if column not in kept and cell.strip():
                yield TableRow(
                    row.file, row.line, {**shared, variable: titles[column], "value": cell}
                )


def check_once(key: object, row: TableRow, lines: dict[object, int], what: str) -> None:
    """Raise UnreadableCell where an earlier row says something of the same; `what` says what."""
    first = lines.setdefault(key, row.line)
    if first != row.line:
        raise UnreadableCell(f"{what} at line {first} already")


def unmatched(scored: Table, rated: Table) -> Iterator[Complaint]:
    """Yield a complaint for each row of an item that stands in one of the tables only."""
    for table, other, what in (
        (scored, rated, "rated by people"),
        (rated, scored, "scored by a metric"),
    ):
        known = {number.item for number in other.numbers}
        yield from complain_of_others(table.numbers, known, f"{what} in {other.file!r}")


def complain_of_others(
    numbers: Iterable[Number], known: Collection[str], what: str
) -> Iterator[Complaint]:
    """Yield a complaint for each row whose item is not known; `what` says what it is not."""
    for number in numbers:
        if number.item not in known:
            yield number.row.complaint(
                f"the item {number.item!r} is not {what}; the row is left out"
            )


def join_groups(rows_of_items: Iterable[tuple[str, str, TableRow]]) -> dict[str, str]:
    """Return the group of each item that has one, out of items, groups and rows.

    Raises BadTable where an item has two.
    """
    groups: dict[str, str] = {}
    for item, group, row in rows_of_items:
        if group and groups.setdefault(item, group) != group:
            raise BadTable(
                f"{row.file}, row {row.line}: the item {item!r} has the group {group!r} and before"
                f" it {groups[item]!r}: give it one"
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


def _with_items_of(scored: Table, rated: Table) -> Table:
    """Return the scores with the items as the ratings name them, where they do so otherwise."""
    known = {number.item for number in rated.numbers}
    aliases: dict[str, set[str]] = {}
    for number in rated.numbers:
        for alias in row_aliases(number.row):
            aliases.setdefault(alias, set()).add(number.item)
    numbers = [
        replace(number, item=min(items), group="")
        if number.item not in known
        and len(items := aliases.get(alias_key(number.item), set())) == 1
        else number
        for number in scored.numbers
    ]
    return replace(scored, numbers=tuple(numbers))


def join_tables(scored: Table, rated: Table) -> StudyTables:
    """Return the items of both tables. Raises BadTable where an item has two groups."""
    scored = _with_items_of(scored, rated)
    items = {number.item for number in scored.numbers} & {number.item for number in rated.numbers}
    groups = join_groups((*scored.groups(), *rated.groups()))
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
