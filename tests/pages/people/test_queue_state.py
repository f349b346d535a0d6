"""The desk of a queue shows one image after the other, and neither prompt nor answers of others."""

import json
from pathlib import Path
from typing import Any

import pytest

from hallascope.engine import ratings
from hallascope.engine.errors import BadRequest
from hallascope.engine.labeling.plans import LabelingPlan, create_plan
from hallascope.engine.labeling.progress import plan_progress
from hallascope.engine.labeling.queue import read_outlook
from hallascope.engine.labeling.report import rater_report
from hallascope.engine.services import Services
from hallascope.pages.people import queue_state
from tests.pages.people.conftest import MODELS, PROMPT


@pytest.fixture
def plan(judged: Services) -> LabelingPlan:
    return create_plan(judged, raters_per_image=2, title="<b>first")


def act(services: Services, work: dict[str, Any], action: str, item: str) -> dict[str, Any]:
    sent = {"action": action, "id": item, "answers": ["A"] * 5, "who": work["who"]}
    return queue_state.make_step(services, with_reasons=False)(sent)


def test_a_rater_is_told_neither_prompt_nor_model_nor_judge_nor_answers(
    judged: Services, plan: LabelingPlan
) -> None:
    work = queue_state.start_queue(judged, plan.id, "ann", with_reasons=False)
    shown = json.dumps({**work, "items": [{**item, "picture": ""} for item in work["items"]]})
    for word in (PROMPT, *MODELS, "primer", "gold", "random"):
        assert word not in shown
    assert len(work["items"]) == 1
    assert work["answers"] == [[None] * 5]
    with_reasons = queue_state.start_queue(judged, plan.id, "ann", with_reasons=True)
    assert with_reasons["items"][0]["why"].startswith("random within primer/")


def test_images_are_kept_skipped_and_taken_back_until_nothing_is_left(
    judged: Services, plan: LabelingPlan
) -> None:
    work = queue_state.start_queue(judged, plan.id, "ann", with_reasons=False)
    first = work["items"][0]["id"]
    assert work["queue"] == {"done": 0, "left": 2}
    after_first = act(judged, work, "keep", first)
    second = after_first["item"]["id"]
    assert second != first
    assert after_first["queue"] == {"done": 1, "left": 1}
    assert len(judged.store.ratings.all()) == 5

    taken_back = act(judged, work, "undo", second)
    assert taken_back["item"]["id"] == first
    assert taken_back["queue"] == {"done": 0, "left": 2}
    assert judged.store.ratings.all() == []

    assert act(judged, work, "skip", first)["item"]["id"] == second
    last = act(judged, work, "keep", second)
    assert last["item"] is None
    assert last["queue"] == {"done": 2, "left": 0}
    again = queue_state.start_queue(judged, plan.id, "ann", with_reasons=False)
    assert again["items"] == []


def test_the_images_that_may_come_next_are_named_for_the_browser(
    judged: Services, plan: LabelingPlan
) -> None:
    work = queue_state.start_queue(judged, plan.id, "ann", with_reasons=False)
    (soon,) = work["soon"]
    after_first = act(judged, work, "keep", work["items"][0]["id"])
    assert after_first["item"]["picture"] == soon
    assert after_first["soon"] == []


def test_attention_checks_count_as_images_that_are_left(judged: Services) -> None:
    checked = create_plan(judged, attention_every=2)
    work = queue_state.start_queue(judged, checked.id, "ann", with_reasons=False)
    assert work["queue"] == {"done": 0, "left": 4}
    again = queue_state.start_queue(judged, checked.id, "ann", with_reasons=True)
    assert again["items"][0]["why"] == "", "a reason would give attention checks away"
    counted = []
    item = work["items"][0]["id"]
    while item:
        reply = act(judged, work, "keep", item)
        counted.append((reply["queue"]["done"], reply["queue"]["left"]))
        item = (reply["item"] or {}).get("id")
    assert counted[-1] == (len(counted), 0)
    assert all(done + left == len(counted) for done, left in counted)


def test_what_a_rater_saw_with_the_judges_answers_is_not_left_for_them(
    judged: Services, plan: LabelingPlan
) -> None:
    seen = ratings.rateable_pictures(judged, None, "ann")[0]
    ratings.keep_answers(judged, seen, ["A"] * 5, "ann", checking=True)
    work = queue_state.start_queue(judged, plan.id, "ann", with_reasons=False)
    assert work["queue"] == {"done": 0, "left": 1}
    assert act(judged, work, "keep", work["items"][0]["id"])["item"] is None
    assert read_outlook(judged, plan, "bo").left == 2


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({}, "reload it"),
        ({"who": {"rater": " ", "plan": "PLAN"}}, "type your name"),
        ({"who": {"rater": "ann", "plan": "nope"}}, "no labeling plan 'nope'"),
        ({"who": {"rater": "ann", "plan": "PLAN"}, "action": "keep"}, "reload it"),
        (
            {"who": {"rater": "ann", "plan": "PLAN"}, "action": "keep", "id": "x", "answers": []},
            "no image 'x'",
        ),
        ({"who": {"rater": "ann", "plan": "PLAN"}, "action": "undo"}, "nothing"),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_nothing_is_kept(
    judged: Services, plan: LabelingPlan, sent: dict[str, Any], words: str
) -> None:
    named = json.loads(json.dumps(sent).replace("PLAN", plan.id))
    reply = queue_state.make_step(judged, with_reasons=False)(named)
    assert words in reply["wrong"]
    assert judged.store.ratings.all() == []


def test_a_queue_needs_a_name_and_a_plan(judged: Services, plan: LabelingPlan) -> None:
    with pytest.raises(BadRequest, match="type your name"):
        queue_state.start_queue(judged, plan.id, " ", with_reasons=False)
    with pytest.raises(BadRequest, match="no labeling plan 'nope'"):
        queue_state.start_queue(judged, "nope", "ann", with_reasons=False)


def test_the_forecast_has_a_sentence_a_model(judged: Services, plan: LabelingPlan) -> None:
    forecast = queue_state.make_forecast(judged)
    words = forecast({"rater": "ann", "plan": plan.id})["words"]
    assert [line.partition(":")[0] for line in words.splitlines()] == sorted(MODELS)
    assert "type your name" in forecast({})["wrong"]


def test_tables_name_raters_and_models_escaped(judged: Services, plan: LabelingPlan) -> None:
    for rater in ("<i>ann", "bo"):
        work = queue_state.start_queue(judged, plan.id, rater, with_reasons=False)
        act(judged, work, "keep", work["items"][0]["id"])
    table = queue_state.rater_table(rater_report(judged, plan))
    assert "&lt;i&gt;ann" in table
    assert "Human ceiling: two raters give the same answer to 100% of the questions" in table
    progress = queue_state.progress_table(plan_progress(judged, plan))
    assert "1 of 2 images are labeled, 0 skipped." in progress
    assert all(model in progress for model in MODELS)


def test_a_plan_is_offered_by_its_title_and_says_what_it_holds(plan: LabelingPlan) -> None:
    (option,) = queue_state.plan_options([plan])
    assert option.called == "<b>first"
    assert option.note == "random, 2 images, 2 raters an image"


def test_no_file_of_an_image_that_is_shown_is_outside_of_the_store(
    judged: Services, plan: LabelingPlan
) -> None:
    work = queue_state.start_queue(judged, plan.id, "ann", with_reasons=False)
    folder = Path(judged.store.folder / "images").resolve()
    assert all(str(folder) in address for address in work["soon"])
