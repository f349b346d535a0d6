"""Reads gold replies: what judges reply, and which choice that names (data/gold_replies/README.md).

It knows no rule by which replies are read.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from hallascope.data.files.csv_tables import BadTable
from hallascope.data.files.readings.gold_readings import Part
from hallascope.data.records import LETTERS, Letter

FILE = Path(__file__).parents[2] / "gold_replies" / "replies.jsonl"
UNREADABLE = "unreadable"
_TEXTS = ("question", "reply", "expected", "habit")


@dataclass(frozen=True, kw_only=True)
class GoldReply:
    """Holds a reply to a multiple-choice question, and the letter that it names (None: no one).

    `habit` is what kind of reply it is; `line` where it stands in its file, from 1.
    """

    question: str
    choices: tuple[str, ...]
    reply: str
    expected: Letter | None
    habit: str
    line: int

    @property
    def part(self) -> Part:
        """Return the half: the replies of even lines are held out."""
        return "development" if self.line % 2 else "test"


def gold_replies(part: Part | None = None, file: Path = FILE) -> list[GoldReply]:
    """Return the replies of a part (None: of both) in the order of the file, JSON lines.

    Raises BadTable where the file cannot be read, for its first line that is wrong, and where it
    holds nothing.
    """
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise BadTable(f"{str(file)!r} cannot be opened ({error.strerror or error}).") from error
    except UnicodeDecodeError as error:
        raise BadTable(f"{str(file)!r} is no UTF-8 text: save it as UTF-8.") from error
    replies = [_gold_reply(line, number, file.name) for number, line in enumerate(lines, 1)]
    chosen = [reply for reply in replies if part in (None, reply.part)]
    if not chosen:
        raise BadTable(f"{str(file)!r} holds no reply: write a JSON object in each line.")
    return chosen


def _gold_reply(text: str, number: int, name: str) -> GoldReply:
    """Return the reply of a line. Raises BadTable with what is wrong in it."""
    place = f"{name}, line {number}"
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadTable(f"{place}: this is no JSON object.") from error
    if not isinstance(fields, dict):
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
    return GoldReply(
        question=fields["question"],
        choices=tuple(choices),
        reply=fields["reply"],
        expected=expected,
        habit=fields["habit"],
        line=number,
    )
