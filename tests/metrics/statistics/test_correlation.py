"""Correlations and their intervals equal those of scipy, and every draw is what resampling the
items by hand gives.
"""

import math
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st

from hallascope.metrics.statistics import correlation
from hallascope.metrics.statistics.correlation import (
    NAMES,
    IntervalEstimate,
    difference,
    draw_statistics,
    mean_correlation,
)

pairs = st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=3, max_size=25)


def round_off(number: float) -> float:
    """Return the number in 11 digits: two of them differ for scipy where they differ for us."""
    return float(f"{number:.11g}")


spread_out = st.lists(
    st.tuples(st.floats(-1e3, 1e3).map(round_off), st.floats(-1e-3, 1e-3).map(round_off)),
    min_size=3,
    max_size=25,
)
THEIRS: dict[str, Callable[[np.ndarray, np.ndarray], float]] = {
    "pearson": lambda x, y: scipy.stats.pearsonr(x, y).statistic,
    "spearman": lambda x, y: scipy.stats.spearmanr(x, y).statistic,
    "kendall": lambda x, y: scipy.stats.kendalltau(x, y).statistic,
}


def agrees_with_scipy(x: np.ndarray, y: np.ndarray) -> None:
    found = draw_statistics(x, y, resamples=0)
    for name, theirs in THEIRS.items():
        assert getattr(found, name)[0] == pytest.approx(theirs(x, y), abs=1e-12)


@given(pairs)
def test_with_many_ties_all_three_are_those_of_scipy(found: list[tuple[int, int]]) -> None:
    x, y = np.array(found, dtype=float).T
    assume(len(set(x)) > 1 and len(set(y)) > 1)
    agrees_with_scipy(x, y)


@given(spread_out)
def test_whatever_their_size_all_three_are_those_of_scipy(found: list[tuple[float, float]]) -> None:
    x, y = np.array(found).T
    # Of values that hardly differ scipy warns that it is not exact.
    assume(all(np.ptp(side) > 1e-6 * (np.abs(side).max() + 1e-9) for side in (x, y)))
    agrees_with_scipy(x, y)


def test_every_draw_is_the_statistic_of_the_items_drawn() -> None:
    chance = np.random.default_rng(5)
    x = chance.integers(0, 6, 20).astype(float)
    y = x + chance.integers(-2, 3, 20)
    found = draw_statistics(x, y, resamples=40, seed=7)
    for draw, index in enumerate(np.random.default_rng(7).integers(0, 20, (40, 20)), 1):
        for name, theirs in THEIRS.items():
            assert getattr(found, name)[draw] == pytest.approx(
                theirs(x[index], y[index]), abs=1e-12
            )
        others = [(a, b) for a, b in combinations(index, 2) if a != b]
        right = sum(np.sign(x[a] - x[b]) == np.sign(y[a] - y[b]) for a, b in others)
        assert found.pairwise_accuracy[draw] == pytest.approx(right / len(others), abs=1e-12)


def test_the_interval_is_near_that_of_scipy() -> None:
    chance = np.random.default_rng(8)
    x = chance.normal(size=40)
    y = x + chance.normal(size=40)
    ours = draw_statistics(x, y).estimate("pearson")
    theirs = scipy.stats.bootstrap(
        (x, y),
        lambda a, b: scipy.stats.pearsonr(a, b).statistic,
        paired=True,
        vectorized=False,
        method="percentile",
        n_resamples=2000,
        rng=np.random.default_rng(9),
    ).confidence_interval
    assert ours.low == pytest.approx(theirs.low, abs=0.05)
    assert ours.high == pytest.approx(theirs.high, abs=0.05)


def test_many_items_are_drawn_in_parts_with_the_same_meaning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    x, y = np.random.default_rng(1).integers(0, 9, (2, 30)).astype(float)
    whole = draw_statistics(x, y, resamples=50)
    monkeypatch.setattr(correlation, "_CELLS", 100)
    parts = draw_statistics(x, y, resamples=50)
    for name in NAMES:
        np.testing.assert_allclose(getattr(parts, name), getattr(whole, name), atol=1e-12)


@pytest.mark.parametrize(
    ("people", "metric", "right"),
    [
        ((1, 2, 3), (0.1, 0.2, 0.3), 1.0),
        ((1, 2, 3), (0.3, 0.2, 0.1), 0.0),
        ((1, 1, 2), (0.5, 0.5, 0.9), 1.0),  # a pair tied on both sides is right
        ((1, 1, 2), (0.4, 0.5, 0.9), 2 / 3),  # tied by people alone: wrong
        ((1, 2, 3), (0.5, 0.5, 0.9), 2 / 3),  # tied by the metric alone: wrong
        # A metric that ties all is right on the ties only.
        ((1, 1, 2, 2), (0.5, 0.5, 0.5, 0.5), 2 / 6),
    ],
)
def test_the_pairwise_accuracy_counts_ties_on_both_sides(
    people: tuple[int, ...], metric: tuple[float, ...], right: float
) -> None:
    assert draw_statistics(metric, people, resamples=0).pairwise_accuracy[0] == pytest.approx(right)


def test_a_constant_has_no_correlation_but_a_pairwise_accuracy() -> None:
    found = draw_statistics([0.5] * 5, [1, 2, 3, 3, 4], resamples=20)
    assert [found.estimate(name) for name in NAMES[:3]] == [IntervalEstimate(None)] * 3
    assert found.estimate("pairwise_accuracy").value == pytest.approx(1 / 10)


def test_values_almost_too_large_are_no_hindrance() -> None:
    found = draw_statistics([1e300, 2e300, 4e300], [1, 2, 4], resamples=0)
    assert (found.pearson[0], found.spearman[0], found.kendall[0]) == pytest.approx((1, 1, 1))


