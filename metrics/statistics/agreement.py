"""Computes how well metrics agree with people on the same items, and people with each other.

The statistics are correlations and pairwise accuracy, also of metric against metric. The rating of
an item is the mean of its ratings.
"""

import math
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations

from hallascope.metrics.statistics.correlation import (
    MIN_ITEMS,
    NAMES,
    Draws,
    IntervalEstimate,
    constant,
    difference,
    draw_count,
    draw_statistics,
)
from hallascope.metrics.statistics.reliability import (
    LEVELS,
    MeasurementLevel,
    guess_level,
    krippendorff_alpha,
)
from hallascope.metrics.statistics.within_groups import WithinGroups, within_groups

ByItem = Mapping[str, float]


@dataclass(frozen=True)
class MetricAgreement:
    """Holds how well a metric agrees with people on `n` items, by the names of the statistics.

    They are pearson, spearman, kendall (tau-b) and pairwise_accuracy, each with its 95 % bootstrap
    interval from `draws` draws, resampled by item, or by group where groups are known. `within` are
    the statistics within groups, None without groups. `note` is one sentence where a statistic is
    None, or "".
    """

    n: int
    statistics: Mapping[str, IntervalEstimate]
    note: str = ""
    draws: int = 0
    within: WithinGroups | None = None


@dataclass(frozen=True)
class AgreementDifference:
    """Holds how much better one metric agrees with people than another, with paired intervals.

    Both are taken on the `n` items that both have scored.
    """

    one: str
    other: str
    n: int
    differences: Mapping[str, IntervalEstimate]


@dataclass(frozen=True)
class Raters:
    """Holds how far people agree among themselves.

    `alpha` is by level; `items` with two ratings or more were counted, `alone` have one. `level` is
    that of the scale: read alpha at this level. `level_reason` says in a few words why it was
    guessed, "" where it was given.
    """

    alpha: Mapping[MeasurementLevel, float | None]
    items: int
    ratings: int
    alone: int
    note: str = ""
    level: MeasurementLevel = "interval"
    level_reason: str = ""


