"""What a class answered: kept at the first answer, told as a table to who has the teacher's key.

It grades nothing.
"""

import csv
import io
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from hallascope.data.files.human_verdicts import escape_formula
from hallascope.data.files.label_folder import clean_labeler_name
from hallascope.data.teaching.exercise import Grade, tally
from hallascope.data.teaching.lesson import BadLesson, DrawnItem, Lesson, LessonItem, item_of
from hallascope.engine.services import Services
from hallascope.engine.storage.lessons import PRACTICE, LessonAnswer

HEADS = ("name", "exercise", "picture", "place", "fact", "when")
_WORDS = {True: "right", False: "wrong", None: "not asked"}


class LearnerAnswerRow(NamedTuple):
    """An answer in words; `exercise` counts from 1."""

    name: str
    exercise: str
    picture: str
    place: str
    fact: str
    when: str


class LearnerResult(NamedTuple):
    """What a learner did of a set: places right, of how many asked for.

    Facts right, of how many exercises.
    """

    name: str
    places: int
    asked: int
    facts: int
    done: int


def learner(said: object) -> str:
    """The name under which answers are kept, "" where nobody is named: then nothing is kept."""
    return clean_labeler_name(said) if isinstance(said, str) and said.strip() else ""


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
    if name:
        services.store.lessons.answer(
            lesson.id if lesson else PRACTICE, position if lesson else 0, item, name, grade
        )


def learner_result(services: Services, lesson: Lesson | None, name: str) -> LearnerResult:
    """How far a learner is with a set, or in practice."""
    return LearnerResult(
        name,
        *tally(
            [
                one.grade
                for one in services.store.lessons.answers(lesson.id if lesson else PRACTICE, name)
            ]
        ),
    )


def learner_results(answers: Sequence[LessonAnswer]) -> list[LearnerResult]:
    """How far every learner is, by name."""
    by: dict[str, list[Grade]] = {}
    for one in answers:
        by.setdefault(one.learner, []).append(one.grade)
    return [LearnerResult(name, *tally(by[name])) for name in sorted(by, key=str.casefold)]


def rows(answers: Sequence[LessonAnswer]) -> list[LearnerAnswerRow]:
    """Every answer, by name and then in the order of the set."""
    return [
        _row(one)
        for one in sorted(
            answers, key=lambda one: (one.learner.casefold(), one.position, one.created)
        )
    ]


def _row(one: LessonAnswer) -> LearnerAnswerRow:
    when = (
        datetime.fromtimestamp(one.created, UTC)
        .isoformat(sep=" ", timespec="minutes")
        .removesuffix("+00:00")
    )
    place = _WORDS[one.grade.place]
    fact = _WORDS[one.grade.fact]
    return LearnerAnswerRow(
        name=one.learner,
        exercise=str(one.position + 1),
        picture=_picture(one.exercise),
        place=place,
        fact=fact,
        when=f"{when} UTC",
    )


def _picture(said: str) -> str:
    """What the picture was to show, or which one of a run it is."""
    try:
        item = item_of(json.loads(said))
    except (BadLesson, ValueError):
        return "unknown"
    return item.prompt if isinstance(item, DrawnItem) else f"run {item.run}, {item.picture}"


def table(answers: Sequence[LessonAnswer]) -> str:
    """Every answer as CSV, in cells that a spreadsheet takes for texts."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(HEADS)
    writer.writerows([escape_formula(cell) for cell in row] for row in rows(answers))
    return stream.getvalue()