def test_two_metrics_are_compared_draw_by_draw() -> None:
    chance = np.random.default_rng(2)
    people = chance.normal(size=60)
    good, bad = people + chance.normal(size=60) * 0.3, people + chance.normal(size=60) * 3
    one, other = (
        draw_statistics(good, people, resamples=300),
        draw_statistics(bad, people, resamples=300),
    )
    found = difference(one, other, "spearman")
    assert found.value == pytest.approx(one.spearman[0] - other.spearman[0])
    assert found.low is not None
    assert found.low > 0
    assert difference(one, one, "kendall") == IntervalEstimate(0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("x", "y"), [([1, 2], [1, 2, 3]), ([1, math.nan, 2], [1, 2, 3]), ([1, math.inf, 2], [1, 2, 3])]
)
def test_what_cannot_be_compared_is_refused(x: list[float], y: list[float]) -> None:
    with pytest.raises(ValueError, match="item"):
        draw_statistics(x, y)


def test_correlations_are_averaged_through_fishers_z() -> None:
    assert mean_correlation([0.2, 0.9, None]) == pytest.approx(
        math.tanh((math.atanh(0.2) + math.atanh(0.9)) / 2)
    )
    strong = mean_correlation([0.9, 0.99])
    assert strong is not None
    assert strong > (0.9 + 0.99) / 2  # the plain mean would be too low
    assert mean_correlation([0.5, 1.0]) == 1.0
    assert mean_correlation([-1.0, 1.0]) is None
    assert mean_correlation([None]) is None


def test_thousands_of_items_with_ties_have_the_tau_of_scipy() -> None:
    chance = np.random.default_rng(3)
    x = chance.integers(0, 50, 3001).astype(float)
    y = x + chance.integers(-30, 31, 3001)
    agrees_with_scipy(x, y)


def test_values_that_differ_by_rounding_alone_are_ties() -> None:
    third = 0.1 + 0.2  # 0.30000000000000004
    found = draw_statistics([third, 0.3, 0.5], [1, 1, 2], resamples=0)
    assert found.kendall[0] == pytest.approx(1.0)
    assert found.pairwise_accuracy[0] == 1.0


def test_with_groups_every_draw_takes_whole_groups() -> None:
    chance = np.random.default_rng(6)
    groups = [str(item // 3) for item in range(20)]  # the last group is smaller
    x = chance.integers(0, 6, 20).astype(float)
    y = x + chance.integers(-2, 3, 20)
    found = draw_statistics(x, y, resamples=30, seed=7, groups=groups)
    for draw, drawn in enumerate(np.random.default_rng(7).integers(0, 7, (30, 7)), 1):
        index = [item for group in drawn for item in range(20) if groups[item] == str(group)]
        for name, theirs in THEIRS.items():
            assert getattr(found, name)[draw] == pytest.approx(
                theirs(x[index], y[index]), abs=1e-12
            )


def test_items_of_one_prompt_that_are_alike_make_the_interval_wider() -> None:
    chance = np.random.default_rng(4)
    prompts = np.repeat(chance.normal(size=(2, 40)), 5, axis=1)
    x, y = prompts + chance.normal(size=(2, 200)) * 0.3
    groups = [str(item // 5) for item in range(200)]
    by_item = draw_statistics(x, y).estimate("pearson")
    by_prompt = draw_statistics(x, y, groups=groups).estimate("pearson")
    assert by_item.low is not None
    assert by_item.high is not None
    assert by_prompt.low is not None
    assert by_prompt.high is not None
    assert by_prompt.high - by_prompt.low > 1.5 * (by_item.high - by_item.low)


def test_many_items_get_fewer_draws() -> None:
    assert [correlation.draw_count(n) for n in (0, 5_000, 40_000, 10**6)] == [2000, 2000, 500, 500]
    # 100 prompts of 400 images are too few for subsets of them
    assert correlation.draw_count(40_000, clusters=100) == 250


@pytest.mark.parametrize("by_group", [False, True])
def test_many_clusters_are_drawn_by_subsets_with_intervals_as_wide_as_of_all_of_them(
    by_group: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = np.random.default_rng(4)
    ease = np.repeat(chance.normal(size=600), 2)
    x = ease + 0.7 * chance.normal(size=1_200)
    y = np.round(ease + 0.7 * chance.normal(size=1_200), 1)
    groups = [str(item // 2) for item in range(1_200)] if by_group else None
    of_all = draw_statistics(x, y, resamples=1_000, groups=groups)
    monkeypatch.setattr(correlation, "_ALL_DRAWS_ITEMS", 500)
    of_subsets = draw_statistics(x, y, resamples=1_000, groups=groups)
    for name in NAMES:
        expected, found = of_all.estimate(name), of_subsets.estimate(name)
        assert found.value == expected.value
        assert expected.low is not None
        assert expected.high is not None
        assert found.low == pytest.approx(expected.low, abs=0.2 * (expected.high - expected.low))
        assert found.high == pytest.approx(expected.high, abs=0.2 * (expected.high - expected.low))


def test_subsets_give_the_same_draws_to_two_lists_on_the_same_items(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(correlation, "_ALL_DRAWS_ITEMS", 50)
    chance = np.random.default_rng(6)
    x = chance.normal(size=100)
    y = x + chance.normal(size=100)
    draws, again = (draw_statistics(x, y, resamples=25, seed=3) for _ in range(2))
    assert len(draws.pearson) == 26
    assert difference(draws, again, "kendall") == IntervalEstimate(0.0, 0.0, 0.0)
    assert draws.kendall.max() <= 1.0
