"""Progress counts the labels of a plan, corrects scores, and says how many more labels it needs."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.engine.labeling import queue
from hallascope.engine.labeling.labels import (
    PlanLabels,
)
from hallascope.engine.labeling.plans import create_plan
from hallascope.engine.labeling.progress import (
    LabelingProgress,
    ModelLabelingProgress,
    plan_progress,
    rater_report,
)
from hallascope.engine.leaderboard.board import board
from hallascope.engine.leaderboard.filters import Query
from hallascope.engine.leaderboard.label_correction import correct_by_people
from hallascope.engine.storage.people.labeling import LabelingPlan
from hallascope.engine.storage.people.ratings import CHECK, RatingSubject
from tests.support.corrected_scores import corrected_score
from tests.support.labeling_store import build, judge_image
from tests.support.ratings import rating_of


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Any]:
    """40 prompts of m/one, of which the judge finds every fact right."""
    opened = build(tmp_path / "home", prompts=40, models=("m/one",))
    yield opened
    opened.store.close()


def label(
    services: Any, plan: LabelingPlan, count: int, marks: Sequence[str], rater: str = "Ann"
) -> None:
    for _ in range(count):
        item = queue.next_image(services, plan, rater)
        assert item is not None
        queue.keep(services, plan, item.rateable.id, marks, rater)


def skip(services: Any, plan: LabelingPlan, count: int) -> None:
    for _ in range(count):
        item = queue.next_image(services, plan, "Ann")
        assert item is not None
        queue.skip(services, plan, item.rateable.id, "Ann")


def of_one(progress: LabelingProgress) -> ModelLabelingProgress:
    (model,) = progress.models
    return model


def test_under_ten_labels_it_says_how_many_to_label(services: Any) -> None:
    plan = create_plan(services)
    label(services, plan, 9, "AA")
    progress = plan_progress(services, plan)
    assert (progress.frame, progress.labeled, progress.skipped) == (40, 9, 0)
    model = of_one(progress)
    assert (model.score, model.to_target) == (None, None)
    assert model.sentence == "m/one: label 1 more to correct its score."
    assert progress.sentence.startswith("9 of 40 images labeled, 0 skipped. m/one: label 1 more")


def test_a_skipped_image_stays_in_the_frame_and_widens_the_bounds_alone(services: Any) -> None:
    plan = create_plan(services)
    label(services, plan, 16, "AA")
    skip(services, plan, 4)
    progress = plan_progress(services, plan)
    model = of_one(progress)
    assert (progress.labeled, progress.skipped, progress.frame) == (16, 4, 40)
    assert (model.labeled, model.skipped, model.frame) == (16, 4, 40)
    assert model.score is not None
    assert model.score.value == 1
    assert model.score.lowest == pytest.approx(1 - 4 / 20)
    assert model.score.highest == 1


def test_several_raters_are_averaged_and_an_image_is_finished_by_as_many_as_planned(
    services: Any,
) -> None:
    plan = create_plan(services, raters_per_image=2)
    label(services, plan, 12, "AA")
    label(services, plan, 10, "BB", "Bo")
    progress = plan_progress(services, plan)
    assert (progress.labeled, progress.finished) == (12, 10)
    score = of_one(progress).score
    assert score is not None
    assert score.value == pytest.approx(1 - 0.5 * 10 / 12)


def test_progress_and_the_leaderboard_say_the_same_of_a_plan(tmp_path: Path) -> None:
    """With skipped images, images that fit no choice or cannot be told, and later ones."""
    services = build(tmp_path / "home", prompts=0)
    for number in range(60):
        answers: Any = ("A", "B") if number % 3 == 0 else ("A", "A")
        if number % 7 == 0:
            answers = ("A", "C")
        for model in ("m/one", "m/two"):
            judge_image(services.store, f"prompt {number:02}", model, answers)
    plan = create_plan(services)
    for number in range(16):
        label(services, plan, 2, ("AA", "AB", "A?", "BA")[number % 4])
        if number % 5 == 0:
            skip(services, plan, 1)
    for number in range(60, 80):
        judge_image(services.store, f"prompt {number:02}", "m/one", ("B", "B"))
    progress = plan_progress(services, plan)
    shown = board(services.store, Query())
    found = correct_by_people(services.store, shown, plan=PlanLabels(services.store, plan))
    services.store.close()
    assert found.labels is not None
    assert (found.labels.images, found.labels.untold) == (36, progress.skipped)
    assert found.sampling.startswith("The labeled prompts were drawn with known probabilities")
    assert found.labels.sentence.startswith(f"Labels of the plan {plan.id}: 36 images by 1 person")
    by_model = {row.model: row.score for row in found.rows}
    for one in progress.models:
        score, other = one.score, by_model[one.model]
        assert score is not None
        assert other is not None
        assert score.judged == 60
        assert score.lowest < score.value < score.highest
        for name, value in asdict(score).items():
            assert getattr(other, name) == pytest.approx(value), name


def test_an_answer_that_a_rater_gave_after_seeing_the_judges_is_no_label(services: Any) -> None:
    plan = create_plan(services)
    label(services, plan, 12, "AA")
    image = plan.images[0]
    seen = RatingSubject(image.image, CHECK, image.prompt, "question:color?", "Ann")
    services.store.ratings.keep_all([rating_of(seen, "No", 1.0)])
    assert plan_progress(services, plan).labeled == 11
    assert PlanLabels(services.store, plan).use.excluded == 2
    (rater,) = rater_report(services, plan).raters
    assert (rater.labeled, rater.judge.n) == (11, 22)


# --- the sentence ---


def model_progress(**fields: Any) -> ModelLabelingProgress:
    score = replace(corrected_score(0.8, 0.719, 0.881), from_labels=0.0015, from_prompts=0.0001)
    values: dict[str, Any] = {
        "model": "m/one",
        "frame": 200,
        "labeled": 40,
        "skipped": 0,
        "needed": 0,
        "score": score,
        "to_target": 34,
    }
    return ModelLabelingProgress(**values | fields)


def test_the_sentence_says_how_wide_the_interval_is_and_what_more_labels_give() -> None:
    assert model_progress().sentence == "m/one: ±0.08 now; ±0.05 after about 34 more labels."
    assert model_progress(to_target=1).sentence.endswith("after about 1 more label.")
    assert model_progress(to_target=0).sentence == "m/one: ±0.08 now."
    assert model_progress(to_target=None).sentence == (
        "m/one: ±0.08 now; ±0.02 with all 200 prompts labeled: judge more prompts for ±0.05."
    )
