"""Reads gold names: pairs of names that a person judged (``data/gold_names/README.md``)."""

from dataclasses import dataclass
from pathlib import Path

from hallascope.data.files.csv_tables import BadTable, CsvRow, rows
from hallascope.data.files.readings.gold_readings import Part
from hallascope.data.files.sheets import Complaint

FOLDER = Path(__file__).parents[2] / "gold_names"
_JUDGMENTS = {"yes": True, "no": False}


@dataclass(frozen=True, kw_only=True)
class GoldNamePair:
    """Two names, and whether a person says that the observed is, or may well be, the expected."""

    expected: str
    observed: str
    same: bool


def gold_name_pairs(part: Part, folder: Path = FOLDER) -> list[GoldNamePair]:
    """Return the pairs of a part in the order of its file.

    Raises BadTable where the file is missing, or for its first row that cannot be read.
    """
    complaints: list[Complaint] = []
    pairs = [
        _name_pair(row)
        for row in rows(folder / f"{part}.csv", ("asked", "seen", "same"), complaints)
    ]
    if complaints:
        raise BadTable(str(complaints[0]))
    return pairs


def _name_pair(row: CsvRow) -> GoldNamePair:
    judgment = row.cells["same"].strip().casefold()
    expected = row.cells["asked"].strip()
    observed = row.cells["seen"].strip()
    if judgment not in _JUDGMENTS:
        raise BadTable(str(row.complaint(f"same is {judgment!r}: write yes or no")))
    if not expected or not observed:
        raise BadTable(str(row.complaint("a name is missing: fill in asked and seen")))
    return GoldNamePair(expected=expected, observed=observed, same=_JUDGMENTS[judgment])
