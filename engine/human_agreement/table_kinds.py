"""Recognizes by its columns what people say in a table: ratings, preferences or answers."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from hallascope.data.files.tables import BadTable, read_titles
from hallascope.engine.errors import BadRequest, refuse

TableKind = Literal["ratings", "preferences", "answers"]
TABLE_KINDS: Mapping[TableKind, str] = {
    "ratings": "ratings",
    "preferences": "preferences between two items",
    "answers": "answers to questions",
}
# The columns, by the names under which they are read, that make a table one of a kind.
_COLUMNS: Mapping[TableKind, tuple[str, ...]] = {
    "answers": ("item", "question", "answer"),
    "preferences": ("item a", "item b"),
}
_LIKELY = ("item", "value", "rater", "choice", *(name for of in _COLUMNS.values() for name in of))


class RecognizedTable(NamedTuple):
    """Holds the kind of a table, and the columns that tell it as its header writes them.

    Ratings have no columns that nothing else has: they are all tables that are of no other kind.
    """

    kind: TableKind
    columns: tuple[str, ...]


def recognize_table(path: Path) -> RecognizedTable:
    """Return the kind of a table of what people say, by its columns.

    Answers have item, question and answer; preferences have item_a and item_b; all else is read as
    ratings. Raises BadRequest where the file cannot be read as a table.
    """
    with refuse(BadTable):
        titles = read_titles(path, _LIKELY)
    for kind, columns in _COLUMNS.items():
        if set(columns) <= titles.keys():
            return RecognizedTable(kind, tuple(titles[name] for name in columns))
    return RecognizedTable("ratings", ())


def other_kind(path: Path, kind: TableKind) -> TableKind | None:
    """Return the kind that the columns show where it is another one than `kind`, else None.

    Ratings are told by no columns of their own, so that they are never the other kind; None also
    where the file cannot be read.
    """
    try:
        recognized = recognize_table(path)
    except BadRequest:
        return None
    return recognized.kind if recognized.kind not in ("ratings", kind) else None
