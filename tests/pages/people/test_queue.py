"""The section of the labeling queue offers plans, makes new ones, starts raters and reports."""

import pytest

from hallascope.engine.labeling.plans import LabelingPlan, create_plan, list_plans
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
    assert sorted(queue.model_chips(judged)[1]) == sorted(MODELS)


def test_a_plan_is_created_and_chosen(judged: Services) -> None:
    line, chips = queue.create(judged, "study", ["primer/judge"], [MODELS[0]], ["active"], 3, 0)
    (plan,) = list_plans(judged)
    assert "The plan has 1 image." in line
    assert chips.value == [plan.id]
    assert (plan.title, plan.design, plan.raters_per_image) == ("study", "active", 3)


@pytest.mark.parametrize(
    ("raters", "attention", "words"),
    [
        (9, 0, "number of raters an image is 9"),
        (None, 0, "number of raters an image is missing"),
        (1, 1, "take 0 for none, or 2 and more"),
    ],
)
def test_a_plan_out_of_range_is_refused_in_a_sentence(
    judged: Services, raters: float | None, attention: float, words: str
) -> None:
    line, _ = queue.create(judged, "", None, None, ["random"], raters, attention)
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
