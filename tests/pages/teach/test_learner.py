"""A learner sees the truth only after an answer, and what is no answer is one sentence."""

import json
import random
from dataclasses import replace
from typing import Any

import pytest

from hallascope.components.teach import exercise
from hallascope.data.requests import Answer, Failure
from hallascope.data.teaching.lesson import lesson, token
from hallascope.engine.deployment.rate_limit import PictureLimits
from hallascope.engine.services import Services
from hallascope.engine.teaching import exercises
from hallascope.pages.teach import learner, server_functions
from hallascope.primer.teaching.faults import FIRST
from tests.pages.teach.conftest import EVIL, ITEM, MARK


def test_a_newcomer_begins_with_methane_with_five_hydrogens() -> None:
    found = learner.first(random.Random(0))
    assert found["items"][0] == ["a molecule of methane", "hydrogens", 5, 6]
    assert len({json.dumps(item) for item in found["items"]}) == learner.SERVED


def test_what_is_shown_before_the_answer_does_not_hold_the_truth(desk: dict[str, Any]) -> None:
    sheet = desk["show"]({"item": ITEM}, None)
    assert set(sheet) == {"picture", "width", "height", "prompt", "facts", "parts", "place"}
    assert "Five" not in json.dumps(sheet)
    assert "something is missing" not in sheet["parts"], "that has a button of its own"


def test_an_answer_is_graded_shown_and_kept_for_whom_it_is(
    services: Services, desk: dict[str, Any]
) -> None:
    asked = {"item": ITEM, "mark": MARK, "chosen": 4, "name": " Ann ", "token": ""}
    said = desk["check"](asked)
    assert (said["place"], said["fact"], said["answer"]) == (True, True, 4)
    assert said["standing"] == {"name": "Ann", "places": 1, "asked": 1, "facts": 1, "done": 1}
    assert 'data-chosen="finding=1"' in said["viewer"]
    assert "as it should be" in said["viewer"]
    assert desk["check"]({**asked, "chosen": 0, "name": ""})["standing"] is None
    assert len(services.store.lessons.answers("")) == 1


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"item": ["a unicorn", "legs", 3, 0], "chosen": 0}, "cannot draw"),
        ({"item": ITEM, "chosen": 9}, "choose one of the facts"),
        ({"item": ITEM, "chosen": "4"}, "choose one of the facts"),
        ({"item": ITEM, "chosen": 4, "mark": {"at": ["x", 1]}}, "no place in the image"),
        ({"item": ITEM, "chosen": 4, "mark": MARK, "token": "x" * 20}, "damaged"),
        ({"item": None}, "cannot be read"),
        ({}, "cannot be read"),
    ],
)
def test_what_is_no_answer_is_one_sentence(
    desk: dict[str, Any], asked: dict[str, Any], said: str
) -> None:
    assert said in desk["check"](asked)["wrong"]


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
    assert desk["check"](asked)["fact"]
    other = [*ITEM[:3], 7]
    assert "not of this set" in desk["check"]({**asked, "item": other})["wrong"]
    assert "not of this set" in desk["check"]({**asked, "position": 3})["wrong"]
    assert len(services.store.lessons.answers(made.id)) == 1


def test_a_sort_without_pictures_is_a_sentence_and_words_that_mean_nothing_are_not_asked_for(
    desk: dict[str, Any],
) -> None:
    assert desk["practice"]({"level": "1", "coi": "counting"})["wrong"] == learner.NOTHING
    found = desk["practice"]({"level": "nine", "coi": EVIL, "category": "Biology"})
    assert len(found["items"]) == learner.SERVED


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Answer("Five"), "answers “Five”. It sees the fault."),
        (
            Answer("Four"),
            "answers “Four”. It does not see the fault, and takes the image for a right one.",
        ),
        (Answer("None of the above"), "It cannot tell."),
        (Answer("Two"), "It sees that something is wrong, but not what."),
        (Answer("perhaps"), "could not be read"),
        (
            Failure("timeout", "It took too long: try again."),
            "gave no answer: It took too long: try again.",
        ),
    ],
)
def test_what_the_judge_says_is_told_in_words(make_services: Any, reply: Any, said: str) -> None:
    def answer(ask: Any) -> Any:
        return (
            Answer("ABCDE"[ask.choices.index(reply.text)])
            if isinstance(reply, Answer) and reply.text in ask.choices
            else reply
        )

    assert said in learner.judge_opinion(make_services(answer), FIRST)["words"]


def test_a_visitor_of_a_public_app_has_so_many_pictures(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    services.picture_quota.limits = PictureLimits(minute=1)
    monkeypatch.setattr(server_functions, "visitor_id", lambda asker: "somebody")
    show = next(function for function in learner.functions(services) if function.__name__ == "show")
    assert "picture" in show({"item": ITEM}, object())
    assert "A visitor here has 1 images a minute" in show({"item": ITEM}, object())["wrong"]


def test_what_a_run_says_stays_text_in_the_truth(services: Services) -> None:
    found = exercises.exercise_view(services, FIRST)
    hostile = replace(
        found.exercise,
        facts=(EVIL,) * 5,
        shown=EVIL,
        truth=EVIL,
        why=EVIL,
        source=EVIL,
        right_parts=frozenset([EVIL]),
    )
    html = exercise.truth(hostile, found.picture, found.right)
    assert "<script" not in html
    assert "<img src=x" not in html
