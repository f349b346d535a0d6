"""Attention checks are drawings whose answers are known, and no images of the plan."""

from typing import Any

from hallascope.engine.labeling.attention import MOST_CHECKS, make_checks
from hallascope.engine.labeling.plans import create_plan


def test_attention_checks_are_drawings_whose_answers_are_known_and_not_all_the_expected_ones(
    services: Any,
) -> None:
    plan = create_plan(services, attention_every=5)
    assert len(plan.checks) == 6  # 24 images, one check after every four
    assert {check.item for check in plan.checks}.isdisjoint({i.item for i in plan.images})
    for check in plan.checks:
        assert len(check.answers) == len(check.questions) == 5
    as_expected = [
        all(a == q.gold for a, q in zip(check.answers, check.questions, strict=True))
        for check in plan.checks
    ]
    assert as_expected[::2] == [True] * 3
    assert not all(as_expected[1::2])


def test_there_are_no_more_than_a_rater_meets_and_none_without_the_option(services: Any) -> None:
    assert make_checks(services, 100, 0, 0) == ()
    assert len(make_checks(services, 2, 3, 0)) == 1
    assert len({check.item for check in make_checks(services, 5 * MOST_CHECKS, 2, 0)}) == (
        MOST_CHECKS
    )
