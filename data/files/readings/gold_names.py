"""Reads gold names: pairs of names that a person judged (``data/gold_names/README.md``)."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field

from hallascope.data.files.readings.gold_readings import Part
from hallascope.data.files.row_records import FilledText, parse_row
from hallascope.data.files.tables import BadTable, Complaint, leave_out, read_rows

FOLDER = Path(__file__).parents[2] / "gold_names"


@dataclass(frozen=True, kw_only=True)
class GoldNamePair:
    """Two names, and whether a person says that the observed is, or may well be, the expected."""

    expected: Annotated[FilledText, Field(alias="asked")]
    observed: Annotated[FilledText, Field(alias="seen")]
    same: Annotated[
        bool,
        BeforeValidator(lambda cell: {"yes": True, "no": False}.get(cell.strip().casefold(), cell)),
        Field(strict=True, description="yes or no"),
    ]


def gold_name_pairs(part: Part, folder: Path = FOLDER) -> list[GoldNamePair]:
    """Return the pairs of a part in the order of its file.

    Raises BadTable where the file is missing, or for its first row that cannot be read.
    """
    complaints: list[Complaint] = []
    pairs: list[GoldNamePair] = []
    for row in read_rows(folder / f"{part}.csv", ("asked", "seen", "same"), complaints):
        with leave_out(row, complaints):
            pairs.append(parse_row(GoldNamePair, row))
    if complaints:
        raise BadTable(str(complaints[0]))
    return pairs
