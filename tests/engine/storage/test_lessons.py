"""Sets of exercises are kept once, and of each learner the first answer."""

import pytest

from hallascope.data.teaching.exercise import Grade
from hallascope.data.teaching.lesson import DrawnItem, Lesson, token
from hallascope.engine.storage.database import Database
from hallascope.engine.storage.lessons import PRACTICE, LessonStore

ITEM = DrawnItem("a molecule of methane", "hydrogens", 5, 6)
LESSON = Lesson("Molecules", (ITEM,), "ab")


@pytest.fixture
def lessons(database: Database) -> LessonStore:
    times = iter(range(100))
    return LessonStore(database, clock=lambda: float(next(times)))


def test_a_set_is_kept_once_and_of_each_learner_the_first_answer(lessons: LessonStore) -> None:
    for _ in range(2):
        lessons.keep(LESSON)
    (saved,) = lessons.all()
    assert (saved.id, saved.title, saved.token) == (LESSON.id, "Molecules", token(LESSON))
    assert saved.created == 0.0
    for learner, grade in (
        ("Ann", Grade(False, True)),
        ("Ann", Grade(True, True)),
        ("Bo\0", Grade(None, False)),
    ):
        lessons.answer(LESSON.id, 0, ITEM, learner, grade)
    lessons.answer(PRACTICE, 0, ITEM, "Ann", Grade(True, False))
    answers = lessons.answers(LESSON.id)
    assert [answer.grade for answer in answers] == [Grade(False, True), Grade(None, False)]
    (own,) = lessons.answers(LESSON.id, "Bo\0")
    assert own.grade == Grade(None, False)
    (practice,) = lessons.answers(PRACTICE)
    assert (practice.learner, practice.position) == ("Ann", 0)
