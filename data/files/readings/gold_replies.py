"""Reads gold replies: what judges reply, and which choice that names (data/gold_replies/README.md).

It knows no rule by which replies are read.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from hallascope.data.files.row_records import parse_record
from hallascope.data.files.tables import (
    BadTable,
    Complaint,
    UnreadableCell,
    leave_out,
    read_json_lines,
)
from hallascope.data.records import LETTERS, Letter

FOLDER = Path(__file__).parents[2] / "gold_replies"
ALL = "all"
UNREADABLE: Literal["unreadable"] = "unreadable"
_Text = Annotated[str, Field(description="a text")]


@dataclass(frozen=True, kw_only=True)
class GoldReply:
    """Holds a reply to a multiple-choice question, and the letter that it names (None: no one).

    `habit` is what kind of reply it is; `line` where it stands in its `file`, from 1.
    """

    question: str
    choices: tuple[str, ...]
    reply: str
    expected: Letter | None
    habit: str
    file: str
    line: int


@dataclass(frozen=True)
class _ReplyFields:
    question: _Text
    choices: Annotated[tuple[_Text, ...], Field(description="a list of texts")]
    reply: _Text
    expected: Letter | Literal["unreadable"]
    habit: _Text


def parts(folder: Path = FOLDER) -> list[str]:
    """Return the parts by name: every file, and all of them."""
    return [*sorted(file.stem for file in folder.glob("*.jsonl")), ALL]


def gold_replies(part: str = ALL) -> list[GoldReply]:
    """Return the replies of one of the `parts` in the order of its file, of all in that of names.

    Raises BadTable as `read_file` does.
    """
    files = sorted(FOLDER.glob("*.jsonl")) if part == ALL else [FOLDER / f"{part}.jsonl"]
    return [reply for file in files for reply in read_file(file)]


def read_file(file: Path) -> list[GoldReply]:
    """Return the replies of a file in its order, JSON lines.

    Raises BadTable where it cannot be read, and for its first line that is wrong.
    """
    complaints: list[Complaint] = []
    replies: list[GoldReply] = []
    for row, values in read_json_lines(file, complaints):
        with leave_out(row, complaints, "reply"):
            fields = parse_record(_ReplyFields, values)
            expected = None if fields.expected == UNREADABLE else fields.expected
            if expected not in (None, *LETTERS[: len(fields.choices)]):
                raise UnreadableCell(
                    f"'expected' is {expected!r}: write the letter of a choice or {UNREADABLE!r}"
                )
            given = vars(fields) | {"expected": expected}
            replies.append(GoldReply(**given, file=row.file, line=row.line))
    if complaints:
        raise BadTable(str(complaints[0]))
    return replies
