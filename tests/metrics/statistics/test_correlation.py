"""Correlations are those of scipy, over all items and within groups, and metrics are compared."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st

from hallascope.metrics.statistics import correlation
from hallascope.metrics.statistics.agreement import Study
from hallascope.metrics.statistics.correlation import NAMES, draw_statistics, within_groups
from hallascope.metrics.statistics.intervals import IntervalEstimate
from tests.data.cases import cases

NONE = IntervalEstimate(None)
THEIRS: dict[str, Callable[[np.ndarray, np.ndarray], float]] = {
    "pearson": lambda x, y: scipy.stats.pearsonr(x, y).statistic,
    "spearman": lambda x, y: scipy.stats.spearmanr(x, y).statistic,
    "kendall": lambda x, y: scipy.stats.kendalltau(x, y).statistic,
}
# of 11 digits, so that two numbers differ for scipy where they differ for us
large, small = (
    st.floats(-size, size).map(lambda number: float(f"{number:.11g}")) for size in (1e3, 1e-3)
)
grades = st.integers(-4, 4)


@given(
    st.one_of(
        *(
            st.lists(st.tuples(*pair), min_size=3, max_size=25)
            for pair in [(grades, grades), (large, small)]
        )
    )
)
def test_with_ties_and_whatever_their_size_all_three_are_those_of_scipy(
    found: list[tuple[float, float]],
) -> None:
    x, y = np.array(found, dtype=float).T
    # of values that hardly differ scipy warns that it is not exact
    assume(all(np.ptp(side) > 1e-6 * (np.abs(side).max() + 1e-9) for side in (x, y)))
    draws = draw_statistics(x, y, resamples=0)
    for name, theirs in THEIRS.items():
        assert getattr(draws, name)[0] == pytest.approx(theirs(x, y), abs=1e-12)


@pytest.mark.parametrize("size", [1, 3])
def test_every_draw_is_the_statistic_of_the_items_or_groups_drawn(size: int) -> None:
    chance = np.random.default_rng(5)
    x = chance.integers(0, 6, 20).astype(float)
    y = x + chance.integers(-2, 3, 20)
    names = np.arange(20) // size  # the last group of three is smaller
    groups = list(map(str, names)) if size > 1 else None
    found = draw_statistics(x, y, resamples=30, seed=7, groups=groups)
    number = len(set(names))
    for draw, drawn in enumerate(np.random.default_rng(7).integers(0, number, (30, number)), 1):
        index = np.concatenate([np.flatnonzero(names == name) for name in drawn])
        for name, theirs in THEIRS.items():
            expected = theirs(x[index], y[index])
            assert getattr(found, name)[draw] == pytest.approx(expected, abs=1e-12)
        others = [(a, b) for a, b in combinations(index, 2) if a != b]
        right = sum(np.sign(x[a] - x[b]) == np.sign(y[a] - y[b]) for a, b in others)
        assert found.pairwise_accuracy[draw] == pytest.approx(right / len(others), abs=1e-12)


@pytest.mark.parametrize(
    "people, metric, right",
    cases("correlation", "the_pairwise_accuracy_counts_ties_on_both_sides", "metrics"),
)
def test_the_pairwise_accuracy_counts_ties_on_both_sides(
    people: list[int], metric: list[float], right: str
) -> None:
    found = draw_statistics(metric, people, resamples=20)
    assert found.pairwise_accuracy[0] == pytest.approx(float(Fraction(right)))
    if len(set(metric)) == 1:
        assert [found.estimate(name) for name in NAMES[:3]] == [NONE] * 3


@pytest.mark.parametrize("x", [[1, 2], [1, math.nan, 2], [1, math.inf, 2]])
def test_what_cannot_be_compared_is_refused(x: list[float]) -> None:
    with pytest.raises(ValueError, match="item"):
        draw_statistics(x, [1, 2, 3])


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
        value, *ends = of_all.estimate(name)[:3]
        found = of_subsets.estimate(name)
        assert found.value == value
        width = float(np.diff(np.array(ends, float))[0])
        assert found[1:3] == pytest.approx(ends, abs=0.2 * width)


def test_the_mean_is_that_of_fishers_z_over_groups() -> None:
    chance = np.random.default_rng(1)
    x = chance.normal(size=24)
    y = x + chance.normal(size=24)
    groups = [str(item // 8) for item in range(24)]
    found = within_groups(x.tolist(), y.tolist(), groups)
    parts = [slice(start, start + 8) for start in (0, 8, 16)]
    zs = [math.atanh(THEIRS["pearson"](x[part], y[part])) for part in parts]
    estimate = found.statistics["pearson"]
    assert estimate.value == pytest.approx(math.tanh(sum(zs) / 3))
    # the ends of the bootstrap are means of one group only
    assert estimate[1:3] == pytest.approx((math.tanh(min(zs)), math.tanh(max(zs))))
    assert (found.groups, found.left_out) == (3, 0)


def test_groups_that_differ_alone_correlate_overall_and_not_within() -> None:
    x, y = [0.0, 1, 2, 10, 11, 12], [2.0, 1, 0, 12, 11, 10]
    found = within_groups(x, y, ["a"] * 3 + ["b"] * 3)
    assert scipy.stats.pearsonr(x, y).statistic > 0.9
    assert found.statistics["pearson"].value == pytest.approx(-0.99)
    assert found.statistics["pairwise_accuracy"].value == 0.0


PEOPLE = {"a": [1, 2], "b": [3, 3], "c": [5, 4], "d": [2], "e": [4, 5, 5]}
GOOD = {"a": 0.1, "b": 0.5, "c": 0.9, "d": 0.3, "e": 0.8, "not rated": 0.2}


def study(**scores: dict[str, float]) -> Study:
    return Study(scores, PEOPLE, resamples=50)


def test_a_metric_is_compared_with_the_mean_ratings_of_the_items_that_both_know() -> None:
    compared = study(good=GOOD, part={"a": 1.0, "b": 2.0, "c": 3.0, "z": 4.0})
    assert compared.people == {"a": 1.5, "b": 3, "c": 4.5, "d": 2, "e": pytest.approx(14 / 3)}
    found = compared.metrics()
    assert {name: one.n for name, one in found.items()} == {"good": 5, "part": 3}
    assert set(found["good"].statistics) == set(NAMES)
    assert found["part"].statistics["spearman"].value == pytest.approx(1.0)


def test_a_constant_and_too_few_items_are_none_with_a_sentence() -> None:
    found = study(flat=dict.fromkeys(PEOPLE, 0.5), few={"a": 1.0, "b": 2.0}, none={}).metrics()
    assert found["flat"].statistics["pearson"] == NONE
    assert found["flat"].note.startswith("flat gives every item the same score")
    assert found["flat"].statistics["pairwise_accuracy"].value == 0.0
    assert set(found["few"].statistics.values()) == {NONE}
    assert (found["few"].n, found["few"].note[:30]) == (2, "few and people share 2 items; ")
    assert found["none"].n == 0


def test_every_two_metrics_are_compared_on_the_items_of_both_or_all_with_one() -> None:
    bad = {"a": 0.9, "b": 0.1, "c": 0.2, "d": 0.8}
    found = list(study(good=GOOD, bad=bad, lone={"a": 1.0}).differences())
    assert [(one.one, one.other, one.n) for one in found] == [
        ("good", "bad", 4),
        ("good", "lone", 1),
        ("bad", "lone", 1),
    ]
    alone = study(good={item: GOOD[item] for item in bad}, bad=bad).metrics()
    one, other = (alone[name].statistics["kendall"].value for name in ("good", "bad"))
    assert one is not None
    assert other is not None
    assert found[0].differences["kendall"].value == pytest.approx(one - other)
    assert found[1].differences["kendall"] == NONE
    scores = {"x": GOOD, "base": GOOD, "y": GOOD}
    pairs = Study(scores, PEOPLE, resamples=5, against="base").differences()
    assert [(pair.one, pair.other) for pair in pairs] == [("x", "base"), ("y", "base")]
    with pytest.raises(ValueError, match="'nothing' has no scores"):
        Study(scores, PEOPLE, against="nothing")


def test_the_raters_are_counted_and_those_alone_named() -> None:
    found = study().raters
    assert (found.items, found.ratings, found.alone, found.note) == (4, 9, 1, "")
    assert found.alpha["interval"] == pytest.approx(0.86, abs=0.1)
    assert Study({}, {"a": [1.0]}).raters.note == "No item was rated twice."
    assert Study({}, {"a": [1.0, 1.0]}).raters.note == "All ratings are the same."
