"""What to expect of a judge: shares pooled over kinds of question, and each fact's outcome."""

import math

import pytest
import scipy.stats

from hallascope.data.records import CoI, Letter
from hallascope.metrics.judge_reliability import (
    FactCount,
    FactCounts,
    expected_balanced_accuracy,
    expected_baseline,
    expected_kappa,
    expected_share,
    kinds_without_facts,
)
from hallascope.metrics.statistics.response_statistics import cohens_kappa
from hallascope.metrics.true_answers import TrueAnswer, judge_outcome
from tests.data.cases import cases
from tests.support.tiles import verdict

COUNTING = FactCount(69, 82, 0.753, 0.914)
COLOR = FactCount(107, 107, 1.0, 1.0)
COUNTS = FactCounts(FactCount(176, 189), {"counting": COUNTING, "color": COLOR})


def test_one_kind_alone_has_the_wider_of_its_two_intervals() -> None:
    counting = expected_share(COUNTS, {"counting": 5})
    color = expected_share(COUNTS, {"color": 5})
    assert counting
    assert color
    exact = scipy.stats.binomtest(69, 82).proportion_ci(method="exact")
    assert counting.low == pytest.approx(min(exact.low, 0.753))
    assert counting.high == pytest.approx(max(exact.high, 0.914))
    perfect = scipy.stats.binomtest(107, 107).proportion_ci(method="exact")
    assert (color.value, color.high) == (1.0, 1.0)
    assert color.low == pytest.approx(perfect.low), "no interval ends at a point"


def test_the_interval_of_several_kinds_is_that_of_zou_and_donner() -> None:
    bare: dict[CoI, FactCount] = {"counting": FactCount(8, 10), "color": FactCount(18, 20)}
    expected = expected_share(FactCounts(FactCount(26, 30), bare), {"counting": 1, "color": 1})
    assert expected
    ends = [
        scipy.stats.binomtest(right, asked).proportion_ci(method="exact")
        for right, asked in ((8, 10), (18, 20))
    ]
    assert expected.value == pytest.approx(0.85)
    assert expected.n == 30
    weighted = expected_share(COUNTS, {"counting": 1, "color": 3})
    assert weighted
    assert weighted.value == pytest.approx((69 / 82 + 3) / 4), "as often as the score asks them"
    below = math.hypot(0.5 * (0.8 - ends[0].low), 0.5 * (0.9 - ends[1].low))
    above = math.hypot(0.5 * (ends[0].high - 0.8), 0.5 * (ends[1].high - 0.9))
    assert expected.low == pytest.approx(0.85 - below)
    assert expected.high == pytest.approx(0.85 + above)


def test_what_was_not_asked_is_no_share_and_is_named() -> None:
    assert expected_share(COUNTS, {"posture": 2}) is None
    assert expected_share(FactCounts(FactCount(0, 0), {}), {}) is None
    assert kinds_without_facts(COUNTS, {"posture": 2, "color": 1}) == ("posture",)
    partly = expected_share(COUNTS, {"posture": 2, "color": 1})
    assert partly
    assert (partly.value, partly.n) == (1.0, 107), "the rest stands on the kinds that were asked"


def test_balanced_accuracy_is_the_mean_of_both_shares_and_none_without_one() -> None:
    one = expected_share(COUNTS, {"counting": 1})
    other = expected_share(COUNTS, {"color": 1})
    assert one
    assert other
    found = expected_balanced_accuracy(one, other)
    assert found
    assert found.value == pytest.approx((one.value + other.value) / 2)
    assert found.low == pytest.approx(
        found.value - math.hypot(one.value - one.low, other.value - other.low) / 2
    )
    assert found.n == one.n + other.n
    assert expected_balanced_accuracy(None, other) is None
    assert expected_balanced_accuracy(one, None) is None


def test_the_baseline_weighs_the_kinds_as_the_score_asks_them() -> None:
    violated = FactCounts(
        FactCount(9, 30), {"counting": FactCount(4, 10), "color": FactCount(5, 20)}
    )
    holding = FactCounts(
        FactCount(60, 70), {"counting": FactCount(29, 30), "color": FactCount(2, 5)}
    )
    found = expected_baseline(violated, holding, {"counting": 1, "color": 3})
    assert found
    assert found.value == pytest.approx((30 / 40 + 3 * 5 / 25) / 4)
    whole = expected_baseline(violated, holding, {})
    assert whole
    assert (whole.value, whole.n) == (0.7, 100)
    assert expected_baseline(violated, holding, {"size": 1}) is None


@pytest.mark.parametrize(
    "flagged, missed, alarms, accepted",
    [(56, 58, 33, 632), (470, 2, 6, 1522), (0, 10, 0, 90), (5, 5, 10, 10)],
)
def test_kappa_of_the_shares_is_that_of_the_answers(
    flagged: int, missed: int, alarms: int, accepted: int
) -> None:
    says = [True] * flagged + [False] * missed + [True] * alarms + [False] * accepted
    truth = [True] * (flagged + missed) + [False] * (alarms + accepted)
    found = expected_kappa(
        flagged / (flagged + missed),
        accepted / (alarms + accepted),
        (alarms + accepted) / len(truth),
    )
    assert found == pytest.approx(cohens_kappa(says, truth).value)


@pytest.mark.parametrize(
    "answer, true, outcome",
    cases("judge_reliability", "an_answer_is_compared_with_what_the_image_shows", "metrics"),
)
def test_an_answer_is_compared_with_what_the_image_shows(
    answer: str | None, true: Letter | None, outcome: str | None
) -> None:
    # the expected answer is C
    assert judge_outcome(verdict("correct", answer), TrueAnswer(true, "it", "drawn")) == outcome
