"""Holds the ready lessons of 15 minutes: steps, questions, images with their truth and the judge.

It also says what of a step stands on the page at each phase of its reveal.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from hallascope.data.evidence import State
from hallascope.data.outlines import OutlinePoint, Polygon
from hallascope.data.teaching.odd_one_out import JudgeWord, word_of

FOLDER = Path(__file__).parents[1] / "class_lessons"
FILE = "lessons.json"
MINUTES = 15  # that every lesson takes

Phase = Literal["question", "class", "judge", "truth"]
"""What a step shows: its question, then the answers of the class, those of the judge, the truth."""


@dataclass(frozen=True, kw_only=True)
class LessonFact:
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
        return word_of(self.asked, self.is_wrong, self.state)


@dataclass(frozen=True, kw_only=True)
class LessonImage:
    """Holds an image of a lesson: its file, what was asked for, and its facts.

    `outline` runs around the wrong part: the path of an SVG drawing that is 100 units wide and
    high. `near` are the outlines, in [0, 1], within which a tap counts as on the error. Both are
    empty where nothing is wrong. `why` explains the wrong fact, `source` says where that is from.
    """

    file: str
    prompt: str
    seed: int
    facts: tuple[LessonFact, ...]
    outline: str = ""
    near: tuple[Polygon, ...] = ()
    why: str = ""
    source: str = ""

    @property
    def wrong(self) -> LessonFact | None:
        """Return the one fact that is drawn wrongly, None where all are right."""
        return next((fact for fact in self.facts if fact.is_wrong), None)

    @property
    def asked(self) -> tuple[LessonFact, ...]:
        """Return the facts that the judge is asked about."""
        return tuple(fact for fact in self.facts if fact.asked)

    def is_hit(self, point: OutlinePoint) -> bool:
        """Return whether a tap, its place in [0, 1], is on the error or close beside it."""
        return is_inside(self.near, point)


@dataclass(frozen=True, kw_only=True)
class LessonStep:
    """Holds a step: what the teacher and the pupils do, and what the class is asked.

    `right` is the place of the right choice, from 0, None where there is no question or every
    answer is welcome. `marking`: pupils tap the image where they see an error. `with_questions`:
    the questions to the judge stand beside the image from the start. `reveal` is said in the end.
    """

    title: str
    minutes: int
    teacher: str
    pupils: str
    question: str = ""
    choices: tuple[str, ...] = ()
    right: int | None = None
    marking: bool = False
    with_questions: bool = False
    reveal: str = ""
    image: LessonImage | None = None

    @property
    def phases(self) -> tuple[Phase, ...]:
        """Return what is shown, one after the other."""
        if not self.choices:
            return ("question",)
        if self.image is None:
            return ("question", "class", "truth")
        return ("question", "class", "judge", "truth")


@dataclass(frozen=True, kw_only=True)
class ClassLesson:
    """Holds a lesson of `MINUTES` minutes: goals, steps, and questions to talk about with answers.

    `summary` is one sentence for the card.
    """

    id: str
    title: str
    summary: str
    goals: tuple[str, ...]
    steps: tuple[LessonStep, ...]
    discussion: tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class ClassLessons:
    """Holds all lessons, and which judge and metric gave the judge's answers."""

    judge: str
    judge_revision: str
    metric: str
    metric_version: str
    lessons: tuple[ClassLesson, ...]

    def find(self, name: str) -> ClassLesson | None:
        """Return the lesson of that id, None where there is none."""
        return next((lesson for lesson in self.lessons if lesson.id == name), None)


def is_inside(polygons: Sequence[Polygon], point: OutlinePoint) -> bool:
    """Return whether a point lies within outlines, their holes apart (even-odd rule)."""
    x, y = point
    inside = False
    for polygon in polygons:
        for (x1, y1), (x2, y2) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
            if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
                inside = not inside
    return inside


def judge_sentences(image: LessonImage) -> tuple[str, ...]:
    """Return in words where the judge is right or wrong about an image, one sentence each."""
    sentences = [
        _fact_sentence(fact)
        for fact in image.facts
        if fact.word is not None and fact.word != "not asked"
    ]
    if image.wrong is not None and image.wrong.word == "not asked":
        sentences.append("No question asks about the error, so the judge cannot find it.")
    if not sentences:
        sentences.append("Nothing is wrong, and the judge reports no error.")
    return tuple(sentences)


def _fact_sentence(fact: LessonFact) -> str:
    answer = f"answers “{fact.answer}”" if fact.answer else "gives none of the choices"
    match fact.word:
        case "found":
            return f"{fact.question} The judge {answer}: it found the error."
        case "missed":
            return f"{fact.question} The judge {answer}: it missed the error."
        case _:
            return f"{fact.question} The judge {answer}: this is a false alarm, the fact is right."


def truth_sentences(image: LessonImage) -> tuple[str, ...]:
    """Return in words what is wrong in an image, and why; that nothing is, where nothing is."""
    wrong = image.wrong
    if wrong is None:
        return ("Every fact of this image is right.",)
    shown = f"{wrong.question} Drawn: {wrong.drawn}. Expected: {wrong.expected}."
    return (shown, image.why) if image.why else (shown,)


# --- the file that ships

_LESSONS = TypeAdapter(ClassLessons)


class BadClassLessons(ValueError):
    """The lessons that ship are missing or of another version.

    The message says in one sentence how to make them.
    """


def read_class_lessons(folder: Path = FOLDER) -> ClassLessons:
    """Return the lessons of a folder. Raises BadClassLessons."""
    try:
        return _LESSONS.validate_json((folder / FILE).read_bytes())
    except (OSError, ValidationError) as error:
        raise BadClassLessons(
            "The ready lessons are missing or of another version: make them with `hallascope teach"
            " make lessons`."
        ) from error


def write_class_lessons(lessons: ClassLessons, folder: Path = FOLDER) -> None:
    """Write the lessons into a folder, beside their images."""
    (folder / FILE).write_bytes(_LESSONS.dump_json(lessons, indent=1) + b"\n")
