"""The report counts what each rater did and how far raters and judge agree."""

from collections.abc import Callable
from typing import Any

import pytest

from hallascope.engine.labeling import queue
from hallascope.engine.labeling.plans import LabelingPlan, create_plan
from hallascope.engine.labeling.queue import QueueItem
from hallascope.engine.labeling.report import LabelingReport, RaterReport, rater_report
from hallascope.engine.storage.people.labeling import LabelingStore

Answer = Callable[[QueueItem], str]


def label(services: Any, plan: LabelingPlan, rater: str, count: int, answer: Answer) -> None:
    for _ in range(count):
        item = queue.next_image(services, plan, rater)
        assert item is not None
        queue.keep(services, plan, item.rateable.id, answer(item), rater)


def by_name(report: LabelingReport) -> dict[str, RaterReport]:
    return {rater.rater: rater for rater in report.raters}


def test_each_rater_stands_against_the_others_and_beside_the_judge(services: Any) -> None:
    """Ann says "Yes" to the first question and "No" to the second; Bo says "Yes" to both, and the
    judge does.
    """
    plan = create_plan(services, raters_per_image=2)
    label(services, plan, "Ann", 10, lambda item: "AB")
    label(services, plan, "Bo", 10, lambda item: "AA")
    report = rater_report(services, plan)
    raters = by_name(report)
    assert (raters["Ann"].labeled, raters["Bo"].labeled) == (10, 10)
    assert report.ceiling.n == raters["Ann"].others.n == 20
    assert report.ceiling.agreement == raters["Bo"].others.agreement == 0.5
    assert (raters["Ann"].judge.agreement, raters["Bo"].judge.agreement) == (0.5, 1)
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
