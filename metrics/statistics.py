"""Means and intervals over clustered values; it knows numbers and clusters, not what they measure."""

import math
import statistics
from collections.abc import Sequence
from typing import NamedTuple

RESAMPLES = 2000
LEVEL = 0.95
_CELLS = 4_000_000  # at most so many drawn indices in memory at once


class Interval(NamedTuple):
    """The lower and upper end of a confidence interval, in the unit of the value."""

    low: float
    high: float


class Spread(NamedTuple):
    """Mean and sample standard deviation (n - 1); `std` is None under two values, `mean` under one."""

    mean: float | None
    std: float | None
    n: int


def bootstrap(
    totals: Sequence[float], counts: Sequence[float] | None = None, *, resamples: int = RESAMPLES, level: float = LEVEL, seed: int = 0
) -> Interval | None:
    """The percentile bootstrap interval of sum(totals) / sum(counts), resampled by cluster.

    One entry a cluster: the sum of its values, and how many there are (1 each where `counts` is left out).
    The same seed gives the same interval. None under two clusters, where resampling says nothing.
    Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 13.

    Raises ValueError where the lengths differ, a count is not positive or a number is not finite.
    """
    import numpy as np  # here, so that importing the metrics stays quick

    sums = np.asarray(totals, dtype=np.float64)
    sizes = np.ones_like(sums) if counts is None else np.asarray(counts, dtype=np.float64)
    if sums.shape != sizes.shape:
        raise ValueError(f"{len(sums)} totals but {len(sizes)} counts: give one of each a cluster")
    if not (np.isfinite(sums).all() and np.isfinite(sizes).all() and (sizes > 0).all()):
        raise ValueError("totals must be finite and counts positive: leave out clusters in which nothing was counted")
    if len(sums) < 2:
        return None
    chance = np.random.default_rng(seed)
    drawn: list[float] = []
    step = max(1, _CELLS // len(sums))
    for start in range(0, resamples, step):
        index = chance.integers(0, len(sums), (min(step, resamples - start), len(sums)))
        drawn += (sums[index].sum(axis=1) / sizes[index].sum(axis=1)).tolist()
    tail = (1 - level) / 2
    low, high = np.quantile(drawn, (tail, 1 - tail))
    return Interval(float(low), float(high))


def spread(values: Sequence[float]) -> Spread:
    """Mean and sample standard deviation of repeated trials."""
    mean = math.fsum(values) / len(values) if values else None
    return Spread(mean, statistics.stdev(values) if len(values) > 1 else None, len(values))
