"""Reads criteria from a judge's reply: 0 or 1 with a reason, as fields, as words, behind labels.

It knows no criterion by name.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from hallascope.data.files.tidy import line
from hallascope.metrics.replies import structured

T = TypeVar("T")
VALUE = ("met", "present", "score", "rating", "value", "result")
REASON = ("reason", "explanation", "rationale", "comment")
_YES = ("yes", "true", "met", "present", "done")
_NO = ("no", "false", "not met", "not present", "absent", "not done")


@dataclass(frozen=True)
class CriterionReply:
    """Holds what a reply says of one criterion; `met` is None where nothing can be read."""

    met: bool | None = None
    reason: str = ""


def values(fields: structured.ReplyFields, names: Sequence[str]) -> Iterator[object]:
    """Yield the values of the fields that a reply has, in the order of `names`."""
    return (fields[name] for name in names if name in fields)


def criterion_from_fields(fields: structured.ReplyFields, names: Sequence[str]) -> CriterionReply:
    """Read a criterion that may stand under several names; nothing where two of them differ."""
    return common_reply([read_met(value) for value in values(fields, names)])


def read_met(value: object) -> CriterionReply:
    """Read 0 or 1, yes or no, also as an object with its reason or as the start of a sentence."""
    if isinstance(value, dict):
        inner = next(values(value, VALUE), None)
        met = None if isinstance(inner, dict) else read_met(inner).met
        return CriterionReply(met, reason_of(value))
    if isinstance(value, int | float):
        return CriterionReply(bool(value) if value in (0, 1) else None)
    if isinstance(value, str):
        return criterion_from_words(value)
    return CriterionReply()


def reason_of(fields: structured.ReplyFields) -> str:
    """Return the reason among the fields of a reply, on one line; "" where there is none."""
    return next((line(value) for value in values(fields, REASON) if isinstance(value, str)), "")


_WORDS = "|".join(sorted((*_YES, *_NO), key=len, reverse=True))
_LEADING_VERDICT = re.compile(
    r"[\s*_\"'(\[]*(?:(?P<digit>[01])(?:/1)?(?![\w/%]|[.,–-]\d| ?(?:of|out of|to|or) ?\d)"
    rf"|(?P<word>{_WORDS})(?=\W*(?:$|[.,;:!)\]\n–-]|reason\b)))"
    r"[\s*_\"')\].,;:!–-]*(?:(?:reason|explanation)\s*[:–-]\s*)?(?P<reason>.*)",
    re.IGNORECASE | re.DOTALL,
)


def criterion_from_words(text: str) -> CriterionReply:
    """Return the 0 or 1, yes or no that words begin with, and the reason after it."""
    match = _LEADING_VERDICT.fullmatch(text.strip())
    if not match:
        return CriterionReply(None, line(text))
    met = match["digit"] == "1" or (match["word"] or "").casefold() in _YES
    return CriterionReply(met, line(match["reason"].strip(" *_")))


def common_reply(replies: Sequence[CriterionReply]) -> CriterionReply:
    """Return what all replies say; nothing where two of them differ."""
    if not replies:
        return CriterionReply()
    readable = [reply for reply in replies if reply.met is not None]
    if not readable:
        return replies[0]
    if any(reply.met != readable[0].met for reply in readable):
        return CriterionReply()
    return readable[0]


def common_value(values: Sequence[T | None]) -> T | None:
    """Return the value that all share; None where there is none, one is missing or two differ."""
    if not values or any(value != values[0] for value in values):
        return None
    return values[0]


def fold_name(text: str) -> str:
    """Return a name in lower case, with spaces for underscores, to compare it with others."""
    return " ".join(text.replace("_", " ").casefold().split())


def texts_by_label(text: str, names: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return what stands after each label, up to the next.

    A label opens a line, or has two words and a colon.
    """
    name_by_spelling = {
        spelling: name for name, spellings in names.items() for spelling in spellings
    }
    texts: dict[str, list[str]] = {name: [] for name in names}
    for label, labeled in structured.labeled_texts(_label_pattern(name_by_spelling), text):
        spelling = (label[1] or label[2]).casefold()
        texts[name_by_spelling[spelling]].append(labeled.strip())
    return texts


def _label_pattern(spellings: Iterable[str]) -> re.Pattern[str]:
    """Return the pattern of a label: group 1 where it opens a line, group 2 within one."""
    longest_first = sorted(spellings, key=len, reverse=True)
    lead = "|".join(longest_first)
    inner = "|".join(spelling for spelling in longest_first if " " in spelling) or "(?!)"
    # What comes before a label is taken whole and within its line: else many marks or empty lines
    # take the square of their number.
    opening = r"^(?:[>#*•_-]|[^\S\n])*+(?:\d++[.)]\s*+)?[*_\"]*+"
    return re.compile(
        rf"(?:{opening}({lead})|(?<=[\s.;,|])[*_\"]*+({inner}))[*_\"]*\s*[:=][*_]*",
        re.IGNORECASE | re.MULTILINE,
    )
