"""Computes how well metrics agree with people on the same items, and people themselves.

It gives correlations, pairwise accuracy, and metric against metric.

The rating of an item is the mean of its ratings. It knows numbers by item, not what was rated.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from hallascope.metrics.statistics.correlation import (
    LEAST,
    NAMES,
    Draws,
    IntervalEstimate,
    constant,
    difference,
    draw_statistics,
)
from hallascope.metrics.statistics.intervals import RESAMPLES
from hallascope.metrics.statistics.reliability import LEVELS, MeasurementLevel, krippendorff_alpha

ByItem = Mapping[str, float]


@dataclass(frozen=True)
class MetricAgreement:
    """Holds a metric against people on `n` items, by the names of the statistics.

    They are pearson, spearman, kendall (tau-b) and pairwise_accuracy.

    Each with its 95 % bootstrap interval, resampled by item. `note`: one sentence where a statistic
    is None, or "".
    """

    n: int
    statistics: Mapping[str, IntervalEstimate]
    note: str = ""


@dataclass(frozen=True)
class AgreementDifference:
    """How much better one metric agrees with people than another on the `n` items of both:
    differences with paired intervals.
    """

    one: str
    other: str
    n: int
    differences: Mapping[str, IntervalEstimate]


@dataclass(frozen=True)
class Raters:
    """How far people agree among themselves.

    `alpha` by level; `items` with two ratings or more were counted, `alone` have one.
    """

    alpha: Mapping[MeasurementLevel, float | None]
    items: int
    ratings: int
    alone: int
    note: str = ""


class Study:
    """Scores by metric and item beside the ratings by item.

    The same seed gives the same intervals.
    """

    def __init__(
        self,
        scores: Mapping[str, ByItem],
        ratings: Mapping[str, Sequence[float]],
        resamples: int = RESAMPLES,
        seed: int = 0,
    ) -> None:
        self._scores = scores
        self._ratings = ratings
        self._resamples = resamples
        self._seed = seed
        self._drawn: dict[tuple[str, tuple[str, ...]], Draws] = {}

    @cached_property
    def people(self) -> ByItem:
        """The mean rating of each item."""
        return {
            item: math.fsum(values) / len(values)
            for item, values in self._ratings.items()
            if values
        }

    def draw(self) -> Iterator[tuple[int, int]]:
        """Compute what takes long, one metric on one set of items at a time.

        Yields how many of how many are done.

        `metrics` and `compared` then take no time. Whoever draws can show how far it is, and stop
        between two of them.
        """
        pairs = [(names, self._items(*names)) for names in combinations(self._scores, 2)]
        wanted = [(name, self._items(name)) for name in self._scores]
        wanted += [(name, items) for names, items in pairs for name in names]
        needed = [one for one in dict.fromkeys(wanted) if len(one[1]) >= LEAST]
        for done, (name, items) in enumerate(needed, start=1):
            self._draws(name, items)
            yield done, len(needed)

    def metrics(self) -> dict[str, MetricAgreement]:
        """Every metric on the items that it scored and people rated."""
        return {name: self._agreement(name) for name in self._scores}

    def compared(self) -> Iterator[AgreementDifference]:
        """Every two metrics on the items of both."""
        for one, other in combinations(self._scores, 2):
            items = self._items(one, other)
            if len(items) < LEAST:
                yield AgreementDifference(
                    one, other, len(items), dict.fromkeys(NAMES, IntervalEstimate(None))
                )
            else:
                first = self._draws(one, items)
                second = self._draws(other, items)
                yield AgreementDifference(
                    one,
                    other,
                    len(items),
                    {name: difference(first, second, name) for name in NAMES},
                )

    def raters(self) -> Raters:
        """Krippendorff's alpha among the raters."""
        several = [list(values) for values in self._ratings.values() if len(values) > 1]
        alpha = {level: krippendorff_alpha(several, level) for level in LEVELS}
        if alpha["nominal"] is not None:
            note = ""
        elif several:
            note = "All ratings are the same."
        else:
            note = "No item was rated twice."
        return Raters(
            alpha,
            len(several),
            sum(map(len, several)),
            sum(len(values) == 1 for values in self._ratings.values()),
            note,
        )

    def _agreement(self, name: str) -> MetricAgreement:
        items = self._items(name)
        if len(items) < LEAST:
            note = (
                f"{name} and people share {len(items)} items; at least {LEAST} are needed to say"
                " anything."
            )
            return MetricAgreement(len(items), dict.fromkeys(NAMES, IntervalEstimate(None)), note)
        draws = self._draws(name, items)
        return MetricAgreement(
            len(items),
            {statistic: draws.estimate(statistic) for statistic in NAMES},
            self._note(name, items),
        )

    def _note(self, name: str, items: Sequence[str]) -> str:
        """Why there is no correlation, where there is none."""
        if constant([self._scores[name][item] for item in items]):
            return f"{name} gives every item the same score, so that nothing correlates with it."
        if constant([self.people[item] for item in items]):
            return "People gave every item the same rating, so that nothing correlates with it."
        return ""

    def _items(self, *names: str) -> tuple[str, ...]:
        """The items that people rated and all these metrics scored, in the order of their names."""
        return tuple(
            sorted(
                item for item in self.people if all(item in self._scores[name] for name in names)
            )
        )

    def _draws(self, name: str, items: tuple[str, ...]) -> Draws:
        if (name, items) not in self._drawn:
            scores = [self._scores[name][item] for item in items]
            ratings = [self.people[item] for item in items]
            self._drawn[name, items] = draw_statistics(scores, ratings, self._resamples, self._seed)
        return self._drawn[name, items]
