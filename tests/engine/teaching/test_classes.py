"""What a class answered: the first answer of each learner stands, in SQLite and PostgreSQL, and
leaves as cells no spreadsheet runs.
"""

import csv
import io
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from hallascope.data.teaching.exercise import Grade
from hallascope.data.teaching.lesson import DrawnItem, Lesson, RunItem
from hallascope.engine.storage.database import Database
from hallascope.engine.storage.lessons import LessonStore
from hallascope.engine.teaching import classes

ITEM = DrawnItem("a molecule of methane", "hydrogens", 5, 6)
RUN = RunItem("run1", "picture1", "How many legs?")
SET = Lesson("Molecules", (ITEM, RUN), "ab")


@pytest.fixture
def lessons(url: str, tmp_path: Any) -> Iterator[LessonStore]:
    database, times = Database(url, tmp_path), iter(range(1_790_000_000, 1_800_000_000))
    yield LessonStore(database, clock=lambda: float(next(times)))
    database.close()


@pytest.fixture
def services(lessons: LessonStore) -> Any:
    return SimpleNamespace(store=SimpleNamespace(lessons=lessons))


def keep(
    services: Any, name: str, item: DrawnItem | RunItem, grade: Grade, lesson: Lesson | None = SET
) -> None:
    classes.keep(
        services=services,
        lesson=lesson,
        position=int(item is RUN),
        item=item,
        name=name,
        grade=grade,
    )


def test_the_first_answer_of_each_learner_stands(services: Any) -> None:
    keep(services, "Ann", ITEM, Grade(False, True))
    keep(services, "Ann", ITEM, Grade(True, True))
    keep(services, "Ann", RUN, Grade(None, False))
    keep(services, "Bo", ITEM, Grade(True, True))
    keep(services, "", ITEM, Grade(True, True))
    keep(services, "Ann", ITEM, Grade(True, False), None)
    said = services.store.lessons.answers(SET.id)
    assert classes.learner_results(said) == [("Ann", 0, 1, 1, 2), ("Bo", 1, 1, 1, 1)]
    assert classes.learner_result(services, None, "Ann") == ("Ann", 1, 1, 0, 1)


def test_the_table_has_a_row_an_answer_by_name_and_place(services: Any) -> None:
    keep(services, "bo", RUN, Grade(None, False))
    keep(services, "bo", ITEM, Grade(True, False))
    keep(services, classes.learner(" =HYPERLINK(1)\n"), ITEM, Grade(False, True))
    rows = list(csv.reader(io.StringIO(classes.table(services.store.lessons.answers(SET.id)))))
    assert rows[0] == ["name", "exercise", "picture", "place", "fact", "when"]
    assert rows[1][:5] == ["'=HYPERLINK(1)", "1", "a molecule of methane", "wrong", "right"]
    assert [row[:5] for row in rows[2:]] == [
        ["bo", "1", "a molecule of methane", "right", "wrong"],
        ["bo", "2", "run run1, picture1", "not asked", "wrong"],
    ]
    assert rows[1][5] == "2026-09-21 14:13 UTC"
