"""Computes what a report adds to a mean over prompts, and the mean of such sums."""

import math
from collections import defaultdict
from collections.abc import Iterator
from operator import add
from typing import NamedTuple

from hallascope.data.records import Report, Score, Verdict
from hallascope.metrics.aggregate import Mean, clustered_mean
from hallascope.metrics.base import Bounds
from hallascope.metrics.statistics.intervals import ClusterSums

ALL = ""  # the part of a report that is all of it


class ScoreContribution(NamedTuple):
    """Holds what one report adds to one score: as a whole, or for one composition of interest.

    `part` is `ALL` or the composition. As a whole, `total` is the value of the score and `weight`
    is 1, both 0 where it has none. Of a composition, `total` counts the questions with the right
    answer and `weight` those that were answered. `answered` and `unanswered` count the questions
    beneath.
    """

    score: str
    part: str
    total: float
    weight: float
    answered: int
    unanswered: int


class Sums(NamedTuple):
    """Holds all that the mean of many prompts and its interval need; sums of prompts add up.

    `prompts` were counted and `empty` have no answer. Each prompt has a score s and a weight w,
    over its pictures and trials: their mean and 1 (every prompt weighs the same), or of a
    composition of interest the right and the answered questions. `total` is the sum of s, `weight`
    of w, `squares` of s * s, `products` of s * w and `weights` of w * w.
    """

    prompts: int = 0
    empty: int = 0
    total: float = 0.0
    weight: float = 0.0
    squares: float = 0.0
    products: float = 0.0
    weights: float = 0.0
    answered: int = 0
    unanswered: int = 0

    def plus(self, other: "Sums") -> "Sums":
        """Return the sums of both."""
        return Sums(*map(add, self, other))


def score_contributions(report: Report) -> tuple[ScoreContribution, ...]:
    """Return what a report adds, score by score, then by composition of interest.

    Scores that rest on no question are not among them.
    """
    wholes = (
        _whole_contribution(name, score)
        for name, score in report.scores.items()
        if score.counted or score.left_out or score.value is not None
    )
    return (*wholes, *_coi_contributions(report.verdicts))


def _whole_contribution(name: str, score: Score) -> ScoreContribution:
    value = score.value if score.value is not None and math.isfinite(score.value) else None
    return ScoreContribution(
        score=name,
        part=ALL,
        total=0.0 if value is None else value,
        weight=0.0 if value is None else 1.0,
        answered=score.counted,
        unanswered=score.left_out,
    )


def _coi_contributions(verdicts: tuple[Verdict, ...]) -> Iterator[ScoreContribution]:
    states_by_coi: dict[str, list[str]] = defaultdict(list)
    for verdict in verdicts:
        states_by_coi[verdict.question.coi].append(verdict.state)
    for coi, states in states_by_coi.items():
        answered = len(states) - states.count("unreadable") - states.count("failed")
        yield ScoreContribution(
            score="score",
            part=coi,
            total=float(states.count("correct")),
            weight=float(answered),
            answered=answered,
            unanswered=len(states) - answered,
        )


def mean(sums: Sums, bounds: Bounds, *, over_questions: bool = False) -> Mean:
    """Return the mean over prompts (or over questions), with its 95 % interval by prompt.

    The interval is cut to the bounds of the score. It holds the mean, also where rounding puts the
    mean a little outside of the bounds.
    """
    return clustered_mean(
        ClusterSums(
            n=sums.prompts,
            total=sums.total,
            weight=sums.weight,
            squares=sums.squares,
            products=sums.products,
            weights=sums.weights,
        ),
        left_out=sums.unanswered if over_questions else sums.empty,
        answered=sums.answered,
        unanswered=sums.unanswered,
        bounds=bounds,
    )
