"""Labeling plans: raters see image after image, and neither prompt nor answers of others."""

import json
from typing import Any

import gradio as gr
import pytest

from hallascope.components.html.gradio_html import ServerFunction
from hallascope.engine.labeling.plans import create_plan
from hallascope.engine.labeling.progress import plan_progress, rater_report
from hallascope.engine.services import Services
from hallascope.engine.storage.people.labeling import LabelingPlan
from hallascope.pages.labels import queue, queue_state, rater
from hallascope.pages.shared.visitor import services_of
from tests.pages.labels.conftest import MODELS, PROMPT
from tests.support.visitor_requests import browser_request

ASKER = gr.Request()  # on one's own machine nobody asks who it is

# --- plans ---


@pytest.fixture
def single(judged: Services) -> LabelingPlan:
    return create_plan(judged, title="<b>first")


def test_a_plan_is_created_and_chosen(judged: Services) -> None:
    line, plans = queue.create(judged, "study", "primer/judge", [MODELS[0]], 3, None, 7)
    (plan,) = judged.store.labeling.plans()
    assert "The plan has 1 image." in line
    assert plans.value == plan.id
    assert (plan.title, plan.raters_per_image) == ("study", 3)
    assert plan.seed == 7


@pytest.mark.parametrize(
    "raters, seed, words",
    [
        (9, 0, "number of raters an image is 9"),
        (1, -1, "The seed is -1"),
    ],
)
def test_a_plan_out_of_range_is_refused_in_a_sentence(
    judged: Services, raters: float | None, seed: float | None, words: str
) -> None:
    line, _ = queue.create(judged, "", None, None, raters, None, seed)
    assert words in line
    assert judged.store.labeling.plans() == []


def test_a_plan_is_deleted_once_it_was_said_what_goes(
    judged: Services, single: LabelingPlan
) -> None:
    line, _, asked = queue.delete(judged, single.id, "")
    assert "with 0 records of 0 raters" in line
    assert asked == single.id
    line, plans, asked = queue.delete(judged, single.id, asked)
    assert (judged.store.labeling.plans(), plans.value, asked) == ([], None, "")
    assert "Choose a plan" in queue.delete(judged, None, "")[0]


# --- the desk ---


@pytest.fixture
def plan(judged: Services) -> LabelingPlan:
    return create_plan(judged, raters_per_image=2, title="<b>first")


def desk_function(services: Services, name: str) -> ServerFunction:
    functions = queue_state.queue_functions(services, with_reasons=name == "forecast")
    return {function.__name__: function for function in functions}[name]


def act(services: Services, work: dict[str, Any], action: str, item: str) -> dict[str, Any]:
    sent = {"action": action, "id": item, "answers": ["A"] * 5, "who": work["who"]}
    return desk_function(services, "step")(sent, ASKER)


def test_a_rater_is_told_neither_prompt_nor_model_nor_judge_nor_answers(
    judged: Services, plan: LabelingPlan
) -> None:
    work = queue_state.start_queue(judged, plan.id, "", "ann", with_reasons=False)
    shown = json.dumps({**work, "items": [{**item, "picture": ""} for item in work["items"]]})
    for word in (PROMPT, *MODELS, "primer", "gold", "random"):
        assert word not in shown
    assert len(work["items"]) == 1
    assert work["answers"] == [[None] * 5]
    with_reasons = queue_state.start_queue(judged, plan.id, "", "ann", with_reasons=True)
    assert with_reasons["items"][0]["why"].startswith("random within primer/")


def test_images_are_kept_skipped_and_taken_back_until_nothing_is_left(
    judged: Services, plan: LabelingPlan
) -> None:
    work = queue_state.start_queue(judged, plan.id, "", "ann", with_reasons=False)
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
    again = queue_state.start_queue(judged, plan.id, "", "ann", with_reasons=False)
    assert again["items"] == []


