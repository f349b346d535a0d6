"""Holds an image that ships for teaching: its facts, what is drawn, and what a judge answered.

It also says where the judge errs, and reads and writes the files that ship.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import TypeAdapter, ValidationError

from hallascope.data.evidence import State
from hallascope.data.outlines import OutlinePoint, Polygon

Shipped = TypeVar("Shipped")
# states of an answer by which the judge says that the image is not as expected
FLAGGED: tuple[State, ...] = ("incorrect", "abstained")

JudgeWord = Literal["found", "missed", "false alarm", "not asked"]


@dataclass(frozen=True, kw_only=True)
class JudgedFact:
    """Holds a fact of an image: what is expected, what is drawn, and what the judge answers.

    `asked`: the judge is asked about it; `added`: by a question that the class has added.
    `answer` is the judge's in words, "" where it gave none, and `state` that of the answer, None
    where it is not asked.
    """

    question: str
    expected: str
    drawn: str
    asked: bool
    added: bool = False
    answer: str = ""
    state: State | None = None

    @property
    def is_wrong(self) -> bool:
        """Return whether it is drawn otherwise than expected."""
        return self.drawn != self.expected

    @property
    def word(self) -> JudgeWord | None:
        """Return how the judge did on it; None where the judge and the drawing are both right."""
        if not self.asked:
            return "not asked" if self.is_wrong else None
        if self.is_wrong:
            return "found" if self.state in FLAGGED else "missed"
        return "false alarm" if self.state in FLAGGED else None

    @property
    def truth_sentence(self) -> str:
        """Return the fact with what is drawn and what is expected."""
        return f"{self.question} Drawn: {self.drawn}. Expected: {self.expected}."


@dataclass(frozen=True, kw_only=True)
class JudgedImage:
    """Holds an image: its file, what was asked for, and its facts.

    `outline` runs around the wrong part: the path of an SVG drawing that is 100 units wide and
    high. `near` are the outlines, in [0, 1], within which a tap counts as on the error. Both are
    empty where nothing is wrong. `why` explains the wrong fact, `source` says where that is from.
    """

    file: str
    prompt: str
    seed: int
    facts: tuple[JudgedFact, ...]
    outline: str = ""
    near: tuple[Polygon, ...] = ()
    why: str = ""
    source: str = ""

    @property
    def wrong(self) -> JudgedFact | None:
        """Return the one fact that is drawn wrongly, None where all are right."""
        return next((fact for fact in self.facts if fact.is_wrong), None)

    @property
    def asked(self) -> tuple[JudgedFact, ...]:
        """Return the facts that the judge is asked about."""
        return tuple(fact for fact in self.facts if fact.asked)

    @property
    def correct(self) -> int:
        """Return how many questions the judge answers as expected."""
        return sum(fact.state == "correct" for fact in self.facts)

    @property
    def answered(self) -> int:
        """Return how many questions the judge answers."""
        return self.correct + sum(fact.state in FLAGGED for fact in self.facts)

    def is_hit(self, point: OutlinePoint) -> bool:
        """Return whether a tap, its place in [0, 1], is on the error or close beside it."""
        return is_inside(self.near, point)


def is_inside(polygons: Sequence[Polygon], point: OutlinePoint) -> bool:
    """Return whether a point lies within outlines, but not in their holes (even-odd rule)."""
    x, y = point
    inside = False
    for polygon in polygons:
        for (x1, y1), (x2, y2) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
            if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
                inside = not inside
    return inside


def outline_path(outlines: Sequence[Polygon]) -> str:
    """Return closed lines, their points in [0, 1], as the path of a drawing of 100 x 100 units."""
    lines = (" ".join(f"{100 * x:.1f} {100 * y:.1f}" for x, y in polygon) for polygon in outlines)
    return "".join(f"M{line}Z" for line in lines)


def judge_sentences(image: JudgedImage) -> tuple[str, ...]:
    """Return in words where the judge is right or wrong about an image, one sentence each."""
    sentences = [
        f"{fact.question} The judge {_answer_words(fact)}: {_OUTCOMES[fact.word]}"
        for fact in image.facts
        if fact.word in _OUTCOMES
    ]
    if image.wrong is not None and image.wrong.word == "not asked":
        sentences.append("No question asks about the error, so the judge cannot find it.")
    return tuple(sentences) or ("Nothing is wrong, and the judge reports no error.",)


_OUTCOMES: dict[JudgeWord | None, str] = {
    "found": "it found the error.",
    "missed": "it missed the error.",
    "false alarm": "this is a false alarm, the fact is right.",
}


def _answer_words(fact: JudgedFact) -> str:
    return f"answers “{fact.answer}”" if fact.answer else "gives none of the choices"


def truth_sentences(image: JudgedImage) -> tuple[str, ...]:
    """Return in words what is wrong in an image, and why; that nothing is, where nothing is."""
    if image.wrong is None:
        return ("Every fact of this image is right.",)
    sentence = image.wrong.truth_sentence
    return (sentence, image.why) if image.why else (sentence,)


# --- the files that ship


class BadTeachingData(ValueError):
    """A file that ships for teaching is missing or of another version.

    The message says in one sentence how to make it.
    """


def read_shipped(kind: TypeAdapter[Shipped], file: Path, command: str) -> Shipped:
    """Return what a file holds; `command`: the `hallascope teach` kind that writes it.

    Raises BadTeachingData.
    """
    try:
        return kind.validate_json(file.read_bytes())
    except (OSError, ValidationError) as error:
        raise BadTeachingData(
            f"The file {file.name!r} is missing or of another version: make it with"
            f" `hallascope teach {command}`."
        ) from error


def write_shipped(kind: TypeAdapter[Shipped], content: Shipped, file: Path) -> None:
    """Write a file that ships, without the values that are those by default."""
    file.write_bytes(kind.dump_json(content, exclude_defaults=True) + b"\n")
