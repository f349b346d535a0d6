"""Keeps the sets of exercises that teachers make, and what learners first said of each exercise.

It draws nothing and grades nothing.
"""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from sqlmodel import col, select

from hallascope.data.teaching.exercise import Grade
from hallascope.data.teaching.lesson import Lesson, LessonItem, as_plain, token
from hallascope.engine.storage.database import Database, storable
from hallascope.engine.storage.tables import LessonAnswerRow, LessonRow

PRACTICE = ""  # stands where the id of a set would, for exercises of no set


@dataclass(frozen=True)
class SavedLesson:
    """A set by its id, its title, its whole link, and when it was made, in seconds since 1970."""

    id: str
    title: str
    token: str
    created: float


@dataclass(frozen=True, kw_only=True)
class LessonAnswer:
    """What a learner first answered: the exercise, whether place and fact were right, and when.

    The exercise is its place in the set, from 0 on.
    """

    lesson: str
    position: int
    exercise: str
    learner: str
    grade: Grade
    created: float


class LessonStore:
    """Sets and answers, in `database`. Raises StoreError as the store does.

    `clock` gives seconds since 1970.
    """

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def keep(self, lesson: Lesson) -> None:
        """Keep a set; the same set is kept once."""
        row = storable(
            {
                "id": lesson.id,
                "title": lesson.title,
                "token": token(lesson),
                "created": self._clock(),
            }
        )
        with self._database.writing() as session:
            self._database.upsert(session, LessonRow(**row))

    def all(self) -> list[SavedLesson]:
        """All sets, the newest first."""
        with self._database.reading() as session:
            rows = session.exec(
                select(LessonRow).order_by(col(LessonRow.created).desc(), col(LessonRow.id))
            ).all()
        return [SavedLesson(row.id, row.title, row.token, row.created) for row in rows]

    def answer(
        self, lesson: str, position: int, item: LessonItem, learner: str, grade: Grade
    ) -> None:
        """Keep what a learner said of an exercise.

        What the same one said of it before stays in its place.
        """
        exercise = json.dumps(as_plain(item), ensure_ascii=False)
        key = sha256(json.dumps([lesson, position, exercise, learner]).encode()).hexdigest()
        said = {
            "lesson": lesson,
            "position": position,
            "exercise": exercise,
            "learner": learner,
            "place": grade.place,
            "fact": grade.fact,
        }
        with self._database.writing() as session:
            self._database.upsert(
                session, LessonAnswerRow(id=key, **storable({**said, "created": self._clock()}))
            )

    def answers(self, lesson: str, learner: str | None = None) -> list[LessonAnswer]:
        """Return the answers to a set's exercises, of one learner if named, the oldest first."""
        wanted = [col(LessonAnswerRow.lesson) == lesson]
        if learner is not None:
            wanted.append(col(LessonAnswerRow.learner) == storable({"learner": learner})["learner"])
        chosen = (
            select(LessonAnswerRow)
            .where(*wanted)
            .order_by(col(LessonAnswerRow.created), col(LessonAnswerRow.id))
        )
        with self._database.reading() as session:
            rows = session.exec(chosen).all()
        return [
            LessonAnswer(
                lesson=r.lesson,
                position=r.position,
                exercise=r.exercise,
                learner=r.learner,
                grade=Grade(r.place, r.fact),
                created=r.created,
            )
            for r in rows
        ]
