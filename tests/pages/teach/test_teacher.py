"""A set opens by its link and its answers by the key alone; no text becomes markup."""

from typing import Any

import pytest

from hallascope.data.teaching.lesson import read_token
from hallascope.engine.services import Services
from hallascope.pages.teach import teacher
from hallascope.primer.teaching.faults import FIRST
from tests.pages.teach.conftest import EVIL, ITEM, MARK


@pytest.fixture
def bench(services: Services) -> dict[str, Any]:
    return {function.__name__: function for function in teacher.functions(services)}


def made_set(bench: dict[str, Any], title: str = "A set") -> dict[str, Any]:
    found: dict[str, Any] = bench["make"]({"title": title, "items": [ITEM]}, None)
    return found


def test_a_set_opens_by_its_link_and_its_answers_by_the_key_alone(
    bench: dict[str, Any], desk: dict[str, Any]
) -> None:
    made = made_set(bench)
    assert made["key"] not in read_token(made["token"]).seal
    assert desk["begin"]({"set": made["token"]})["title"] == "A set"
    desk["check"](
        {
            "item": ITEM,
            "mark": MARK,
            "chosen": 0,
            "name": "Ann",
            "token": made["token"],
            "position": 0,
        }
    )
    said = bench["answers"]({"token": made["token"], "key": made["key"]}, None)
    assert "Ann,1,a molecule of methane,right,wrong," in said["csv"]
    for key in ("", "guessed"):
        assert bench["answers"]({"token": made["token"], "key": key}, None) == {
            "wrong": teacher.NOT_YOURS
        }
        assert bench["begin"]({"set": made["token"], "key": key}, None)["key"] == ""
    assert bench["begin"]({"set": made["token"], "key": made["key"]}, None)["key"] == made["key"]


def test_two_sets_alike_are_two_classes(bench: dict[str, Any]) -> None:
    assert made_set(bench)["id"] != made_set(bench)["id"]


@pytest.mark.parametrize(
    ("function", "asked", "said"),
    [
        ("make", {"title": "", "items": [ITEM]}, "no title"),
        ("make", {"title": "A", "items": []}, "0 exercises"),
        (
            "make",
            {"title": "A", "items": [["a spider", "legs", 99, 0]]},
            "Exercise 1: 99 is no fault of 'legs'",
        ),
        ("make", {"title": "A", "items": [["", "none", "none", "Is it?"]]}, "Exercise 1: "),
        ("faults", {"prompt": "a unicorn"}, "cannot draw"),
        ("chance", {"number": 0}, "from 1 to 40"),
        ("chance", {"number": 3, "level": "1", "coi": "size"}, "no such image"),
        ("wrongs", {"run": " "}, "No run is named"),
        ("wrongs", {"run": EVIL}, "run"),
        ("as_page", {"token": "x"}, "damaged"),
    ],
)
def test_what_cannot_be_made_is_one_sentence(
    bench: dict[str, Any], function: str, asked: dict[str, Any], said: str
) -> None:
    assert said in bench[function](asked, None)["wrong"]


def test_every_exercise_stands_in_the_list_in_words(bench: dict[str, Any]) -> None:
    first, *_ = bench["faults"]({"prompt": "a molecule of methane"}, None)["found"]
    assert first["words"] == "How many outer atoms surround the central atom? Five"
    assert teacher.words(FIRST) == f"a molecule of methane: {first['words']}"
    assert len(bench["chance"]({"number": 2, "level": "2"}, None)["found"]) == 2


def test_names_and_titles_stay_text_in_the_table_of_the_class(
    bench: dict[str, Any], desk: dict[str, Any]
) -> None:
    made = made_set(bench, EVIL[:60])
    desk["check"](
        {
            "item": ITEM,
            "mark": None,
            "chosen": 0,
            "name": EVIL,
            "token": made["token"],
            "position": 0,
        }
    )
    said = bench["answers"]({"token": made["token"], "key": made["key"]}, None)
    assert "<img" not in said["html"]
    assert "<script" not in said["html"]
    assert "&lt;img src=x" in said["html"]
