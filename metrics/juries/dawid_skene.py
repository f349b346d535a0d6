"""Estimates how often judges are right from their answers alone, where nobody knows the truth.

After Dawid and Skene (1979), with one accuracy a judge: it names the right choice with that
probability, and each other choice with the same share of the rest. The letters of choices mean
something else in every question, so a table of confusions between letters would say nothing.
"""

import math
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

# of expectation-maximization
MOST_ROUNDS = 200
TOLERANCE = 1e-6
# accuracies stay within these, so that every answer keeps some probability
_LEAST, _MOST = 0.001, 0.999


class ItemAnswer(NamedTuple):
    """Holds what a judge answered to an item, which is a question about a picture."""

    item: Hashable
    judge: str
    answer: Hashable


class TruthEstimate(NamedTuple):
    """Holds the accuracy of each judge, and by item how probable each answer that was given is.

    The answers that nobody gave have what is missing to 1.
    """

    accuracies: Mapping[str, float]
    answers: Mapping[Hashable, Mapping[Hashable, float]]


def estimate_truth(answers: Sequence[ItemAnswer], choices: int = 5) -> TruthEstimate:
    """Return the most likely accuracies and answers, by expectation-maximization.

    Every item has so many choices, each as likely beforehand. It begins with the shares of the
    votes, and so takes it that most judges are right more often than not. Where every item has a
    single answer, nothing can be told, and each judge is taken to be right. Raises ValueError with
    fewer than two choices.
    """
    if choices < 2:
        raise ValueError(f"An item has {choices} choices: give at least 2.")
    by_item: dict[Hashable, list[ItemAnswer]] = defaultdict(list)
    for answer in answers:
        by_item[answer.item].append(answer)
    beliefs = {item: _vote_shares(own) for item, own in by_item.items()}
    accuracies: dict[str, float] = {}
    for _ in range(MOST_ROUNDS):
        before, accuracies = accuracies, _estimate_accuracies(answers, beliefs)
        beliefs = {item: _item_beliefs(own, accuracies, choices) for item, own in by_item.items()}
        if before and all(abs(accuracies[j] - before[j]) < TOLERANCE for j in accuracies):
            break
    return TruthEstimate(accuracies, beliefs)


def _vote_shares(answers: Sequence[ItemAnswer]) -> dict[Hashable, float]:
    shares: dict[Hashable, float] = defaultdict(float)
    for answer in answers:
        shares[answer.answer] += 1 / len(answers)
    return dict(shares)


def _estimate_accuracies(
    answers: Sequence[ItemAnswer], beliefs: Mapping[Hashable, Mapping[Hashable, float]]
) -> dict[str, float]:
    """Return the mean probability of what each judge answered."""
    sums: dict[str, float] = defaultdict(float)
    counts: dict[str, int] = defaultdict(int)
    for item, judge, answer in answers:
        sums[judge] += beliefs[item][answer]
        counts[judge] += 1
    return {judge: min(max(sums[judge] / counts[judge], _LEAST), _MOST) for judge in sums}


def _item_beliefs(
    answers: Sequence[ItemAnswer], accuracies: Mapping[str, float], choices: int
) -> dict[Hashable, float]:
    """Return how probable each answer is that was given to an item."""
    wrong = {a.judge: (1 - accuracies[a.judge]) / (choices - 1) for a in answers}
    nobody = sum(math.log(wrong[a.judge]) for a in answers)
    gains: dict[Hashable, float] = defaultdict(float)
    for a in answers:
        gains[a.answer] += math.log(accuracies[a.judge]) - math.log(wrong[a.judge])
    logs = {answer: nobody + gain for answer, gain in gains.items()}
    top = max(*logs.values(), nobody)
    rest = max(choices - len(logs), 0) * math.exp(nobody - top)
    total = sum(math.exp(value - top) for value in logs.values()) + rest
    return {answer: math.exp(value - top) / total for answer, value in logs.items()}
