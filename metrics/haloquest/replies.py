"""Reads a grader's reply: both main points, and whether they agree; it knows no picture.

They are those of an answer and of its references.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from hallascope.data.files.tidy import line
from hallascope.metrics.replies import structured
from hallascope.metrics.replies.letters import strip_thinking

# what is wanted first comes first: a grader that has to state both points before it decides agrees
# better with people
SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {
        "reply_main_point": {"type": "string"},
        "reference_main_point": {"type": "string"},
        "agree": {"type": "boolean"},
    },
    "required": ["reply_main_point", "reference_main_point", "agree"],
    "additionalProperties": False,
}
# our names, then those of the authors' schema and what graders make of them
_REPLY = (
    "reply main point",
    "main point of the reply",
    "response main point",
    "sentence interpret model response main point",
)
_REFERENCE = (
    *(
        "reference main point",
        "main point of the reference",
        "main point of the references",
        "groundtruth main point",
    ),
    "sentence interpret groundtruth response main point",
)
_AGREE = (
    "agree",
    "agrees",
    "agreement",
    "is prediction correct",
    "correct",
    "is correct",
    "verdict",
)
_YES = re.compile(
    r"(?:yes|true|correct|right|agree|agrees|they agree|match|matches|1)", re.IGNORECASE
)
_NO = re.compile(
    r"(?:no|false|incorrect|wrong|disagree|disagrees|(?:they )?do not agree|does not agree|not"
    r" correct|no match|mismatch|0)",
    re.IGNORECASE,
)
_LABEL = re.compile(r"(?:\d+[.)]\s*)?(?P<name>[A-Za-z][A-Za-z _]{0,60}?)\s*:\s*(?P<said>.*)")


class Grading(NamedTuple):
    """Holds what a grader says of a reply: both main points, and whether they agree.

    They are those of the reply and the references, "" where it gives none.
    """

    reply: str
    reference: str
    agree: bool


def parse_grading(text: str) -> Grading | None:
    """Return the grading of a reply; None where it holds none, or two that differ. Never raises.

    Reads JSON by our names and by those of the authors' schema, also in a fence or within prose;
    lines such as "Main point of the reply: ...", "Agree: no"; and a verdict that stands alone.
    """
    said = strip_thinking(text)
    found = [
        _of_fields(piece.fields)
        for piece in structured.objects(said, (*_AGREE, *_REPLY, *_REFERENCE))
    ]
    found = found or [_of_lines(said)]
    gradings = {one.agree: one for one in reversed(found) if one}
    return next(iter(gradings.values())) if len(gradings) == 1 and None not in found else None


def _of_fields(fields: structured.ReplyFields) -> Grading | None:
    try:
        agree = _agree(fields)
        return (
            None
            if agree is None
            else Grading(_point(fields, _REPLY), _point(fields, _REFERENCE), agree)
        )
    except ValueError:
        return None


def _point(fields: structured.ReplyFields, names: tuple[str, ...]) -> str:
    return line(structured.text_of(fields, *names))


def _agree(fields: structured.ReplyFields) -> bool | None:
    """Raises ValueError where several fields say it, or one is no text."""
    named = [name for name in _AGREE if name in fields]
    if len(named) == 1 and isinstance(fields[named[0]], bool):
        return bool(fields[named[0]])
    return _verdict(structured.text_of(fields, *_AGREE))


def _verdict(words: str) -> bool | None:
    plain = line(words).strip(" .!*_`\"'()[]")
    if _YES.fullmatch(plain):
        return True
    return False if _NO.fullmatch(plain) else None


def _of_lines(text: str) -> Grading | None:
    """Lines with a name before the colon; a name that stands there twice makes them unreadable."""
    plain = re.sub(r"[*_`#>]+", "", text.replace("_", " "))
    fields: dict[str, object] = {}
    for each in filter(None, map(str.strip, plain.splitlines())):
        found = _LABEL.fullmatch(each.lstrip("-• "))
        name = line(found["name"]).casefold() if found else ""
        if found and name in (*_AGREE, *_REPLY, *_REFERENCE):
            fields[name] = structured.DuplicateField() if name in fields else found["said"]
    if fields:
        return _of_fields(fields)
    alone = _verdict(plain)
    return None if alone is None else Grading("", "", alone)
