"""Holds the ready lessons of 15 minutes: steps, questions, images with their truth and the judge.

It also says what of a step stands on the page at each phase of its reveal.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter

from hallascope.data.teaching.judged_image import JudgedImage, read_shipped, write_shipped

FOLDER = Path(__file__).parents[1] / "class_lessons"
FILE = "lessons.json"
MINUTES = 15  # that every lesson takes

Phase = Literal["question", "class", "judge", "truth"]
"""What a step shows: its question, then the answers of the class, those of the judge, the truth."""


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
    image: JudgedImage | None = None

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


_LESSONS = TypeAdapter(ClassLessons)


def read_class_lessons(folder: Path = FOLDER) -> ClassLessons:
    """Return the lessons of a folder. Raises BadTeachingData."""
    return read_shipped(_LESSONS, folder / FILE, "lessons")


def write_class_lessons(lessons: ClassLessons, folder: Path = FOLDER) -> None:
    """Write the lessons into a folder, beside their images."""
    write_shipped(_LESSONS, lessons, folder / FILE)
