"""Reads replies to HaloQuest's questions that were given elsewhere, with what people say of them.

Read row by row, faults named with their line.

A table ``item, reply`` or ``item, reply, value``: the item is a row of a HaloQuest file
("haloquest-eval.csv:12"), the value 1 where a person finds the reply right and 0 where wrong. A
column ``model`` says who gave the reply, where the table holds the replies of several models.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field

from hallascope.data.benchmarks.haloquest import HaloRow
from hallascope.data.files.row_records import CleanText, parse_row
from hallascope.data.files.tables import Complaint, UnreadableCell, leave_out, read_rows
from hallascope.data.files.tidy import line

_VALUES: Mapping[str, bool | None] = {
    **dict.fromkeys(("1", "1.0", "true", "yes", "correct"), True),
    **dict.fromkeys(("0", "0.0", "false", "no", "incorrect"), False),
    "": None,
}


@dataclass(frozen=True)
class _ReplyCells:
    """The cells of a row."""

    item: CleanText
    reply: Annotated[str, BeforeValidator(lambda cell: cell.strip())]
    value: Annotated[
        Annotated[bool, Field(strict=True)] | None,
        BeforeValidator(lambda cell: _VALUES.get(line(cell).casefold(), cell)),
        Field(description="1 or 0"),
    ] = None
    model: CleanText = ""


@dataclass(frozen=True)
class GivenReply:
    """Holds a reply to the question of a row.

    `right` is what a person says of it, None where nobody did. `model` gave it, "" where the table
    does not say.
    """

    row: HaloRow
    reply: str
    right: bool | None = None
    model: str = ""


def read_replies(path: Path, known: Sequence[HaloRow]) -> tuple[list[GivenReply], list[Complaint]]:
    """Read the replies to these rows, one a row and model, and what was wrong with the rest.

    A row that asks a question again stands for the one that is kept. Raises BadTable.
    """
    complaints: list[Complaint] = []
    by_source = {source: row for row in known for source in (row.source, *row.repeated)}
    by_item: dict[tuple[str, str], GivenReply] = {}
    for row in read_rows(path, ("item", "reply"), complaints, optional=("value", "model")):
        with leave_out(row, complaints):
            cells = parse_row(_ReplyCells, row)
            asked = by_source.get(cells.item)
            if asked is None:
                raise UnreadableCell(
                    f"the item {cells.item!r} is no row of HaloQuest that was read: write it as"
                    " 'haloquest-eval.csv:2'"
                )
            given = GivenReply(asked, cells.reply, cells.value, cells.model)
            if by_item.setdefault((given.model, asked.source), given) is not given:
                again = "" if not asked.repeated else ", also as a row that asks it again"
                raise UnreadableCell(f"the item {asked.source!r} appears twice{again}")
    return list(by_item.values()), complaints
