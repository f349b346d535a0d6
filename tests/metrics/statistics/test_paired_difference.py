"""Intervals from sums alone come near the bootstrap's, and paired differences agree with what is
known of them.
"""

import numpy as np
import pytest
from scipy import stats

from hallascope.metrics.statistics.intervals import (
    Interval,
    bootstrap,
    linearized,
    paired_bootstrap,
)


def interval(s: np.ndarray, w: np.ndarray) -> Interval | None:
    return linearized(
        n=len(s),
        total=s.sum(),
        weight=w.sum(),
        squares=(s * s).sum(),
        products=(s * w).sum(),
        weights=(w * w).sum(),
    )


@pytest.mark.parametrize("seed", range(3))
def test_the_interval_from_sums_is_near_that_of_the_bootstrap(seed: int) -> None:
    chance = np.random.default_rng(seed)
    w = chance.integers(1, 6, 120).astype(float)
    s = chance.binomial(w.astype(int), 0.7).astype(float)
    found = interval(s, w)
    drawn = bootstrap(s.tolist(), w.tolist())
    assert found is not None
    assert drawn is not None
    assert found == pytest.approx(drawn, abs=0.012)


def test_of_plain_means_it_is_students() -> None:
    values = np.asarray([0.2, 0.4, 0.4, 1.0])
    found = interval(values, np.ones(4))
    assert found == pytest.approx(stats.t.interval(0.95, 3, values.mean(), stats.sem(values)))


def test_equal_values_have_no_width_and_one_cluster_no_interval() -> None:
    assert interval(np.full(30, 0.1), np.ones(30)) == pytest.approx((0.1, 0.1))
    assert linearized(n=1, total=1.0, weight=1.0, squares=1.0, products=1.0, weights=1.0) is None


def test_a_paired_difference_is_nearer_than_its_sides_tell() -> None:
    chance = np.random.default_rng(0)
    base = chance.random(80)
    found = paired_bootstrap(
        [(value + 0.02, 1.0) for value in base], [(value, 1.0) for value in base]
    )
    assert found is not None
    assert (found.value, found.low, found.high) == pytest.approx((0.02, 0.02, 0.02))
    assert found.p < 0.01


def test_where_there_is_no_difference_p_is_one() -> None:
    same = [(0.0, 1.0), (1.0, 1.0), (0.5, 1.0)]
    found = paired_bootstrap(same, same)
    assert found is not None
    assert (found.value, found.p) == (0.0, 1.0)
    assert paired_bootstrap(same[:1], same[:1]) is None


def test_what_is_no_pair_of_sides_is_refused() -> None:
    with pytest.raises(ValueError, match="the same ones on both"):
        paired_bootstrap([(1.0, 1.0)], [])
    with pytest.raises(ValueError, match="weights positive"):
        paired_bootstrap([(1.0, 0.0)] * 2, [(1.0, 1.0)] * 2)
