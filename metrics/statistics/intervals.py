"""Means and intervals over clustered values.

It knows numbers and clusters, not what they measure.
"""

import math
import statistics
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESAMPLES = 2000
LEVEL = 0.95
FloatPair = tuple[float, float]
IntervalMethod = Literal["bootstrap", "linearized"]
INTERVAL_METHODS: Mapping[IntervalMethod, str] = {
    "bootstrap": f"percentile bootstrap, {RESAMPLES:,} resamples",
    "linearized": "linearized variance of a ratio, Student's t",
}
# drawn indices in memory at once, at most: so few stay near the processor, which is several times
# as fast
_CELLS = 250_000
_KIND = (
    32  # so many clusters are drawn in the time in which it is drawn how many of one kind there are
)


class Interval(NamedTuple):
    """The lower and upper end of a confidence interval, in the unit of the value."""

    low: float
    high: float


class Difference(NamedTuple):
    """Holds by how much one ratio exceeds another on the same clusters, its interval and `p`.

    It is the chance of as much where there is no difference.
    """

    value: float
    low: float
    high: float
    p: float


class Spread(NamedTuple):
    """Mean and sample standard deviation (n - 1).

    `std` is None under two values, `mean` under one.
    """

    mean: float | None
    std: float | None
    n: int


def bootstrap(
    totals: Sequence[float],
    counts: Sequence[float] | None = None,
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = 0,
) -> Interval | None:
    """The percentile bootstrap interval of sum(totals) / sum(counts), resampled by cluster.

    One entry a cluster: the sum of its values, and how many there are (1 each where `counts` is
    left out). The same seed gives the same interval. None under two clusters, where resampling says
    nothing. Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 13.

    Raises ValueError where the lengths differ, a count is not positive or a number is not finite.
    """
    import numpy as np  # here, so that importing the metrics stays quick

    sums = np.asarray(totals, dtype=np.float64)
    sizes = np.ones_like(sums) if counts is None else np.asarray(counts, dtype=np.float64)
    if sums.shape != sizes.shape:
        raise ValueError(f"{len(sums)} totals but {len(sizes)} counts: give one of each a cluster")
    if not (np.isfinite(sums).all() and np.isfinite(sizes).all() and (sizes > 0).all()):
        raise ValueError(
            "totals must be finite and counts positive: leave out clusters in which nothing was"
            " counted"
        )
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


def linearized(
    n: int,
    total: float,
    weight: float,
    squares: float,
    products: float,
    *,
    weights: float,
    level: float = LEVEL,
) -> Interval | None:
    """The interval of sum(s) / sum(w) over `n` clusters from sums alone, which a database can give.

    `total` is the sum of s, `weight` of w, `squares` of s * s, `products` of s * w, `weights` of w
    * w. First-order (Taylor) variance of a ratio with n - 1 degrees of freedom: Cochran, Sampling
    Techniques (1977), section 6.3. It comes near that of `bootstrap` from some twenty clusters on;
    under that it is wider, as it knows how little so few tell. None under two clusters.
    """
    if n < 2 or weight <= 0:
        return None
    from scipy.special import stdtrit  # here, so that importing the metrics stays quick

    value = total / weight
    spread_out = squares - 2 * value * products + value * value * weights
    if spread_out <= 1e-12 * max(squares, weights):  # what is left of equal values after rounding
        spread_out = 0.0
    half = float(stdtrit(n - 1, (1 + level) / 2)) * math.sqrt(n / (n - 1) * spread_out) / weight
    return Interval(value - half, value + half)


def paired(
    one: Sequence[FloatPair],
    other: Sequence[FloatPair],
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = 0,
) -> Difference | None:
    """Return sum(s) / sum(w) of one less the other's, over clusters drawn together.

    Both are over the same clusters; None under two of them.

    One (s, w) a cluster on each side, in the same order. The percentile interval, and the two-sided
    level at which it would first hold 0 (Efron and Tibshirani 1993, sections 13.3 and 15.4), never
    below 1 / (resamples + 1). The same seed gives the same numbers.

    Raises ValueError where the lengths differ, a w is not positive or a number is not finite.
    """
    import numpy as np

    if len(one) != len(other):
        raise ValueError(
            f"{len(one)} clusters on one side but {len(other)} on the other: give the same ones on"
            " both"
        )
    if len(one) < 2:
        return None
    sides = np.fromiter(chain.from_iterable((*one, *other)), np.float64).reshape(2, len(one), 2)
    if not (np.isfinite(sides).all() and (sides[:, :, 1] > 0).all()):
        raise ValueError(
            "sums must be finite and weights positive: leave out clusters in which nothing was"
            " counted"
        )
    sums = _resampled(_paired_sums(sides), resamples, seed)
    drawn = (
        sums[:, 0] / sums[:, 1] - sums[:, 2] / sums[:, 3]
        if sums.shape[1] == 4
        else sums[:, 0] / len(one)
    )
    values = np.round(drawn, 12)  # equal values differ by less after adding them in another order
    rarer = min(int((values <= 0).sum()), int((values >= 0).sum()))
    a, b = sides.sum(axis=1)
    low_high = np.quantile(values, ((1 - level) / 2, (1 + level) / 2))
    p = min(1.0, 2 * (rarer + 1) / (resamples + 1))
    return Difference(float(a[0] / a[1] - b[0] / b[1]), float(low_high[0]), float(low_high[1]), p)


def spread(values: Sequence[float]) -> Spread:
    """Mean and sample standard deviation of repeated trials."""
    mean = math.fsum(values) / len(values) if values else None
    return Spread(mean, statistics.stdev(values) if len(values) > 1 else None, len(values))


def _paired_sums(sides: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Return what of each cluster is to be added up: s and w of both sides.

    It is the difference alone where every w of a side is the same.
    """
    import numpy as np

    if (sides[:, :, 1] == sides[:, :1, 1]).all():
        ratios = sides[:, :, 0] / sides[:, :, 1]
        return np.asarray(ratios[0] - ratios[1])[:, np.newaxis]
    return np.concatenate([sides[0], sides[1]], axis=1)


def _resampled(clusters: "NDArray[np.float64]", resamples: int, seed: int) -> "NDArray[np.float64]":
    """Return the sums of clusters (rows) drawn with replacement, in each resample (rows).

    As many are drawn as there are.

    Clusters that are alike need not be told apart: where there are few kinds, how many of each are
    drawn is drawn at once.
    """
    import numpy as np

    chance = np.random.default_rng(seed)
    n = len(clusters)
    first, times = _kinds(clusters)
    if len(first) * _KIND <= n:
        found: NDArray[np.float64] = chance.multinomial(n, times / n, resamples) @ clusters[first]
        return found
    step = max(1, _CELLS // n)
    columns = np.ascontiguousarray(clusters.T)
    indices = (
        chance.integers(0, n, (min(step, resamples - start), n))
        for start in range(0, resamples, step)
    )
    return np.concatenate(
        [
            np.stack([column.take(index).sum(axis=1) for column in columns], axis=1)
            for index in indices
        ]
    )


def _kinds(clusters: "NDArray[np.float64]") -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
    """Return the first place of each kind of alike rows, and how many there are.

    They are alike but for rounding.
    """
    import numpy as np

    code = np.zeros(len(clusters), dtype=np.int64)
    for column in np.round(clusters, 12).T:
        value = np.unique(column, return_inverse=True)[1]
        _, first, code, times = np.unique(
            code * len(clusters) + value, return_index=True, return_inverse=True, return_counts=True
        )
    return first, times
