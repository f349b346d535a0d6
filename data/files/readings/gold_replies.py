"""Reads gold replies: what judges reply, and which choice that names (data/gold_replies/README.md).

It knows no rule by which replies are read.
"""

from dataclasses import dataclass
from pathlib import Path

from hallascope.data.files.cells import json_object
from hallascope.data.files.csv_tables import BadTable, text_of
from hallascope.data.records import LETTERS, Letter

FOLDER = Path(__file__).parents[2] / "gold_replies"
ALL = "all"
UNREADABLE = "unreadable"
_TEXTS = ("question", "reply", "expected", "habit")


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
    lines = text_of(file).split("\n")
    return [_gold_reply(line, number, file.name) for number, line in enumerate(lines, 1) if line]


def _gold_reply(text: str, number: int, name: str) -> GoldReply:
    """Return the reply of a line. Raises BadTable with what is wrong in it."""
    place = f"{name}, line {number}"
    fields = json_object(text)
    if fields is None:
        raise BadTable(f"{place}: this is no JSON object.")
    for field in _TEXTS:
        if not isinstance(fields.get(field), str):
            raise BadTable(f"{place}: {field} is no text.")
    choices = fields.get("choices")
    if not isinstance(choices, list) or not all(isinstance(choice, str) for choice in choices):
        raise BadTable(f"{place}: choices is no list of texts.")
    known = LETTERS[: len(choices)]
    expected = next((letter for letter in known if letter == fields["expected"]), None)
    if expected is None and fields["expected"] != UNREADABLE:
        raise BadTable(
            f"{place}: expected is {fields['expected']!r}: write the letter of a choice or"
            f" {UNREADABLE!r}."
        )
    texts = {field: fields[field] for field in ("question", "reply", "habit")}
    return GoldReply(**texts, choices=tuple(choices), expected=expected, file=name, line=number)
