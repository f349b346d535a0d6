"""Tests by sign flips agree with scipy's permutation test and keep their level."""

from typing import Any

import numpy as np
import pytest
import scipy.stats

from hallascope.metrics.statistics.sign_flips import sign_flip_tests


def exact_p(values: np.ndarray) -> float:
    """Return the p of all flips, by scipy."""
    found: Any = scipy.stats.permutation_test(
        [values], np.sum, permutation_type="samples", n_resamples=100_000
    )
    return float(found.pvalue)


@pytest.mark.parametrize(
    "values",
    [[0.2, 0.2, 0.4, -0.2, 0.6, 0.2], [1.0] * 7, [0.5, -0.5], [0.3, 0.1, -0.2, 0.4, 0.7, 0.1, 0.9]],
)
def test_few_differences_have_all_their_flips_tried(values: list[float]) -> None:
    column = np.array(values)
    found = sign_flip_tests(column[:, np.newaxis])
    assert found.p == pytest.approx((exact_p(column),))
    assert found.kinds == ("exact",)


def test_three_prompts_have_no_p_under_a_quarter() -> None:
    (p,) = sign_flip_tests(np.array([[0.4], [0.4], [0.4]])).p
    assert p == 0.25


def test_zeros_change_nothing() -> None:
    values = np.array([0.4, 0.2, -0.2, 0.6, 0.2])
    padded = np.concatenate([values, np.zeros(40)])
    found = sign_flip_tests(padded[:, np.newaxis])
    assert found.p == sign_flip_tests(values[:, np.newaxis]).p
    assert found.kinds == ("exact",)
    assert sign_flip_tests(np.zeros((9, 1))).p == (1.0,)


def test_drawn_flips_come_near_all_flips_and_the_seed_fixes_them() -> None:
    values = np.random.default_rng(2).normal(0.25, 0.5, (16, 3))
    found = sign_flip_tests(values)
    assert found.kinds == ("drawn",) * 3
    assert found.p == pytest.approx([exact_p(column) for column in values.T], abs=0.012)
    assert sign_flip_tests(values).p == found.p
    assert sign_flip_tests(values, seed=1).p != found.p


def test_a_drawn_p_is_never_zero() -> None:
    (p,) = sign_flip_tests(np.ones((200, 1)), drawn=999).p
    assert p == pytest.approx(1 / 1000)


@pytest.mark.parametrize(("tests", "drawn"), [(1, 10_000), (250, 10_000), (300, 12_000)])
def test_many_tests_have_forty_flips_each_and_few_ten_thousand(tests: int, drawn: int) -> None:
    # with 60 equal differences no drawn flip reaches the observed sum
    assert sign_flip_tests(np.ones((60, tests))).p == pytest.approx((1 / (drawn + 1),) * tests)


@pytest.mark.parametrize("prompts", [10, 40])
def test_where_there_is_no_difference_at_most_five_of_a_hundred_are_below_five_percent(
    prompts: int,
) -> None:
    chance = np.random.default_rng(4)
    scores = chance.binomial(5, 0.8, (2, prompts, 4000)) / 5
    p = np.array(sign_flip_tests(scores[0] - scores[1], drawn=2_000).p)
    assert 0.01 < (p < 0.05).mean() < 0.06, "ties make it less, and a seed a little more"
