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
from hallascope.data.teaching.lesson import DrawnItem, Lesson, RunItem, read_token
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


def test_the_first_answer_of_each_learner_stands(services: Any) -> None:
    classes.keep(
        services=services, lesson=SET, position=0, item=ITEM, name="Ann", grade=Grade(False, True)
    )
    classes.keep(
        services=services, lesson=SET, position=0, item=ITEM, name="Ann", grade=Grade(True, True)
    )
    classes.keep(
        services=services, lesson=SET, position=1, item=RUN, name="Ann", grade=Grade(None, False)
    )
    classes.keep(
        services=services, lesson=SET, position=0, item=ITEM, name="Bo", grade=Grade(True, True)
    )
    classes.keep(
        services=services, lesson=SET, position=0, item=ITEM, name="", grade=Grade(True, True)
    )
    classes.keep(
        services=services, lesson=None, position=0, item=ITEM, name="Ann", grade=Grade(True, False)
    )
    said = services.store.lessons.answers(SET.id)
    assert classes.learner_results(said) == [("Ann", 0, 1, 1, 2), ("Bo", 1, 1, 1, 1)]
    assert classes.learner_result(services, None, "Ann") == ("Ann", 1, 1, 0, 1)


def test_a_set_is_kept_once_and_comes_back_whole(lessons: LessonStore) -> None:
    lessons.keep(SET)
    lessons.keep(SET)
    (found,) = lessons.all()
    assert (found.title, read_token(found.token)) == ("Molecules", SET)


def test_the_table_has_a_row_an_answer_by_name_and_place(services: Any) -> None:
    classes.keep(
        services=services, lesson=SET, position=1, item=RUN, name="bo", grade=Grade(None, False)
    )
    classes.keep(
        services=services, lesson=SET, position=0, item=ITEM, name="bo", grade=Grade(True, False)
    )
    classes.keep(
        services=services,
        lesson=SET,
        position=0,
        item=ITEM,
        name=classes.learner(" =HYPERLINK(1)\n"),
        grade=Grade(False, True),
    )
    rows = list(csv.reader(io.StringIO(classes.table(services.store.lessons.answers(SET.id)))))
    assert rows[0] == ["name", "exercise", "picture", "place", "fact", "when"]
    assert rows[1][:5] == ["'=HYPERLINK(1)", "1", "a molecule of methane", "wrong", "right"]
    assert [row[:5] for row in rows[2:]] == [
        ["bo", "1", "a molecule of methane", "right", "wrong"],
        ["bo", "2", "run run1, picture1", "not asked", "wrong"],
    ]
    assert rows[1][5] == "2026-09-21 14:13 UTC"


@pytest.mark.parametrize(
    ("said", "name"),
    [(" Ann \n B ", "Ann B"), ("", ""), (None, ""), (7, ""), ("x" * 200, "x" * 80)],
)
def test_a_name_is_one_line_of_eighty_characters(said: object, name: str) -> None:
    assert classes.learner(said) == name
