"""Labels are summed by prompt, people averaged first, and raters and judge are compared."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from hallascope.engine.labeling import queue
from hallascope.engine.labeling.labels import (
    QuestionLabel,
    count_told,
    sum_labels,
)
from hallascope.engine.labeling.plans import create_plan
from hallascope.engine.labeling.progress import rater_report
from hallascope.engine.labeling.queue import QueueItem
from hallascope.engine.storage.people.labeling import LabelingPlan, LabelingStore


def question(marks: Sequence[bool], judge: float, prompt: str = "p") -> QuestionLabel:
    return QuestionLabel("m", "", prompt, marks, judge)


LABELS = [question([True, False], 1), question([True], 0.5), question([], 0)]


def test_people_are_averaged_and_what_nobody_can_tell_bounds_the_score() -> None:
    said = sum_labels(LABELS, over_questions=True)["m", ""]["p"]
    assert said.people == (1.5, 2.0)
    assert said.judge == (1.5, 3.0), "the judge answers what nobody can tell, too"
    assert (said.lowest, said.highest) == ((1.5, 3.0), (2.5, 3.0))
    assert (said.questions, said.probability) == (2, None)


def test_every_prompt_weighs_the_same_unless_questions_count() -> None:
    said = sum_labels(LABELS, over_questions=False)["m", ""]["p"]
    assert said.people == (0.75, 1.0)
    assert said.judge == (0.5, 1.0)
    untold = sum_labels([question([], 1)], over_questions=False)["m", ""]
    assert untold["p"].people == (0.0, 0.0)
    assert (count_told(untold), len(untold)) == (0, 1)


def test_with_probabilities_only_labels_of_the_plan_count() -> None:
    labels = [question([True], 1), question([True], 1, "q")]
    sample = sum_labels(labels, over_questions=True, probabilities={("m", "q"): 0.25})["m", ""]
    assert {prompt: said.probability for prompt, said in sample.items()} == {"q": 0.25}


Answer = Callable[[QueueItem], str]


def label(services: Any, plan: LabelingPlan, rater: str, count: int, answer: Answer) -> None:
    for _ in range(count):
        item = queue.next_image(services, plan, rater)
        assert item is not None
        queue.keep(services, plan, item.rateable.id, answer(item), rater)


def test_each_rater_stands_against_the_others_and_beside_the_judge(services: Any) -> None:
    """Ann says "Yes" to the first question and "No" to the second; Bo says "Yes" to both, and the
    judge does.
    """
    plan = create_plan(services, raters_per_image=2)
    label(services, plan, "Ann", 10, lambda item: "AB")
    label(services, plan, "Bo", 10, lambda item: "AA")
    report = rater_report(services, plan)
    ann, bo = report.raters
    assert (ann.rater, ann.labeled, bo.rater, bo.labeled) == ("Ann", 10, "Bo", 10)
    assert report.ceiling.n == ann.others.n == 20
    assert report.ceiling.agreement == bo.others.agreement == 0.5
    assert (ann.judge.agreement, bo.judge.agreement) == (0.5, 1)
    assert report.judge.agreement == pytest.approx(0.75)
    assert report.judge.n == 40
    # By hand: 20 of the 40 ordered pairs within questions differ; of the values 30 are A, 10 are B.
    assert report.alpha == pytest.approx(1 - (20 / 40) / (2 * 30 * 10 / (40 * 39)))


def test_what_cannot_be_told_is_compared_with_nothing(services: Any) -> None:
    plan = create_plan(services, raters_per_image=2)
    label(services, plan, "Ann", 4, lambda item: "A?")
    label(services, plan, "Bo", 4, lambda item: "AA")
    report = rater_report(services, plan)
    assert report.ceiling.n == 4
    assert report.ceiling.agreement == 1


def test_skipped_images_and_the_median_time_are_counted(services: Any) -> None:
    now = [0.0]
    services.store.labeling = LabelingStore(services.store.database, lambda: now[0])
    plan = create_plan(services)
    for seconds in (4.0, 6.0, 1_000.0):
        item = queue.next_image(services, plan, "Ann")
        assert item is not None
        now[0] += seconds
        queue.keep(services, plan, item.rateable.id, "AA", "Ann")
    skipped = queue.next_image(services, plan, "Ann")
    assert skipped is not None
    queue.skip(services, plan, skipped.rateable.id, "Ann")
    (ann,) = rater_report(services, plan).raters
    assert (ann.labeled, ann.skipped, ann.seconds) == (3, 1, 6.0)
