"""Reads a writer's replies on new prompts: whether a task is feasible, and its phrases.

It knows no concept.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hallascope.data.files.tidy import line
from hallascope.metrics.factualbench.criteria import (
    common_reply,
    criterion_from_words,
    read_met,
    reason_of,
    texts_by_label,
)
from hallascope.metrics.replies import structured
from hallascope.metrics.replies.letters import strip_thinking
from hallascope.metrics.replies.structured import TEXT, array_of, object_schema

PHRASES = 4  # what is asked for; more are not taken (paper, section 3.2)
FEASIBLE_SCHEMA = object_schema(
    reason=TEXT, feasible={"type": "boolean"}, phrases=array_of(array_of(TEXT))
)
_LABELS = {
    "feasible": ("feasible",),
    "phrases": ("phrases", "variations"),
    "reason": ("reason", "explanation"),
}
_ITEM = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s*(.+)$", re.MULTILINE)
_QUOTES = "\"'“”‘’` "


@dataclass(frozen=True)
class FeasibilityReply:
    """Holds what a writer says of a task.

    `feasible` is None where that cannot be read; each phrase has as many texts as are wanted.
    """

    feasible: bool | None
    phrases: tuple[tuple[str, ...], ...] = ()
    reason: str = ""


def read_feasible(text: str, texts_per_phrase: int = 1) -> FeasibilityReply:
    """Read a reply of JSON, or of lines that begin with their names.

    Phrases with more or fewer than `texts_per_phrase` texts are left out. Never raises.
    """
    text = strip_thinking(text)
    objects = structured.objects(text, ("feasible", "phrases"))
    if not objects:
        return _read_labelled(text, texts_per_phrase)
    fields = objects[0].fields
    if len(objects) > 1 or not fields:
        return FeasibilityReply(None)
    items = fields.get("phrases")
    phrases = _phrases(items if isinstance(items, list) else [], texts_per_phrase)
    return FeasibilityReply(read_met(fields.get("feasible")).met, phrases, reason_of(fields))


def _read_labelled(text: str, texts_per_phrase: int) -> FeasibilityReply:
    """Read a reply of labelled lines: "Feasible: yes", "Phrases:" with an item a line."""
    texts = texts_by_label(text, _LABELS)
    feasible = common_reply([criterion_from_words(words) for words in texts["feasible"]])
    items = [item for block in texts["phrases"] for item in _ITEM.findall(block)]
    phrases = _phrases([re.split(r"\s*[|;]\s*", item) for item in items], texts_per_phrase)
    reason = line(texts["reason"][0]) if texts["reason"] else feasible.reason
    return FeasibilityReply(feasible.met, phrases, reason)


def _phrases(items: Sequence[object], texts_per_phrase: int) -> tuple[tuple[str, ...], ...]:
    """Return the phrases that have as many texts as wanted, none twice, at most four.

    An item is the list of a phrase's texts, or a single text.
    """
    phrases: dict[tuple[str, ...], None] = {}
    for item in items:
        texts = tuple(
            line(text).strip(_QUOTES + ".")
            for text in (item if isinstance(item, list) else [item])
            if isinstance(text, str)
        )
        if len(texts) == texts_per_phrase and all(texts):
            phrases[texts] = None
    return tuple(phrases)[:PHRASES]
