"""Reads tables in which people choose between two items, row by row.

Columns: ``item_a, item_b, choice``, optionally ``rater`` and ``group`` (the cluster of a pair, such
as its prompt). What cannot be used is named with file and line.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from hallascope.data.files import tidy
from hallascope.data.files.csv_tables import CsvRow, rows
from hallascope.data.files.ratings import UnusableRating, read_usable
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
    lines: dict[tuple[frozenset[str], str], int] = {}

    def read(row: CsvRow) -> Preference:
        preference = _preference(row)
        if preference.rater:
            _check_once(preference, lines)
        return preference

    columns = ("item a", "item b", "choice")
    found = rows(path, columns, complaints, optional=("rater", "group"))
    preferences = read_usable(path, found, "choice", read, complaints, missing)
    return PreferenceTable(path.name, tuple(preferences), tuple(complaints))


def _preference(row: CsvRow) -> Preference:
    """Raises UnusableRating."""
    texts = {name: tidy.line(row.cells.get(name, "")) for name in ("item a", "item b", "rater")}
    for name, text in texts.items():
        if name in row.cells and not text:
            raise UnusableRating(f"the {name} is empty")
    if texts["item a"] == texts["item b"]:
        raise UnusableRating(f"the item {texts['item a']!r} is compared with itself")
    group = tidy.line(row.cells.get("group", ""))
    if "group" in row.cells and not group:
        raise UnusableRating("the group is empty")
    text = tidy.line(row.cells["choice"]).replace("_", " ").casefold()
    choice = _SPELLINGS.get(text)
    if choice is None:
        raise UnusableRating(
            f"the choice {row.cells['choice'].strip()!r} is none of {', '.join(CHOICES)}"
        )
    return Preference(texts["item a"], texts["item b"], texts["rater"], choice, group, row)


def _check_once(preference: Preference, lines: dict[tuple[frozenset[str], str], int]) -> None:
    """Raise UnusableRating where the same rater chose between the same items before."""
    pair = frozenset((preference.item_a, preference.item_b))
    first = lines.setdefault((pair, preference.rater), preference.row.line)
    if first != preference.row.line:
        raise UnusableRating(
            f"the rater {preference.rater!r} chose between {preference.item_a!r} and"
            f" {preference.item_b!r} at line {first} already"
        )
