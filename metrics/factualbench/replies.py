"""Reads a judge's reply to a round of T2I-FactualBench: criteria, rating, presence, task.

It knows no picture and no score.

JSON as asked for goes first, then the lines of the authors' form ("Total Rating: 3", "Shape
Accuracy: 1 Reason: ..."), then prose. What stands there twice and differs, and a rating outside 0
to 4, is not read.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal

from hallascope.data.files.tidy import line
from hallascope.metrics.factualbench.criteria import (
    REASON,
    VALUE,
    CriterionReply,
    common_reply,
    common_value,
    criterion_from_fields,
    criterion_from_words,
    fold_name,
    read_met,
    reason_of,
    texts_by_label,
    values,
)
from hallascope.metrics.replies import structured
from hallascope.metrics.replies.letters import strip_thinking
from hallascope.metrics.replies.structured import TEXT, array_of, object_schema

ConceptCriterion = Literal["shape", "color", "texture", "details"]
CONCEPT: tuple[ConceptCriterion, ...] = ("shape", "color", "texture", "details")  # section 4.2
COMPOSITION = ("seamless", "completeness", "authenticity", "following")  # section 4.4
MOST = 4  # the highest rating: all criteria met
SHORT = 12  # a reply of fewer characters may be the number alone
# Every name under which a criterion may stand, in words.
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
# "task" alone may be the name of the task, so it does not mark an object as a verdict.
_TASK_FIELDS = (*_DONE[:-1], *_PRESENT)
_FIELDS = frozenset((*chain.from_iterable(_NAMES.values()), *_RATING, *_DONE, *_PRESENT))
_WORDS = ("zero", "one", "two", "three", "four")


_BINARY = {"type": "integer", "enum": [0, 1]}


def _rating_schema(criteria: Sequence[str]) -> Mapping[str, object]:
    criterion = object_schema(reason=TEXT, met=_BINARY)
    rating = {"type": "integer", "enum": list(range(MOST + 1))}
    return object_schema(**dict.fromkeys(criteria, criterion), rating=rating)


CONCEPT_SCHEMA = _rating_schema(CONCEPT)
COMPOSITION_SCHEMA = _rating_schema(COMPOSITION)
TASK_SCHEMA = object_schema(
    concepts=array_of(object_schema(concept=TEXT, present=_BINARY)), reason=TEXT, done=_BINARY
)


@dataclass(frozen=True)
class RatingReply:
    """Holds a reply to the first or third round: each criterion, and the overall rating, 0 to 4.

    None where it cannot be read; `says_rating` is False where the reply gives none at all.
    """

    rating: int | None
    criteria: Mapping[str, CriterionReply]
    says_rating: bool = True

    @property
    def points(self) -> int | None:
        """Return the rating; where the reply gives none, how many criteria are met.

        That is what the rating counts (paper, section 4.2). None where a criterion is unread.
        """
        is_whole = bool(self.criteria) and None not in (
            criterion.met for criterion in self.criteria.values()
        )
        return self.met if not self.says_rating and is_whole else self.rating

    @property
    def met(self) -> int:
        """Return how many criteria are met."""
        return sum(criterion.met is True for criterion in self.criteria.values())

    @property
    def flag(self) -> str:
        """Return one sentence where the rating cannot be the sum of the criteria.

        "" where it is, or may be. Another sentence where the criteria take the place of a rating.
        """
        if self.rating is None and self.points is not None:
            return "The reply holds no rating: the criteria that are met are counted."
        unread = sum(criterion.met is None for criterion in self.criteria.values())
        if self.rating is None or self.met <= self.rating <= self.met + unread:
            return ""
        count = f"{self.met} of the {len(self.criteria) - unread}" if unread else f"{self.met}"
        return (
            f"The rating {self.rating} differs from the {count} criteria that are met; it stands as"
            " the judge gives it."
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
        """Return the names of the concepts that the reply calls absent."""
        return tuple(name for name, present in self.present.items() if present is False)

    @property
    def met(self) -> bool | None:
        """Return whether the task is done: never where a concept is absent (paper, section 4.3)."""
        return False if self.absent else self.done


# --- rounds 1 and 3


def read_rating(text: str, criteria: Sequence[str]) -> RatingReply:
    """Return the criteria and the rating of a reply; what cannot be read is None. Never raises."""
    text = strip_thinking(text)
    names = [name for criterion in criteria for name in _NAMES[criterion]]
    objects = _flat_objects(text, (*names, *_RATING))
    if not objects:
        return _read_labeled_rating(text, criteria)
    if not all(objects):
        return RatingReply(None, dict.fromkeys(criteria, CriterionReply()))
    verdicts = {
        criterion: common_reply(
            [criterion_from_fields(fields, _NAMES[criterion]) for fields in objects]
        )
        for criterion in criteria
    }
    ratings = [_rating(value) for fields in objects for value in values(fields, _RATING)]
    return RatingReply(common_value(ratings), verdicts, bool(ratings))


def _read_labeled_rating(text: str, criteria: Sequence[str]) -> RatingReply:
    """Read a reply of the authors' form: "Total Rating: 3", "Shape Accuracy: 1 Reason: ..."."""
    labels = {criterion: _NAMES[criterion] for criterion in criteria} | {"rating": _RATING}
    texts = texts_by_label(text, labels)
    verdicts = {
        criterion: common_reply([criterion_from_words(words) for words in texts[criterion]])
        for criterion in criteria
    }
    if texts["rating"]:
        return RatingReply(common_value([_rating(words) for words in texts["rating"]]), verdicts)
    says_rating = _PROSE.search(line(text.replace("*", ""))) is not None
    return RatingReply(_rating_of_prose(text), verdicts, says_rating)


