"""Computes Pearson r, Spearman rho, Kendall tau-b and pairwise accuracy of two lists of numbers.

They are computed over all items or within groups, such as the images of one prompt. The intervals
are by bootstrap.

Ties: Spearman gives tied values their mean rank; tau-b leaves pairs that are tied on a side out of
that side's count (Kendall 1945); pairwise accuracy counts a pair as right where both sides order it
the same way or both tie it, out of all pairs (Deutsch, Foster and Freitag, Ties Matter, EMNLP 2023,
equation 3). A bootstrap draw is a count of how often each item was drawn, so that all draws are one
computation on matrices; the copies of an item are ties in a draw, and no pairs for the accuracy.
Numbers that agree in 12 significant digits are ties, so that rounding errors order no pair. The
pairs in opposite order are counted bit by bit of their ranks, in O(n log n).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hallascope.metrics.statistics.intervals import (
    RESAMPLES,
    IntervalEstimate,
    percentile_estimate,
    resample,
)

MIN_ITEMS = 3  # under so many nothing is said
NAMES = ("pearson", "spearman", "kendall", "pairwise_accuracy")
MAX_CORRELATION = 0.99  # a perfect one counts as this: Fisher's z of 1 is infinite
_CELLS = 1_000_000  # at most so many numbers of one matrix in memory at once
_GROUP_CELLS = 20_000  # the same where each number counts for one group: most of it is 0
_DIGITS = 12  # significant ones; what differs further back is a tie
_ALL_DRAWS_ITEMS = 5_000  # beyond so many items there are fewer draws
_FEWEST_DRAWS = 200
_SUBSETS = 10
_SUBSET_DRAWS = 50
_SUBSET_POWER = 0.7  # of the number of clusters; Kleiner et al. find 0.6 and more as good as all
FloatArray = NDArray[np.float64]
RankArray = NDArray[np.intp]


class Draws(NamedTuple):
    """Holds the statistics of each draw, an array each, NaN where one is not defined.

    The first draw is the sample itself.
    """

    pearson: FloatArray
    spearman: FloatArray
    kendall: FloatArray
    pairwise_accuracy: FloatArray

    def estimate(self, name: str) -> IntervalEstimate:
        """Return a statistic by name with its 95 % percentile interval."""
        return percentile_estimate(getattr(self, name))

    def minus(self, other: "Draws") -> "Draws":
        """Return the differences to draws of the same items: the paired bootstrap."""
        return Draws(*map(np.subtract, self, other))


@dataclass(frozen=True)
class WithinGroups:
    """Holds the statistics within groups, averaged over the `groups` that have enough items.

    `left_out` groups have fewer than three items, or all the same value on a side. `statistics` are
    by name, each with its 95 % interval, None where there is no group.
    """

    groups: int
    left_out: int
    statistics: Mapping[str, IntervalEstimate]


def draw_count(items: int, clusters: int | None = None) -> int:
    """Return how many draws a table gets: RESAMPLES up to 5,000 items, fewer beyond.

    More than 5,000 clusters (items, where none are known) get 500, each of a subset; fewer clusters
    with more items get at least 200. The ends of an interval then vary a little more from seed to
    seed; their time stays bounded.
    """
    if (items if clusters is None else clusters) > _ALL_DRAWS_ITEMS:
        return _SUBSETS * _SUBSET_DRAWS
    return max(_FEWEST_DRAWS, min(RESAMPLES, RESAMPLES * _ALL_DRAWS_ITEMS // max(items, 1)))


def round_digits(numbers: ArrayLike) -> FloatArray:
    """Return the numbers, of shape (n,), rounded to 12 significant digits."""
    distinct, places = np.unique(np.asarray(numbers, np.float64), return_inverse=True)
    rounded = [float(f"{value:.{_DIGITS}g}") for value in distinct.tolist()]
    return np.array(rounded, np.float64)[places]


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
    sides = _side(x), _side(y)
    n, others = (len(side.values) for side in sides)
    if n != others:
        raise ValueError(f"{n} numbers but {others} beside them: give one of each an item")
    if groups is not None and len(groups) != n:
        raise ValueError(f"{n} numbers but {len(groups)} groups: give the group of each item")
    numbers: dict[object, int] = {}
    clusters = np.array(
        [numbers.setdefault(group, len(numbers)) for group in groups or range(n)], np.intp
    )
    if resamples and len(numbers) > _ALL_DRAWS_ITEMS:
        return _draw_subsets(sides, clusters, resamples, seed)
    drawn = chain.from_iterable(resample(len(numbers), resamples, seed))
    counts = [np.bincount(draw, minlength=len(numbers)) for draw in drawn]
    return _statistics(sides, clusters, np.array([np.ones(len(numbers)), *counts], np.float32))


def within_groups(
    x: Sequence[float],
    y: Sequence[float],
    groups: Sequence[str],
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> WithinGroups:
    """Return the mean of each statistic of the pairs (x, y) within their groups, all of length n.

    Correlations are averaged through Fisher's z (Silver and Dunlap, Journal of Applied Psychology
    72, 1987), every group alike; a correlation beyond 0.99 counts as 0.99, so that one small group
    does not decide the mean (our own reading). The pairwise accuracy is averaged as it is. The
    interval is the percentile bootstrap over groups; the same seed gives the same interval. Raises
    ValueError where a number is not finite.
    """
    members: dict[str, list[int]] = {}
    for item, group in enumerate(groups):
        members.setdefault(group, []).append(item)
    counted = [own for own in members.values() if len(own) >= MIN_ITEMS]
    sides = [np.asarray(side, np.float64) for side in (x, y)]
    found = [np.empty((len(NAMES), 0))]
    step = max(1, math.isqrt(_GROUP_CELLS // max(map(len, counted), default=1)))
    for start in range(0, len(counted), step):
        # a draw that has each item of one group once, for each group
        part = counted[start : start + step]
        items = np.concatenate(part)
        numbers = np.repeat(np.arange(len(part)), list(map(len, part)))
        counts = np.equal(np.arange(len(part))[:, None], numbers).astype(np.float64)
        first, second = (
            _side(side[items])._replace(values=np.concatenate([_center(side[own]) for own in part]))
            for side in sides
        )
        found.append(np.array(_item_statistics(first, second, counts)))
    values = np.concatenate(found, axis=1).T
    values = values[~np.isnan(values).any(axis=1)]
    estimates = dict.fromkeys(NAMES, IntervalEstimate(None))
    if len(values):
        values[:, :3] = np.arctanh(np.clip(values[:, :3], -MAX_CORRELATION, MAX_CORRELATION))
        parts = resample(len(values), resamples if len(values) > 1 else 0, seed)
        drawn = chain(
            [values.mean(axis=0, keepdims=True)], (values[part].mean(1) for part in parts)
        )
        means = np.concatenate(list(drawn))
        means[:, :3] = np.tanh(means[:, :3])
        estimates = dict(zip(NAMES, map(percentile_estimate, means.T), strict=True))
    return WithinGroups(len(values), len(members) - len(values), estimates)


def constant(numbers: Sequence[float]) -> bool:
    """Return whether all numbers are the same in 12 significant digits."""
    return len(set(round_digits(numbers).tolist())) < 2


class _Side(NamedTuple):
    """Holds one list: its values, centered and scaled, and the rank of each among the distinct."""

    values: FloatArray
    ranks: RankArray


def _side(numbers: ArrayLike) -> _Side:
    values = np.asarray(numbers, dtype=np.float64)
    if values.ndim != 1 or not np.isfinite(values).all():
        raise ValueError(
            "the numbers must be one finite number an item: leave out items without one"
        )
    ranks = np.unique(round_digits(values), return_inverse=True)[1]
    return _Side(_center(values), ranks)


def _center(values: FloatArray) -> FloatArray:
    """Return the values less their mean, scaled so that their squares are finite."""
    scaled = _scale(values)
    return _scale(scaled - (scaled.mean() if len(scaled) else 0.0))


def _scale(values: FloatArray) -> FloatArray:
    """Return the values divided by the largest magnitude among them."""
    scaled: FloatArray = values / (np.abs(values).max(initial=0.0) or 1.0)
    return scaled


def _draw_subsets(
    sides: tuple[_Side, _Side], clusters: RankArray, resamples: int, seed: int
) -> Draws:
    """Return the statistics of the whole sample and of `resamples` draws from subsets of it."""
    number = int(clusters.max()) + 1
    size = math.ceil(number**_SUBSET_POWER)
    chance = np.random.default_rng(seed)
    ones = np.ones((1, size))
    whole = np.array(_statistics(sides, clusters, np.ones((1, number))))
    least = np.array([[-1.0], [-1.0], [-1.0], [0.0]])
    subsets = min(_SUBSETS, resamples)
    drawn = [whole]
    for subset in range(subsets):
        chosen = np.full(number, -1)
        chosen[chance.choice(number, size, replace=False)] = np.arange(size)
        items = np.flatnonzero(chosen[clusters] >= 0)
        draws = len(range(subset, resamples, subsets))
        counts = chance.multinomial(number, np.full(size, 1 / size), draws)
        first, second = (_side(side.values[items]) for side in sides)
        draws_of_subset = _statistics(
            (first, second), chosen[clusters[items]], np.vstack([ones, counts])
        )
        own = np.array(draws_of_subset)
        # how far each draw lies from its subset, added to the whole
        drawn.append(np.clip(whole + own[:, 1:] - own[:, :1], least, 1.0))
    return Draws(*np.concatenate(drawn, axis=1))


# --- statistics of weighted items ---


def _statistics(
    sides: tuple[_Side, _Side], clusters: RankArray, counts: NDArray[np.floating]
) -> Draws:
    """Return the statistics of draws that have each cluster so often, counts (draws, clusters)."""
    if len(clusters) < 2:
        return Draws(*np.full((4, len(counts)), np.nan))
    step = max(1, _CELLS // len(clusters))
    parts = [
        _item_statistics(*sides, counts[start : start + step, clusters].astype(np.float64))
        for start in range(0, len(counts), step)
    ]
    return Draws(*np.concatenate(parts, axis=1))


def _item_statistics(first: _Side, second: _Side, counts: FloatArray) -> Draws:
    """Return the statistics of draws that have each item so often, counts (draws, n)."""
    n = counts.sum(axis=1)  # of each draw: clusters differ in size
    sizes, other_sizes = (_run_sizes(side.ranks, counts) for side in (first, second))
    # two items are tied on both sides where these numbers are the same
    both = np.unique(first.ranks * len(second.ranks) + second.ranks, return_inverse=True)[1]
    tied, other_tied, tied_in_both, copies = map(
        _count_pairs, (sizes, other_sizes, _run_sizes(both, counts), counts)
    )
    pairs = n * (n - 1) / 2
    untied = pairs - tied - other_tied + tied_in_both
    surplus = untied - 2 * _count_discordant(first.ranks, second.ranks, counts)
    with np.errstate(divide="ignore", invalid="ignore"):
        correlations = np.stack(
            [
                _product_moment(first.values, second.values, counts),
                _product_moment(
                    _mean_ranks(sizes)[:, first.ranks],
                    _mean_ranks(other_sizes)[:, second.ranks],
                    counts,
                ),
                surplus / np.sqrt(pairs - tied) / np.sqrt(pairs - other_tied),
            ]
        )
        accuracy = ((untied + surplus) / 2 + tied_in_both - copies) / (pairs - copies)
    varies = (tied < pairs) & (other_tied < pairs)
    pearson, spearman, kendall = np.where(varies, np.clip(correlations, -1.0, 1.0), np.nan)
    return Draws(pearson, spearman, kendall, accuracy)


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
    return r


def _run_sizes(ranks: RankArray, counts: FloatArray) -> FloatArray:
    """Return how many items of each draw have each rank, (draws, ranks)."""
    order = np.argsort(ranks, kind="stable")
    starts = np.flatnonzero(np.diff(ranks[order], prepend=-1))
    sizes: FloatArray = np.add.reduceat(counts[:, order], starts, axis=1)
    return sizes


def _mean_ranks(sizes: FloatArray) -> FloatArray:
    """Return the mean rank of each run of ties, from the run sizes of each draw, (draws, runs)."""
    ranks: FloatArray = np.cumsum(sizes, axis=1) - (sizes - 1) / 2
    return ranks


def _count_pairs(sizes: FloatArray) -> FloatArray:
    """Return how many pairs groups of these sizes hold, in each draw."""
    pairs: FloatArray = (sizes * (sizes - 1) / 2).sum(axis=1)
    return pairs


def _count_discordant(first: RankArray, second: RankArray, counts: FloatArray) -> FloatArray:
    """Return how many pairs of each draw the two lists order otherwise.

    Two items differ in their second ranks first at one binary digit. In the order of the first
    list, a pair is discordant where the earlier item has the 1 there; a cumulative sum among the
    items with the same higher digits counts those.
    """
    order = np.lexsort((second, first))
    second = second[order]
    copies = np.ascontiguousarray(counts[:, order].T)  # (n, draws)
    pairs = np.zeros(len(counts))
    for bit in range(int(second.max()).bit_length()):
        higher = second >> (bit + 1)
        order_in_block = np.argsort(higher, kind="stable")
        starts = np.flatnonzero(np.diff(higher[order_in_block], prepend=-1))
        ones = copies[order_in_block] * (second[order_in_block] >> bit & 1)[:, None]
        zeros = copies[order_in_block] - ones
        ones_so_far = np.cumsum(ones, axis=0)
        pairs += np.einsum("nd,nd->d", zeros, ones_so_far)
        # minus the ones of other blocks
        pairs -= (np.add.reduceat(zeros, starts) * (ones_so_far - ones)[starts]).sum(axis=0)
    return pairs
