"""What a report adds to a mean over prompts, and the mean of what was added, with its interval.

It knows no store and no model.
"""

import math
from collections import defaultdict
from collections.abc import Iterator
from operator import add
from typing import NamedTuple

from hallascope.data.records import Report, Score, Verdict
from hallascope.metrics.aggregate import Mean
from hallascope.metrics.base import Bounds
from hallascope.metrics.statistics.intervals import IntervalMethod, linearized

INTERVAL_METHOD: IntervalMethod = "linearized"  # of every mean of sums
ALL = ""  # the part of a report that is all of it


class ScoreContribution(NamedTuple):
    """What one report says of one score: of all, or of one composition of interest (`part`).

    Of all: `total` is its value and `weight` 1, both 0 where it has none. Of questions: how many
    are right, of how many that were answered. `answered` and `unanswered` count the questions
    beneath.
    """

    score: str
    part: str
    total: float
    weight: float
    answered: int
    unanswered: int


class Sums(NamedTuple):
    """All that is to be known of many prompts to give their mean and its interval.

    Those of different prompts add up.

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
        """The sums of both."""
        return Sums(*map(add, self, other))


def parts(report: Report) -> tuple[ScoreContribution, ...]:
    """What a report adds, score by score; scores for which nothing was asked are not among them."""
    asked = (
        (name, score)
        for name, score in report.scores.items()
        if score.counted or score.left_out or score.value is not None
    )
    whole = (_whole(name, score) for name, score in asked)
    return (*whole, *_by_coi(report.verdicts))


def _whole(name: str, score: Score) -> ScoreContribution:
    if score.value is None or not math.isfinite(score.value):
        return ScoreContribution(
            score=name,
            part=ALL,
            total=0.0,
            weight=0.0,
            answered=score.counted,
            unanswered=score.left_out,
        )
    return ScoreContribution(
        score=name,
        part=ALL,
        total=score.value,
        weight=1.0,
        answered=score.counted,
        unanswered=score.left_out,
    )


def _by_coi(verdicts: tuple[Verdict, ...]) -> Iterator[ScoreContribution]:
    states: dict[str, list[str]] = defaultdict(list)
    for verdict in verdicts:
        states[verdict.question.coi].append(verdict.state)
    for coi, found in states.items():
        answered = len(found) - found.count("unreadable") - found.count("failed")
        yield ScoreContribution(
            score="score",
            part=coi,
            total=float(found.count("correct")),
            weight=float(answered),
            answered=answered,
            unanswered=len(found) - answered,
        )


def mean(sums: Sums, bounds: Bounds, part: bool = False) -> Mean:
    """Return the mean over prompts (`part`: over questions), with its linearized 95 % interval.

    The interval is cut to the bounds of the score.

    The interval holds the mean, also where rounding puts the mean a little outside of the bounds.
    """
    out = sums.unanswered if part else sums.empty
    if sums.prompts <= 0 or sums.weight <= 0:
        return Mean(
            value=None,
            n=0,
            left_out=out,
            interval_method=INTERVAL_METHOD,
            answered=sums.answered,
            unanswered=sums.unanswered,
        )
    value = sums.total / sums.weight
    found = linearized(
        n=sums.prompts,
        total=sums.total,
        weight=sums.weight,
        squares=sums.squares,
        products=sums.products,
        weights=sums.weights,
    )
    low = min(max(found.low, bounds[0]), value) if found else None
    high = max(min(found.high, bounds[1]), value) if found else None
    return Mean(
        value=value,
        n=round(sums.weight),
        left_out=out,
        interval_method=INTERVAL_METHOD,
        low=low,
        high=high,
        answered=sums.answered,
        unanswered=sums.unanswered,
    )