@pytest.mark.parametrize(
    "sent, words",
    [
        ({}, "reload the page"),
        ({"who": {"rater": " ", "plan": "PLAN"}, "action": "undo"}, "type your name"),
        ({"who": {"rater": "ann", "plan": "nope"}, "action": "undo"}, "no labeling plan 'nope'"),
        ({"who": {"rater": "ann", "plan": "PLAN"}, "action": "keep"}, "no image"),
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
    reply = desk_function(judged, "step")(named, ASKER)
    assert words in reply["wrong"]
    assert judged.store.ratings.all() == []


def test_tables_name_raters_and_models_escaped(judged: Services, plan: LabelingPlan) -> None:
    for name in ("<i>ann", "bo"):
        work = queue_state.start_queue(judged, plan.id, "", name, with_reasons=False)
        act(judged, work, "keep", work["items"][0]["id"])
    table = queue_state.rater_table(rater_report(judged, plan))
    assert "&lt;i&gt;ann" in table
    assert "Human ceiling: two raters give the same answer to 100% of the questions" in table
    progress = queue_state.progress_table(plan_progress(judged, plan))
    assert "1 of 2 images are labeled, 0 skipped." in progress
    assert all(model in progress for model in MODELS)


# --- the page of raters ---


def test_a_plan_that_does_not_exist_is_one_sentence(judged: Services) -> None:
    for name in ("", "nope"):
        link, row, line = rater.open_plan(judged, name, "")
        assert link.plan == ""
        assert not row.visible
        assert rater.UNKNOWN in line


def test_a_rater_types_a_name_once_and_labels(judged: Services) -> None:
    plan = create_plan(judged)
    opened, row, _ = rater.open_plan(judged, plan.id, "")
    assert opened.plan == plan.id
    assert row.visible
    row, line, work = rater.start(judged, opened, " ")
    assert row.visible
    assert "type your name" in line
    assert work == {"items": []}
    row, line, work = rater.start(judged, opened, "<b>ann")
    assert not row.visible
    assert "&lt;b&gt;ann" in line
    assert work["items"][0]["why"] == ""


# --- a public app ---


@pytest.fixture
def public(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HALLASCOPE_PUBLIC", "1")


def step(services: Services, asker: gr.Request, work: dict[str, Any], action: str) -> Any:
    sent = {"action": action, "id": work["id"], "answers": ["A"] * 5, "who": work["who"]}
    return desk_function(services, "step")(sent, asker)


@pytest.mark.usefixtures("public")
def test_only_who_made_a_plan_or_has_its_link_labels_it(judged: Services) -> None:
    ann, bo, eve = (browser_request(judged) for _ in range(3))
    plan = create_plan(services_of(judged, ann))
    key = judged.signer.signature("plan", plan.id)
    assert services_of(judged, eve).store.labeling.plans() == []
    of_operator = create_plan(judged, seed=1)
    for other, name in ((bo, plan.id), (eve, plan.id), (eve, of_operator.id)):
        assert "href" not in queue.rater_link(services_of(judged, other), name)
    assert key in queue.rater_link(services_of(judged, ann), plan.id)
    judged.store.labeling.delete_plan(of_operator.id)
    assert not rater.open_plan(judged, plan.id, "")[1].visible
    assert rater.open_plan(judged, plan.id, key)[1].visible
    for forged in ("", "x" * 24, judged.signer.signature("plan", "another")):
        _, line, work = rater.start(
            services_of(judged, eve), rater.PlanLink(plan.id, forged), "Eve"
        )
        assert "not yours" in line
        assert work == {"items": []}
    _, _, work = rater.start(services_of(judged, bo), rater.PlanLink(plan.id, key), "Bo")
    forecast = desk_function(judged, "forecast")
    assert "words" in forecast({"plan": plan.id, "rater": "Ann"}, ann)
    assert "no labeling plan" in forecast(work["who"], bo)["wrong"]
    own = {"id": work["items"][0]["id"], "who": work["who"]}
    assert "queue" in step(judged, bo, own, "keep")
    # neither with the link are the answers of others changed, nor with their names
    assert "somebody else" in step(judged, eve, own, "undo")["wrong"]
    named = {**own, "who": {**own["who"], "rater": "Eve"}}
    assert "Others have labeled" in step(judged, eve, named, "keep")["wrong"]
    assert {one.subject.rater for one in judged.store.ratings.all()} == {"Bo"}
    line, _, _ = queue.delete(services_of(judged, bo), plan.id, plan.id)
    assert "no labeling plan" in line
    assert queue.delete(services_of(judged, ann), plan.id, plan.id)[2] == ""
    assert judged.store.labeling.plans() == []


@pytest.mark.usefixtures("public")
def test_no_more_raters_answer_an_image_than_the_plan_asks_for(judged: Services) -> None:
    plan = create_plan(judged)
    key = judged.signer.signature("plan", plan.id)
    item = plan.images[0].item
    kept = []
    for number in range(25):
        who = {"rater": f"rater {number}", "plan": plan.id, "key": key}
        kept.append(
            "queue" in step(judged, browser_request(judged), {"id": item, "who": who}, "keep")
        )
    assert kept == [True] + [False] * 24
    assert len(judged.store.ratings.all()) == 5
