"""Computes correlations within groups, such as the images of one prompt, and averages them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hallascope.metrics.statistics.correlation import (
    MIN_ITEMS,
    NAMES,
    IntervalEstimate,
    dense_ranks,
    draw_statistics,
)
from hallascope.metrics.statistics.intervals import LEVEL, RESAMPLES, resample

MAX_CORRELATION = 0.99  # a perfect one counts as this: Fisher's z of 1 is infinite
_MATRIX_ITEMS = 500  # of a group; the pairs of larger ones are counted by a merge sort
_CELLS = 1_000_000  # pairs in memory at once


@dataclass(frozen=True)
class WithinGroups:
    """Holds the statistics within groups, averaged over the `groups` that have enough items.

    `left_out` groups have fewer than three items, or all the same value on a side. `statistics` are
    by name, each with its 95 % interval, None where there is no group.
    """

    groups: int
    left_out: int
    statistics: Mapping[str, IntervalEstimate]


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
    ValueError where the lengths differ or a number is not finite.
    """
    members: dict[str, list[int]] = {}
    for item, group in enumerate(groups):
        members.setdefault(group, []).append(item)
    values = _group_statistics(np.asarray(x, float), np.asarray(y, float), list(members.values()))
    values = values[~np.isnan(values).any(axis=1)]
    estimates = {
        name: _mean(values[:, column], name != "pairwise_accuracy", resamples, seed)
        for column, name in enumerate(NAMES)
    }
    return WithinGroups(len(values), len(members) - len(values), estimates)


def _group_statistics(
    x: NDArray[np.float64], y: NDArray[np.float64], members: Sequence[Sequence[int]]
) -> NDArray[np.float64]:
    """Return the statistics of each group, (groups, statistics); NaN where there is none.

    Groups of the same size are computed together.
    """
    ranks = dense_ranks(x), dense_ranks(y)
    values = np.full((len(members), len(NAMES)), np.nan)
    by_size: dict[int, list[int]] = {}
    for group, items in enumerate(members):
        by_size.setdefault(len(items), []).append(group)
    for size, numbers in by_size.items():
        if size < MIN_ITEMS:
            continue
        if size > _MATRIX_ITEMS:
            for group in numbers:
                draws = draw_statistics(x[members[group]], y[members[group]], resamples=0)
                values[group] = [getattr(draws, name)[0] for name in NAMES]
            continue
        step = max(1, _CELLS // size**2)
        for start in range(0, len(numbers), step):
            part = numbers[start : start + step]
            places = np.array([members[group] for group in part])
            values[part] = _matrix_statistics(
                (x[places], y[places]), (ranks[0][places], ranks[1][places])
            )
    return values


def _matrix_statistics(
    sides: tuple[NDArray[np.float64], NDArray[np.float64]],
    ranks: tuple[NDArray[np.intp], NDArray[np.intp]],
) -> NDArray[np.float64]:
    """Return the statistics of groups of one size, (groups, statistics), from all their pairs.

    Each side and its ranks have shape (groups, items). The sum of an item's signs against all
    others is twice its mean rank, less a constant.
    """
    size = ranks[0].shape[1]
    first, second = (np.sign(side[:, :, None] - side[:, None, :]) for side in ranks)
    alike = (first == second).sum(axis=(1, 2)) - size  # less each item with itself
    with np.errstate(divide="ignore", invalid="ignore"):
        columns = (
            _product_moments(*sides),
            _product_moments(first.sum(axis=2, dtype=float), second.sum(axis=2, dtype=float)),
            (first * second).sum(axis=(1, 2))
            / np.sqrt((first != 0).sum(axis=(1, 2)))
            / np.sqrt((second != 0).sum(axis=(1, 2))),
            alike / (size * (size - 1)),
        )
    values = np.stack(columns, axis=1)
    constant = ~first.any(axis=(1, 2)) | ~second.any(axis=(1, 2))
    values[constant] = np.nan
    return values


def _product_moments(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return Pearson's r of each row of x and y, both of shape (groups, items)."""
    dx, dy = (_deviations(side) for side in (x, y))
    r: NDArray[np.float64] = (
        (dx * dy).sum(axis=1) / np.sqrt((dx * dx).sum(axis=1)) / np.sqrt((dy * dy).sum(axis=1))
    )
    return np.clip(r, -1.0, 1.0)


def _deviations(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return each row less its mean, scaled so that its squares are finite."""
    scaled = rows / np.abs(rows).max(axis=1, keepdims=True)
    centered = scaled - scaled.mean(axis=1, keepdims=True)
    deviations: NDArray[np.float64] = centered / np.abs(centered).max(axis=1, keepdims=True)
    return deviations


def _mean(values: NDArray[np.float64], fisher: bool, resamples: int, seed: int) -> IntervalEstimate:
    """Return the mean over groups with its interval; no interval under two groups."""
    if not len(values):
        return IntervalEstimate(None)
    scale = np.arctanh(np.clip(values, -MAX_CORRELATION, MAX_CORRELATION)) if fisher else values
    means = [np.array([scale.mean()])]
    if len(values) > 1:
        means += [scale[drawn].mean(axis=1) for drawn in resample(len(values), resamples, seed)]
    drawn_means = np.concatenate(means)
    if fisher:
        drawn_means = np.tanh(drawn_means)
    value = float(drawn_means[0])
    if len(values) < 2:
        return IntervalEstimate(value)
    low, high = np.quantile(drawn_means[1:], ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    return IntervalEstimate(value, float(low), float(high))
