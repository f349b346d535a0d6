"""Reads tables in which people choose between two items, row by row.

Columns: ``item_a, item_b, choice``, optionally ``rater`` and ``group`` (the cluster of a pair, such
as its prompt). What cannot be used is named with file and line.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from hallascope.data.files import tidy
from hallascope.data.files.cells import UnreadableCell
from hallascope.data.files.csv_tables import CsvRow, rows
from hallascope.data.files.ratings import check_once, read_cell, read_usable
from hallascope.data.files.sheets import Complaint

PreferenceChoice = Literal["a", "b", "tie", "unreadable"]
CHOICES: tuple[PreferenceChoice, ...] = get_args(PreferenceChoice)
_SPELLINGS: dict[str, PreferenceChoice] = {
    **{choice: choice for choice in CHOICES},
    "item a": "a",
    "item b": "b",
}


class Preference(NamedTuple):
    """Holds which of two items a person prefers: "a", "b" or neither ("tie").

    A choice that could not be read is "unreadable". The rater is "" where nobody is named, and so
    is the group.
    """

    item_a: str
    item_b: str
    rater: str
    choice: PreferenceChoice
    group: str
    row: CsvRow


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

    def read(row: CsvRow) -> Preference:
        preference = _preference(row)
        item_a, item_b, rater = preference[:3]
        if rater:
            what = f"the rater {rater!r} chose between {item_a!r} and {item_b!r}"
            check_once((frozenset((item_a, item_b)), rater), row, lines, what)
        return preference

    columns = ("item a", "item b", "choice")
    found = rows(path, columns, complaints, optional=("rater", "group"))
    preferences = read_usable(path, found, "choice", read, complaints, missing)
    return PreferenceTable(path.name, tuple(preferences), tuple(complaints))


def _preference(row: CsvRow) -> Preference:
    """Raises UnreadableCell."""
    item_a, item_b, rater = (read_cell(row, name) for name in ("item a", "item b", "rater"))
    if item_a == item_b:
        raise UnreadableCell(f"the item {item_a!r} is compared with itself")
    group = read_cell(row, "group")
    text = tidy.line(row.cells["choice"]).replace("_", " ").casefold()
    choice = _SPELLINGS.get(text)
    if choice is None:
        raise UnreadableCell(
            f"the choice {row.cells['choice'].strip()!r} is none of {', '.join(CHOICES)}"
        )
    return Preference(item_a, item_b, rater, choice, group, row)
