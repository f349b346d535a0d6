"""Intervals and spreads against independent numbers."""

import math
import statistics

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from hallascope.metrics.statistics.intervals import bootstrap, paired_bootstrap, spread, wilson

numbers = st.floats(-100, 100, allow_nan=False)


def test_the_interval_of_single_clusters_is_that_of_scipy() -> None:
    values = np.random.default_rng(1).beta(2, 3, 60)
    ours = bootstrap(values.tolist(), resamples=20_000)
    theirs = scipy.stats.bootstrap(
        (values,), np.mean, method="percentile", n_resamples=20_000, rng=np.random.default_rng(2)
    ).confidence_interval
    assert ours is not None
    width = theirs.high - theirs.low
    assert abs(ours.low - theirs.low) < 0.05 * width
    assert abs(ours.high - theirs.high) < 0.05 * width


@pytest.mark.parametrize(("right", "asked"), [(0, 3), (2, 3), (5, 5), (441, 472)])
def test_the_score_interval_of_a_share_is_that_of_scipy(right: int, asked: int) -> None:
    theirs = scipy.stats.binomtest(right, asked).proportion_ci(method="wilson")
    assert wilson(right, asked) == pytest.approx((theirs.low, theirs.high))


@pytest.mark.parametrize(("right", "asked"), [(0, 0), (3, 2), (-1, 2)])
def test_what_is_no_share_has_no_score_interval(right: int, asked: int) -> None:
    with pytest.raises(ValueError, match="is no share"):
        wilson(right, asked)


def test_clusters_of_unequal_size_are_resampled_whole() -> None:
    chance = np.random.default_rng(3)
    counts = chance.integers(1, 6, 40)
    totals = np.array([chance.binomial(count, chance.beta(1, 1)) for count in counts])

    def ratio(total: np.ndarray, count: np.ndarray, axis: int) -> np.ndarray:
        shares: np.ndarray = total.sum(axis=axis) / count.sum(axis=axis)
        return shares

    ours = bootstrap(totals.tolist(), counts.tolist(), resamples=20_000)
    theirs = scipy.stats.bootstrap(
        (totals, counts),
        ratio,
        paired=True,
        vectorized=True,
        method="percentile",
        n_resamples=20_000,
        rng=np.random.default_rng(4),
    ).confidence_interval
    assert ours is not None
    width = theirs.high - theirs.low
    assert abs(ours.low - theirs.low) < 0.05 * width
    assert abs(ours.high - theirs.high) < 0.05 * width


def test_dependent_values_in_one_cluster_make_the_interval_wider_than_independent_ones() -> None:
    chance = np.random.default_rng(5)
    rights = (chance.random(50) < 0.5) * 5
    clustered = bootstrap(rights.tolist(), [5] * 50)
    alone = bootstrap(np.repeat(rights / 5, 5).tolist())
    assert clustered is not None
    assert alone is not None
    assert clustered.high - clustered.low > 1.8 * (alone.high - alone.low)


@given(st.lists(numbers, min_size=2, max_size=30), st.integers(0, 5))
def test_the_interval_lies_within_the_values_and_the_seed_fixes_it(
    values: list[float], seed: int
) -> None:
    found = bootstrap(values, resamples=50, seed=seed)
    assert found == bootstrap(values, resamples=50, seed=seed)
    assert found is not None
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9


def test_many_clusters_are_drawn_in_parts_with_the_same_meaning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    values = np.random.default_rng(6).random(100).tolist()
    whole = bootstrap(values)
    monkeypatch.setattr("hallascope.metrics.statistics.intervals._CELLS", 1_000)
    assert bootstrap(values) == whole


@pytest.mark.parametrize(
    "weights",
    [np.ones((2, 40)), np.random.default_rng(7).integers(1, 5, (2, 40)).astype(float)],
    ids=["same", "own"],
)
def test_a_difference_is_that_of_both_ratios_over_clusters_that_are_drawn_together(
    weights: np.ndarray,
) -> None:
    sums = np.random.default_rng(8).random((2, 40)) * weights
    one, other = (
        [(float(s), float(w)) for s, w in zip(*side, strict=True)]
        for side in zip(sums, weights, strict=True)
    )
    drawn = []
    for index in np.random.default_rng(3).integers(0, 40, (500, 40)):
        first, second = (sums[side][index].sum() / weights[side][index].sum() for side in (0, 1))
        drawn.append(first - second)
    found = paired_bootstrap(one, other, resamples=500, seed=3)
    assert found is not None
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(drawn, (0.025, 0.975))))
    assert found.value == pytest.approx(
        sums[0].sum() / weights[0].sum() - sums[1].sum() / weights[1].sum()
    )


@pytest.mark.parametrize(
    "weights",
    [np.ones((2, 640)), np.random.default_rng(7).integers(1, 3, (2, 640)).astype(float)],
    ids=["same", "own"],
)
def test_clusters_of_few_kinds_are_drawn_as_if_each_were(
    weights: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    sums = np.random.default_rng(8).integers(0, 2, (2, 640)) * weights
    one, other = (
        [(float(s), float(w)) for s, w in zip(*side, strict=True)]
        for side in zip(sums, weights, strict=True)
    )
    found = paired_bootstrap(one, other)
    monkeypatch.setattr("hallascope.metrics.statistics.intervals._CLUSTERS_PER_KIND", 641)
    each = paired_bootstrap(one, other)
    assert found is not None
    assert each is not None
    assert found != each
    assert found[1:3] == pytest.approx(each[1:3], abs=0.1 * (each.high - each.low))
    assert found.value == each.value
    assert found.p == pytest.approx(each.p, abs=0.1)


@pytest.mark.parametrize("values", [[], [0.5]])
def test_under_two_clusters_there_is_no_interval(values: list[float]) -> None:
    assert bootstrap(values) is None


@pytest.mark.parametrize(
    ("totals", "counts"), [([1.0], [1.0, 2.0]), ([1.0, 0.0], [1.0, 0.0]), ([math.nan, 1.0], None)]
)
def test_what_cannot_be_averaged_is_refused(
    totals: list[float], counts: list[float] | None
) -> None:
    with pytest.raises(ValueError, match="counts"):
        bootstrap(totals, counts)


@given(st.lists(numbers, min_size=2, max_size=10))
def test_the_spread_is_mean_and_sample_deviation(values: list[float]) -> None:
    found = spread(values)
    assert found.mean == pytest.approx(statistics.fmean(values), abs=1e-9)
    assert found.std == pytest.approx(float(np.std(values, ddof=1)), abs=1e-9)
    assert found.n == len(values)


def test_one_trial_has_no_deviation_and_none_has_no_mean() -> None:
    assert spread([0.4]) == (0.4, None, 1)
    assert spread([]) == (None, None, 0)