class Study:
    """Compares scores by metric and item with the ratings by item.

    `groups` names the cluster of each item, such as its prompt: clusters are resampled instead of
    items; an item without one is a cluster of its own. `against` names the one metric with which
    every other is compared; without it all are compared with all. `resamples` is the number of
    draws, by default `draw_count` of the items. `level` is that of the ratings' scale; None: it is
    guessed. The same seed gives the same intervals. Raises ValueError where `against` names no
    metric.
    """

    def __init__(
        self,
        scores: Mapping[str, ByItem],
        ratings: Mapping[str, Sequence[float]],
        resamples: int | None = None,
        seed: int = 0,
        groups: Mapping[str, str] | None = None,
        against: str = "",
        level: MeasurementLevel | None = None,
    ) -> None:
        if against and against not in scores:
            raise ValueError(
                f"the metric {against!r} has no scores: compare with one of"
                f" {', '.join(map(repr, scores))}"
            )
        self._scores = scores
        self._ratings = ratings
        self._resamples = resamples
        self._seed = seed
        self._groups = groups or {}
        self._against = against
        self._level = level
        self._shared: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._agreements: dict[str, MetricAgreement] = {}
        self._drawn: dict[tuple[str, tuple[str, ...]], Draws] = {}

    @cached_property
    def people(self) -> ByItem:
        """Return the mean rating of each item."""
        return {
            item: math.fsum(values) / len(values)
            for item, values in self._ratings.items()
            if values
        }

    @cached_property
    def _order(self) -> Sequence[str]:
        return sorted(self.people)

    def draw(self) -> Iterator[tuple[int, int]]:
        """Compute what takes long, one metric on one set of items at a time.

        Yields how many draws of how many are done, so that the caller can show the progress and
        stop between two of them. `metrics` and `differences` then take no time.
        """
        possible = self._possible_draws
        for done, (name, items) in enumerate(possible, start=1):
            if items == self._items(name):
                self._agreement(name)
            else:
                self._draws(name, items)
            yield done, len(possible)

    @property
    def tables(self) -> int:
        """Return how many steps `draw` has: metrics on a set of items each."""
        return len(self._possible_draws)

    @cached_property
    def _possible_draws(self) -> list[tuple[str, tuple[str, ...]]]:
        """Return the metrics with the items on which their statistics are drawn, each once."""
        draws = [(name, self._items(name)) for name in self._scores]
        for names in self._pairs():
            items = self._items(*names)
            draws += [(name, items) for name in names]
        return [(name, items) for name, items in dict.fromkeys(draws) if len(items) >= MIN_ITEMS]

    def metrics(self) -> dict[str, MetricAgreement]:
        """Return the agreement of every metric, on the items that it scored and people rated."""
        return {name: self._agreement(name) for name in self._scores}

    def differences(self) -> Iterator[AgreementDifference]:
        """Yield the difference of the metrics that are compared, on the items of both."""
        for first, second in self._pairs():
            items = self._items(first, second)
            estimates = dict.fromkeys(NAMES, IntervalEstimate(None))
            if len(items) >= MIN_ITEMS:
                first_draws = self._draws(first, items)
                second_draws = self._draws(second, items)
                estimates = {name: difference(first_draws, second_draws, name) for name in NAMES}
            yield AgreementDifference(first, second, len(items), estimates)

    def raters(self) -> Raters:
        """Return Krippendorff's alpha among the raters."""
        return self._raters

    @cached_property
    def _raters(self) -> Raters:
        several = [list(values) for values in self._ratings.values() if len(values) > 1]
        alpha = {level: krippendorff_alpha(several, level) for level in LEVELS}
        if alpha["nominal"] is not None:
            note = ""
        elif several:
            note = "All ratings are the same."
        else:
            note = "No item was rated twice."
        level, reason = guess_level(chain.from_iterable(self._ratings.values()))
        return Raters(
            alpha=alpha,
            items=len(several),
            ratings=sum(map(len, several)),
            alone=sum(len(values) == 1 for values in self._ratings.values()),
            note=note,
            level=self._level or level,
            level_reason="" if self._level else reason,
        )

    def _pairs(self) -> Iterator[tuple[str, str]]:
        """Yield the metrics that are compared, two by two."""
        if self._against:
            yield from ((name, self._against) for name in self._scores if name != self._against)
        else:
            yield from combinations(self._scores, 2)

    def _agreement(self, name: str) -> MetricAgreement:
        if name not in self._agreements:
            self._agreements[name] = self._compute_agreement(name)
        return self._agreements[name]

    def _compute_agreement(self, name: str) -> MetricAgreement:
        items = self._items(name)
        if len(items) < MIN_ITEMS:
            note = (
                f"{name} and people share {len(items)} items; at least {MIN_ITEMS} are needed to"
                " say anything."
            )
            return MetricAgreement(len(items), dict.fromkeys(NAMES, IntervalEstimate(None)), note)
        note = ""
        if constant([self._scores[name][item] for item in items]):
            note = f"{name} gives every item the same score, so that nothing correlates with it."
        elif constant([self.people[item] for item in items]):
            note = "People gave every item the same rating, so that nothing correlates with it."
        draws = self._draws(name, items)
        estimates = {statistic: draws.estimate(statistic) for statistic in NAMES}
        within = None
        if self._groups:
            within = within_groups(
                [self._scores[name][item] for item in items],
                [self.people[item] for item in items],
                [self._groups.get(item, item) for item in items],
                self._draw_count(items),
                self._seed,
            )
        return MetricAgreement(len(items), estimates, note, self._draw_count(items), within)

    def _items(self, *names: str) -> tuple[str, ...]:
        """Return the items that people rated and all these metrics scored, sorted by name."""
        if names not in self._shared:
            shared: Set[str] = self.people.keys()
            for name in names:
                shared = shared & self._scores[name].keys()
            self._shared[names] = tuple(item for item in self._order if item in shared)
        return self._shared[names]

    def _draws(self, name: str, items: tuple[str, ...]) -> Draws:
        if (name, items) not in self._drawn:
            scores = [self._scores[name][item] for item in items]
            ratings = [self.people[item] for item in items]
            groups = [self._groups.get(item, item) for item in items] if self._groups else None
            self._drawn[name, items] = draw_statistics(
                scores, ratings, self._draw_count(items), self._seed, groups
            )
        return self._drawn[name, items]

    def _draw_count(self, items: tuple[str, ...]) -> int:
        if self._resamples is not None:
            return self._resamples
        clusters = len({self._groups.get(item, item) for item in items})
        return draw_count(len(items), clusters)