_SCALE = re.compile(r"\b(?:from |of )?0 ?(?:-|–|to) ?4\b")
_PROSE = re.compile(
    r"(?<![\d./-])(?P<of>\d+(?:\.\d+)?|zero|one|two|three|four) ?(?:/|out of) ?(?P<most>\d+)\b"
    r"|\brat(?:ing|e|ed)\b(?: (?:it|this|the (?:image|picture|concept)))?(?: (?:of|is|would"
    r" be|as|with|at|a))*"
    r" ?:? ?(?P<rating>-?\d+(?:\.\d+)?)(?![\d/])",
    re.IGNORECASE,
)


def _rating_of_prose(text: str) -> int | None:
    """Return the one rating of sentences: "I rate it 3", "3 out of 4", or the number alone."""
    plain = _SCALE.sub(" ", line(text.replace("*", "")))
    if len(plain) < SHORT and (rating := _rating(plain)) is not None:
        return rating
    ratings = [
        _rating(match["rating"] or f"{match['of']}/{match['most']}")
        for match in _PROSE.finditer(plain)
    ]
    return common_value(ratings)


_NUMBER = re.compile(
    rf"[\W_]{{0,3}}?(?P<number>-?\d+(?:\.\d+)?|{'|'.join(_WORDS)})\b(?: ?(?:/|out of|of)"
    r" ?(?P<most>\d+)\b)?"
    r"(?! ?(?:[-–/%]|to|or|of) ?[\d(a-z]*\d)(?![.,]\d)(?! ?%)",
    re.IGNORECASE,
)


def _rating(value: object) -> int | None:
    """Return a whole number from 0 to 4: "3", "3/4", "3 out of 4" or "three".

    It is read of a number, or of words that begin with one.
    """
    if isinstance(value, dict):
        return common_value([_rating(inner) for inner in values(value, VALUE)])
    if isinstance(value, int | float) and not isinstance(value, bool):
        return int(value) if value in range(MOST + 1) else None
    if not isinstance(value, str):
        return None
    match = _NUMBER.match(line(value))
    if not match or match["most"] not in (None, str(MOST)):
        return None
    number = match["number"].casefold()
    if number in _WORDS:
        return _WORDS.index(number)
    if number.startswith("-") or float(number) not in range(MOST + 1):
        return None
    return int(float(number))


