"""Computes means and their confidence intervals over clusters, such as the prompts of a benchmark.

One method serves all shares and all mean scores in [0, 1]: the interval of Clopper and Pearson on
the effective number of clusters. Means of other values have Student's t interval. Both take the
clustered variance of a ratio, and both come from sums that a database can give.
"""

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESAMPLES = 2000
LEVEL = 0.95
FloatPair = tuple[float, float]
IntervalMethod = Literal[
    "clopper-pearson", "linearized", "bootstrap", "prediction-powered", "recovered-variances"
]
INTERVAL_METHODS: Mapping[IntervalMethod, str] = {
    "clopper-pearson": "Clopper-Pearson on the effective number of clusters",
    "linearized": "linearized variance of a ratio, Student's t",
    "bootstrap": f"percentile bootstrap, {RESAMPLES:,} resamples",
    "prediction-powered": "prediction-powered inference, Student's t",
    "recovered-variances": "variance estimates recovery from two Clopper-Pearson intervals",
}
# Drawn indices in memory at once, at most: so few stay in the processor's cache, which is several
# times as fast.
_CELLS = 250_000
_MOST_DECIMALS = 6
_ROUNDING = 1e-12  # relative; a variance below it is what is left of equal values


class Interval(NamedTuple):
    """Holds the ends of a confidence interval, in the unit of the value, and how it was computed.

    `method` is explained in `INTERVAL_METHODS`.
    """

    low: float
    high: float
    method: IntervalMethod


class IntervalEstimate(NamedTuple):
    """Holds a value with the ends of its confidence interval; None where it is not defined.

    `method` says how the interval is computed.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    method: IntervalMethod = "bootstrap"


def interval_text(low: float, high: float, decimals: int = 3) -> str:
    """Return the ends of an interval in words, such as "0.478 to 1.000".

    Ends that so few decimals would show as equal have more of them, at most `_MOST_DECIMALS`: all
    of 10,000 right is "0.9996 to 1.0000". Where the ends are the same, as where all resamples of a
    bootstrap agree, the words say so.
    """
    if low == high:
        return "no interval: all resamples are equal"
    places = decimals
    while places < _MOST_DECIMALS and f"{low:.{places}f}" == f"{high:.{places}f}":
        places += 1
    return f"{low:.{places}f} to {high:.{places}f}"


class ClusterSums(NamedTuple):
    """Holds the sums over `n` clusters that the interval of sum(s) / sum(w) needs.

    Each cluster has a sum s of its values and a weight w, which is how many values there are (or 1,
    with s their mean, where all clusters weigh the same). `total` is the sum of s, `weight` of w,
    `squares` of s * s, `products` of s * w, `weights` of w * w.
    """

    n: int
    total: float
    weight: float
    squares: float
    products: float
    weights: float

    @property
    def ratio(self) -> float:
        """Return sum(s) / sum(w)."""
        return self.total / self.weight

    @property
    def variance(self) -> float:
        """Return the first-order (Taylor) variance of the ratio, for two clusters or more.

        Cochran, Sampling Techniques (1977), section 6.3.
        """
        ratio = self.ratio
        deviation = self.squares - 2 * ratio * self.products + ratio * ratio * self.weights
        if deviation <= _ROUNDING * max(self.squares, self.weights):
            return 0.0
        return self.n / (self.n - 1) * deviation / self.weight**2


class Spread(NamedTuple):
    """Holds the mean and the sample standard deviation (n - 1).

    `std` is None under two values, `mean` under one.
    """

    mean: float | None
    std: float | None
    n: int


def sum_clusters(totals: Sequence[float], counts: Sequence[float] | None = None) -> ClusterSums:
    """Return the sums of clusters: the sum of the values of each, and how many there are (else 1).

    Raises ValueError where the lengths differ, a count is not positive or a number is not finite.
    """
    import numpy as np

    s = np.asarray(totals, np.float64)
    w = np.ones(len(s)) if counts is None else np.asarray(counts, np.float64)
    if len(s) != len(w):
        raise ValueError(f"{len(s)} totals but {len(w)} counts: give one of each a cluster")
    if not (np.isfinite([s, w]).all() and (w > 0).all()):
        raise ValueError(
            "totals must be finite and counts positive: leave out clusters in which nothing was"
            " counted"
        )
    sums = s.sum(), w.sum(), s @ s, s @ w, w @ w
    return ClusterSums(len(s), *map(float, sums))


def mean_interval(
    totals: Sequence[float],
    counts: Sequence[float] | None = None,
    *,
    share: bool = True,
) -> Interval | None:
    """Return the 95 % interval of sum(totals) / sum(counts) by cluster, None under two clusters.

    `share`: the values lie in [0, 1], so it is `share_interval`, else it is `t_interval`. Raises
    ValueError as `sum_clusters` does.
    """
    sums = sum_clusters(totals, counts)
    return share_interval(sums) if share else t_interval(sums)


def share_interval(sums: ClusterSums) -> Interval | None:
    """Return the 95 % interval of a mean of values in [0, 1]; it lies in [0, 1] and has a width.

    Clopper and Pearson, Biometrika 26 (1934), on the effective number of clusters in place of the
    number of trials, as Korn and Graubard, Survey Methodology 24 (1998), section 3, do. In place of
    their factor for the degrees of freedom, the variance is that of one cluster more than there are
    (`_effective_clusters`): simulated, this covers at least as often where few clusters differ, and
    is narrower under ten clusters. `python -m bench.interval_coverage` prints the coverage.

    None under two clusters, and where nothing was counted.
    """
    if sums.n < 2 or sums.weight <= 0:
        return None
    ratio = clip_share(sums.ratio)
    return clopper_pearson(ratio, _effective_clusters(sums, ratio))


def clopper_pearson(ratio: float, n: float) -> Interval:
    """Return the exact 95 % interval of a share in [0, 1] of `n` independent trials, n above 0.

    Neither n nor ratio * n needs to be whole. Clopper and Pearson, Biometrika 26 (1934).
    """
    from scipy.special import betaincinv  # here, so that importing the metrics stays quick

    tail = (1 - LEVEL) / 2
    successes = ratio * n
    failures = n - successes
    low = float(betaincinv(successes, failures + 1, tail)) if ratio > _ROUNDING else 0.0
    high = float(betaincinv(successes + 1, failures, 1 - tail)) if ratio < 1 - _ROUNDING else 1.0
    # rounding must not leave the share itself outside
    return Interval(min(low, ratio), max(high, ratio), "clopper-pearson")


def t_interval(sums: ClusterSums) -> Interval | None:
    """Return the 95 % interval of a mean of any values: Student's t with n - 1 degrees of freedom.

    None under two clusters, and where all of them have the same value, of which the variance is not
    known.
    """
    if sums.n < 2 or sums.weight <= 0 or not sums.variance:
        return None
    half = t_quantile(sums.n - 1) * math.sqrt(sums.variance)
    return Interval(sums.ratio - half, sums.ratio + half, "linearized")


def t_quantile(degrees: int) -> float:
    """Return the two-sided quantile of Student's t: 95 % of it lie within."""
    from scipy.special import stdtrit

    return float(stdtrit(degrees, (1 + LEVEL) / 2))


