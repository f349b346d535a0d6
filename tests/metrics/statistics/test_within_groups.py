"""Correlations within groups are averaged through Fisher's z, beside the overall one."""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from hallascope.metrics.statistics import within_groups as module
from hallascope.metrics.statistics.correlation import NAMES
from hallascope.metrics.statistics.within_groups import within_groups

ROWS = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from((0.0, 0.1, 0.3, 1e200)), st.integers(-2, 2)),
    min_size=3,
    max_size=40,
)


def test_the_mean_is_that_of_fishers_z_over_groups() -> None:
    chance = np.random.default_rng(1)
    x = chance.normal(size=24)
    y = x + chance.normal(size=24)
    groups = [str(item // 8) for item in range(24)]
    found = within_groups(x.tolist(), y.tolist(), groups)
    parts = [slice(start, start + 8) for start in (0, 8, 16)]
    zs = [math.atanh(scipy.stats.pearsonr(x[part], y[part]).statistic) for part in parts]
    mean = found.statistics["pearson"]
    assert mean.value == pytest.approx(math.tanh(sum(zs) / 3))
    assert mean.low is not None
    assert mean.high is not None
    assert mean.low <= math.tanh(sum(zs) / 3) <= mean.high
    assert (found.groups, found.left_out) == (3, 0)


def test_groups_that_differ_alone_correlate_overall_and_not_within() -> None:
    x = [0.0, 1, 2, 10, 11, 12]
    y = [2.0, 1, 0, 12, 11, 10]
    found = within_groups(x, y, ["a"] * 3 + ["b"] * 3)
    assert scipy.stats.pearsonr(x, y).statistic > 0.9
    assert found.statistics["pearson"].value == pytest.approx(-0.99)
    assert found.statistics["pairwise_accuracy"].value == 0.0


def test_small_and_constant_groups_are_counted_as_left_out() -> None:
    found = within_groups([1, 2, 5, 5, 5], [1, 2, 1, 2, 3], ["a", "a", "b", "b", "b"])
    assert (found.groups, found.left_out) == (0, 2)
    assert found.statistics["kendall"].value is None


@given(ROWS)
def test_groups_computed_together_give_what_each_gives_by_the_merge_sort(
    rows: list[tuple[int, float, int]],
) -> None:
    groups, x, y = zip(*((str(group), a, float(b)) for group, a, b in rows), strict=True)
    together = within_groups(x, y, groups, resamples=20)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_MATRIX_ITEMS", 0)
        alone = within_groups(x, y, groups, resamples=20)
    assert (together.groups, together.left_out) == (alone.groups, alone.left_out)
    for name in NAMES:
        for number, expected in zip(together.statistics[name], alone.statistics[name], strict=True):
            assert number == (expected if isinstance(expected, str) else pytest.approx(expected))
