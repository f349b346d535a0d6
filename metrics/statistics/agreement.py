"""Computes how well metrics agree with people on the same items, and people with each other.

The statistics are correlations and pairwise accuracy, also of metric against metric. The rating of
an item is the mean of its ratings.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain, combinations
from statistics import fmean

from hallascope.metrics.statistics.correlation import (
    MIN_ITEMS,
    NAMES,
    Draws,
    WithinGroups,
    constant,
    draw_count,
    draw_statistics,
    within_groups,
)
from hallascope.metrics.statistics.intervals import IntervalEstimate
from hallascope.metrics.statistics.reliability import (
    LEVELS,
    MeasurementLevel,
    guess_level,
    krippendorff_alpha,
)

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
        self._level = level
        self._pairs = list(combinations(scores, 2))
        if against:
            self._pairs = [(name, against) for name in scores if name != against]
        self._draws = cache(self._compute_draws)
        self._agreement = cache(self._compute_agreement)

    @cached_property
    def people(self) -> ByItem:
        """Return the mean rating of each item."""
        return {item: fmean(values) for item, values in sorted(self._ratings.items()) if values}

    def draw(self) -> Iterator[tuple[int, int]]:
        """Compute what takes long, one metric on one set of items at a time.

        Yields how many draws of how many are done, so that the caller can show the progress and
        stop between two of them. `metrics` and `differences` then take no time.
        """
        for done, (name, items) in enumerate(self._steps, start=1):
            self._draws(name, items)
            if items == self._items(name):
                self._agreement(name)
            yield done, self.tables

    @property
    def tables(self) -> int:
        """Return how many steps `draw` has: metrics on a set of items each."""
        return len(self._steps)

    @cached_property
    def _steps(self) -> list[tuple[str, tuple[str, ...]]]:
        """Return the metrics with the items on which their statistics are drawn, each once."""
        draws = [(name, self._items(name)) for name in self._scores]
        draws += [(name, self._items(*pair)) for pair in self._pairs for name in pair]
        return [step for step in dict.fromkeys(draws) if len(step[1]) >= MIN_ITEMS]

    def metrics(self) -> dict[str, MetricAgreement]:
        """Return the agreement of every metric, on the items that it scored and people rated."""
        return {name: self._agreement(name) for name in self._scores}

    def differences(self) -> Iterator[AgreementDifference]:
        """Yield the difference of the metrics that are compared, on the items of both."""
        for pair in self._pairs:
            items = self._items(*pair)
            estimates = dict.fromkeys(NAMES, IntervalEstimate(None))
            if len(items) >= MIN_ITEMS:
                one, other = (self._draws(name, items) for name in pair)
                estimates = {name: one.minus(other).estimate(name) for name in NAMES}
            yield AgreementDifference(*pair, len(items), estimates)

    @cached_property
    def raters(self) -> Raters:
        """Return Krippendorff's alpha among the raters."""
        several = [list(values) for values in self._ratings.values() if len(values) > 1]
        alpha = {level: krippendorff_alpha(several, level) for level in LEVELS}
        note = ""
        if alpha["nominal"] is None:
            note = "All ratings are the same." if several else "No item was rated twice."
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

    def _compute_agreement(self, name: str) -> MetricAgreement:
        items = self._items(name)
        if len(items) < MIN_ITEMS:
            note = (
                f"{name} and people share {len(items)} items; at least {MIN_ITEMS} are needed to"
                " say anything."
            )
            return MetricAgreement(len(items), dict.fromkeys(NAMES, IntervalEstimate(None)), note)
        scores, ratings, groups = self._columns(name, items)
        note = ""
        if constant(scores):
            note = f"{name} gives every item the same score, so that nothing correlates with it."
        elif constant(ratings):
            note = "People gave every item the same rating, so that nothing correlates with it."
        draws = self._draws(name, items)
        estimates = {statistic: draws.estimate(statistic) for statistic in NAMES}
        count = self._draw_count(groups)
        within = within_groups(scores, ratings, groups, count, self._seed) if self._groups else None
        return MetricAgreement(len(items), estimates, note, count, within)

    def _items(self, *names: str) -> tuple[str, ...]:
        """Return the items that people rated and all these metrics scored, sorted by name."""
        tables = [self._scores[name] for name in names]
        return tuple(item for item in self.people if all(item in table for table in tables))

    def _columns(
        self, name: str, items: Sequence[str]
    ) -> tuple[list[float], list[float], list[str]]:
        """Return the score, the rating and the group of each item."""
        return (
            [self._scores[name][item] for item in items],
            [self.people[item] for item in items],
            [self._groups.get(item, item) for item in items],
        )

    def _compute_draws(self, name: str, items: tuple[str, ...]) -> Draws:
        scores, ratings, groups = self._columns(name, items)
        return draw_statistics(scores, ratings, self._draw_count(groups), self._seed, groups)

    def _draw_count(self, groups: Sequence[str]) -> int:
        """Return the number of draws of items with these groups."""
        if self._resamples is not None:
            return self._resamples
        return draw_count(len(groups), len(set(groups)))
