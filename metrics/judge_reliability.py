"""Says what to expect of a judge on given kinds of question, from counts of its trial.

It is for people who look at scores: no score is corrected by it. Where a trial comes from, this
module does not know.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from hallascope.data.records import CoI
from hallascope.metrics.statistics.intervals import Interval, clopper_pearson

TrialOrigin = Literal["own trial", "shipped trial"]
TrialImages = Literal["Primer images", "images labeled by hand"]


class FactCount(NamedTuple):
    """Counts facts of one kind in a trial: `right` of those `asked`, such as errors found.

    `low` and `high` are the trial's own 95 % interval of the share by image; None
    where it has none.
    """

    right: int
    asked: int
    low: float | None = None
    high: float | None = None


class FactCounts(NamedTuple):
    """Holds the counts of a trial: over all its questions, and by composition of interest."""

    overall: FactCount
    by_coi: Mapping[CoI, FactCount]


@dataclass(frozen=True)
class ExpectedShare:
    """Holds a share in [0, 1] with its 95 % interval, and the `n` facts of a trial it rests on."""

    value: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, kw_only=True)
class JudgeReliability:
    """Holds what to expect of a judge on the kinds of question that a score rests on.

    `sensitivity`: of the facts that are violated, the share that the judge flags; `specificity`: of
    those that hold, the share that it accepts; None where the trial asked no such fact of these
    kinds. `kinds` are the compositions of interest of the score; () where the whole trial counts.
    `not_measured` names those of them of which the trial lacks violated facts, or facts that hold.
    The trial was on so many `images` of the sort that `measured_on` names. `same_images`: the
    scored images are of that sort, too.
    """

    judge: str
    sensitivity: ExpectedShare | None
    specificity: ExpectedShare | None
    kinds: tuple[CoI, ...]
    not_measured: tuple[CoI, ...]
    source: TrialOrigin
    measured_on: TrialImages
    images: int
    same_images: bool

    @property
    def measured(self) -> bool:
        """Return whether the trial says anything about these kinds of question."""
        return self.sensitivity is not None or self.specificity is not None


def expected_share(counts: FactCounts, weights: Mapping[CoI, float]) -> ExpectedShare | None:
    """Return the share to expect of questions that are of each kind as often as `weights` say.

    It is the stratified estimate, sum(w * p) / sum(w) over the kinds k with p = right / asked; a
    kind of which nothing was asked counts for nothing, and without weights the overall counts
    stand. None where nothing was asked.

    The interval adds up those of the kinds by the method of variance estimates recovery (Zou and
    Donner, Statistics in Medicine 27, 2008): low = value - sqrt(sum((w * (p - low_k)) ** 2)), high
    likewise. Each kind gives the wider of the interval of Clopper and Pearson on its facts, which
    has a width where all are right, and of the trial's interval, which knows that facts of one
    image belong together. (Trials of version 0.1.0 have a bootstrap, which may end at a point.)
    """
    strata = [
        (weight, counts.by_coi[kind])
        for kind, weight in weights.items()
        if weight > 0 and kind in counts.by_coi and counts.by_coi[kind].asked
    ]
    if not weights and counts.overall.asked:
        strata = [(1.0, counts.overall)]
    if not strata:
        return None
    total = sum(weight for weight, _ in strata)
    value = below = above = 0.0
    for weight, count in strata:
        share = count.right / count.asked
        low, high, _ = _interval(count)
        value += weight / total * share
        below += (weight / total * (share - low)) ** 2
        above += (weight / total * (high - share)) ** 2
    return ExpectedShare(
        value=value,
        low=max(0.0, value - math.sqrt(below)),
        high=min(1.0, value + math.sqrt(above)),
        n=sum(count.asked for _, count in strata),
    )


def kinds_without_facts(counts: FactCounts, weights: Mapping[CoI, float]) -> tuple[CoI, ...]:
    """Return the kinds that are wanted and of which the counts have no fact."""
    return tuple(
        kind
        for kind, weight in weights.items()
        if weight > 0 and not (kind in counts.by_coi and counts.by_coi[kind].asked)
    )


def _interval(count: FactCount) -> Interval:
    """Return the wider of the interval of independent facts and the trial's. `asked` is above 0."""
    low, high, method = clopper_pearson(count.right / count.asked, count.asked)
    return Interval(
        low if count.low is None else min(low, count.low),
        high if count.high is None else max(high, count.high),
        method,
    )
