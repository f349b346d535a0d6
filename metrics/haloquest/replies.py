"""Reads a grader's reply: both main points, and whether they agree; it knows no picture.

They are those of an answer and of its references.
"""

import re
from dataclasses import dataclass

from hallascope.data.files.tidy import line
from hallascope.metrics.replies import structured
from hallascope.metrics.replies.letters import strip_thinking
from hallascope.metrics.replies.structured import TEXT, object_schema

# The fields stand in this order, as a grader that has to state both points before it decides
# agrees better with people.
SCHEMA = object_schema(reply_main_point=TEXT, reference_main_point=TEXT, agree={"type": "boolean"})
# Our names come first, then those of the authors' schema and what graders make of them.
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
_FIELDS = (*_AGREE, *_REPLY, *_REFERENCE)
_LABELED_LINE = re.compile(
    r"(?:\d+[.)]\s*)?(?P<name>[A-Za-z][A-Za-z _]{0,60}?)\s*:\s*(?P<value>.*)"
)


@dataclass(frozen=True)
class Grading:
    """Holds what a grader says of a reply: both main points, and whether they agree.

    The main points are those of the reply and of the references, "" where it gives none.
    """

    reply: str
    reference: str
    agree: bool


def parse_grading(text: str) -> Grading | None:
    """Return the grading of a reply; None where it holds none, or two that differ. Never raises.

    Reads JSON by our names and by those of the authors' schema, also in a fence or within prose;
    lines such as "Main point of the reply: ...", "Agree: no"; and a verdict that stands alone.
    """
    text = strip_thinking(text)
    objects = structured.objects(text, _FIELDS)
    if not objects:
        return _read_lines(text)
    gradings = [_read_fields(item.fields) for item in objects]
    first = gradings[0]
    for grading in gradings:
        if grading is None or first is None or grading.agree != first.agree:
            return None
    return first


def _read_fields(fields: structured.ReplyFields) -> Grading | None:
    """Return the grading of fields; None where the verdict is missing, or a field no text."""
    verdicts = [fields[name] for name in _AGREE if name in fields]
    try:
        if len(verdicts) == 1 and isinstance(verdicts[0], bool):
            agree: bool | None = verdicts[0]
        else:
            agree = _read_verdict(structured.text_of(fields, *_AGREE))
        reply = line(structured.text_of(fields, *_REPLY))
        reference = line(structured.text_of(fields, *_REFERENCE))
    except ValueError:
        return None
    return None if agree is None else Grading(reply, reference, agree)


def _read_verdict(words: str) -> bool | None:
    plain = line(words).strip(" .!*_`\"'()[]")
    if _YES.fullmatch(plain):
        return True
    if _NO.fullmatch(plain):
        return False
    return None


def _read_lines(text: str) -> Grading | None:
    """Read lines with a name before the colon; one that is there twice makes them unreadable.

    Without such a line, the whole text may be the verdict.
    """
    plain = re.sub(r"[*_`#>]+", "", text.replace("_", " "))
    fields: dict[str, object] = {}
    for text_line in plain.splitlines():
        match = _LABELED_LINE.fullmatch(text_line.strip().lstrip("-• "))
        if not match:
            continue
        name = line(match["name"]).casefold()
        if name in _FIELDS:
            fields[name] = structured.DuplicateField() if name in fields else match["value"]
    if fields:
        return _read_fields(fields)
    agree = _read_verdict(plain)
    return None if agree is None else Grading("", "", agree)
