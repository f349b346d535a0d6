"""Computes Pearson r, Spearman rho, Kendall tau-b and pairwise accuracy with intervals.

These are of two lists of numbers, by bootstrap; it knows no metric.

Ties: Spearman gives tied values their mean rank; tau-b leaves pairs that are tied on a side out of
that side's count (Kendall 1945); pairwise accuracy counts a pair as right where both sides order it
the same way or both tie it, out of all pairs (Deutsch, Foster and Freitag, Ties Matter, EMNLP 2023,
equation 3). A bootstrap draw is a count of how often each item was drawn, so that all draws are one
computation on matrices; the copies of an item are ties in a draw, and no pairs for the accuracy.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hallascope.metrics.statistics.intervals import LEVEL, RESAMPLES

LEAST = 3  # items under which nothing is said
NAMES = ("pearson", "spearman", "kendall", "pairwise_accuracy")
_CELLS = 1_000_000  # at most so many numbers of one matrix in memory at once
FloatArray = NDArray[np.float64]


class IntervalEstimate(NamedTuple):
    """A value with the ends of its confidence interval; None where it is not defined."""

    value: float | None
    low: float | None = None
    high: float | None = None


class Draws(NamedTuple):
    """The statistics of each draw, an array each, NaN where one is not defined.

    The first draw is the sample itself.
    """

    pearson: FloatArray
    spearman: FloatArray
    kendall: FloatArray
    pairwise_accuracy: FloatArray

    def estimate(self, name: str, level: float = LEVEL) -> IntervalEstimate:
        """A statistic by name with its percentile interval."""
        return _estimate(getattr(self, name), level)


def draw_statistics(x: ArrayLike, y: ArrayLike, resamples: int = RESAMPLES, seed: int = 0) -> Draws:
    """Return all four statistics of the pairs (x, y) and of `resamples` draws of them.

    Both have shape (n,); n pairs are drawn with replacement.

    The same n and seed give the same draws, whatever the numbers, so that two lists on the same
    items can be compared draw by draw. Raises ValueError where the lengths differ or a number is
    not finite.
    """
    one = _side(x)
    two = _side(y)
    if one.values.shape != two.values.shape:
        raise ValueError(
            f"{len(one.values)} numbers but {len(two.values)} beside them: give one of each an item"
        )
    parts = [_statistics(one, two, counts) for counts in _counts(len(one.values), resamples, seed)]
    return Draws(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def difference(one: Draws, two: Draws, name: str, level: float = LEVEL) -> IntervalEstimate:
    """How much larger a statistic of `one` is than of `two`, with the paired bootstrap interval.

    Both drawn on the same items.
    """
    return _estimate(getattr(one, name) - getattr(two, name), level)


def mean_correlation(values: Iterable[float | None]) -> float | None:
    """The mean of correlations through Fisher's z (atanh and back).

    Those that are None are left out, None where nothing is left.

    A perfect correlation makes the mean perfect; None where both 1 and -1 are among them.
    """
    zs = [
        float(np.arctanh(value)) if abs(value) < 1 else float(np.copysign(np.inf, value))
        for value in values
        if value is not None
    ]
    infinite = {z for z in zs if np.isinf(z)}
    if not zs or len(infinite) > 1:
        return None
    return float(np.tanh(infinite.pop() if infinite else np.mean(zs)))


# --- draws
# --------------------------------------------------------------------------------------------------


def _counts(n: int, resamples: int, seed: int) -> Iterator[FloatArray]:
    """How often each item was drawn, (draws, n) a part; in the first draw each once."""
    yield np.ones((1, n))
    chance = np.random.default_rng(seed)
    step = max(1, _CELLS // max(n, 1))
    for start in range(0, resamples if n else 0, step):
        index = chance.integers(0, n, (min(step, resamples - start), n))
        rows = np.arange(len(index))[:, None] * n
        yield (
            np.bincount((rows + index).ravel(), minlength=len(index) * n)
            .reshape(-1, n)
            .astype(np.float64)
        )


def _estimate(values: FloatArray, level: float) -> IntervalEstimate:
    """The first value with the interval of the rest.

    No interval where fewer than half of the draws are defined.
    """
    value = values[0]
    rest = values[1:][~np.isnan(values[1:])]
    if np.isnan(value):
        return IntervalEstimate(None)
    if 2 * len(rest) < len(values) - 1 or not len(rest):
        return IntervalEstimate(float(value))
    low, high = np.quantile(rest, ((1 - level) / 2, (1 + level) / 2))
    return IntervalEstimate(float(value), float(low), float(high))


# --- statistics of weighted items
# ----------------------------------------------------------------------------------------


class _Side(NamedTuple):
    """Holds one list: values, centered and scaled, its order, and its runs of ties.

    A run has its begin in the order, and each item its run.
    """

    values: FloatArray
    order: NDArray[np.intp]
    starts: NDArray[np.intp]
    runs: NDArray[np.intp]


def _side(numbers: ArrayLike) -> _Side:
    values = np.asarray(numbers, dtype=np.float64)
    if values.ndim != 1 or not np.isfinite(values).all():
        raise ValueError(
            "the numbers must be one finite number an item: leave out items without one"
        )
    order = np.argsort(values, kind="stable")
    new = np.diff(values[order], prepend=np.nan) != 0
    runs = np.empty(len(values), dtype=np.intp)
    runs[order] = np.cumsum(new) - 1
    centred = values / (np.abs(values).max(initial=0.0) or 1.0)
    centred = centred - centred.mean() if len(centred) else centred
    return _Side(
        centred / (np.abs(centred).max(initial=0.0) or 1.0), order, np.flatnonzero(new), runs
    )


def _statistics(one: _Side, two: _Side, counts: FloatArray) -> Draws:
    n = counts.shape[1]
    if n < 2:
        return Draws(*np.full((4, len(counts)), np.nan))
    first, second = (
        np.add.reduceat(counts[:, side.order], side.starts, axis=1) for side in (one, two)
    )
    varied = (first.max(axis=1) < n) & (second.max(axis=1) < n)
    with np.errstate(divide="ignore", invalid="ignore"):
        pearson = _product_moment(one.values, two.values, counts)
        spearman = _product_moment(_ranks(first)[:, one.runs], _ranks(second)[:, two.runs], counts)
        kendall, accuracy = _of_pairs(one, two, counts, first, second)
    return Draws(
        np.where(varied, pearson, np.nan),
        np.where(varied, spearman, np.nan),
        np.where(varied, kendall, np.nan),
        accuracy,
    )


def _product_moment(x: FloatArray, y: FloatArray, counts: FloatArray) -> FloatArray:
    """Pearson's r of each draw.

    X and y of shape (n,), or (draws, n) where they differ from draw to draw.
    """
    n = counts.shape[1]
    dx, dy = (side - ((counts * side).sum(axis=1) / n)[:, None] for side in (x, y))
    weighted = counts * dx
    found: FloatArray = (
        (weighted * dy).sum(axis=1)
        / np.sqrt((weighted * dx).sum(axis=1))
        / np.sqrt((counts * dy * dy).sum(axis=1))
    )
    return np.clip(found, -1.0, 1.0)


def _ranks(sizes: FloatArray) -> FloatArray:
    """The mean rank of each run of ties, from the sizes of the runs in each draw, (draws, runs)."""
    found: FloatArray = np.cumsum(sizes, axis=1) - (sizes - 1) / 2
    return found


def _of_pairs(
    one: _Side, two: _Side, counts: FloatArray, first: FloatArray, second: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Kendall's tau-b and the pairwise accuracy of each draw."""
    n = counts.shape[1]
    surplus = _surplus(one, two, counts)
    _, both = np.unique(one.runs * (len(two.starts) + 1) + two.runs, return_inverse=True)
    order = np.argsort(both, kind="stable")
    joint = np.add.reduceat(
        counts[:, order], np.flatnonzero(np.diff(both[order], prepend=-1)), axis=1
    )
    every = n * (n - 1) / 2
    tied = _pairs(first)
    other = _pairs(second)
    tied_both = _pairs(joint)
    copies = _pairs(counts)
    kendall = np.clip(surplus / np.sqrt(every - tied) / np.sqrt(every - other), -1.0, 1.0)
    ordered = every - tied - other + tied_both  # tied on neither side
    agreeing = (ordered + surplus) / 2 + tied_both - copies
    return kendall, agreeing / (every - copies)


def _surplus(one: _Side, two: _Side, counts: FloatArray) -> FloatArray:
    """Pairs in the same order less those in opposite order, of each draw.

    Whole numbers below 2 ** 24, which single precision holds exactly.
    """
    n = counts.shape[1]
    single = counts.astype(np.float32)
    found = np.zeros(len(counts))
    step = max(1, _CELLS // n)
    for start in range(0, n, step):
        part = slice(start, start + step)
        signs = np.sign(one.runs[:, None] - one.runs[part]) * np.sign(
            two.runs[:, None] - two.runs[part]
        )
        found += (single @ signs.astype(np.float32) * single[:, part]).sum(axis=1, dtype=np.float64)
    return found / 2


def _pairs(sizes: FloatArray) -> FloatArray:
    """How many pairs groups of these sizes hold, in each draw."""
    found: FloatArray = (sizes * (sizes - 1) / 2).sum(axis=1)
    return found


def constant(numbers: Sequence[float]) -> bool:
    """Whether all numbers are the same."""
    return len(set(numbers)) < 2
