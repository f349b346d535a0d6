"""Intervals and spreads against independent numbers."""

import math
import statistics

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from hallascope.metrics.statistics.intervals import (
    clopper_pearson,
    interval_text,
    mean_interval,
    share_by_cluster,
    share_interval,
    spread,
    sum_clusters,
    t_interval,
)


@pytest.mark.parametrize("right, asked", [(0, 3), (2, 3), (5, 5), (441, 472)])
def test_the_exact_interval_of_a_share_is_that_of_scipy(right: int, asked: int) -> None:
    theirs = scipy.stats.binomtest(right, asked).proportion_ci(method="exact")
    ours = clopper_pearson(right / asked, asked)
    assert ours[:2] == pytest.approx((theirs.low, theirs.high))
    assert ours.method == "clopper-pearson"


@pytest.mark.parametrize("n", [2, 3, 5, 50])
@pytest.mark.parametrize("value", [0.0, 1.0])
def test_equal_prompts_have_the_interval_of_as_many_trials(value: float, n: int) -> None:
    theirs = scipy.stats.binomtest(int(value) * n, n).proportion_ci(method="exact")
    found = mean_interval([value] * n)
    assert found is not None
    assert found[:2] == pytest.approx((theirs.low, theirs.high))


@pytest.mark.parametrize("n, decimals", [(5, 2), (740, 3), (250_000, 2)])
def test_all_right_of_any_number_of_prompts_reads_as_an_interval(n: int, decimals: int) -> None:
    interval = mean_interval([1.0] * n)
    assert interval
    low, high = interval_text(interval.low, interval.high, decimals).split(" to ")
    assert float(low) < float(high) == 1
    assert float(low) == pytest.approx(interval.low, abs=0.5 * 10**-decimals)
    assert interval_text(1.0, 1.0) == "no interval: all resamples are equal"


def test_perfect_clusters_of_unequal_weight_are_worth_fewer() -> None:
    counts = [1.0, 1.0, 8.0]
    found = mean_interval(counts, counts)
    assert found is not None
    assert found.low == pytest.approx(0.025 ** (66 / 100)), "Kish: 10 ** 2 / (1 + 1 + 64) clusters"
    values, clusters = [1.0] * 10, [*"ab", *"c" * 8]
    assert share_by_cluster(values, clusters) == (1.0, *found)


def test_the_effective_number_of_prompts_comes_from_the_clustered_variance() -> None:
    values = np.array([0.2, 1.0, 0.8, 0.4, 1.0, 0.6, 1.0, 0.8])
    n, mean = len(values), float(values.mean())
    variance = float(values.var(ddof=1)) / n
    # one prompt more, of which all or nothing is right
    effect = (n * n * variance + 1) / (n * mean * (1 - mean) + 1)
    effective = n / max(effect, n * variance / (mean * (1 - mean)))
    right, wrong = mean * effective, (1 - mean) * effective
    found = mean_interval(values.tolist())
    assert found is not None
    theirs = scipy.stats.beta([right, right + 1], [wrong + 1, wrong]).ppf([0.025, 0.975])
    assert found[:2] == pytest.approx(tuple(theirs))


def test_of_other_values_the_interval_is_students() -> None:
    values = [0.2, 0.4, 0.4, 7.0]
    found = mean_interval(values, share=False)
    assert found is not None
    theirs = scipy.stats.t.interval(0.95, 3, np.mean(values), scipy.stats.sem(values))
    assert found[:2] == pytest.approx(theirs)
    assert found.method == "linearized"
    assert t_interval(sum_clusters([0.1] * 30)) is None


@pytest.mark.parametrize("values", [[], [0.5]])
def test_under_two_clusters_there_is_no_interval(values: list[float]) -> None:
    assert share_interval(sum_clusters(values)) is None
    assert t_interval(sum_clusters(values)) is None
    assert share_by_cluster(values, "a" * len(values)).low is None


@given(st.lists(st.floats(0, 1), min_size=2, max_size=30))
def test_the_interval_of_a_share_has_a_width_and_holds_the_mean(values: list[float]) -> None:
    found = mean_interval(values)
    assert found is not None
    assert 0 <= found.low <= math.fsum(values) / len(values) <= found.high <= 1
    assert found.high - found.low > 1e-6


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=10))
def test_the_spread_is_mean_and_sample_deviation(values: list[float]) -> None:
    found = spread(values)
    assert found.mean == pytest.approx(statistics.fmean(values), abs=1e-9)
    assert found.std == pytest.approx(float(np.std(values, ddof=1)), abs=1e-9)
    assert found.n == len(values)
    assert spread([0.4]) == (0.4, None, 1)
    assert spread([]) == (None, None, 0)
