"""Reads tables in which people choose between two items, row by row.

Columns: ``item_a, item_b, choice``, optionally ``rater`` and ``group`` (the cluster of a pair, such
as its prompt). What cannot be used is named with file and line.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import BeforeValidator

from hallascope.data.files.ratings import check_once, read_usable
from hallascope.data.files.row_records import FilledText, parse_row
from hallascope.data.files.tables import Complaint, TableRow, column_name, read_rows

PreferenceChoice = Literal["a", "b", "tie", "unreadable"]
CHOICES: tuple[PreferenceChoice, ...] = get_args(PreferenceChoice)


def _choice(cell: object) -> str:
    return column_name(str(cell)).removeprefix("item ")


@dataclass(frozen=True, kw_only=True)
class Preference:
    """Holds which of two items a person prefers: "a", "b" or neither ("tie").

    A choice that could not be read is "unreadable". The rater is "" where nobody is named, and so
    is the group.
    """

    item_a: FilledText
    item_b: FilledText
    choice: Annotated[PreferenceChoice, BeforeValidator(_choice)]
    row: TableRow
    rater: FilledText = ""
    group: FilledText = ""

    def __post_init__(self) -> None:
        if self.item_a == self.item_b:
            raise ValueError(f"the item {self.item_a!r} is compared with itself")


@dataclass(frozen=True)
class PreferenceTable:
    """Holds the rows that can be used, in their order, and what was wrong with the rest."""

    file: str
    preferences: tuple[Preference, ...]
    complaints: tuple[Complaint, ...]


def read_preferences(path: Path, missing: Sequence[str] = ()) -> PreferenceTable:
    """Read choices between two items; rows whose choice is one of `missing` say nothing.

    Raises BadTable.
    """
    complaints: list[Complaint] = []
    lines: dict[object, int] = {}

    def read(row: TableRow) -> Preference:
        preference = parse_row(Preference, row)
        pair = preference.item_a, preference.item_b
        if rater := preference.rater:
            what = f"the rater {rater!r} chose between {pair[0]!r} and {pair[1]!r}"
            check_once((frozenset(pair), rater), row, lines, what)
        return preference

    columns = ("item a", "item b", "choice")
    found = read_rows(path, columns, complaints, optional=("rater", "group"))
    preferences = read_usable(path, found, "choice", read, complaints, missing)
    return PreferenceTable(path.name, tuple(preferences), tuple(complaints))
