"""Writes and reads people's verdicts as a table: who said what of which picture and when.

Columns: ``item`` (the picture's SHA-256), ``prompt``, ``kind`` (what is answered: "question",
"grade", "finding"), ``about`` (the question, or the finding), ``rater``, ``value``, ``when`` (ISO,
UTC). A table of grades is a table of ratings (`hallascope.data.files.ratings`), too.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal, get_args
from unicodedata import normalize

from pydantic import BeforeValidator, Field

from hallascope.data.files.csv_text import csv_text, unescape_formula
from hallascope.data.files.row_records import parse_record
from hallascope.data.files.tables import Complaint, TableRow, UnreadableCell, leave_out, read_rows
from hallascope.data.files.tidy import line

VerdictKind = Literal["question", "grade", "finding"]
KINDS: tuple[VerdictKind, ...] = get_args(VerdictKind)
GRADES = tuple(str(grade) for grade in range(1, 8))
# The cells that must not be empty.
_NEEDED: Mapping[VerdictKind, tuple[str, ...]] = {
    "question": ("rater", "value", "about"),
    "grade": ("rater", "value"),
    "finding": ("value", "about"),
}
CANNOT_BE_TOLD = "?"
COLUMNS = ("item", "prompt", "kind", "about", "rater", "value", "when")
# columns that name something of ours, which must be the same to the last space
_EXACT = ("prompt", "about", "value")


def _seconds(cell: object) -> object:
    """Return the seconds since 1970 of a time that is written."""
    if not isinstance(cell, str):
        return cell
    try:
        time = datetime.fromisoformat(cell)
    except ValueError:
        raise ValueError(
            f"the time {cell!r} is none: write it as '2026-01-31T12:00:00+00:00'"
        ) from None
    return time.replace(tzinfo=time.tzinfo or UTC).timestamp()


@dataclass(frozen=True, kw_only=True)
class PersonVerdict:
    """Holds what a person said of an image, named by the SHA-256 of its file.

    `value`: the words of a choice, "?" where it cannot be told, or a grade from 1 to 7.

    `metric` is the one whose finding `about` is, "" for questions and grades. `when` in seconds
    since 1970.
    """

    image: Annotated[
        str, Field(alias="item", pattern=r"^[0-9a-f]{64}$", description="the SHA-256 of an image")
    ]
    prompt: str
    kind: VerdictKind
    about: str
    rater: str
    value: str
    when: Annotated[float, BeforeValidator(_seconds)]
    metric: str = ""


def table(verdicts: Iterable[PersonVerdict]) -> str:
    """Return the verdicts as CSV."""
    import pandas as pd

    rows = [vars(verdict) | {"when": written_at(verdict.when)} for verdict in verdicts]
    frame = pd.DataFrame(rows, columns=[field.name for field in fields(PersonVerdict)])
    return csv_text(frame.rename(columns={"image": "item"}))


def written_at(when: float) -> str:
    """Return a time in seconds since 1970 as it stands in a table."""
    return datetime.fromtimestamp(when, UTC).isoformat(timespec="microseconds")


def read_verdicts(path: Path) -> tuple[list[PersonVerdict], list[Complaint]]:
    """Read the verdicts of a table, and what was wrong with the other rows. Raises BadTable."""
    complaints: list[Complaint] = []
    verdicts: list[PersonVerdict] = []
    for row in read_rows(path, COLUMNS, complaints, optional=("metric",)):
        with leave_out(row, complaints):
            verdicts.append(_verdict(row))
    return verdicts, complaints


def _verdict(row: TableRow) -> PersonVerdict:
    cells = {name: unescape_formula(cell) for name, cell in row.cells.items()}
    verdict = parse_record(
        PersonVerdict,
        {
            name: normalize("NFC", cell) if name in _EXACT else line(cell)
            for name, cell in cells.items()
        },
    )
    if verdict.kind == "grade" and verdict.value not in GRADES:
        raise UnreadableCell(f"the grade {verdict.value!r} is no whole number from 1 to 7")
    for name in _NEEDED[verdict.kind]:
        if not getattr(verdict, name).strip():
            raise UnreadableCell(f"the {name} is empty")
    return replace(verdict, about="") if verdict.kind == "grade" else verdict
