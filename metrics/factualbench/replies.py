"""Reads a judge's reply to a round of T2I-FactualBench: criteria, rating, presence, task.

It knows no picture and no score.

JSON as asked for goes first, then the lines of the authors' form ("Total Rating: 3", "Shape
Accuracy: 1 Reason: ..."), then prose. What stands there twice and differs, and a rating outside 0
to 4, is not read.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from hallascope.data.files.tidy import line
from hallascope.metrics.factualbench.criteria import (
    REASON,
    VALUE,
    CriterionReply,
    common_reply,
    common_value,
    fold_name,
    of_words,
    read_met,
    reason_of,
    texts_by_label,
    told_of,
    values,
)
from hallascope.metrics.replies import structured
from hallascope.metrics.replies.letters import strip_thinking

ConceptCriterion = Literal["shape", "color", "texture", "details"]
CONCEPT: tuple[ConceptCriterion, ...] = ("shape", "color", "texture", "details")  # section 4.2
COMPOSITION = ("seamless", "completeness", "authenticity", "following")  # section 4.4
MOST = 4  # the highest rating: all criteria met
SHORT = 12  # a reply of fewer characters may be the number alone
# every name under which a criterion may stand, in words
_NAMES: dict[str, tuple[str, ...]] = {
    "shape": ("shape accuracy", "shape"),
    "color": ("color accuracy", "colour accuracy", "color", "colour"),
    "texture": ("texture representation", "texture accuracy", "texture"),
    "details": ("feature details", "feature detail", "details", "features"),
    "seamless": ("seamless transition", "seamless"),
    "completeness": ("visual completeness", "completeness"),
    "authenticity": ("authenticity",),
    "following": ("prompt following", "following"),
}
_RATING = (
    "total rating",
    "overall rating",
    "rating",
    "total score",
    "overall score",
    "overall",
    "score",
    "total",
)
_DONE = ("done", "task score", "task done", "task completed", "completed", "score", "task")
_PRESENT = ("concepts", "present", "presence")
_WORDS = ("zero", "one", "two", "three", "four")


def _rated_schema(criteria: Sequence[str]) -> Mapping[str, object]:
    one = {"reason": {"type": "string"}, "met": {"type": "integer", "enum": [0, 1]}}
    each = {
        "type": "object",
        "properties": one,
        "required": list(one),
        "additionalProperties": False,
    }
    fields = {
        **dict.fromkeys(criteria, each),
        "rating": {"type": "integer", "enum": list(range(MOST + 1))},
    }
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def _task_schema() -> Mapping[str, object]:
    one = {"concept": {"type": "string"}, "present": {"type": "integer", "enum": [0, 1]}}
    each = {
        "type": "object",
        "properties": one,
        "required": list(one),
        "additionalProperties": False,
    }
    fields = {
        "concepts": {"type": "array", "items": each},
        "reason": {"type": "string"},
        "done": {"type": "integer", "enum": [0, 1]},
    }
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


CONCEPT_SCHEMA = _rated_schema(CONCEPT)
COMPOSITION_SCHEMA = _rated_schema(COMPOSITION)
TASK_SCHEMA = _task_schema()


@dataclass(frozen=True)
class RatingReply:
    """Holds a reply to the first or third round: each criterion, and the overall rating, 0 to 4.

    None where it cannot be read.
    """

    rating: int | None
    criteria: Mapping[str, CriterionReply]

    @property
    def met(self) -> int:
        return sum(told.met is True for told in self.criteria.values())

    @property
    def flag(self) -> str:
        """Return one sentence where the rating cannot be the sum of the criteria.

        "" where it is, or may be.
        """
        untold = sum(told.met is None for told in self.criteria.values())
        if self.rating is None or self.met <= self.rating <= self.met + untold:
            return ""
        told = (
            f"{self.met} of the {len(self.criteria) - untold} criteria"
            if untold
            else f"{self.met} criteria"
        )
        return (
            f"The rating {self.rating} differs from the {told} that are met; it stands as the judge"
            " gives it."
        )


@dataclass(frozen=True)
class TaskReply:
    """Holds a reply to the second round: whether each concept is there and the task is done.

    None where that cannot be read.
    """

    done: bool | None
    present: Mapping[str, bool | None] = field(default_factory=dict)
    reason: str = ""

    @property
    def absent(self) -> tuple[str, ...]:
        return tuple(name for name, there in self.present.items() if there is False)

    @property
    def met(self) -> bool | None:
        """Return whether the task is done: never where a concept is absent (paper, section 4.3)."""
        return False if self.absent else self.done


# --- rounds 1 and 3


def read_rating(text: str, criteria: Sequence[str]) -> RatingReply:
    """The criteria and the rating of a reply; what cannot be read is None. Never raises."""
    text = strip_thinking(text)
    names = [name for criterion in criteria for name in _NAMES[criterion]]
    pieces = [_flat(piece.fields) for piece in structured.objects(text, (*names, *_RATING))]
    if not pieces:
        return _rating_of_text(text, criteria)
    if any(not piece for piece in pieces):
        return RatingReply(None, dict.fromkeys(criteria, CriterionReply()))
    told = {
        criterion: common_reply([told_of(piece, _NAMES[criterion]) for piece in pieces])
        for criterion in criteria
    }
    return RatingReply(
        common_value([_rating(value) for piece in pieces for value in values(piece, _RATING)]), told
    )


def _rating_of_text(text: str, criteria: Sequence[str]) -> RatingReply:
    said = texts_by_label(text, {**{name: _NAMES[name] for name in criteria}, "rating": _RATING})
    told = {
        criterion: common_reply([of_words(words) for words in said[criterion]])
        for criterion in criteria
    }
    ratings = [_rating(words) for words in said["rating"]] or [_rating_of_prose(text)]
    return RatingReply(common_value(ratings), told)


_SCALE = re.compile(r"\b(?:from |of )?0 ?(?:-|–|to) ?4\b")
_PROSE = re.compile(
    r"(?<![\d./-])(?P<of>\d+(?:\.\d+)?|zero|one|two|three|four) ?(?:/|out of) ?(?P<most>\d+)\b"
    r"|\brat(?:ing|e|ed)\b(?: (?:it|this|the (?:image|picture|concept)))?(?: (?:of|is|would"
    r" be|as|with|at|a))*"
    r" ?:? ?(?P<said>-?\d+(?:\.\d+)?)(?![\d/])",
    re.IGNORECASE,
)


def _rating_of_prose(text: str) -> int | None:
    """Return the one rating of sentences: "I rate it 3", "3 out of 4", or the number alone."""
    plain = _SCALE.sub(" ", line(text.replace("*", "")))
    if (alone := _rating(plain)) is not None and len(plain) < SHORT:
        return alone
    found = [
        _rating(match["said"] or f"{match['of']}/{match['most']}")
        for match in _PROSE.finditer(plain)
    ]
    return common_value(found)


_NUMBER = re.compile(
    rf"[\W_]{{0,3}}?(?P<number>-?\d+(?:\.\d+)?|{'|'.join(_WORDS)})\b(?: ?(?:/|out of|of)"
    r" ?(?P<most>\d+)\b)?"
    r"(?! ?(?:[-–/%]|to|or|of) ?[\d(a-z]*\d)(?![.,]\d)(?! ?%)",
    re.IGNORECASE,
)


def _rating(value: object) -> int | None:
    """Return a whole number from 0 to 4: "3", "3/4", "3 out of 4" or "three".

    It is of a number, or of words that begin with one.
    """
    if isinstance(value, dict):
        return common_value([_rating(each) for each in values(value, VALUE)])
    if isinstance(value, int | float) and not isinstance(value, bool):
        return int(value) if value in range(MOST + 1) else None
    match = _NUMBER.match(line(value)) if isinstance(value, str) else None
    if not match or match["most"] not in (None, str(MOST)):
        return None
    said = match["number"].casefold()
    number = float(_WORDS.index(said)) if said in _WORDS else float(said)
    return int(number) if number in range(MOST + 1) and not said.startswith("-") else None


# --- round 2


def read_task(text: str, concepts: Sequence[str]) -> TaskReply:
    """Return whether each concept is there and the task is done; what cannot be read is None.

    Never raises.
    """
    text = strip_thinking(text)
    pieces = [_flat(piece.fields) for piece in structured.objects(text, (*_DONE[:-1], *_PRESENT))]
    if pieces and not all(pieces):
        return TaskReply(None, dict.fromkeys(concepts))
    if not pieces:
        return _task_of_text(text, concepts)
    done = common_reply([told_of(piece, _DONE) for piece in pieces])
    there = [_presence(piece, concepts) for piece in pieces]
    present = {name: common_value([one[name] for one in there]) for name in concepts}
    reason = next((said for piece in pieces if (said := reason_of(piece))), done.reason)
    return TaskReply(done.met, present, reason)


def _task_of_text(text: str, concepts: Sequence[str]) -> TaskReply:
    said = texts_by_label(text, {"done": _DONE, "reason": REASON, "present": _PRESENT[1:]})
    told = common_reply(
        [of_words(words) for words in said["done"]]
        or [of_words(text) if len(text) < SHORT else CriterionReply()]
    )
    present = (
        common_value([of_words(words).met for words in said["present"]])
        if len(concepts) == 1
        else None
    )
    reason = next((line(words) for words in said["reason"] if words), told.reason)
    return TaskReply(told.met, dict.fromkeys(concepts, present), reason)


def settles_task(text: str) -> bool:
    """Return whether a reply says that the task is done or not, or that some concept is absent."""
    pieces = [
        _flat(piece.fields)
        for piece in structured.objects(strip_thinking(text), (*_DONE[:-1], *_PRESENT))
    ]
    return read_task(text, ()).done is not None or any(
        there is False for piece in pieces for _, there in _entries(piece)
    )


def _presence(fields: structured.ReplyFields, concepts: Sequence[str]) -> dict[str, bool | None]:
    """Read presence by name where the reply names concepts, else by order if it has as many."""
    entries = _entries(fields)
    named = dict(entries)
    if len(entries) != len(concepts) or all(fold_name(name) in named for name in concepts):
        return {name: named.get(fold_name(name)) for name in concepts}
    return {name: there for name, (_, there) in zip(concepts, entries, strict=True)}


def _entries(fields: structured.ReplyFields) -> list[tuple[str, bool | None]]:
    """Return what a reply says of each concept: its name if given, and whether it is there."""
    value = next(values(fields, _PRESENT), None)
    if isinstance(value, dict):
        return [(fold_name(str(name)), read_met(said).met) for name, said in value.items()]
    if isinstance(value, list):
        named = [
            (entry.get("concept", entry.get("name", "")), entry)
            for entry in value
            if isinstance(entry, dict)
        ]
        return [(fold_name(str(name)), read_met(entry).met) for name, entry in named]
    return [("", read_met(value).met)] if value is not None else []


def _flat(fields: structured.ReplyFields) -> dict[str, object]:
    """Return the fields with those of nested objects, unless these are of a criterion."""
    known = {name for names in _NAMES.values() for name in names} | {*_RATING, *_DONE, *_PRESENT}
    found: dict[str, object] = {}
    for name, value in fields.items():
        found |= value if isinstance(value, dict) and name not in known else {name: value}
    return found
