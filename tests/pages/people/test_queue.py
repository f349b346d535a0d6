"""The section of the labeling queue offers plans, makes new ones, starts raters and reports."""

import base64
import io
import zipfile

import pytest

from hallascope.engine.events import EvaluateRequest
from hallascope.engine.labeling.plans import LabelingPlan, create_plan, list_plans
from hallascope.engine.labeling.queue import keep
from hallascope.engine.services import Services
from hallascope.pages.people import queue
from tests.pages.people.conftest import MODELS


@pytest.fixture
def plan(judged: Services) -> LabelingPlan:
    return create_plan(judged, title="<b>first")


def test_without_plans_there_is_a_sentence_and_the_newest_plan_is_chosen_first(
    judged: Services,
) -> None:
    body, chosen = queue.plan_chips(judged, None)
    assert queue.NO_PLAN in body
    assert chosen == []
    old = create_plan(judged, title="<b>old")
    new = create_plan(judged, title="new")
    body, chosen = queue.plan_chips(judged, None)
    assert chosen == [new.id]
    assert "&lt;b&gt;old" in body
    assert queue.plan_chips(judged, [old.id])[1] == [old.id]


def test_judges_and_models_of_the_store_are_offered(judged: Services) -> None:
    assert queue.judge_chips(judged)[1] == ["primer/judge"]
    _, chosen, offered = queue.model_chips(judged)
    assert sorted(chosen) == sorted(offered) == sorted(MODELS)


def test_what_is_chosen_for_a_plan_stays_and_a_new_model_is_chosen(judged: Services) -> None:
    run = next(run.id for run in judged.runs())
    judge, models, runs, offered = queue.show_options(judged, [], [], [], ())
    assert (judge.value, models.value, runs.value) == (["primer/judge"], offered, [queue.ALL_RUNS])
    kept = queue.show_options(judged, judge.value, [MODELS[1]], [run], offered)
    assert [chips.value for chips in kept[:3]] == [["primer/judge"], [MODELS[1]], [run]]
    assert queue.show_options(judged, judge.value, [], [run], offered)[1].value == []
    one_is_new = queue.show_options(judged, judge.value, [], [run], [MODELS[1]])
    assert one_is_new[1].value == [MODELS[0]]
    gone = queue.show_options(judged, ["no judge"], ["no model"], ["no run"], offered)
    assert [chips.value for chips in gone[:3]] == [["primer/judge"], [], [queue.ALL_RUNS]]


def test_a_plan_is_created_and_chosen(judged: Services) -> None:
    line, chips = queue.create(
        judged, "study", ["primer/judge"], [MODELS[0]], ["active"], 3, 0, None, 7
    )
    (plan,) = list_plans(judged)
    assert "The plan has 1 image." in line
    assert chips.value == [plan.id]
    assert (plan.title, plan.design, plan.raters_per_image) == ("study", "active", 3)
    assert plan.seed == 7


def test_a_plan_can_be_of_one_run_that_is_offered(judged: Services) -> None:
    list(judged.evaluate(EvaluateRequest(prompt="a ladybug", models=MODELS)))
    body, chosen = queue.run_chips(judged)
    assert chosen == [queue.ALL_RUNS]
    run = next(run.id for run in judged.runs() if run.request.prompt == "a ladybug")
    assert run in body
    assert "a ladybug" in body
    for picked, images in (([run], 2), ([queue.ALL_RUNS], 4), (None, 4)):
        line, _ = queue.create(judged, "", None, None, ["random"], 1, 0, picked, 0)
        assert f"The plan has {images} images." in line


def test_the_labels_of_the_chosen_plan_are_handed_out_without_names(
    judged: Services, plan: LabelingPlan
) -> None:
    assert queue.export(judged, "") == {"wrong": queue.CHOOSE}
    assert "no labeling plan" in queue.export(judged, "nope")["wrong"]
    _, work = queue.start(judged, [plan.id], "Ann Person")
    keep(judged, plan, work["items"][0]["id"], "?????", "Ann Person")
    file = queue.export(judged, plan.id)
    assert file["name"] == f"labels-{plan.id}.zip"
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(file["base64"]))) as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    assert set(texts) >= {"plan.json", "frame.csv", "labels.csv"}
    assert "rater 1" in texts["labels.csv"]
    assert "Ann" not in "".join(texts.values())


@pytest.mark.parametrize(
    ("raters", "attention", "seed", "words"),
    [
        (9, 0, 0, "number of raters an image is 9"),
        (None, 0, 0, "number of raters an image is missing"),
        (1, 1, 0, "take 0 for none, or 2 and more"),
        (1, 0, -1, "The seed is -1"),
        (1, 0, None, "The seed is missing"),
    ],
)
def test_a_plan_out_of_range_is_refused_in_a_sentence(
    judged: Services, raters: float | None, attention: float, seed: float | None, words: str
) -> None:
    line, _ = queue.create(judged, "", None, None, ["random"], raters, attention, None, seed)
    assert words in line
    assert list_plans(judged) == []


def test_a_rater_starts_with_a_plan_and_a_name(judged: Services, plan: LabelingPlan) -> None:
    assert queue.CHOOSE in queue.start(judged, [], "ann")[0]
    line, work = queue.start(judged, [plan.id], "")
    assert "type your name" in line
    assert work == {"items": []}
    line, work = queue.start(judged, [plan.id], "<b>ann")
    assert "&lt;b&gt;ann" in line
    assert len(work["items"]) == 1


def test_the_link_and_the_report_are_of_the_chosen_plan(
    judged: Services, plan: LabelingPlan
) -> None:
    assert f'href="label?plan={plan.id}"' in queue.rater_link(judged, [plan.id])
    assert "0 of 2 images are labeled" in queue.report(judged, [plan.id])
    assert queue.report(judged, []) == queue.rater_link(judged, []) == ""
    assert "no labeling plan" in queue.report(judged, ["nope"])
