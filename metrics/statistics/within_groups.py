"""Computes correlations within groups, such as the images of one prompt, and averages them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hallascope.metrics.statistics.correlation import (
    MIN_ITEMS,
    NAMES,
    IntervalEstimate,
    draw_statistics,
)
from hallascope.metrics.statistics.intervals import LEVEL, RESAMPLES, resample

MAX_CORRELATION = 0.99  # a perfect one counts as this: Fisher's z of 1 is infinite


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
    rows = []
    for items in members.values():
        if len(items) >= MIN_ITEMS:
            draws = draw_statistics([x[i] for i in items], [y[i] for i in items], resamples=0)
            rows.append([getattr(draws, name)[0] for name in NAMES])
    values = np.array(rows, dtype=np.float64).reshape(-1, len(NAMES))
    values = values[~np.isnan(values).any(axis=1)]
    estimates = {
        name: _mean(values[:, column], name != "pairwise_accuracy", resamples, seed)
        for column, name in enumerate(NAMES)
    }
    return WithinGroups(len(values), len(members) - len(values), estimates)


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
