"""A rater sees neither prompt, model, gold nor judge, and goes on where they left off."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gradio as gr
import pytest

from hallascope.engine import ratings as engine_people
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.services import Services
from hallascope.engine.storage.people.ratings import SEEN
from hallascope.pages.labels import page, state
from hallascope.pages.shared.server_functions import server_functions
from tests.pages.labels.conftest import MODELS, PROMPT

# --- rating ---


def saver(services: Any) -> Callable[[dict[str, Any]], Any]:
    """Return what keeps answers of who sits at this machine."""
    (save,) = server_functions(services, state.save)
    return lambda sent: save(sent, gr.Request())


def test_who_answers_blind_sees_neither_prompt_nor_model_nor_gold_nor_judge(
    judged: Services,
) -> None:
    work = state.rating_view(judged, "ann", "questions", None)
    said = json.dumps({**work, "items": [{**one, "picture": ""} for one in work["items"]]})
    assert len(work["items"]) == 2
    for word in (PROMPT, *MODELS, "gold", "primer"):
        assert word not in said
    assert {question["judged"] for one in work["items"] for question in one["questions"]} == {None}


def test_who_checks_a_judge_sees_what_it_said(judged: Services) -> None:
    work = state.rating_view(judged, "ann", "check", None)
    marks = [question["judged"] for question in work["items"][0]["questions"]]
    assert marks[0] == "E"
    assert None not in marks


def test_what_is_saved_is_there_when_one_comes_back(judged: Services) -> None:
    save = saver(judged)
    work = state.rating_view(judged, "ann", "questions", None)
    given = {"id": work["items"][0]["id"], "answers": ["A", "B", "C", "D", "?"], "who": work["who"]}
    assert save(given) == {}
    again = state.rating_view(judged, " ann ", "questions", None)
    assert (again["at"], again["answers"]) == (1, [["A", "B", "C", "D", "?"], [None] * 5])
    assert state.rating_view(judged, "bo", "questions", None)["at"] == 0
    grade = state.rating_view(judged, "ann", "grade", None)
    assert save({"id": grade["items"][1]["id"], "answers": ["6"], "who": grade["who"]}) == {}
    assert state.rating_view(judged, "ann", "grade", None)["answers"] == [[None], ["6"]]


@pytest.mark.parametrize(
    "given, said",
    [
        ({}, "reload the page"),
        ({"id": "x:y", "answers": [], "who": {"rater": "ann"}}, "No run 'x'"),
        ({"id": "HERE", "answers": ["A"], "who": {"rater": "ann"}}, "no answers to the questions"),
        ({"id": "HERE", "answers": ["A"] * 5, "who": {"rater": " "}}, "type your name"),
        ({"id": "HERE", "answers": ["9"], "who": {"rater": "ann", "mode": "grade"}}, "no grade"),
        ({"id": "HERE-not", "answers": ["A"] * 5, "who": {"rater": "ann"}}, "no longer there"),
    ],
)
def test_what_cannot_be_kept_is_said_in_a_sentence(
    judged: Services, given: dict[str, Any], said: str
) -> None:
    here = state.rating_view(judged, "ann", "questions", None)["items"][0]["id"]
    asked = {**given, "id": str(given.get("id", "")).replace("HERE", here)}
    assert said in saver(judged)(asked)["wrong"]
    assert judged.store.ratings.all() == []


@pytest.mark.parametrize(
    "mode, given, left",
    [("questions", ["A"] * 5, 4), ("check", ["A"] * 5, 4), ("grade", ["6"], 0)],
)
def test_an_answer_that_is_taken_back_is_kept_no_more(
    judged: Services, mode: state.Mode, given: list[str], left: int
) -> None:
    save = saver(judged)
    work = state.rating_view(judged, "ann", mode, None)
    sent = {"id": work["items"][0]["id"], "answers": given, "who": work["who"]}
    save(sent)
    assert len(judged.store.ratings.all()) == len(given)
    assert save({**sent, "answers": [*given[:-1], None], "removed": [len(given) - 1]}) == {}
    kept = judged.store.ratings.all()
    assert len([rating for rating in kept if rating.value != SEEN]) == left
    again = state.rating_view(judged, "ann", mode, None)
    assert again["answers"][0] == [*given[:-1], None]


def test_the_form_of_factualbench_shows_prompt_and_reference_and_keeps_marks(
    judged: Services,
) -> None:
    with pytest.raises(BadRequest, match="T2I-FactualBench"):
        state.rating_view(judged, "ann", "factualbench", None)
    request = EvaluateRequest(prompt=PROMPT, models=MODELS, metrics=("factualbench",))
    list(judged.evaluate(request))
    work = state.rating_view(judged, "ann", "factualbench", None)
    first = work["items"][0]
    assert first["caption"] == f"Prompt: {PROMPT}"
    assert [reference["name"] for reference in first["references"]] != []
    assert first["questions"][0]["marks"] == ["0", "1", "2", "3", "4", "?"]
    marks = ["3", "concept error"]
    sent = {"id": first["id"], "answers": marks, "who": work["who"]}
    assert saver(judged)(sent) == {}
    assert state.rating_view(judged, "ann", "factualbench", None)["answers"][0] == marks
    removed = {**sent, "answers": ["3", None], "removed": [1]}
    assert saver(judged)(removed) == {}
    assert state.rating_view(judged, "ann", "factualbench", None)["answers"][0] == ["3", None]
    html = page.numbers(judged)
    assert "Ratings by T2I-FactualBench’s form" in html
    assert "<td>3.00</td>" in html


# --- the page ---


def test_people_and_judges_are_set_beside_each_other(judged: Services) -> None:
    assert page.numbers(judged) == ""
    assert page.figure(judged) is None
    first, second = engine_people.rateable_pictures(judged, None, "ann")
    engine_people.keep_marks(judged, first, ["A"] * 5, "<b>ann")
    engine_people.keep_marks(judged, second, ["7"], "bo", engine_people.GRADED)
    html = page.numbers(judged)
    assert "&lt;b&gt;ann" in html
    for head in page.JUDGE_HEADS:
        assert html.count(f">{head}</th>") == 1
    figure = page.figure(judged)
    assert figure is not None
    assert [trace.type for trace in figure.data] == ["violin", "scatter"]


def test_a_table_goes_out_and_comes_in_with_its_complaints(
    judged: Services, tmp_path: Path
) -> None:
    (item, _) = engine_people.rateable_pictures(judged, None, "ann")
    engine_people.keep_marks(judged, item, ["7"], "ann", engine_people.GRADED)
    file = page.export_ratings(judged)
    path = tmp_path / file["name"]
    path.write_text(file["text"] + "broken,,grade,,ann,7,now\n", encoding="utf-8")
    for rating in judged.store.ratings.all():
        judged.store.ratings.remove(rating.subject)
    line = page.import_verdicts(judged, str(path))
    assert "1 verdict taken from people.csv" in line
    assert "people.csv, row 3" in line
    assert "cannot be opened" in page.import_verdicts(judged, str(tmp_path / "nowhere.csv"))
