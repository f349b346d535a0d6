"""The Teach tab without a browser: the truth stays on the server until it is asked for, keys open
answers, no text becomes markup.
"""

import base64
import json
import random
import re
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest

from hallascope.components.teach import exercise
from hallascope.data.requests import Answer, Failure
from hallascope.data.teaching.lesson import DrawnItem, as_plain, lesson, read_token, sealed, token
from hallascope.engine.deployment.rate_limit import PictureLimits
from hallascope.engine.errors import BadRequest
from hallascope.engine.services import Services
from hallascope.engine.teaching import exercises
from hallascope.engine.teaching import walkthrough as ships
from hallascope.pages.teach import learner, teacher, walkthrough
from hallascope.pages.teach import lesson_page as site
from hallascope.primer.teaching.faults import FIRST

EVIL = "<img src=x onerror=alert(1)>\"'`${1}{{2}}</script><script>alert(2)</script>"
ITEM = as_plain(FIRST)
MARK = {"part": "hydrogen atom"}


@pytest.fixture
def desk(services: Services) -> dict[str, Any]:
    return {function.__name__: function for function in learner.functions(services)}


@pytest.fixture
def bench(services: Services) -> dict[str, Any]:
    return {function.__name__: function for function in teacher.functions(services)}


# --- the learner
# --------------------------------------------------------------------------------------------------


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
        ({"item": ITEM, "chosen": 4, "mark": {"at": ["x", 1]}}, "no place in the picture"),
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
            "answers “Four”. It does not see the fault, and takes the picture for a right one.",
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
    services.allowance.limits = PictureLimits(minute=1)
    monkeypatch.setattr(learner, "visitor_id", lambda asker: "somebody")
    show = next(function for function in learner.functions(services) if function.__name__ == "show")
    assert "picture" in show({"item": ITEM}, object())
    assert "A visitor here has 1 pictures a minute" in show({"item": ITEM}, object())["wrong"]


# --- the teacher
# --------------------------------------------------------------------------------------------------


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
        ("chance", {"number": 3, "level": "1", "coi": "size"}, "no such picture"),
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


# --- as a page without a server
# --------------------------------------------------------------------------------------------------


def test_a_page_holds_everything_asks_for_nothing_and_runs_its_own_script_alone(
    services: Services,
) -> None:
    html = site.page(
        services, lesson(EVIL[:100], [FIRST, DrawnItem("a spider", "legs", 6)], sealed("key")), None
    )
    assert not re.search(r"""(?:src|href)=["'](?!data:)""", html), "no address of anything else"
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    digest = base64.b64encode(sha256(script.encode()).digest()).decode()
    assert f"script-src &#x27;sha256-{digest}&#x27;" in html
    assert html.count("<script") == 2
    assert "<img src=x" not in html
    (held,) = re.findall(
        r'<script type="application/json" id="held">(.*?)</script>', html, re.DOTALL
    )
    assert [item["told"]["answer"] for item in json.loads(held)["items"]] == [
        4,
        json.loads(held)["items"][1]["told"]["answer"],
    ]
    assert json.loads(held)["work"]["title"] == EVIL[:100]


def test_a_page_says_what_the_judge_says_or_why_it_does_not(make_services: Any) -> None:
    services = make_services(lambda ask: Answer("A"))
    assert "The judge primer/judge answers" in site.page(
        services, lesson("A", [FIRST]), "primer/judge"
    )
    assert "nobody/knows" in site.page(services, lesson("A", [FIRST]), "nobody/knows")


# --- how it works
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", [one.id for one in walkthrough.STEPS])
def test_every_step_shows_the_picture_with_its_own_evidence(services: Services, step: str) -> None:
    said, evidence = walkthrough.step_view(services, [step])
    title = next(one.title for one in walkthrough.STEPS if one.id == step)
    assert title in said
    assert 'class="exhibit' in evidence
    assert 'data-run=""' in evidence
    marks = {
        "picture": "An oxygen atom (red) instead of",
        "ihalla": "question=1",
        "fig": "finding=",
        "scene-graph": "node=",
    }
    assert marks.get(step, "finding=") in evidence


def test_the_step_of_ihalla_says_how_many_faults_the_judge_notices(services: Services) -> None:
    found = ships.read(services)
    (report,) = [
        one.report
        for one in found.services.view(found.told.run).evaluations
        if one.metric == "ihalla"
    ]
    noticed = sum(verdict.state == "incorrect" for verdict in report.verdicts)
    said, _ = walkthrough.step_view(services, ["ihalla"])
    assert noticed < len(found.faults) == 2, (
        "it is no better than its judge: choose another picture where the judge has learnt to count"
    )
    assert f"2 facts are wrong in this picture; the judge notices {noticed} of them" in said


def test_the_steps_follow_each_other_and_begin_anew() -> None:
    at, met = None, []
    for _ in walkthrough.STEPS:
        at = walkthrough.next_step(at)
        met += at
    assert met == [*(one.id for one in walkthrough.STEPS[1:]), walkthrough.STEPS[0].id]


def test_where_the_data_is_gone_a_sentence_stands_in_its_place(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(services: Services) -> None:
        raise BadRequest(
            "What shows how it works is not there: make it with `hallascope teach how`."
        )

    monkeypatch.setattr(ships, "read", gone)
    said, evidence = walkthrough.step_view(services, None)
    assert "hallascope teach how" in said
    assert "exhibit" not in evidence
