"""Paired differences, their tests by sign flips, corrections of many pairs and ranks.

`tests/bench/test_interval_coverage.py` simulates how often they are right.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from hallascope.metrics.statistics.intervals import FloatPair
from hallascope.metrics.statistics.paired_difference import (
    ModelDifference,
    all_differences,
    holm,
    least_difference,
    model_difference,
    prompts_needed,
)
from hallascope.metrics.statistics.ranking import rank_intervals
from hallascope.metrics.statistics.sign_flips import sign_flip_tests


def side(values: "np.ndarray | Sequence[float]") -> dict[str, FloatPair]:
    return {f"prompt {i}": (float(value), 1.0) for i, value in enumerate(values)}


def compare(
    one: "np.ndarray | Sequence[float]", other: "np.ndarray | Sequence[float]"
) -> ModelDifference:
    return model_difference("a", "b", {"a": side(one), "b": side(other)})


def test_a_paired_difference_is_nearer_than_its_sides_tell() -> None:
    base = np.random.default_rng(0).random(80) * 0.9
    found = compare(base + 0.02, base)
    # the variance is that of one prompt more that lies 1 away, as all differences are the same
    half = scipy.stats.t.ppf(0.975, 79) * (1 / 79 / 80) ** 0.5
    assert (found.value, found.low, found.high) == pytest.approx((0.02, 0.02 - half, 0.02 + half))
    assert found.p is not None
    assert found.p < 0.001
    assert found.words == "different"
    same = compare(base, base)
    assert (same.value, same.p, same.flips, same.prompts_needed) == (0.0, 1.0, "exact", None)
    assert same.words == "cannot be told apart"


@pytest.mark.parametrize(
    "n, value, high, words",
    [
        (0, None, None, "nothing to compare"),
        (1, 1.0, None, "too few prompts to tell"),
        (2, 1.0, 1.0, "too few prompts to tell"),
        (5, 1.0, 1.0, "too few prompts to tell"),
    ],
)
def test_under_six_prompts_there_is_no_p_and_under_two_no_interval(
    n: int, value: float | None, high: float | None, words: str
) -> None:
    found = compare([1.0] * n, [0.0] * n)
    assert (found.n, found.value, found.high, found.words) == (n, value, high, words)
    assert (found.p, found.flips) == (None, None)
    assert (found.low is None) is (high is None)


def test_the_difference_of_ratios_is_that_of_both_and_its_interval_is_linearized() -> None:
    chance = np.random.default_rng(8)
    weights = chance.integers(1, 5, (2, 40)).astype(float)
    sums = chance.random((2, 40)) * weights * 5
    sides = {
        name: {f"p{i}": (float(s), float(w)) for i, (s, w) in enumerate(zip(*pair, strict=True))}
        for name, pair in zip("ab", zip(sums, weights, strict=True), strict=True)
    }
    found = model_difference("a", "b", sides, share=False)
    ratios = sums.sum(axis=1) / weights.sum(axis=1)
    linear = (sums - sums.sum() / weights.sum() * weights) / weights.mean(axis=1, keepdims=True)
    error = scipy.stats.sem(linear[0] - linear[1])
    assert found.value == pytest.approx(ratios[0] - ratios[1])
    assert (found.low, found.high) == pytest.approx(
        scipy.stats.t.interval(0.95, 39, ratios[0] - ratios[1], error)
    )


def test_holm_multiplies_the_smallest_by_all_and_keeps_the_order() -> None:
    # Holm (1979): 0.01 * 4, max(that, 0.02 * 3), 0.03 * 2 is lower than 0.06, 0.5 * 1
    assert holm([0.03, 0.01, 0.5, 0.02]) == pytest.approx((0.06, 0.04, 0.5, 0.06))
    assert holm([0.6, 0.7]) == (1.0, 1.0)
    assert holm([]) == ()


def test_all_tested_pairs_of_all_groups_are_corrected_together() -> None:
    chance = np.random.default_rng(1)
    models = {name: side(chance.binomial(5, 0.8, 30) / 5) for name in "abc"}
    few = {name: side([1.0, 0.0]) for name in "ab"}
    *found, untested = all_differences({"color": models, "shape": models, "few": few})
    assert [(pair.one + pair.other, pair.group) for pair in found] == [
        (pair, group) for group in ("color", "shape") for pair in ("ab", "ac", "bc")
    ]
    p = [pair.p for pair in found if pair.p is not None]
    assert [pair.corrected_p for pair in found] == pytest.approx(holm(p))
    assert (untested.p, untested.corrected_p) == (None, None)


def power(n: int, effect: float) -> float:
    """Return the power of the two-sided paired t test at 5 %, by the noncentral t distribution."""
    limit = scipy.stats.t.ppf(0.975, n - 1)
    beyond = scipy.stats.nct.sf(limit, n - 1, effect * n**0.5)
    return float(beyond + scipy.stats.nct.cdf(-limit, n - 1, effect * n**0.5))


def test_as_many_prompts_as_are_needed_give_the_power() -> None:
    needed = prompts_needed(0.1, 0.3)
    assert needed is not None
    assert [power(n, 1 / 3) >= 0.8 for n in (needed - 1, needed)] == [False, True]
    assert least_difference(needed, 0.3) == pytest.approx(0.1, abs=0.001)
    z = NormalDist().inv_cdf
    exact = ((z(1 - 0.005 / 2) + z(0.8)) * 3) ** 2 + z(1 - 0.005 / 2) ** 2 / 2
    assert prompts_needed(-0.1, 0.3, 0.005) == int(exact) + 1
    assert prompts_needed(0.0, 0.3) is None
    assert prompts_needed(None, None) is None
    assert prompts_needed(1.0, 0.0) == 6
    assert least_difference(5, 0.3) is None


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
def test_few_differences_have_all_their_flips_tried_and_zeros_change_nothing(
    values: list[float],
) -> None:
    column = np.array([*values, *[0.0] * 40])
    found = sign_flip_tests(column[:, np.newaxis])
    assert found.p == pytest.approx((exact_p(np.array(values)),))
    assert found.kinds == ("exact",)
    assert sign_flip_tests(np.zeros((9, 1))).p == (1.0,)


def test_drawn_flips_come_near_all_flips_and_the_seed_fixes_them() -> None:
    values = np.random.default_rng(2).normal(0.25, 0.5, (16, 3))
    found = sign_flip_tests(values)
    assert found.kinds == ("drawn",) * 3
    assert found.p == pytest.approx([exact_p(column) for column in values.T], abs=0.012)
    assert sign_flip_tests(values).p == found.p
    assert sign_flip_tests(values, seed=1).p != found.p
    assert sign_flip_tests(np.ones((200, 1)), drawn=999).p == pytest.approx((1 / 1000,))


VALUES = {"a": 0.9, "b": 0.8, "c": 0.7, "d": 0.2}
ALL = set(combinations(VALUES, 2))


def pairs(sure: set[tuple[str, str]]) -> list[ModelDifference]:
    """Return the differences of all pairs, of which some are sure."""
    template = compare([0.1] * 6, [0.0] * 6)
    return [
        ModelDifference(
            **vars(template)
            | {
                "one": one,
                "other": other,
                "value": VALUES[one] - VALUES[other],
                "corrected_p": 0.001 if (one, other) in sure else 0.4,
            }
        )
        for one, other in ALL
    ]


@pytest.mark.parametrize(
    "sure, higher_is_better, expected",
    [
        (
            ALL - {("a", "b"), ("b", "c")},
            True,
            {"a": ("1 to 2", "a"), "b": ("1 to 3", "ab"), "c": ("2 to 3", "b"), "d": ("4", "c")},
        ),
        (ALL, False, {"d": ("1", "a"), "c": ("2", "b"), "b": ("3", "c"), "a": ("4", "d")}),
        (set(), True, dict.fromkeys(VALUES, ("1 to 4", "a"))),
    ],
)
def test_a_rank_leaves_out_what_is_better_or_worse_beyond_doubt(
    sure: set[tuple[str, str]], higher_is_better: bool, expected: Mapping[str, tuple[str, str]]
) -> None:
    found = rank_intervals(VALUES, pairs(sure), higher_is_better=higher_is_better)
    assert {model: (rank.words, rank.letters) for model, rank in found.items()} == expected


@given(st.sets(st.sampled_from(sorted(ALL))))
def test_two_models_share_a_letter_exactly_where_they_cannot_be_told_apart(
    sure: set[tuple[str, str]],
) -> None:
    found = rank_intervals(VALUES, pairs(sure))
    for one, other in ALL:
        shared = set(found[one].letters) & set(found[other].letters)
        assert bool(shared) is ((one, other) not in sure)
