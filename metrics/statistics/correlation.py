"""Computes Pearson r, Spearman rho, Kendall tau-b and pairwise accuracy of two lists of numbers.

The intervals are by bootstrap.

Ties: Spearman gives tied values their mean rank; tau-b leaves pairs that are tied on a side out of
that side's count (Kendall 1945); pairwise accuracy counts a pair as right where both sides order it
the same way or both tie it, out of all pairs (Deutsch, Foster and Freitag, Ties Matter, EMNLP 2023,
equation 3). A bootstrap draw is a count of how often each item was drawn, so that all draws are one
computation on matrices; the copies of an item are ties in a draw, and no pairs for the accuracy.
Numbers that agree in 12 significant digits are ties, so that rounding errors order no pair. The
pairs in opposite order are counted by a merge sort in O(n log n) (Knight, Journal of the American
Statistical Association 61, 1966).
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hallascope.metrics.statistics.intervals import LEVEL, RESAMPLES, IntervalMethod, resample

MIN_ITEMS = 3  # under so many nothing is said
NAMES = ("pearson", "spearman", "kendall", "pairwise_accuracy")
_CELLS = 1_000_000  # at most so many numbers of one matrix in memory at once
_DIGITS = 12  # significant ones; what differs further back is a tie
_ALL_DRAWS_ITEMS = 5_000  # beyond so many items there are fewer draws
_FEWEST_DRAWS = 200
_SUBSETS = 10
_SUBSET_DRAWS = 50
_SUBSET_POWER = 0.7  # of the number of clusters; Kleiner et al. find 0.6 and more as good as all
FloatArray = NDArray[np.float64]


class IntervalEstimate(NamedTuple):
    """Holds a value with the ends of its confidence interval; None where it is not defined.

    `method` says how the interval is computed.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    method: IntervalMethod = "bootstrap"


class Draws(NamedTuple):
    """Holds the statistics of each draw, an array each, NaN where one is not defined.

    The first draw is the sample itself.
    """

    pearson: FloatArray
    spearman: FloatArray
    kendall: FloatArray
    pairwise_accuracy: FloatArray

    def estimate(self, name: str, level: float = LEVEL) -> IntervalEstimate:
        """Return a statistic by name with its percentile interval."""
        return _estimate(getattr(self, name), level)


