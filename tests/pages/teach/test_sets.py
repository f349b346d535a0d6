"""A set opens by its link and its answers by the key alone; its page needs no server."""

import base64
import json
import re
from hashlib import sha256
from typing import Any

import gradio as gr
import pytest

from hallascope.data.requests import Answer
from hallascope.data.teaching.lesson import DrawnItem, lesson, make_seal, read_token
from hallascope.engine.errors import BadRequest
from hallascope.engine.services import Services
from hallascope.engine.teaching import walkthrough as ships
from hallascope.pages.teach import lesson_page as site
from hallascope.pages.teach import teacher, walkthrough
from hallascope.primer.teaching.faults import FIRST
from tests.pages.teach.conftest import EVIL, ITEM, MARK

# --- teachers ---


@pytest.fixture
def bench(services: Services) -> dict[str, Any]:
    return {function.__name__: function for function in teacher.functions(services)}


def made_set(bench: dict[str, Any], title: str = "A set") -> dict[str, Any]:
    found: dict[str, Any] = bench["make"]({"title": title, "items": [ITEM]}, None)
    return found


def answer(made: dict[str, Any], name: str) -> dict[str, Any]:
    """An answer to the first exercise of a set, with the right place and a wrong fact."""
    return {
        "item": ITEM,
        "mark": MARK,
        "chosen": 0,
        "name": name,
        "token": made["token"],
        "position": 0,
    }


def test_a_set_opens_by_its_link_and_its_answers_by_the_key_alone(
    bench: dict[str, Any], desk: dict[str, Any]
) -> None:
    made = made_set(bench)
    assert made["key"] not in read_token(made["token"]).seal
    assert desk["begin"]({"set": made["token"]})["title"] == "A set"
    desk["check"](answer(made, "Ann"), gr.Request())
    said = bench["answers"]({"token": made["token"], "key": made["key"]}, None)
    assert "Ann,1,a molecule of methane,right,wrong," in said["csv"]
    for key in ("", "guessed"):
        assert bench["answers"]({"token": made["token"], "key": key}, None) == {
            "wrong": teacher.NOT_YOURS
        }
        assert bench["begin"]({"set": made["token"], "key": key}, None)["key"] == ""
    assert bench["begin"]({"set": made["token"], "key": made["key"]}, None)["key"] == made["key"]


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
    desk["check"](answer(made, EVIL), gr.Request())
    said = bench["answers"]({"token": made["token"], "key": made["key"]}, None)
    assert "<img" not in said["html"]
    assert "<script" not in said["html"]
    assert "&lt;img src=x" in said["html"]


# --- the page ---


def test_a_page_holds_everything_asks_for_nothing_and_runs_its_own_script_alone(
    services: Services,
) -> None:
    html = site.page(
        services,
        lesson(EVIL[:100], [FIRST, DrawnItem("a spider", "legs", 6)], make_seal("key")),
        None,
    )
    assert not re.search(r"""(?:src|href)=["'](?!data:)""", html), "no address of anything else"
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    digest = base64.b64encode(sha256(script.encode()).digest()).decode()
    assert f"script-src &#39;sha256-{digest}&#39;" in html
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


# --- the walkthrough ---


def test_every_step_shows_the_picture_with_its_own_evidence(services: Services) -> None:
    marks = {
        "picture": "An oxygen atom (red) instead of",
        "ihalla": "question=1",
        "scene-graph": "node=",
    }
    for step in walkthrough.STEPS:
        said, evidence = walkthrough.step_view(services, [step.id])
        assert step.title in said
        assert marks.get(step.id, "finding=") in evidence


def test_the_step_of_ihalla_says_how_many_faults_the_judge_notices(services: Services) -> None:
    found = ships.read(services)
    (report,) = [
        one.report
        for one in found.services.view(found.facts.run).evaluations
        if one.metric == "ihalla"
    ]
    noticed = sum(verdict.state == "incorrect" for verdict in report.verdicts)
    said, _ = walkthrough.step_view(services, ["ihalla"])
    assert noticed < len(found.faults) == 2, (
        "it is no better than its judge: choose another image where the judge has learnt to count"
    )
    assert f"2 facts are wrong in this image; the judge notices {noticed} of them" in said


def test_where_the_data_is_gone_a_sentence_stands_in_its_place(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(services: Services) -> None:
        raise BadRequest(
            "What shows how it works is not there: make it with `hallascope teach make how`."
        )

    monkeypatch.setattr(ships, "read", gone)
    said, evidence = walkthrough.step_view(services, None)
    assert "hallascope teach make how" in said
    assert "exhibit" not in evidence
