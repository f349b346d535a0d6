"""What is said of a judge beside its score, on cases worked out by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.records import State
from hallascope.metrics.statistics.response_statistics import (
    AnswerConfidence,
    Bin,
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
    states: list[State] = [
        "correct",
        "correct",
        "incorrect",
        "incorrect",
        "abstained",
        "abstained",
        "unreadable",
        "failed",
    ]
    assert answer_rate(states) == Rate(6, 8)
    assert abstention_rate(states) == Rate(2, 6)
    assert abstention_rate(states).value == pytest.approx(1 / 3)


def test_a_rate_of_nothing_is_none() -> None:
    assert answer_rate([]).value is None
    assert abstention_rate(["failed"]).value is None


def test_who_always_takes_the_first_place_is_right_only_where_the_right_one_stands_there() -> None:
    found = position_bias(
        [ShuffledChoice(0, 0), ShuffledChoice(0, 1), ShuffledChoice(0, 2), ShuffledChoice(0, 0)], 3
    )
    assert (found.chosen, found.right) == ((4, 0, 0), (2, 1, 1))
    assert found.recall == (1.0, 0.0, 0.0)
    # Of 1, 0, 0 the mean is 1/3, and the variance (4/9 + 1/9 + 1/9) / 3.
    assert found.spread == pytest.approx(math.sqrt(2) / 3)


def test_who_is_right_everywhere_has_no_bias_and_a_place_without_a_right_choice_no_recall() -> None:
    found = position_bias([ShuffledChoice(0, 0), ShuffledChoice(1, 1)], 3)
    assert found.recall == (1.0, 1.0, None)
    assert found.spread == 0.0
    assert position_bias([ShuffledChoice(1, 1)], 3).spread is None


@pytest.mark.parametrize(
    "answer", [ShuffledChoice(3, 0), ShuffledChoice(-1, 0), ShuffledChoice(0, 3)]
)
def test_a_place_that_is_none_is_refused(answer: ShuffledChoice) -> None:
    with pytest.raises(ValueError, match="count places from 0"):
        position_bias([answer], 3)


def test_consistency_is_the_share_of_pairs_of_trials_that_agree() -> None:
    found = consistency(
        [("A", "A", "A"), ("A", "A", "B"), ("A", "B", "C"), ("A", None, "A"), ("A", None, None), ()]
    )
    assert found.value == pytest.approx((1 + 1 / 3 + 0 + 1) / 4)
    assert (found.steady, found.questions, found.left_out) == (Rate(2, 4), 4, 2)


def test_one_trial_says_nothing_of_consistency() -> None:
    assert consistency([("A",), ("B",)]).value is None


def test_calibration_by_hand() -> None:
    answers = [
        AnswerConfidence(0.95, True),
        AnswerConfidence(0.85, True),
        AnswerConfidence(0.85, False),
        AnswerConfidence(0.3, False),
        AnswerConfidence(0.0, False),
    ]
    found = calibration(answers)
    assert [(one.low, one.high, one.n) for one in found.bins] == [
        (0.0, 0.1, 1),
        (0.2, 0.3, 1),
        (0.8, 0.9, 2),
        (0.9, 1.0, 1),
    ]
    assert found.bins[2] == Bin(0.8, 0.9, 2, found.bins[2].probability, 0.5)
    assert found.bins[2].probability == pytest.approx(0.85)
    assert found.error == pytest.approx((0.05 + 2 * 0.35 + 0.3 + 0.0) / 5)


def test_a_judge_without_probabilities_has_no_calibration() -> None:
    assert (calibration([]).error, calibration([]).bins) == (None, ())


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans())), st.integers(1, 20))
def test_every_answer_lies_in_one_bin_and_the_error_in_0_to_1(
    answers: list[tuple[float, bool]], bins: int
) -> None:
    found = calibration([AnswerConfidence(*answer) for answer in answers], bins)
    assert sum(one.n for one in found.bins) == found.n == len(answers)
    assert all(one.low - 1e-12 <= one.probability <= one.high + 1e-12 for one in found.bins)
    assert found.error is None or 0 <= found.error <= 1


@pytest.mark.parametrize(
    ("answers", "bins"),
    [([AnswerConfidence(1.1, True)], 10), ([AnswerConfidence(math.nan, True)], 10), ([], 0)],
)
def test_what_is_no_probability_or_no_bin_is_refused(
    answers: list[AnswerConfidence], bins: int
) -> None:
    with pytest.raises(ValueError, match=r"does not lie|at least one"):
        calibration(answers, bins)


def test_kappa_of_the_textbook() -> None:
    # of 50 grants one reader takes 25, the other 30; both take 20 and both leave 15: 0.7 observed,
    # 0.5 by chance
    one = ["yes"] * 25 + ["no"] * 25
    other = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    found = cohens_kappa(one, other)
    assert found.value == pytest.approx(0.4)
    assert (found.agreement, found.n) == (0.7, 50)


def test_kappa_leaves_out_what_one_of_them_did_not_label() -> None:
    assert cohens_kappa(["a", "b", None, "a"], ["a", "b", "b", None]) == Kappa(1.0, 1.0, 2, 2)


def test_where_chance_alone_agrees_there_is_no_kappa() -> None:
    assert cohens_kappa(["a", "a"], ["a", "a"]) == Kappa(None, 1.0, 2, 0)
    assert cohens_kappa([None], ["a"]) == Kappa(None, None, 0, 1)


def test_lists_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="one of each"):
        cohens_kappa(["a"], [])
