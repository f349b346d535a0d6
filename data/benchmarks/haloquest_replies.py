"""Reads replies to HaloQuest's questions that were given elsewhere, with what people say of them.

Read row by row, faults named with their line.

A table ``item, reply`` or ``item, reply, value``: the item is a row of a HaloQuest file
("haloquest-eval.csv:12"), the value 1 where a person finds the reply right and 0 where wrong. A
column ``model`` says who gave the reply, where the table holds the replies of several models.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hallascope.data.benchmarks.haloquest import HaloRow
from hallascope.data.files import tidy
from hallascope.data.files.cells import UnreadableCell, leave_out
from hallascope.data.files.csv_tables import CsvRow, rows
from hallascope.data.files.sheets import Complaint

_VALUES: Mapping[str, bool | None] = {
    **dict.fromkeys(("1", "1.0", "true", "yes", "correct"), True),
    **dict.fromkeys(("0", "0.0", "false", "no", "incorrect"), False),
    "": None,
}


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
    for line in rows(path, ("item", "reply"), complaints, optional=("value", "model")):
        with leave_out(line, complaints):
            given = _given_reply(line, by_source)
            key = given.model, given.row.source
            if key in by_item:
                again = "" if not given.row.repeated else ", also as a row that asks it again"
                raise UnreadableCell(f"the item {given.row.source!r} stands there twice{again}")
            by_item[key] = given
    return list(by_item.values()), complaints


def _given_reply(line: CsvRow, known: Mapping[str, HaloRow]) -> GivenReply:
    """Raises UnreadableCell."""
    item = tidy.line(line.cells["item"])
    value = tidy.line(line.cells.get("value", "")).casefold()
    if item not in known:
        raise UnreadableCell(
            f"the item {item!r} is no row of HaloQuest that was read: write it as"
            " 'haloquest-eval.csv:2'"
        )
    if value not in _VALUES:
        raise UnreadableCell(f"the value {value!r} is neither 1 nor 0")
    model = tidy.line(line.cells.get("model", ""))
    return GivenReply(known[item], line.cells["reply"].strip(), _VALUES[value], model)