def draw_count(items: int, clusters: int | None = None) -> int:
    """Return how many draws a table gets: RESAMPLES up to 5,000 items, fewer beyond.

    More than 5,000 clusters (items, where none are known) get 500, each of a subset; fewer clusters
    with more items get at least 200. The ends of an interval then vary a little more from seed to
    seed; their time stays bounded.
    """
    if draws_subsets(items if clusters is None else clusters):
        return _SUBSETS * _SUBSET_DRAWS
    return max(_FEWEST_DRAWS, min(RESAMPLES, RESAMPLES * _ALL_DRAWS_ITEMS // max(items, 1)))


def draws_subsets(clusters: int) -> bool:
    """Return whether so many clusters are drawn by subsets (the bag of little bootstraps)."""
    return clusters > _ALL_DRAWS_ITEMS


def round_digits(numbers: ArrayLike) -> FloatArray:
    """Return the numbers, of shape (n,), rounded to 12 significant digits."""
    values = np.asarray(numbers, dtype=np.float64)
    distinct, places = np.unique(values.ravel(), return_inverse=True)  # ratings are few numbers
    rounded = np.array([float(f"{value:.{_DIGITS}g}") for value in distinct.tolist()])
    return rounded[places].reshape(values.shape) if len(rounded) else values


def dense_ranks(numbers: ArrayLike) -> NDArray[np.intp]:
    """Return the rank of each number among the distinct ones, (n,), from 0; ties share theirs.

    Numbers that agree in 12 significant digits are ties. Raises ValueError where a number is not
    finite.
    """
    return _side(numbers).runs


def draw_statistics(
    x: ArrayLike,
    y: ArrayLike,
    resamples: int = RESAMPLES,
    seed: int = 0,
    groups: Sequence[str] | None = None,
) -> Draws:
    """Return all four statistics of the pairs (x, y) and of `resamples` draws of them.

    Both have shape (n,); n pairs are drawn with replacement. With `groups`, the name of each pair's
    cluster (n of them), whole clusters are drawn, as many as there are: what belongs to one prompt
    is not independent (Field and Welsh, Journal of the Royal Statistical Society B 69, 2007). More
    than 5,000 clusters are drawn by the bag of little bootstraps (Kleiner, Talwalkar, Sarkar and
    Jordan, Journal of the Royal Statistical Society B 76, 2014): of k clusters, subsets of k^0.7
    are each drawn from k times, and how far a draw lies from its subset's own value is added to the
    value of the whole. The same groups, n and seed give the same draws, whatever the numbers, so
    that two lists on the same items can be compared draw by draw. Raises ValueError where the
    lengths differ or a number is not finite.
    """
    first = _side(x)
    second = _side(y)
    if first.values.shape != second.values.shape:
        raise ValueError(
            f"{len(first.values)} numbers but {len(second.values)} beside them: give one of each an"
            " item"
        )
    n = len(first.values)
    if groups is not None and len(groups) != n:
        raise ValueError(f"{n} numbers but {len(groups)} groups: give the group of each item")
    clusters = np.arange(n) if groups is None else _numbers(groups)
    if draws_subsets(int(clusters.max(initial=-1)) + 1) and resamples:
        return _draw_subsets((first.values, second.values), clusters, resamples, seed)
    return _combine_draws(first, second, _draw_counts(n, resamples, seed, clusters))


def difference(draws: Draws, other: Draws, name: str, level: float = LEVEL) -> IntervalEstimate:
    """Return how much larger a statistic of `draws` is than of `other`, drawn on the same items.

    The interval is that of the paired bootstrap.
    """
    return _estimate(getattr(draws, name) - getattr(other, name), level)


# --- draws ---


def _draw_counts(
    n: int, resamples: int, seed: int, clusters: NDArray[np.intp]
) -> Iterator[FloatArray]:
    """Yield how often each item was drawn, in parts of shape (draws, n).

    `clusters` holds the number of each item's cluster, from 0. The first draw has each item once.
    """
    yield np.ones((1, n))
    number = int(clusters.max(initial=-1)) + 1
    at_once = max(1, _CELLS // max(n, 1))
    for drawn in resample(number, resamples, seed, at_once * number):
        # The clusters of each draw have numbers of their own, so that one count counts all draws.
        rows = np.arange(len(drawn))[:, None] * number
        counts = np.bincount((rows + drawn).ravel(), minlength=drawn.size)
        yield counts.reshape(-1, number)[:, clusters].astype(np.float64)


def _numbers(groups: Sequence[str]) -> NDArray[np.intp]:
    """Return the number of each item's group, from 0 in the order of their first items."""
    numbered: dict[str, int] = {}
    return np.array([numbered.setdefault(group, len(numbered)) for group in groups], dtype=np.intp)


def _combine_draws(first: "_Side", second: "_Side", drawn: Iterable[FloatArray]) -> Draws:
    """Return the statistics of all draws, from how often each has each item."""
    merges = _merges(first, second)
    parts = [_statistics(first, second, counts, merges) for counts in drawn]
    return Draws(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def _draw_subsets(
    sides: tuple[FloatArray, FloatArray], clusters: NDArray[np.intp], resamples: int, seed: int
) -> Draws:
    """Return the statistics of the whole sample and of `resamples` draws from subsets of it."""
    whole = _combine_draws(_side(sides[0]), _side(sides[1]), [np.ones((1, len(clusters)))])
    number = int(clusters.max()) + 1
    size = math.ceil(number**_SUBSET_POWER)
    chance = np.random.default_rng(seed)
    subsets = min(_SUBSETS, resamples)
    drawn: list[Draws] = []
    for subset in range(subsets):
        chosen = np.full(number, -1)
        chosen[chance.choice(number, size, replace=False)] = np.arange(size)
        items = np.flatnonzero(chosen[clusters] >= 0)
        draws = len(range(subset, resamples, subsets))
        counts = chance.multinomial(number, np.full(size, 1 / size), draws)
        copies = counts[:, chosen[clusters[items]]].astype(np.float64)
        own = np.ones((1, len(items)))
        drawn.append(_combine_draws(_side(sides[0][items]), _side(sides[1][items]), [own, copies]))
    return Draws(*(_shift_draws(name, whole, drawn) for name in NAMES))


def _shift_draws(name: str, whole: Draws, drawn: Sequence[Draws]) -> FloatArray:
    """Return a statistic of the whole, then of all draws, moved from their subsets to the whole."""
    value = getattr(whole, name)
    least = 0.0 if name == "pairwise_accuracy" else -1.0
    moved = [
        np.clip(value + getattr(draws, name)[1:] - getattr(draws, name)[0], least, 1.0)
        for draws in drawn
    ]
    return np.concatenate([value, *moved])


def _estimate(values: FloatArray, level: float) -> IntervalEstimate:
    """Return the first value with the interval of the others.

    There is no interval where fewer than half of the draws are defined.
    """
    value = values[0]
    if np.isnan(value):
        return IntervalEstimate(None)
    rest = values[1:][~np.isnan(values[1:])]
    if 2 * len(rest) < len(values) - 1 or not len(rest):
        return IntervalEstimate(float(value))
    low, high = np.quantile(rest, ((1 - level) / 2, (1 + level) / 2))
    return IntervalEstimate(float(value), float(low), float(high))


# --- statistics of weighted items ---


class _Side(NamedTuple):
    """Holds one list: its values, centered and scaled, its order, and its runs of ties.

    `starts` are where the runs begin in the order, `runs` the run of each item.
    """

    values: FloatArray
    order: NDArray[np.intp]
    starts: NDArray[np.intp]
    runs: NDArray[np.intp]

    def run_sizes(self, counts: FloatArray) -> FloatArray:
        """Return the size of each run in each draw, (draws, runs)."""
        sizes: FloatArray = np.add.reduceat(counts[:, self.order], self.starts, axis=1)
        return sizes


def _side(numbers: ArrayLike) -> _Side:
    values = np.asarray(numbers, dtype=np.float64)
    if values.ndim != 1 or not np.isfinite(values).all():
        raise ValueError(
            "the numbers must be one finite number an item: leave out items without one"
        )
    rounded = round_digits(values)
    order = np.argsort(rounded, kind="stable")
    new = np.diff(rounded[order], prepend=np.nan) != 0
    runs = np.empty(len(values), dtype=np.intp)
    runs[order] = np.cumsum(new) - 1
    centered = _scaled(values)
    if len(centered):
        centered = _scaled(centered - centered.mean())
    return _Side(values=centered, order=order, starts=np.flatnonzero(new), runs=runs)


def _scaled(values: FloatArray) -> FloatArray:
    """Return the values divided by the largest magnitude among them."""
    scaled: FloatArray = values / (np.abs(values).max(initial=0.0) or 1.0)
    return scaled


class _Merge(NamedTuple):
    """Holds one step of a merge sort: blocks of `size` items each, merged two by two.

    `order` (n,) sorts the items of every two blocks by the second list; `right` (n, 1) is 1 where
    the item so sorted comes from the right block.
    """

    size: int
    order: NDArray[np.intp]
    right: FloatArray


class _Merges(NamedTuple):
    """Holds the order of the items by the first list, ties by the second, and all merges."""

    order: NDArray[np.intp]
    steps: tuple[_Merge, ...]


def _merges(first: _Side, second: _Side) -> _Merges:
    order = np.lexsort((second.runs, first.runs))
    runs = second.runs[order]
    places = np.arange(len(order))
    steps = []
    size = 1
    while size < len(order):
        merged = np.lexsort((runs, places // (2 * size)))  # stable: of ties the left one is first
        right = (merged // size % 2).astype(np.float64)[:, None]
        steps.append(_Merge(size, merged, right))
        size *= 2
    return _Merges(order, tuple(steps))


def _statistics(first: _Side, second: _Side, counts: FloatArray, merges: _Merges) -> Draws:
    n = counts.sum(axis=1)  # of each draw: clusters differ in size
    if counts.shape[1] < 2:
        return Draws(*np.full((4, len(counts)), np.nan))
    sizes = first.run_sizes(counts)
    other_sizes = second.run_sizes(counts)
    varies = (sizes.max(axis=1) < n) & (other_sizes.max(axis=1) < n)
    with np.errstate(divide="ignore", invalid="ignore"):
        pearson = _product_moment(first.values, second.values, counts)
        spearman = _product_moment(
            _mean_ranks(sizes)[:, first.runs], _mean_ranks(other_sizes)[:, second.runs], counts
        )
        kendall, accuracy = _pair_statistics(first, second, counts, merges)
    return Draws(
        pearson=np.where(varies, pearson, np.nan),
        spearman=np.where(varies, spearman, np.nan),
        kendall=np.where(varies, kendall, np.nan),
        pairwise_accuracy=accuracy,
    )


def _product_moment(x: FloatArray, y: FloatArray, counts: FloatArray) -> FloatArray:
    """Return Pearson's r of each draw.

    x and y have shape (n,), or (draws, n) where they differ from draw to draw.
    """
    n = counts.sum(axis=1)
    dx, dy = (side - ((counts * side).sum(axis=1) / n)[:, None] for side in (x, y))
    weighted = counts * dx
    r: FloatArray = (
        (weighted * dy).sum(axis=1)
        / np.sqrt((weighted * dx).sum(axis=1))
        / np.sqrt((counts * dy * dy).sum(axis=1))
    )
    return np.clip(r, -1.0, 1.0)


def _mean_ranks(sizes: FloatArray) -> FloatArray:
    """Return the mean rank of each run of ties, from the run sizes of each draw, (draws, runs)."""
    ranks: FloatArray = np.cumsum(sizes, axis=1) - (sizes - 1) / 2
    return ranks


def _pair_statistics(
    first: _Side, second: _Side, counts: FloatArray, merges: _Merges
) -> tuple[FloatArray, FloatArray]:
    """Return Kendall's tau-b and the pairwise accuracy of each draw."""
    n = counts.sum(axis=1)
    pairs = n * (n - 1) / 2
    tied_in_first = _count_pairs(first.run_sizes(counts))
    tied_in_second = _count_pairs(second.run_sizes(counts))
    # Two items are tied on both sides where these numbers are the same.
    both = _side(first.runs * (len(second.starts) + 1) + second.runs)
    tied_in_both = _count_pairs(both.run_sizes(counts))
    copies = _count_pairs(counts)
    untied = pairs - tied_in_first - tied_in_second + tied_in_both
    surplus = untied - 2 * _discordant_pairs(merges, counts)
    tau = surplus / np.sqrt(pairs - tied_in_first) / np.sqrt(pairs - tied_in_second)
    agreeing = (untied + surplus) / 2 + tied_in_both - copies
    return np.clip(tau, -1.0, 1.0), agreeing / (pairs - copies)


def _discordant_pairs(merges: _Merges, counts: FloatArray) -> FloatArray:
    """Return how many pairs each draw holds that the two lists order otherwise.

    In a merge, each item of the left block makes such a pair with every item of the right block
    that goes before it. The sums run over all blocks at once; what the blocks before add to a sum
    is subtracted.
    """
    n = counts.shape[1]
    copies = np.ascontiguousarray(counts[:, merges.order].T)  # (n, draws)
    up_to = np.concatenate([np.zeros((1, len(counts))), np.cumsum(copies, axis=0)])
    pairs = np.zeros(len(counts))
    for step in merges.steps:
        merged = copies[step.order]
        right = merged * step.right
        pairs += np.einsum("nd,nd->d", merged - right, np.cumsum(right, axis=0))
        starts = np.arange(0, n, 2 * step.size)
        middles = np.minimum(starts + step.size, n)
        ends = np.minimum(starts + 2 * step.size, n)
        left_sums = up_to[middles] - up_to[starts]
        right_sums = up_to[ends] - up_to[middles]
        before = np.cumsum(right_sums, axis=0) - right_sums
        pairs -= (left_sums * before).sum(axis=0)
    return pairs


def _count_pairs(sizes: FloatArray) -> FloatArray:
    """Return how many pairs groups of these sizes hold, in each draw."""
    pairs: FloatArray = (sizes * (sizes - 1) / 2).sum(axis=1)
    return pairs


def constant(numbers: Sequence[float]) -> bool:
    """Return whether all numbers are the same in 12 significant digits."""
    return len(set(round_digits(numbers).tolist())) < 2
