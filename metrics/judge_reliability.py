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
    kinds. `balanced_accuracy` is the mean of both. `baseline`: of these questions, the share that
    always giving the expected answer would get right, were facts violated as often as in the trial;
    `kappa` is Cohen's, of flagged or not against violated or not, at that share. The three are None
    where one of the two shares is. `kinds` are the compositions of interest of the score; () where
    the whole trial counts. `not_measured` names those of them of which the trial lacks violated
    facts, or facts that hold. `measured_on` counts and names the images of the trial, which are
    like those of the score, such as "200 labeled diffusion images".
    """

    judge: str
    sensitivity: ExpectedShare | None
    specificity: ExpectedShare | None
    kinds: tuple[CoI, ...]
    not_measured: tuple[CoI, ...]
    source: TrialOrigin
    measured_on: str
    balanced_accuracy: ExpectedShare | None = None
    kappa: float | None = None
    baseline: ExpectedShare | None = None

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


def expected_balanced_accuracy(
    sensitivity: ExpectedShare | None, specificity: ExpectedShare | None
) -> ExpectedShare | None:
    """Return the mean of both shares; None where one is missing.

    The interval joins theirs as `expected_share` does those of the kinds.
    """
    if sensitivity is None or specificity is None:
        return None
    value = (sensitivity.value + specificity.value) / 2
    below = math.hypot(sensitivity.value - sensitivity.low, specificity.value - specificity.low)
    above = math.hypot(sensitivity.high - sensitivity.value, specificity.high - specificity.value)
    return ExpectedShare(
        value=value,
        low=max(0.0, value - below / 2),
        high=min(1.0, value + above / 2),
        n=sensitivity.n + specificity.n,
    )


def expected_baseline(
    violated: FactCounts, holding: FactCounts, weights: Mapping[CoI, float]
) -> ExpectedShare | None:
    """Return the share of questions whose true answer is the expected one, by `expected_share`.

    A kind counts where the trial asked any fact of it. None where nothing was asked.
    """

    def count(of_violated: FactCount, of_holding: FactCount) -> FactCount:
        return FactCount(of_holding.asked, of_violated.asked + of_holding.asked)

    kinds = dict.fromkeys([*violated.by_coi, *holding.by_coi])
    nothing = FactCount(0, 0)
    by_coi = {
        kind: count(violated.by_coi.get(kind, nothing), holding.by_coi.get(kind, nothing))
        for kind in kinds
    }
    return expected_share(FactCounts(count(violated.overall, holding.overall), by_coi), weights)


def expected_kappa(sensitivity: float, specificity: float, baseline: float) -> float | None:
    """Return Cohen's kappa (1960) of a judge with these shares, all in [0, 1]; at most 1.

    `baseline` is the share of facts that hold. None where chance alone would agree always.
    """
    violated = 1 - baseline
    flagged = violated * sensitivity + baseline * (1 - specificity)
    agreement = violated * sensitivity + baseline * specificity
    chance = violated * flagged + baseline * (1 - flagged)
    return (agreement - chance) / (1 - chance) if chance < 1 else None


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
