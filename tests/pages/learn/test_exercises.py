"""A learner breaks a drawing and sees the truth after an answer; a set opens by its link."""

from typing import Any

import gradio as gr
import pytest

from hallascope.data.teaching.lesson import item_of, lesson, token
from hallascope.engine.access.limits import Quotas
from hallascope.engine.access.visitors import Visitor
from hallascope.engine.services import Services
from hallascope.engine.teaching import exercises
from hallascope.pages.learn import break_it, learner, teacher
from hallascope.pages.shared import visitor
from hallascope.primer.teaching.alterations import read_alteration
from hallascope.primer.teaching.faults import FIRST
from tests.pages.learn.conftest import EVIL, ITEM, MARK

# --- break it yourself ---


@pytest.fixture
def breaking(services: Services) -> dict[str, Any]:
    return {function.__name__: function for function in break_it.functions(services)}


def test_an_address_opens_the_drawing_that_it_names(breaking: dict[str, Any]) -> None:
    address = {"concept": "methane", "facts": "hydrogens.5_form.square", "seed": "3"}
    found = breaking["begin"](address, None)
    assert {name: str(found[name]) for name in address} == address
    wrong = [
        (each.words(each.value), each.words(each.truth), each.asked)
        for each in break_it.fact_switches(read_alteration(**address))
        if each.is_wrong
    ]
    assert wrong == [("Five", "Four", True), ("Square", "Round", False)]
    assert found["mistakes"].count(True) == 2
    assert [strip for strip in found["strips"] if "wrong, should be Four" in strip]


@pytest.mark.parametrize(
    "address",
    [{"concept": EVIL}, {"concept": "methane", "facts": EVIL}, {"seed": EVIL}],
)
def test_a_wrong_address_is_a_sentence_beside_the_first_drawing(
    breaking: dict[str, Any], address: dict[str, str]
) -> None:
    found = breaking["begin"](address, None)
    assert found["fault"].endswith((".", "?"))
    assert (found["concept"], found["facts"]) == ("methane", "")
    assert breaking["draw"](address, None)["wrong"] == found["fault"]


def test_a_judge_that_is_not_here_is_replaced_by_the_embedded_one(breaking: dict[str, Any]) -> None:
    assert breaking["begin"]({"judge": "gpt-4o"}, None)["judge"] == "primer/judge"
    assert "not installed here" in breaking["ask"]({"judge": "gpt-4o"}, None)["wrong"]


def test_the_judge_answers_the_asked_facts_in_their_order(breaking: dict[str, Any]) -> None:
    found = breaking["ask"]({"concept": "methane", "facts": "centre.red"}, None)
    assert found["outcomes"] == ["false alarm", "missed", "right", "right", "right", "not asked"]
    assert "<strong>A carbon atom (black)</strong>" in found["lines"][1]
    assert (
        found["tried"]
        == [find["key"] for find in found["finds"]]
        == ["primer/judge methane centre red"]
    )
    assert found["kind"] == "missed"


def test_an_error_becomes_an_exercise_of_a_class_set(
    services: Services, breaking: dict[str, Any]
) -> None:
    (entry,) = breaking["draw"]({"concept": "methane", "facts": "centre.red", "seed": "2"}, None)[
        "exercises"
    ]
    assert teacher.words(item_of(entry)).startswith("a molecule of methane: Which atom is at")
    view = exercises.exercise_view(services, item_of(entry))
    assert view.exercise.shown == "An oxygen atom (red)"


def one_image_a_minute(monkeypatch: pytest.MonkeyPatch) -> Quotas:
    monkeypatch.setenv("HALLASCOPE_PICTURES_A_MINUTE", "1")
    return Quotas()


def test_a_visitor_of_a_public_app_has_so_many_judged_drawings(
    services: Services, breaking: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    services.quotas = one_image_a_minute(monkeypatch)
    monkeypatch.setattr(visitor, "visitor_of", lambda *_: Visitor("ann", "home"))
    assert "outcomes" in breaking["ask"]({}, object())
    assert "A visitor here has 1 images a minute" in breaking["ask"]({}, object())["wrong"]
    assert "svg" in breaking["draw"]({}, object()), "drawings alone are not counted"


# --- learners ---


def test_what_is_shown_before_the_answer_does_not_hold_the_truth(desk: dict[str, Any]) -> None:
    sheet = desk["show"]({"item": ITEM}, None)
    assert set(sheet) == {"html"}
    assert "How many outer atoms" in sheet["html"]
    assert "Five" not in sheet["html"]


def test_an_answer_is_graded_shown_and_kept_for_whom_it_is(
    services: Services, desk: dict[str, Any]
) -> None:
    asked = {"item": ITEM, "mark": MARK, "chosen": 4, "name": " Ann ", "token": ""}
    said = desk["check"](asked, gr.Request())
    assert (said["place"], said["fact"], said["answer"]) == (True, True, 4)
    assert said["standing"] == "Ann, in all: 1 of 1 questions, 1 of 1 places"
    assert 'data-chosen="finding=1"' in said["viewer"]
    assert "as it should be" in said["viewer"]
    assert desk["check"]({**asked, "chosen": 0, "name": ""}, gr.Request())["standing"] == ""
    assert len(services.store.lessons.answers("")) == 1


def test_what_is_no_answer_is_one_sentence(desk: dict[str, Any]) -> None:
    answer = {"item": ITEM, "chosen": 4}
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"item": ["a unicorn", "legs", 3, 0], "chosen": 0}, "cannot draw"),
        ({**answer, "chosen": 9}, "choose one of the facts"),
        ({**answer, "chosen": "4"}, "choose one of the facts"),
        ({**answer, "mark": {"at": ["x", 1]}}, "no place in the image"),
        ({**answer, "mark": MARK, "token": "x" * 20}, "damaged"),
        ({"item": None}, "cannot be read"),
        ({}, "cannot be read"),
    )
    for asked, said in wrong:
        assert said in desk["check"](asked, gr.Request())["wrong"], asked


def test_an_answer_to_a_set_must_be_to_an_exercise_that_stands_there(
    services: Services, desk: dict[str, Any]
) -> None:
    made = lesson("One", [FIRST])
    asked = {
        "item": ITEM,
        "mark": MARK,
        "chosen": 4,
        "name": "Ann",
        "token": token(made),
        "position": 0,
    }
    assert desk["check"](asked, gr.Request())["fact"]
    other = [*ITEM[:3], 7]
    assert "not of this set" in desk["check"]({**asked, "item": other}, gr.Request())["wrong"]
    assert "not of this set" in desk["check"]({**asked, "position": 3}, gr.Request())["wrong"]
    assert len(services.store.lessons.answers(made.id)) == 1


def test_a_visitor_of_a_public_app_has_so_many_pictures(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    services.quotas = one_image_a_minute(monkeypatch)
    monkeypatch.setattr(visitor, "visitor_of", lambda *_: Visitor("ann", "home"))
    show = next(function for function in learner.functions(services) if function.__name__ == "show")
    assert "html" in show({"item": ITEM}, object())
    assert "A visitor here has 1 images a minute" in show({"item": ITEM}, object())["wrong"]
