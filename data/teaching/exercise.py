"""Holds an exercise: a picture with one wrong fact, its place, and a learner's answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from hallascope.data import masks
from hallascope.data.records import Category, CoI, Question
from hallascope.data.regions import Mask

GROWN = 0.06  # of the picture's side: so far beside the part a mark still counts
BACKGROUND = "the background"
MISSING = "something is missing"

ExerciseLevel = Literal[1, 2, 3]
LEVELS: dict[ExerciseLevel, tuple[str, tuple[CoI, ...]]] = {
    1: ("1: at a glance", ("existence", "color", "scene")),
    2: ("2: look closely", ("shape", "posture", "others")),
    3: ("3: count and compare", ("counting", "size", "relation")),
}
"""What is easy to see, by composition of interest, the first level the easiest."""


class MarkedPoint(NamedTuple):
    """Holds a place in the picture as shares of its width and height, from the top left corner."""

    x: float
    y: float


@dataclass(frozen=True)
class MarkedPart:
    """Holds a part of the picture by its name, as it was offered; or that something is missing."""

    part: str


LearnerMark = MarkedPoint | MarkedPart


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """Holds a picture of `prompt` with one wrong fact, and the truth about it.

    `facts`: what is to choose from, as questions; `wrong`: which of them the picture answers
    otherwise than a factual one. `parts`: what may be named as the place. `lit`: where it is wrong,
    exactly; `near`: where a mark counts; both None where nobody knows, and no place is asked.
    `right_parts`: the names that count. `question`: the wrong fact as a judge is asked it; `shown`
    is what the picture answers to it, `truth` what a factual one does. `why`: one or two sentences;
    `source`: where they come from.
    """

    prompt: str
    facts: tuple[str, ...]
    wrong: int
    question: Question
    shown: str
    truth: str
    why: str
    source: str
    parts: tuple[str, ...] = ()
    right_parts: frozenset[str] = frozenset()
    lit: Mask | None = None
    near: Mask | None = None
    category: Category | None = None

    @property
    def coi(self) -> CoI:
        return self.question.coi

    @property
    def missing(self) -> bool:
        """Return whether the fault is that something is not there."""
        return MISSING in self.right_parts


@dataclass(frozen=True)
class Grade:
    """Holds whether place and fact are right; None for a place that was not asked for."""

    place: bool | None
    fact: bool


def grade(exercise: Exercise, mark: LearnerMark | None, chosen: int) -> Grade:
    """Return what the learner's mark and choice are worth.

    Without a mark the place is wrong where it is asked for.
    """
    return Grade(_placed(exercise, mark), chosen == exercise.wrong)


def _placed(exercise: Exercise, mark: LearnerMark | None) -> bool | None:
    if exercise.near is None:
        return None
    match mark:
        case MarkedPoint():
            return holds(exercise.near, mark)
        case MarkedPart(part):
            return part in exercise.right_parts
        case None:
            return False


def holds(mask: Mask, at: MarkedPoint) -> bool:
    """Return whether a place lies within a mask; a place outside of the picture does not."""
    if not (0 <= at.x <= 1 and 0 <= at.y <= 1):
        return False
    pixels = masks.array(mask)
    row = min(int(at.y * mask.height), mask.height - 1)
    column = min(int(at.x * mask.width), mask.width - 1)
    return bool(pixels[row, column])


def grow(pixels: masks.Pixels, by: float = GROWN) -> masks.Pixels:
    """Return an array (height, width) with all pixels added that lie within `by` of its own.

    `by` as a share of the longer side.
    """
    from scipy import ndimage

    if not pixels.any():
        return pixels
    near: masks.Pixels = np.asarray(ndimage.distance_transform_edt(~pixels)) <= by * max(
        pixels.shape
    )
    return near


def level(coi: CoI) -> ExerciseLevel:
    """Return the level at which a composition of interest stands."""
    return next(number for number, (_, cois) in LEVELS.items() if coi in cois)


def tally(grades: Sequence[Grade]) -> tuple[int, int, int, int]:
    """Return how many places are right, places asked for, facts right and exercises done."""
    places = [given.place for given in grades if given.place is not None]
    return sum(places), len(places), sum(given.fact for given in grades), len(grades)