def clip_share(value: float) -> float:
    """Return the value within [0, 1]."""
    return min(1.0, max(0.0, value))


def spread(values: Sequence[float]) -> Spread:
    """Return the mean and the sample standard deviation of repeated trials."""
    mean = math.fsum(values) / len(values) if values else None
    return Spread(mean, statistics.stdev(values) if len(values) > 1 else None, len(values))


def interval_by_cluster(values: Sequence[float], clusters: Sequence[str]) -> Interval | None:
    """Return the interval of a mean of values in [0, 1] by cluster, None under two clusters.

    `clusters` names that of each value, such as its image.
    """
    by_cluster: dict[str, list[float]] = {}
    for value, cluster in zip(values, clusters, strict=True):
        by_cluster.setdefault(cluster, []).append(value)
    own = by_cluster.values()
    return mean_interval(list(map(sum, own)), list(map(len, own)))


def share_by_cluster(values: Sequence[float], clusters: Sequence[str]) -> IntervalEstimate:
    """Return the mean of values in [0, 1] with its interval by cluster.

    None without a value, and where one is NaN.
    """
    if not values or any(map(math.isnan, values)):
        return IntervalEstimate(None, method="clopper-pearson")
    interval = interval_by_cluster(values, clusters)
    low, high = interval[:2] if interval else (None, None)
    return IntervalEstimate(sum(values) / len(values), low, high, "clopper-pearson")


def percentile_estimate(draws: "NDArray[np.float64]") -> IntervalEstimate:
    """Return the first value, that of the sample, with the 95 % interval of the draws after it.

    There is no interval where fewer than half of the draws are defined (not NaN).
    """
    import numpy as np

    value = float(draws[0])
    if math.isnan(value):
        return IntervalEstimate(None)
    defined = draws[1:][~np.isnan(draws[1:])]
    if not len(defined) or 2 * len(defined) < len(draws) - 1:
        return IntervalEstimate(value)
    low, high = np.quantile(defined, ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    return IntervalEstimate(value, float(low), float(high))


def resample(n: int, resamples: int, seed: int) -> Iterator["NDArray[np.int64]"]:
    """Yield the indices in [0, n) that each resample draws with replacement, n of them.

    They come in parts of shape (draws, n) with at most about `_CELLS` indices. Nothing is drawn of
    nothing.
    """
    import numpy as np

    if not n:
        return
    chance = np.random.default_rng(seed)
    step = max(1, _CELLS // n)
    for start in range(0, resamples, step):
        yield chance.integers(0, n, (min(step, resamples - start), n))


def _effective_clusters(sums: ClusterSums, ratio: float) -> float:
    """Return how many independent trials are worth as much as these clusters.

    The design effect is the variance of the ratio over that of a share of n trials, ratio * (1 -
    ratio) / n. Where few clusters differ it is estimated from these few, and too low where they
    happen to differ little. So one cluster is added whose values are all the same, all right or all
    wrong: the design effect of such clusters is n * sum(w * w) / sum(w) ** 2 (Kish, Survey
    Sampling, 1965, section 11.7), which is 1 where all weigh the same. It only raises the estimate.
    Where all clusters are all right, what is added is all that is known.
    """
    worst = sums.n * sums.weights / sums.weight**2
    binomial = sums.n * ratio * (1 - ratio)
    clustered = sums.n**2 * sums.variance
    effect = (clustered + worst) / (binomial + 1)
    if binomial > 0:
        effect = max(effect, clustered / binomial)
    return sums.n / effect
