"""A judge that never objects is no better than chance, however often it is right."""

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.metrics.statistics.balanced_accuracy import (
    BalancedAccuracy,
    FactDecision,
    balanced_accuracy,
    kappa_of_decisions,
)
from hallascope.metrics.statistics.intervals import mean_interval
from hallascope.metrics.statistics.response_statistics import Kappa


def decide(
    *, flagged: int = 0, missed: int = 0, alarms: int = 0, accepted: int = 0
) -> list[FactDecision]:
    """Return decisions, each about an image of its own, of which so many are of each sort."""
    sorts = (
        [(True, True)] * flagged
        + [(True, False)] * missed
        + [(False, True)] * alarms
        + [(False, False)] * accepted
    )
    return [FactDecision(f"{n}", violated, flag) for n, (violated, flag) in enumerate(sorts)]


def test_a_judge_that_never_objects_has_half_the_balanced_accuracy_and_no_kappa() -> None:
    constant = decide(missed=10, accepted=90)
    balanced = balanced_accuracy(constant)
    kappa = kappa_of_decisions(constant)
    assert (balanced.value, kappa.value, kappa.agreement) == (0.5, 0.0, 0.9)
    assert kappa.low is not None
    assert kappa.high is not None
    assert kappa.low < 0 < kappa.high


def test_the_interval_joins_those_of_the_two_shares() -> None:
    found = balanced_accuracy(decide(flagged=8, missed=2, alarms=5, accepted=45))
    # each image has one answer, so that the two shares are independent
    sensitivity = mean_interval([1] * 8 + [0] * 2)
    specificity = mean_interval([1] * 45 + [0] * 5)
    assert sensitivity
    assert specificity
    below = math.hypot(0.8 - sensitivity.low, 0.9 - specificity.low)
    above = math.hypot(sensitivity.high - 0.8, specificity.high - 0.9)
    assert found.value == pytest.approx(0.85)
    assert found.low == pytest.approx(0.85 - below / 2)
    assert found.high == pytest.approx(0.85 + above / 2)
    assert found.interval_method == "recovered-variances"


def test_few_violated_facts_give_a_wide_interval_even_where_all_are_flagged() -> None:
    few = balanced_accuracy(decide(flagged=2, accepted=300))
    many = balanced_accuracy(decide(flagged=100, accepted=300))
    assert few.value == many.value == 1.0
    assert few.low is not None
    assert many.low is not None
    assert few.low < 0.65
    assert many.low > 0.95


def test_shares_that_fall_together_on_the_same_images_have_a_wider_interval() -> None:
    together = [
        FactDecision(f"{n}", violated, violated == (n % 4 > 0))
        for n in range(40)
        for violated in (True, False)
    ]
    apart = [
        decision._replace(image=f"{decision.image} {decision.violated}") for decision in together
    ]
    one, two = balanced_accuracy(together), balanced_accuracy(apart)
    assert one.value == two.value
    assert one.low is not None
    assert two.low is not None
    assert one.low < two.low


def test_kappa_has_the_variance_of_fleiss_where_each_image_has_one_answer() -> None:
    found = kappa_of_decisions(decide(flagged=48, missed=67, alarms=33, accepted=852))
    low, high = _fleiss_interval([[48, 67], [33, 852]])
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.002)
    assert found.interval_method == "linearized"


def _fleiss_interval(table: Sequence[Sequence[int]]) -> tuple[float, float]:
    """Return the interval of Fleiss, Cohen and Everitt (1969), from the table of counts."""
    n = sum(map(sum, table))
    shares = [[count / n for count in row] for row in table]
    rows = [sum(row) for row in shares]
    columns = [sum(column) for column in zip(*shares, strict=True)]
    agreement = shares[0][0] + shares[1][1]
    chance = rows[0] * columns[0] + rows[1] * columns[1]
    kappa = (agreement - chance) / (1 - chance)
    diagonal = sum(shares[i][i] * (1 - (rows[i] + columns[i]) * (1 - kappa)) ** 2 for i in range(2))
    other = (1 - kappa) ** 2 * sum(
        shares[i][1 - i] * (columns[i] + rows[1 - i]) ** 2 for i in range(2)
    )
    rest = (kappa - chance * (1 - kappa)) ** 2
    half = 1.96 * math.sqrt((diagonal + other - rest) / n) / (1 - chance)
    return kappa - half, kappa + half


def test_without_a_violated_fact_or_one_that_holds_there_is_no_balanced_accuracy() -> None:
    assert balanced_accuracy(decide(flagged=3)) == BalancedAccuracy()
    assert balanced_accuracy([]) == BalancedAccuracy()
    assert kappa_of_decisions([]) == Kappa(None, None, 0, 0)
    one_image = [FactDecision("a", True, True), FactDecision("a", False, False)]
    assert balanced_accuracy(one_image) == BalancedAccuracy(1.0)
    assert kappa_of_decisions(one_image) == Kappa(1.0, 1.0, 2, 0)


DECISIONS = st.lists(
    st.builds(FactDecision, st.sampled_from("abcdef"), st.booleans(), st.booleans()), max_size=40
)


@given(DECISIONS)
def test_every_interval_holds_its_value_and_has_a_width(decisions: list[FactDecision]) -> None:
    balanced, kappa = balanced_accuracy(decisions), kappa_of_decisions(decisions)
    for found, least in ((balanced, 0.0), (kappa, -1.0)):
        if found.low is None or found.high is None or found.value is None:
            continue
        assert least <= found.low <= found.value + 1e-9
        assert found.value - 1e-9 <= found.high <= 1.0
        assert found.low < found.high
