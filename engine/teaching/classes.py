"""Keeps what a class answers first, and makes a table of it for who has the teacher's key.

It grades nothing.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import pandas as pd

from hallascope.data.files.csv_text import csv_text
from hallascope.data.files.label_folder import clean_labeler_name
from hallascope.data.teaching.exercise import Grade, tally
from hallascope.data.teaching.lesson import BadLesson, DrawnItem, Lesson, LessonItem, item_of
from hallascope.engine.services import Services
from hallascope.engine.storage.lessons import PRACTICE
from hallascope.engine.storage.tables import LessonAnswerRow

_WORDS = {True: "right", False: "wrong", None: "not asked"}


class LearnerAnswerRow(NamedTuple):
    """Holds an answer in words; `exercise` counts from 1."""

    name: str
    exercise: str
    picture: str
    place: str
    fact: str
    when: str


HEADS = LearnerAnswerRow._fields


class LearnerResult(NamedTuple):
    """Holds what a learner did of a set: places right, of how many asked for.

    Facts right, of how many exercises.
    """

    name: str
    places: int
    asked: int
    facts: int
    done: int

    @property
    def sentence(self) -> str:
        """Return the counts as a sentence."""
        return (
            f"{self.name}, in all: {self.facts} of {self.done} questions, {self.places} of"
            f" {self.asked} places"
        )


def learner(name: object) -> str:
    """Return the name under which answers are kept.

    It is "" where nobody is named: then nothing is kept.
    """
    return clean_labeler_name(name) if isinstance(name, str) and name.strip() else ""


def keep(
    services: Services,
    lesson: Lesson | None,
    position: int,
    item: LessonItem,
    name: str,
    *,
    grade: Grade,
) -> None:
    """Keep the first answer of a learner to an exercise of a set, or in practice (None).

    Of nobody nothing is kept.
    """
    lessons = services.store.lessons
    if name and lesson:
        lessons.answer(lesson.id, position, item, name, grade)
    elif name:
        lessons.answer(PRACTICE, 0, item, name, grade)


def learner_result(services: Services, lesson: Lesson | None, name: str) -> LearnerResult:
    """Return how far a learner is with a set, or in practice."""
    answers = services.store.lessons.answers(lesson.id if lesson else PRACTICE, name)
    return LearnerResult(name, *tally([answer.grade for answer in answers]))


def learner_results(answers: Sequence[LessonAnswerRow]) -> list[LearnerResult]:
    """Return how far every learner is, by name."""
    grades: dict[str, list[Grade]] = defaultdict(list)
    for answer in answers:
        grades[answer.learner].append(answer.grade)
    return [LearnerResult(name, *tally(grades[name])) for name in sorted(grades, key=str.casefold)]


def rows(answers: Sequence[LessonAnswerRow]) -> list[LearnerAnswerRow]:
    """Return every answer, by name and then in the order of the set."""

    def place(answer: LessonAnswerRow) -> tuple[str, int, float]:
        return answer.learner.casefold(), answer.position, answer.created

    return [
        LearnerAnswerRow(
            name=answer.learner,
            exercise=str(answer.position + 1),
            picture=_picture(answer.exercise),
            place=_WORDS[answer.grade.place],
            fact=_WORDS[answer.grade.fact],
            when=f"{datetime.fromtimestamp(answer.created, UTC):%Y-%m-%d %H:%M} UTC",
        )
        for answer in sorted(answers, key=place)
    ]


def _picture(exercise: str) -> str:
    """Return what the picture was to show, or which one of a run it is."""
    try:
        item = item_of(json.loads(exercise))
    except (BadLesson, ValueError):
        return "unknown"
    return item.prompt if isinstance(item, DrawnItem) else f"run {item.run}, {item.picture}"


def table(answers: Sequence[LessonAnswerRow]) -> str:
    """Return every answer as CSV, in cells that a spreadsheet takes for texts."""
    return csv_text(pd.DataFrame(rows(answers), columns=list(HEADS)))
