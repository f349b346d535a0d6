"""Computes how a judge answers, beside whether it is right.

These are answer rate, abstention, position bias, consistency, calibration, and agreement with
others. A share of nothing is None.
"""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, pstdev
from typing import NamedTuple

from hallascope.data.evidence import State
from hallascope.metrics.statistics.intervals import IntervalMethod

_ANSWERED: Sequence[State] = ("correct", "incorrect", "abstained")
BINS = 10  # of equal width, as Guo et al. 2017 draw their reliability diagrams


class Rate(NamedTuple):
    """Holds a part of a whole; `value` is None where the whole is 0."""

    part: int
    of: int

    @property
    def value(self) -> float | None:
        """Return the share, in [0, 1]."""
        return self.part / self.of if self.of else None


def answer_rate(states: Sequence[State]) -> Rate:
    """Return how many of all questions were answered readably; an abstention is an answer."""
    return Rate(sum(state in _ANSWERED for state in states), len(states))


def abstention_rate(states: Sequence[State]) -> Rate:
    """Return in how many answered questions the judge found no choice to fit where one does."""
    return Rate(states.count("abstained"), answer_rate(states).part)


# --- position bias ---


class ShuffledChoice(NamedTuple):
    """Holds the chosen place and the right one among shuffled choices, counted from 0."""

    chosen: int
    right: int


@dataclass(frozen=True)
class PositionBias:
    """Holds whether a judge prefers a place among the choices, one entry a place.

    `chosen` and `right` count how often each place was chosen, and was the right one. `recall` is
    the share answered right of the questions whose right choice stood there; None where there are
    none. `spread` is the standard deviation of the recalls in [0, 0.5], 0 without any bias (RStd of
    Zheng et al., ICLR 2024, section 2); None under two recalls.
    """

    chosen: tuple[int, ...]
    right: tuple[int, ...]
    recall: tuple[float | None, ...]
    spread: float | None


def position_bias(answers: Sequence[ShuffledChoice], places: int) -> PositionBias:
    """Return the bias over answers among so many `places`.

    Choices must have been shuffled, or the places stand for what is in them. Raises ValueError
    where an answer lies outside the places.
    """
    for answer in answers:
        if not (0 <= answer.chosen < places and 0 <= answer.right < places):
            raise ValueError(
                f"the answer {tuple(answer)!r} names a place outside of {places}: count places"
                " from 0"
            )
    chosen = Counter(answer.chosen for answer in answers)
    right = Counter(answer.right for answer in answers)
    hits = Counter(answer.right for answer in answers if answer.chosen == answer.right)
    recall = tuple(hits[place] / right[place] if right[place] else None for place in range(places))
    known = [share for share in recall if share is not None]
    return PositionBias(
        chosen=tuple(chosen[place] for place in range(places)),
        right=tuple(right[place] for place in range(places)),
        recall=recall,
        spread=pstdev(known) if len(known) > 1 else None,
    )


# --- consistency ---


@dataclass(frozen=True)
class Consistency:
    """Holds how often a judge gives the same answer when asked again.

    `value` is the share of pairs of trials with the same answer, averaged over questions, in
    [0, 1]. `steady` counts the questions with the same answer in all trials. `questions` with two
    answers or more were counted, `left_out` were not.
    """

    value: float | None
    steady: Rate
    questions: int
    left_out: int


def consistency(trials: Iterable[Sequence[Hashable | None]]) -> Consistency:
    """Return the consistency over questions, each given as its answers trial by trial.

    None is no answer, and in no pair.
    """
    answered = [[answer for answer in answers if answer is not None] for answers in trials]
    counted = [answers for answers in answered if len(answers) > 1]
    shares = [
        sum(a == b for a, b in combinations(answers, 2)) / math.comb(len(answers), 2)
        for answers in counted
    ]
    return Consistency(
        value=math.fsum(shares) / len(shares) if shares else None,
        steady=Rate(sum(len(set(answers)) == 1 for answers in counted), len(counted)),
        questions=len(counted),
        left_out=len(answered) - len(counted),
    )


# --- calibration ---


class AnswerConfidence(NamedTuple):
    """Holds the judge's own probability of an answer, in [0, 1], and whether it is right."""

    probability: float
    right: bool


class Bin(NamedTuple):
    """Holds the answers whose probability lies above `low` and not above `high`.

    0 lies in the first bin. `probability` is their mean, `right` the share of them that is right.
    """

    low: float
    high: float
    n: int
    probability: float
    right: float


@dataclass(frozen=True)
class Calibration:
    """Holds how far a judge's probabilities can be trusted, by bin; empty bins are not listed.

    `error` is the expected calibration error (Guo et al., ICML 2017, equation 3): the distance
    between probability and share of right answers, weighted by the answers in each bin; in [0, 1],
    lower is better. None where no answer had a probability.
    """

    error: float | None
    bins: tuple[Bin, ...]
    n: int


def calibration(answers: Sequence[AnswerConfidence]) -> Calibration:
    """Return the calibration over answers, in ten bins of equal width.

    Raises ValueError where a probability is not in [0, 1].
    """
    ends = [(index + 1) / BINS for index in range(BINS)]
    groups: dict[int, list[AnswerConfidence]] = {}
    for answer in answers:
        if not 0 <= answer.probability <= 1:
            raise ValueError(f"the probability {answer.probability!r} does not lie in [0, 1]")
        groups.setdefault(bisect_left(ends, answer.probability), []).append(answer)
    rows = tuple(
        Bin(
            low=index / BINS,
            high=ends[index],
            n=len(own),
            probability=fmean(answer.probability for answer in own),
            right=fmean(answer.right for answer in own),
        )
        for index, own in sorted(groups.items())
    )
    distances = math.fsum(row.n * abs(row.right - row.probability) for row in rows)
    return Calibration(distances / len(answers) if answers else None, rows, len(answers))


# --- agreement ---


@dataclass(frozen=True)
class Kappa:
    """Holds Cohen's kappa (1960), at most 1, 0 for agreement by chance.

    `value` is None where chance alone would agree always, or no item has two labels. `agreement` is
    the plain share of equal labels. `n` items have a label of both, `left_out` have not. The 95 %
    interval, by `interval_method`, is None where nobody took one.
    """

    value: float | None
    agreement: float | None
    n: int
    left_out: int
    low: float | None = None
    high: float | None = None
    interval_method: IntervalMethod | None = None


NO_KAPPA = Kappa(None, None, 0, 0)
"""The kappa of no items."""


def cohens_kappa(
    labels: Sequence[Hashable | None], other_labels: Sequence[Hashable | None]
) -> Kappa:
    """Return kappa of two judges' labels of the same items in the same order; None is no label.

    Raises ValueError where the lengths differ.
    """
    if len(labels) != len(other_labels):
        raise ValueError(
            f"{len(labels)} labels but {len(other_labels)} beside them: give one of each an item"
        )
    pairs = [
        (a, b) for a, b in zip(labels, other_labels, strict=True) if a is not None and b is not None
    ]
    n = len(pairs)
    if not n:
        return Kappa(None, None, 0, len(labels))
    counts = Counter(a for a, _ in pairs)
    other_counts = Counter(b for _, b in pairs)
    equal = sum(a == b for a, b in pairs)
    expected = sum(counts[label] * other_counts[label] for label in counts)  # n times by chance
    value = (n * equal - expected) / (n * n - expected) if expected < n * n else None
    return Kappa(value, equal / n, n, len(labels) - n)
