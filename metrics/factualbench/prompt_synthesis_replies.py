"""Reads a writer's replies on new prompts: feasibility, phrases, and the prompt itself.

It knows no concept.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from hallascope.data.files.tidy import line
from hallascope.metrics.factualbench.criteria import (
    common_reply,
    of_words,
    read_met,
    reason_of,
    texts_by_label,
)
from hallascope.metrics.replies import structured
from hallascope.metrics.replies.letters import strip_thinking

PHRASES = 4  # what is asked for; more are not taken (paper, section 3.2)
FEASIBLE_SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {
        "reason": {"type": "string"},
        "feasible": {"type": "boolean"},
        "phrases": {"type": "array", "items": {"type": "array", "items": {"type": "string"}}},
    },
    "required": ["reason", "feasible", "phrases"],
    "additionalProperties": False,
}
PROMPT_SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {"prompt": {"type": "string"}},
    "required": ["prompt"],
    "additionalProperties": False,
}
_LABELS = {
    "feasible": ("feasible",),
    "phrases": ("phrases", "variations"),
    "reason": ("reason", "explanation"),
}
_ITEM = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s*(.+)$", re.MULTILINE)
_QUOTES = "\"'“”‘’` "


class FeasibilityReply(NamedTuple):
    """Holds what a writer says of a task.

    `feasible` is None where that cannot be read, each phrase has as many texts as are wanted.
    """

    feasible: bool | None
    phrases: tuple[tuple[str, ...], ...] = ()
    reason: str = ""


def read_feasible(text: str, each: int = 1) -> FeasibilityReply:
    """Read a reply of JSON, or of lines that begin with their names.

    Phrases without `each` texts are left out. Never raises.
    """
    text = strip_thinking(text)
    pieces = structured.objects(text, ("feasible", "phrases"))
    if not pieces:
        return _of_text(text, each)
    if len(pieces) > 1 or not pieces[0].fields:
        return FeasibilityReply(None)
    fields = pieces[0].fields
    said = fields.get("phrases")
    phrases = _phrases(said if isinstance(said, list) else [], each)
    return FeasibilityReply(read_met(fields.get("feasible")).met, phrases, reason_of(fields))


def _of_text(text: str, each: int) -> FeasibilityReply:
    said = texts_by_label(text, _LABELS)
    told = common_reply([of_words(one) for one in said["feasible"]])
    items = [item for block in said["phrases"] for item in _ITEM.findall(block)]
    reason = next((line(one) for one in said["reason"]), told.reason)
    return FeasibilityReply(
        told.met, _phrases([re.split(r"\s*[|;]\s*", item) for item in items], each), reason
    )


def _phrases(said: Sequence[object], each: int) -> tuple[tuple[str, ...], ...]:
    """Return the phrases that have `each` texts, none twice, at most four.

    A list of texts is one phrase a text.
    """
    found: dict[tuple[str, ...], None] = {}
    for one in said:
        texts = [
            line(text).strip(_QUOTES + ".")
            for text in (one if isinstance(one, list) else [one])
            if isinstance(text, str)
        ]
        if len(texts) == each and all(texts):
            found[tuple(texts)] = None
    return tuple(found)[:PHRASES]


def read_prompt(text: str) -> str:
    """The prompt of a reply of JSON, or of one line; "" where there is none, or more than one.

    Never raises.
    """
    text = strip_thinking(text)
    pieces = structured.objects(text, ("prompt",))
    if not pieces:
        lines = [one for one in text.splitlines() if one.strip("`*# ")]
        return (
            _bare(re.sub(r"^\W*prompt\W*:\s*", "", lines[0], flags=re.IGNORECASE))
            if len(lines) == 1
            else ""
        )
    try:
        found = {_bare(structured.text_of(piece.fields, "prompt")) for piece in pieces}
    except ValueError:
        return ""
    return found.pop() if len(found) == 1 else ""


def _bare(text: str) -> str:
    return line(text).strip(_QUOTES)
