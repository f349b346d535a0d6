"""Scores corrected by people stand beside the judge's: in figure, table and sentences."""

import csv
import io
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

import pytest

from hallascope.engine.services import Services
from hallascope.engine.storage.people.labeling import LabelingPlan
from hallascope.metrics.statistics.corrected_scores import DRAWN_SAMPLE
from hallascope.metrics.statistics.prediction_powered import MIN_LABELED
from hallascope.pages.leaderboard.view import LeaderboardView
from tests.pages.leaderboard.conftest import shown, traces
from tests.support.drawn_plan import TITLE
from tests.support.labeled_board import LABELED, fill


def diamonds(found: LeaderboardView) -> list[dict[str, Any]]:
    return [trace for trace in traces(found) if trace.get("name") == "corrected by people"]


def oldest_plan(services: Services) -> LabelingPlan:
    return services.store.labeling.plans()[-1]


def has_switch(found: LeaderboardView) -> bool:
    """Whether corrected scores can be shown and hidden."""
    return bool(found.options["corrected"])


@pytest.mark.parametrize("by", ["model", "coi"])
def test_beside_each_bar_stands_its_corrected_score_with_its_interval(
    labeled: Services, by: str
) -> None:
    found = shown(labeled, by=by)
    (trace,) = diamonds(found)
    rows = list(csv.DictReader(io.StringIO(_file(found), newline="")))
    ours = {
        (row["model"], row.get("composition of interest", "")): row
        for row in rows
        if not row["source"]
    }
    assert len(trace["y"]) == len(ours)
    for (model, group), value, above in zip(
        trace["customdata"], trace["y"], trace["error_y"]["array"], strict=True
    ):
        row = ours[model, group]
        assert value == pytest.approx(float(row["corrected"]))
        assert value + above == pytest.approx(float(row["corrected_high"]))
        assert int(row["labeled"]) == LABELED
    worst = [row for row in ours.values() if row["model"] == "example/almond"]
    above = sum(float(row["value"]) - float(row["corrected"]) for row in worst) / len(worst)
    assert above > 0.1, "the judge overlooks errors that people see"


def test_corrected_scores_can_be_hidden(labeled: Services) -> None:
    assert has_switch(shown(labeled))
    found = shown(labeled, corrected="hidden")
    assert has_switch(found), "they can be shown again"
    assert diamonds(found) == []
    assert "corrected by people" not in found.table
    assert "the judge says" not in found.words


def test_a_few_labels_are_counted_until_there_are_ten(services: Services) -> None:
    fill(services.store, prompts=12, labeled=8)
    found = shown(services)
    assert diamonds(found) == []
    assert f"<td>{MIN_LABELED - 8} more prompts to label</td>" in found.table
    assert "To have these scores" not in found.words


def test_the_labels_of_a_plan_can_be_chosen_and_count_by_their_probabilities(
    planned: Services,
) -> None:
    plan = oldest_plan(planned)
    every, of_plan = shown(planned), shown(planned, plan=plan.id)
    assert every.options["plan"][plan.id] == f"plan {TITLE}"
    assert every.choice is not None
    assert of_plan.choice is not None
    assert (every.choice.plan, of_plan.choice.plan) == ("", plan.id)
    assert DRAWN_SAMPLE in of_plan.words
    assert DRAWN_SAMPLE not in every.words
    assert len(diamonds(of_plan)) == 1
    assert of_plan.label == ""


@pytest.mark.parametrize("results", ["mine", "reference"])
def test_a_plan_that_is_not_stored_is_one_sentence_and_all_labels_count(
    planned: Services, results: str
) -> None:
    found = shown(planned, plan="<b>nothing", results=results)
    assert found.label.count("There is no labeling plan") == 1
    assert "&lt;b&gt;nothing" in found.label
    assert found.figure is not None
    if results == "mine":
        assert diamonds(found) == diamonds(shown(planned))


def test_a_plan_about_another_judge_or_other_models_is_one_sentence(planned: Services) -> None:
    first = oldest_plan(planned)
    other_judge = replace(first, id="other-judge", judge="example/judge")
    images = tuple(replace(image, stratum="example/model") for image in first.images)
    other_models = replace(first, id="other-models", title="", images=images)
    for plan in (other_judge, other_models):
        planned.store.labeling.keep_plan(plan)
    found = shown(planned, plan="other-judge")
    assert f"“{TITLE}”" in found.label or f"&#39;{TITLE}&#39;" in found.label
    assert "is about scores by example/judge, and these are by primer/judge" in found.label
    assert "other-judge" not in found.options["plan"]
    found = shown(planned, plan="other-models")
    assert "is about models that are not on this leaderboard" in found.label


def _file(found: LeaderboardView) -> str:
    """The file that the table offers."""
    return unquote(found.table.split('href="data:text/csv;charset=utf-8,')[1].split('"')[0])
