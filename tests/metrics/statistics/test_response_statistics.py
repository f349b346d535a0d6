"""What is said of judges and raters: rates, calibration, kappa, balanced accuracy, alpha."""

import math

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hallascope.data.records import State
from hallascope.metrics.statistics.balanced_accuracy import (
    FactDecision,
    balanced_accuracy,
    kappa_of_decisions,
)
from hallascope.metrics.statistics.reliability import (
    LEVELS,
    krippendorff_alpha,
)
from hallascope.metrics.statistics.response_statistics import (
    AnswerConfidence,
    Kappa,
    Rate,
    ShuffledChoice,
    abstention_rate,
    answer_rate,
    calibration,
    cohens_kappa,
    consistency,
    position_bias,
)


def test_of_eight_questions_six_are_answered_and_two_of_the_six_abstained() -> None:
    answered: list[State] = ["correct", "correct", "incorrect", "incorrect"]
    states: list[State] = [*answered, "abstained", "abstained", "unreadable", "failed"]
    assert answer_rate(states) == Rate(6, 8)
    assert abstention_rate(states) == Rate(2, 6)
    assert abstention_rate(states).value == pytest.approx(1 / 3)
    assert abstention_rate(["failed"]).value is answer_rate([]).value is None


@pytest.mark.parametrize(
    "answers, recall, spread",
    [
        # of 1, 0, 0 the mean is 1/3, and the variance (4/9 + 1/9 + 1/9) / 3
        ([(0, 0), (0, 1), (0, 2), (0, 0)], (1.0, 0.0, 0.0), math.sqrt(2) / 3),
        ([(0, 0), (1, 1)], (1.0, 1.0, None), 0.0),
        ([(1, 1)], (None, 1.0, None), None),
    ],
)
def test_a_judge_that_prefers_a_place_recalls_it_better(
    answers: list[tuple[int, int]], recall: tuple[float | None, ...], spread: float | None
) -> None:
    found = position_bias([ShuffledChoice(*answer) for answer in answers], 3)
    assert found.chosen == tuple(sum(one == place for one, _ in answers) for place in range(3))
    assert found.right == tuple(sum(one == place for _, one in answers) for place in range(3))
    assert found.recall == recall
    assert found.spread == pytest.approx(spread)


def test_consistency_is_the_share_of_pairs_of_trials_that_agree() -> None:
    found = consistency(
        [("A", "A", "A"), ("A", "A", "B"), ("A", "B", "C"), ("A", None, "A"), ("A", None, None), ()]
    )
    assert found.value == pytest.approx((1 + 1 / 3 + 0 + 1) / 4)
    assert (found.steady, found.questions, found.left_out) == (Rate(2, 4), 4, 2)
    assert consistency([("A",), ("B",)]).value is None


def test_calibration_by_hand() -> None:
    answers = [(0.95, True), (0.85, True), (0.85, False), (0.3, False), (0.0, False)]
    found = calibration([AnswerConfidence(*answer) for answer in answers])
    assert [tuple(one) for one in found.bins] == [
        (0.0, 0.1, 1, 0.0, 0.0),
        (0.2, 0.3, 1, 0.3, 0.0),
        (0.8, 0.9, 2, pytest.approx(0.85), 0.5),
        (0.9, 1.0, 1, 0.95, 1.0),
    ]
    assert found.error == pytest.approx((0.05 + 2 * 0.35 + 0.3 + 0.0) / 5)
    assert (calibration([]).error, calibration([]).bins) == (None, ())


def test_kappa_of_the_textbook() -> None:
    # of 50 grants one reader takes 25, the other 30; both take 20 and both leave 15: 0.7 observed,
    # 0.5 by chance
    one = ["yes"] * 25 + ["no"] * 25
    other = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    found = cohens_kappa(one, other)
    assert found.value == pytest.approx(0.4)
    assert (found.agreement, found.n) == (0.7, 50)


@pytest.mark.parametrize(
    "one, other, expected",
    [
        (["a", "b", None, "a"], ["a", "b", "b", None], Kappa(1.0, 1.0, 2, 2)),
        (["a", "a"], ["a", "a"], Kappa(None, 1.0, 2, 0)),  # chance alone agrees
        ([None], ["a"], Kappa(None, None, 0, 1)),
    ],
)
def test_kappa_counts_what_both_labeled(
    one: list[str | None], other: list[str | None], expected: Kappa
) -> None:
    assert cohens_kappa(one, other) == expected
    with pytest.raises(ValueError, match="one of each"):
        cohens_kappa(one, [*other, "a"])


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


def test_kappa_has_the_variance_of_fleiss_where_each_image_has_one_answer() -> None:
    found = kappa_of_decisions(decide(flagged=48, missed=67, alarms=33, accepted=852))
    # Fleiss, Cohen and Everitt (1969), from the table of shares
    shares = np.array([[48, 67], [33, 852]]) / 1000
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    chance = rows @ columns
    kappa = (np.trace(shares) - chance) / (1 - chance)
    marginals = (columns[:, np.newaxis] + rows) * (1 - kappa)
    squares = shares * (np.eye(2) - marginals) ** 2
    variance = squares.sum() - (kappa - chance * (1 - kappa)) ** 2
    half = 1.96 * math.sqrt(variance / 1000) / (1 - chance)
    assert (found.low, found.high) == pytest.approx((kappa - half, kappa + half), abs=0.002)
    assert found.interval_method == "linearized"


tables = st.lists(st.lists(st.integers(1, 5), min_size=0, max_size=5), min_size=1, max_size=12)


@given(tables)
def test_any_ratings_give_what_the_package_gives(units: list[list[int]]) -> None:
    kept = [value for unit in units if len(unit) > 1 for value in unit]
    assume(len(set(kept)) > 1)
    table = np.array([unit + [np.nan] * (5 - len(unit)) for unit in units], dtype=float).T
    for level in LEVELS:
        theirs = krippendorff.alpha(reliability_data=table, level_of_measurement=level)
        assert krippendorff_alpha(units, level) == pytest.approx(theirs, abs=1e-9)


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
