"""Computes means and confidence intervals over clustered values."""

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
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
# Drawn indices in memory at once, at most: so few stay in the processor's cache, which is several
# times as fast.
_CELLS = 250_000
# So many clusters are drawn in the time in which the count of one kind is drawn.
_CLUSTERS_PER_KIND = 32


class Interval(NamedTuple):
    """Holds the lower and upper end of a confidence interval, in the unit of the value."""

    low: float
    high: float


class Difference(NamedTuple):
    """Holds by how much one ratio exceeds another on the same clusters, its interval and `p`.

    `p` is the chance of as much where there is no difference.
    """

    value: float
    low: float
    high: float
    p: float


class Spread(NamedTuple):
    """Holds the mean and the sample standard deviation (n - 1).

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
    """Return the percentile bootstrap interval of sum(totals) / sum(counts), resampled by cluster.

    Each cluster has one entry: the sum of its values, and how many there are (1 where `counts` is
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
    ratios = np.concatenate(
        [
            sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
            for drawn in resample(len(sums), resamples, seed)
        ]
    )
    tail = (1 - level) / 2
    low, high = np.quantile(ratios, (tail, 1 - tail))
    return Interval(float(low), float(high))


def wilson(right: int, asked: int) -> Interval:
    """Return the 95 % score interval of a share of independent answers, within [0, 1].

    Wilson, Journal of the American Statistical Association 22 (1927). Raises ValueError where
    nothing was asked, or more is right than was asked.
    """
    if not 0 <= right <= asked or not asked:
        raise ValueError(f"{right} of {asked} is no share: give a part of 1 or more")
    z = statistics.NormalDist().inv_cdf((1 + LEVEL) / 2)
    share = right / asked
    scale = 1 + z * z / asked
    center = (share + z * z / (2 * asked)) / scale
    half = z / scale * math.sqrt(share * (1 - share) / asked + z * z / (4 * asked * asked))
    # rounding must not leave the share itself outside
    return Interval(min(max(0.0, center - half), share), max(min(1.0, center + half), share))


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
    """Return the interval of sum(s) / sum(w) over `n` clusters, from sums that a database can give.

    `total` is the sum of s, `weight` of w, `squares` of s * s, `products` of s * w, `weights` of w
    * w. First-order (Taylor) variance of a ratio with n - 1 degrees of freedom: Cochran, Sampling
    Techniques (1977), section 6.3. It comes near the interval of `bootstrap` from some twenty
    clusters on; under that it is wider, as Student's t accounts for so few. None under two
    clusters.
    """
    if n < 2 or weight <= 0:
        return None
    from scipy.special import stdtrit  # here, so that importing the metrics stays quick

    value = total / weight
    deviation = squares - 2 * value * products + value * value * weights
    if deviation <= 1e-12 * max(squares, weights):  # what is left of equal values after rounding
        deviation = 0.0
    half = float(stdtrit(n - 1, (1 + level) / 2)) * math.sqrt(n / (n - 1) * deviation) / weight
    return Interval(value - half, value + half)


def paired_bootstrap(
    side: Sequence[FloatPair],
    other: Sequence[FloatPair],
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = 0,
) -> Difference | None:
    """Return sum(s) / sum(w) of a side less that of the other, over clusters drawn together.

    Each side has one (s, w) a cluster, for the same clusters in the same order; None under two of
    them. The interval is the percentile interval, and `p` the two-sided level at which it would
    first hold 0 (Efron and Tibshirani 1993, sections 13.3 and 15.4), never below 1 / (resamples +
    1). The same seed gives the same numbers.

    Raises ValueError where the lengths differ, a w is not positive or a number is not finite.
    """
    import numpy as np

    if len(side) == len(other) < 2:
        return None
    sides = _as_array(side, other)
    totals = sides[:, :, 0]
    weights = sides[:, :, 1]
    if (weights == weights[:, :1]).all():
        # Where all clusters of a side weigh the same, their differences are all there is to add up.
        ratios = totals / weights
        differences = np.asarray(ratios[0] - ratios[1])[:, np.newaxis]
        drawn = _resampled_sums(differences, resamples, seed)[:, 0] / len(side)
    else:
        sums = _resampled_sums(np.concatenate(sides, axis=1), resamples, seed)
        drawn = sums[:, 0] / sums[:, 1] - sums[:, 2] / sums[:, 3]
    values = np.round(drawn, 12)  # equal values differ by less after adding them in another order
    rarer = min(int((values <= 0).sum()), int((values >= 0).sum()))
    low, high = np.quantile(values, ((1 - level) / 2, (1 + level) / 2))
    (s, w), (other_s, other_w) = sides.sum(axis=1)
    return Difference(
        value=float(s / w - other_s / other_w),
        low=float(low),
        high=float(high),
        p=min(1.0, 2 * (rarer + 1) / (resamples + 1)),
    )


def spread(values: Sequence[float]) -> Spread:
    """Return the mean and the sample standard deviation of repeated trials."""
    mean = math.fsum(values) / len(values) if values else None
    return Spread(mean, statistics.stdev(values) if len(values) > 1 else None, len(values))


def resample(
    n: int, resamples: int, seed: int, cells: int = _CELLS
) -> Iterator["NDArray[np.int64]"]:
    """Yield the indices in [0, n) that each resample draws with replacement, n of them.

    They come in parts of shape (draws, n) with at most about `cells` indices. The same seed gives
    the same indices, whatever the parts. Nothing is drawn of nothing.
    """
    import numpy as np

    if not n:
        return
    chance = np.random.default_rng(seed)
    step = max(1, cells // n)
    for start in range(0, resamples, step):
        yield chance.integers(0, n, (min(step, resamples - start), n))


def _as_array(side: Sequence[FloatPair], other: Sequence[FloatPair]) -> "NDArray[np.float64]":
    """Return (s, w) of both sides, shape (2, clusters, 2). Raises ValueError."""
    import numpy as np

    if len(side) != len(other):
        raise ValueError(
            f"{len(side)} clusters on one side but {len(other)} on the other: give the same ones on"
            " both"
        )
    sides = np.fromiter(chain.from_iterable((*side, *other)), np.float64).reshape(2, len(side), 2)
    if not (np.isfinite(sides).all() and (sides[:, :, 1] > 0).all()):
        raise ValueError(
            "sums must be finite and weights positive: leave out clusters in which nothing was"
            " counted"
        )
    return sides


def _resampled_sums(
    clusters: "NDArray[np.float64]", resamples: int, seed: int
) -> "NDArray[np.float64]":
    """Return the sums of as many clusters (rows) as there are, drawn with replacement.

    Each resample gives a row. Equal clusters are interchangeable: where there are few kinds of
    them, the count of each kind is drawn at once.
    """
    import numpy as np

    n = len(clusters)
    first, counts = _kinds_of_rows(clusters)
    if len(first) * _CLUSTERS_PER_KIND <= n:
        drawn_counts = np.random.default_rng(seed).multinomial(n, counts / n, resamples)
        sums: NDArray[np.float64] = drawn_counts @ clusters[first]
        return sums
    columns = np.ascontiguousarray(clusters.T)
    return np.concatenate(
        [
            np.stack([column.take(drawn).sum(axis=1) for column in columns], axis=1)
            for drawn in resample(n, resamples, seed)
        ]
    )


def _kinds_of_rows(
    rows: "NDArray[np.float64]",
) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
    """Return the first place and the count of each kind of rows, equal but for rounding.

    `np.unique` by rows gives the same and takes up to nine times as long (20,000 rows).
    """
    import numpy as np

    code = np.zeros(len(rows), dtype=np.int64)
    for column in np.round(rows, 12).T:
        value = np.unique(column, return_inverse=True)[1]
        _, first, code, counts = np.unique(
            code * len(rows) + value, return_index=True, return_inverse=True, return_counts=True
        )
    return first, counts
