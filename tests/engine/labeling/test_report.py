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


def test_before_anybody_labeled_there_is_nothing(services: Any) -> None:
    plan = create_plan(services)
    queue.next_image(services, plan, "Ann")  # shown, not answered
    report = rater_report(services, plan)
    assert (report.raters, report.alpha, report.ceiling.n) == ((), None, 0)


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


def test_raters_who_agree_beyond_chance_have_an_alpha_of_one(services: Any) -> None:
    plan = create_plan(services, raters_per_image=3)
    for rater in ("Ann", "Bo", "Cy"):
        label(services, plan, rater, 6, lambda item: "AB")
    report = rater_report(services, plan)
    assert report.alpha == pytest.approx(1)
    assert report.ceiling.value == pytest.approx(1)
    assert report.ceiling.n == 3 * 6 * 2, "each pair of raters once"
    assert by_name(report)["Ann"].others.n == 2 * 6 * 2


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


def test_a_rater_who_fails_attention_checks_is_reported_and_kept(services: Any) -> None:
    plan = create_plan(services, attention_every=2)
    truths = {check.item: "".join(check.answers) for check in plan.checks}

    def attentive(item: QueueItem) -> str:
        return truths.get(item.rateable.id, "AA")

    def careless(item: QueueItem) -> str:
        return "?????" if item.is_attention_check else "AA"

    label(services, plan, "Ann", 6, attentive)
    label(services, plan, "Bo", 6, careless)
    raters = by_name(rater_report(services, plan))
    ann, bo = raters["Ann"], raters["Bo"]
    assert (ann.checks, ann.check_right, ann.check_answers, ann.failed_checks) == (3, 15, 15, False)
    assert (bo.checks, bo.check_right, bo.check_answers, bo.failed_checks) == (3, 0, 15, True)
    assert (bo.labeled, bo.judge.n) == (3, 6)
    assert ann.sentence == "Ann has 15 of 15 answers to attention checks right."
    assert bo.sentence.endswith("look at the labels before you use them.")


def test_whoever_always_gives_the_expected_answer_fails_some_checks(services: Any) -> None:
    plan = create_plan(services, attention_every=2)
    gold = {check.item: "".join(q.gold for q in check.questions) for check in plan.checks}
    label(services, plan, "Ann", 20, lambda item: gold.get(item.rateable.id, "AA"))
    (ann,) = rater_report(services, plan).raters
    assert 25 <= ann.check_right < ann.check_answers == 50
    assert ann.failed_checks
