"""Keeps the sets of exercises that teachers make, and the first answer of each learner."""

import json
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from hashlib import sha256

from sqlmodel import col, select

from hallascope.data.teaching.exercise import Grade
from hallascope.data.teaching.lesson import (
    BadLesson,
    Lesson,
    LessonItem,
    as_plain,
    read_token,
    token,
)
from hallascope.engine.storage.database import Database, storable
from hallascope.engine.storage.owners import Owners
from hallascope.engine.storage.tables import LessonAnswerRow, LessonRow

PRACTICE = ""  # in place of a set's id, for exercises of no set


class LessonStore:
    """Keeps sets and answers in `database`. Raises StoreError as the store does.

    `clock` gives seconds since 1970.
    """

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._owners = Owners(database)
        self._clock = clock

    def keep(self, lesson: Lesson) -> None:
        """Keep a set; the same set is kept once. Raises NotYours, OverLimit."""
        values = {
            "id": lesson.id,
            "title": lesson.title,
            "token": token(lesson),
            "created": self._clock(),
        }
        with self._database.write_transaction() as session:
            self._owners.new(session, "lesson", lesson.id)
            self._database.upsert(session, LessonRow(**storable(values)))

    def all(self) -> list[LessonRow]:
        """Return all sets, the newest first."""
        newest_first = col(LessonRow.created).desc(), col(LessonRow.id)
        return self._database.read(select(LessonRow).order_by(*newest_first))

    def count_exercises(self, runs: Collection[str]) -> Mapping[str, int]:
        """Return how many exercises are about images of these runs, by the title of the set.

        Those of sets that other visitors made are not told.
        """
        sets = self._owners.hide_others(select(LessonRow), "lesson", col(LessonRow.id))
        counts = Counter[str]()
        for row in self._database.read(sets):
            with suppress(BadLesson):
                items = read_token(row.token).items
                counts[row.title] += sum(getattr(item, "run", None) in runs for item in items)
        return +counts

    def answer(
        self, lesson: str, position: int, item: LessonItem, learner: str, grade: Grade
    ) -> None:
        """Keep a learner's answer to an exercise; an earlier one of the same learner stays.

        Raises NotYours where the name is that of another visitor.
        """
        exercise = json.dumps(as_plain(item), ensure_ascii=False)
        with self._database.write_transaction() as session:
            learner = self._owners.person(session, learner)
            key = json.dumps([lesson, position, exercise, learner])
            values = {
                "id": sha256(key.encode()).hexdigest(),
                "lesson": lesson,
                "position": position,
                "exercise": exercise,
                "learner": learner,
                "place": grade.place,
                "fact": grade.fact,
                "created": self._clock(),
            }
            self._database.upsert(session, LessonAnswerRow(**storable(values)))

    def answers(self, lesson: str, learner: str | None = None) -> list[LessonAnswerRow]:
        """Return the answers to a set's exercises, of one learner if named, the oldest first."""
        query = select(LessonAnswerRow).where(LessonAnswerRow.lesson == lesson)
        if learner is not None:
            name = storable({"learner": learner})["learner"]
            query = query.where(LessonAnswerRow.learner == name)
        oldest_first = col(LessonAnswerRow.created), col(LessonAnswerRow.id)
        return self._database.read(query.order_by(*oldest_first))
