"""Computes how a judge answers, beside whether it is right.

These are answer rate, abstention, position bias, consistency, calibration, and agreement with
others.

Pure functions of what was answered; they know no question, no picture and no model. A share of
nothing is None.
"""

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from hallascope.data.evidence import State

BINS = 10  # of equal width, as Guo et al. 2017 draw their reliability diagrams


class Rate(NamedTuple):
    """So many of so many; `value` is None where there were none."""

    part: int
    of: int

    @property
    def value(self) -> float | None:
        return self.part / self.of if self.of else None


def answer_rate(states: Sequence[State]) -> Rate:
    """Of all questions, those that were answered readably; an abstention is an answer."""
    return Rate(sum(map(_answered, states)), len(states))


def abstention_rate(states: Sequence[State]) -> Rate:
    """Of the answered questions, those in which the judge found no choice to fit where one does."""
    return Rate(sum(state == "abstained" for state in states), sum(map(_answered, states)))


def _answered(state: State) -> bool:
    return state in ("correct", "incorrect", "abstained")


# --- position bias
# --------------------------------------------------------------------------------------------------


class ShuffledChoice(NamedTuple):
    """An answer to a question with shuffled choices: the chosen place and the right one, from 0."""

    chosen: int
    right: int


@dataclass(frozen=True)
class PositionBias:
    """Whether a judge prefers a place among the choices, one entry a place.

    `chosen` and `right`: how often each place was chosen, and was the right one. `recall`: of the
    questions whose right choice stood there, those answered right; None where none did. `spread`:
    standard deviation of the recalls in [0, 0.5], 0 without any bias (RStd of Zheng et al., ICLR
    2024, section 2); None under two recalls.
    """

    chosen: tuple[int, ...]
    right: tuple[int, ...]
    recall: tuple[float | None, ...]
    spread: float | None


def position_bias(answers: Sequence[ShuffledChoice], places: int) -> PositionBias:
    """Over answers among so many `places`.

    Choices must have been shuffled, or the places stand for what is in them.

    Raises ValueError where an answer lies outside the places.
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
    recall = [hits[place] / right[place] if right[place] else None for place in range(places)]
    known = [one for one in recall if one is not None]
    mean = math.fsum(known) / len(known) if known else 0.0
    spread = (
        math.sqrt(math.fsum((one - mean) ** 2 for one in known) / len(known))
        if len(known) > 1
        else None
    )
    everywhere = range(places)
    return PositionBias(
        tuple(chosen[p] for p in everywhere),
        tuple(right[p] for p in everywhere),
        tuple(recall),
        spread,
    )


# --- consistency
# --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Consistency:
    """How alike a judge answers the same question again.

    `value`: the share of pairs of trials with the same answer, meant over questions, in [0, 1];
    `steady`: the questions that were answered alike in all trials. `questions` with two answers or
    more were counted, `left_out` were not.
    """

    value: float | None
    steady: Rate
    questions: int
    left_out: int


def consistency(trials: Iterable[Sequence[Hashable | None]]) -> Consistency:
    """Over questions, each with its answers trial by trial; None is no answer, and in no pair."""
    kept = [[answer for answer in answers if answer is not None] for answers in trials]
    counted = [answers for answers in kept if len(answers) > 1]
    shares = [
        sum(a == b for a, b in combinations(answers, 2)) / math.comb(len(answers), 2)
        for answers in counted
    ]
    value = math.fsum(shares) / len(shares) if shares else None
    steady = Rate(sum(len(set(answers)) == 1 for answers in counted), len(counted))
    return Consistency(value, steady, len(counted), len(kept) - len(counted))


# --- calibration
# --------------------------------------------------------------------------------------------------


class AnswerConfidence(NamedTuple):
    """An answer with the judge's own probability of it, in [0, 1], and whether it is right."""

    probability: float
    right: bool


class Bin(NamedTuple):
    """Holds the answers whose probability lies above `low` and not above `high`.

    0 lies in the first bin.
    """

    low: float
    high: float
    n: int
    probability: float  # their mean
    right: float  # the share of them that is right


@dataclass(frozen=True)
class Calibration:
    """How far a judge's probabilities can be taken at their word.

    Bins without an answer are not listed.

    `error` is the expected calibration error (Guo et al., ICML 2017, equation 3): the distance
    between probability and share of right answers, weighted by the answers in each bin; in [0, 1],
    lower is better. None where no answer had a probability.
    """

    error: float | None
    bins: tuple[Bin, ...]
    n: int


def calibration(answers: Sequence[AnswerConfidence], bins: int = BINS) -> Calibration:
    """Raises ValueError where a probability is none, or there is no bin."""
    if bins < 1:
        raise ValueError(f"{bins!r} bins hold nothing: give at least one")
    groups: dict[int, list[AnswerConfidence]] = {}
    for answer in answers:
        if not 0 <= answer.probability <= 1:
            raise ValueError(f"the probability {answer.probability!r} does not lie in [0, 1]")
        groups.setdefault(_bin(answer.probability, bins), []).append(answer)
    found = tuple(_binned(groups[place], place, bins) for place in sorted(groups))
    error = (
        math.fsum(one.n * abs(one.right - one.probability) for one in found) / len(answers)
        if answers
        else None
    )
    return Calibration(error, found, len(answers))


def _bin(probability: float, bins: int) -> int:
    """The bin whose upper end is the first that is not below the probability."""
    return next(place for place in range(bins) if probability <= (place + 1) / bins)


def _binned(answers: Sequence[AnswerConfidence], place: int, bins: int) -> Bin:
    n = len(answers)
    mean = math.fsum(answer.probability for answer in answers) / n
    right = sum(answer.right for answer in answers) / n
    return Bin(place / bins, (place + 1) / bins, n, mean, right)


# --- agreement
# --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Kappa:
    """Cohen's kappa (1960), at most 1, 0 for agreement by chance.

    None where chance alone would agree always, or nothing is shared.

    `agreement` is the plain share of equal labels. `n` items have a label of both, `left_out` have
    not.
    """

    value: float | None
    agreement: float | None
    n: int
    left_out: int


def cohens_kappa(one: Sequence[Hashable | None], other: Sequence[Hashable | None]) -> Kappa:
    """Of two judges' labels of the same items in the same order; None is no label.

    Raises ValueError where the lengths differ.
    """
    if len(one) != len(other):
        raise ValueError(
            f"{len(one)} labels but {len(other)} beside them: give one of each an item"
        )
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    n = len(pairs)
    if not n:
        return Kappa(None, None, 0, len(one))
    first = Counter(a for a, _ in pairs)
    second = Counter(b for _, b in pairs)
    same, chance = (
        sum(a == b for a, b in pairs),
        sum(first[label] * second[label] for label in first),
    )  # of n, of n * n
    value = (n * same - chance) / (n * n - chance) if chance < n * n else None
    return Kappa(value, same / n, n, len(one) - n)