# --- round 2


def read_task(text: str, concepts: Sequence[str]) -> TaskReply:
    """Return whether each concept is there and the task is done; what cannot be read is None.

    Never raises.
    """
    text = strip_thinking(text)
    objects = _flat_objects(text, _TASK_FIELDS)
    if not objects:
        return _read_labeled_task(text, concepts)
    if not all(objects):
        return TaskReply(None, dict.fromkeys(concepts))
    done = common_reply([criterion_from_fields(fields, _DONE) for fields in objects])
    presences = [_presence_by_concept(fields, concepts) for fields in objects]
    present = {name: common_value([presence[name] for presence in presences]) for name in concepts}
    reasons = [reason_of(fields) for fields in objects]
    return TaskReply(done.met, present, next(filter(None, reasons), done.reason))


def _read_labeled_task(text: str, concepts: Sequence[str]) -> TaskReply:
    """Read a reply of the authors' form: "Task Score: 1", "Reason: ..."; a short one is prose."""
    texts = texts_by_label(text, {"done": _DONE, "reason": REASON, "present": _PRESENT[1:]})
    if texts["done"]:
        done = common_reply([criterion_from_words(words) for words in texts["done"]])
    elif len(text) < SHORT:
        done = criterion_from_words(text)
    else:
        done = CriterionReply()
    present = None
    if len(concepts) == 1:
        present = common_value([criterion_from_words(words).met for words in texts["present"]])
    reason = next((line(words) for words in texts["reason"] if words), done.reason)
    return TaskReply(done.met, dict.fromkeys(concepts, present), reason)


def settles_task(text: str) -> bool:
    """Return whether a reply says that the task is done or not, or that some concept is absent."""
    if read_task(text, ()).done is not None:
        return True
    objects = _flat_objects(strip_thinking(text), _TASK_FIELDS)
    return any(present is False for fields in objects for _, present in _presences(fields))


def _presence_by_concept(
    fields: structured.ReplyFields, concepts: Sequence[str]
) -> dict[str, bool | None]:
    """Read presence by name where the reply names concepts; the rest in order if it has as many.

    A concept that the reply calls both present and absent is not read.
    """
    entries = _presences(fields)
    known = {fold_name(name) for name in concepts}
    by_name: dict[str, list[bool | None]] = {}
    for name, present in entries:
        by_name.setdefault(name, []).append(present)
    others = [present for name, present in entries if name not in known]
    unnamed = [name for name in concepts if fold_name(name) not in by_name]
    in_order: dict[str, bool | None] = dict.fromkeys(unnamed)
    if len(entries) == len(concepts) and len(others) == len(unnamed):
        in_order = dict(zip(unnamed, others, strict=True))
    return {
        name: in_order[name] if name in in_order else common_value(by_name[fold_name(name)])
        for name in concepts
    }


def _presences(fields: structured.ReplyFields) -> list[tuple[str, bool | None]]:
    """Return the concepts of a reply, each with whether it is there; "" for one without a name.

    They are in an object by name, a list, or a single value.
    """
    value = next(values(fields, _PRESENT), None)
    if value is None:
        return []
    if isinstance(value, dict):
        return [(fold_name(str(name)), read_met(presence).met) for name, presence in value.items()]
    if isinstance(value, list):
        return [
            (fold_name(str(entry.get("concept", entry.get("name", "")))), read_met(entry).met)
            for entry in value
            if isinstance(entry, dict)
        ]
    return [("", read_met(value).met)]


def _flat_objects(text: str, names: Sequence[str]) -> list[dict[str, object]]:
    """Return the JSON objects of a reply that have one of the names, each without nesting.

    The fields of nested objects are among its own, unless these are of a criterion. An object that
    is broken is empty.
    """
    objects = []
    for item in structured.objects(text, names):
        flat: dict[str, object] = {}
        for name, value in item.fields.items():
            if isinstance(value, dict) and name not in _FIELDS:
                flat |= value
            else:
                flat[name] = value
        objects.append(flat)
    return objects
