"""Reads criteria from a judge's reply: 0 or 1 with a reason, as fields, as words, behind labels.

It knows no criterion by name.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
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
    return (fields[name] for name in names if name in fields)


def told_of(fields: structured.ReplyFields, names: Sequence[str]) -> CriterionReply:
    return common_reply([read_met(value) for value in values(fields, names)])


def read_met(value: object) -> CriterionReply:
    """Read 0 or 1, yes or no, also as an object with its reason or as the start of a sentence."""
    if isinstance(value, dict):
        one = next(values(value, VALUE), None)
        return CriterionReply(
            None if isinstance(one, dict) else read_met(one).met, reason_of(value)
        )
    if isinstance(value, int | float):
        return CriterionReply(bool(value) if value in (0, 1) else None)
    return of_words(value) if isinstance(value, str) else CriterionReply()


def reason_of(fields: structured.ReplyFields) -> str:
    return next((line(value) for value in values(fields, REASON) if isinstance(value, str)), "")


_WORDS = "|".join(sorted((*_YES, *_NO), key=len, reverse=True))
_SAID = re.compile(
    r"[\s*_\"'(\[]*(?:(?P<digit>[01])(?:/1)?(?![\w/%]|[.,–-]\d| ?(?:of|out of|to|or) ?\d)"
    rf"|(?P<word>{_WORDS})(?=\W*(?:$|[.,;:!)\]\n–-]|reason\b)))"
    r"[\s*_\"')\].,;:!–-]*(?:(?:reason|explanation)\s*[:–-]\s*)?(?P<reason>.*)",
    re.IGNORECASE | re.DOTALL,
)


def of_words(said: str) -> CriterionReply:
    """Return the 0 or 1, yes or no that words begin with, and the reason after it."""
    match = _SAID.fullmatch(said.strip())
    if not match:
        return CriterionReply(None, line(said))
    return CriterionReply(
        match["digit"] == "1" or (match["word"] or "").casefold() in _YES,
        line(match["reason"].strip(" *_")),
    )


def common_reply(several: Sequence[CriterionReply]) -> CriterionReply:
    """Return what they all say; nothing where two differ."""
    said = [told for told in several if told.met is not None]
    if len({told.met for told in said}) > 1 or not several:
        return CriterionReply()
    return next(iter(said), several[0])


def common_value(values: Sequence[T | None]) -> T | None:
    """Return the one value that stands there; None where one is missing or two differ."""
    return values[0] if values and all(value == values[0] for value in values) else None


def fold_name(text: str) -> str:
    return " ".join(text.replace("_", " ").casefold().split())


def texts_by_label(text: str, names: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return what stands after each label, up to the next.

    A label opens a line, or has two words and a colon.
    """
    ours = {spelling: name for name, spellings in names.items() for spelling in spellings}
    ordered = sorted(ours, key=len, reverse=True)
    lead = "|".join(ordered)
    inner = "|".join(spelling for spelling in ordered if " " in spelling) or "(?!)"
    # what comes before a label is taken whole and within its line: else many marks or empty lines
    # take the square of their number
    opening = r"^(?:[>#*•_-]|[^\S\n])*+(?:\d++[.)]\s*+)?[*_\"]*+"
    label = re.compile(
        rf"(?:{opening}({lead})|(?<=[\s.;,|])[*_\"]*+({inner}))[*_\"]*\s*[:=][*_]*",
        re.IGNORECASE | re.MULTILINE,
    )
    found: dict[str, list[str]] = {name: [] for name in names}
    labels = list(label.finditer(text))
    for match, end in zip(
        labels, [*(later.start() for later in labels[1:]), len(text)], strict=False
    ):
        found[ours[(match[1] or match[2]).casefold()]].append(text[match.end() : end].strip())
    return found
