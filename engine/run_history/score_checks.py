"""Checks the scores of a run: against least values, and against an earlier run or sweep."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from hallascope import metrics
from hallascope.engine.errors import BadRequest
from hallascope.engine.leaderboard.board import board
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.engine.run_history.comparison import ALL_MODELS, compare_runs
from hallascope.engine.storage.catalog import ListedRun
from hallascope.engine.storage.store import Store
from hallascope.metrics.statistics.intervals import LEVEL
from hallascope.metrics.statistics.paired_difference import MIN_PROMPTS, holm

_ROUNDING = 1e-9  # what adding up equal scores leaves


class Threshold(NamedTuple):
    """Names the least mean of a metric, or (`of_bound`) the least lower end of its interval."""

    metric: str
    least: float
    of_bound: bool = False

    @property
    def rule(self) -> str:
        return f"fail-under{'-bound' if self.of_bound else ''} {self.metric}={self.least:g}"


@dataclass(frozen=True, kw_only=True)
class ScoreCheck:
    """Holds whether the score of a model passes, and what was compared, in one sentence.

    `rule` is the option that asks for it. `passed` is None where that cannot be said. `value` is
    the mean, the end of its interval or, in a comparison with an earlier run, the difference; `n`
    counts the prompts.
    """

    rule: str
    metric: str = ""
    model: str = ""
    passed: bool | None = None
    value: float | None = None
    n: int = 0
    sentence: str


def parse_threshold(text: str, asked: Sequence[str], of_bound: bool = False) -> Threshold:
    """Return the threshold that METRIC=VALUE says. Raises BadRequest.

    `asked` are the metrics of the run.
    """
    name, _, number = text.partition("=")
    if name not in asked:
        raise BadRequest(
            f"The threshold {text!r} is of none of the metrics that are computed here: write"
            f" METRIC=VALUE with {' or '.join(asked)}."
        )
    low, high = metrics.score(name, "score").bounds
    with suppress(ValueError):
        if low <= float(number) <= high:
            return Threshold(name, float(number), of_bound)
    raise BadRequest(f"The threshold {text!r} is no number from {low:g} to {high:g}.")


def check_threshold(store: Store, run: str, threshold: Threshold) -> Iterator[ScoreCheck]:
    """Yield whether each model of a run or sweep reaches a threshold, as the leaderboard counts.

    Of a score that is better when lower, the threshold is the most that it may be.
    """
    shown = board(store, Query(threshold.metric, filters=Filters(runs=(run,))))
    check = partial(ScoreCheck, rule=threshold.rule, metric=threshold.metric)
    title = metrics.title(threshold.metric)
    if not shown.rows:
        yield check(sentence=f"No image has a score by {title}: there is nothing to compare.")
    for row in shown.rows:
        value, what = row.value, "mean"
        if threshold.of_bound:
            value = row.low if shown.higher_is_better else row.high
            what = f"{'lower' if shown.higher_is_better else 'upper'} end of the 95 % interval"
        passed, asked = None, row.answered + row.unanswered
        if value is not None:
            above = value - threshold.least
            passed = (above if shown.higher_is_better else -above) >= -_ROUNDING
        verb = {True: "reaches", False: "misses", None: "cannot be compared with"}[passed]
        number = "unknown" if value is None else f"{value:.3f}"
        yield check(
            model=row.model,
            passed=passed,
            value=value,
            n=row.n,
            sentence=f"{title} of {row.model} is {number} ({what}; {_prompts(row.n)},"
            f" {row.answered:,} of {asked:,} answered) and {verb} the threshold"
            f" {threshold.least:g}.",
        )


def check_not_worse(store: Store, run: ListedRun, earlier: ListedRun) -> Iterator[ScoreCheck]:
    """Yield whether a run is significantly worse than an earlier one, on the prompts of both.

    Models that both have are compared each with itself, all models together where there are none.
    The p of the comparisons that are made are corrected by Holm's method.
    """
    check = partial(ScoreCheck, rule=f"fail-on-worse {earlier.id}")
    if run.id == earlier.id:
        yield check(passed=True, sentence=f"This is the run {run.id} itself.")
        return
    compared = compare_runs(store, earlier, run).metrics
    if not compared:
        yield check(sentence=f"The run {earlier.id} has no score by a metric of this one.")
    pairs = [
        (each, model, difference)
        for each in compared
        for model, difference in each.differences.items()
        if (model != ALL_MODELS) == (len(each.differences) > 1)
    ]
    tested = [
        pair.p for each, _, pair in pairs if pair.p is not None and each.judges[0] == each.judges[1]
    ]
    corrected = iter(holm(tested))
    for each, model, pair in pairs:
        is_same = each.judges[0] == each.judges[1]
        p = next(corrected) if is_same and pair.p is not None else None
        passed = None
        if not is_same:
            why = (
                f"cannot be compared: {earlier.id} was judged by {each.judges[0]}, this run by"
                f" {each.judges[1]}. Judge the images of {earlier.id} again."
            )
        elif p is None or pair.value is None:
            why = (
                f"cannot be compared: {_prompts(pair.n)} of both with a score, and at least"
                f" {MIN_PROMPTS} are needed."
            )
        else:
            is_lower = pair.value < 0
            higher_is_better = metrics.score(each.metric, "score").higher_is_better
            passed = p >= 1 - LEVEL or is_lower != higher_is_better
            why = (
                f"is {'not ' if passed else ''}significantly worse than in {earlier.id}: difference"
                f" {pair.value:+.3f} ({_prompts(pair.n)} of both, p {p:.2g}, threshold"
                f" {1 - LEVEL:.2f})."
            )
        yield check(
            metric=each.metric,
            model=model,
            passed=passed,
            value=pair.value,
            n=pair.n,
            sentence=f"{each.title} of {model or 'all models'} {why}",
        )


def _prompts(count: int) -> str:
    return "1 prompt" if count == 1 else f"{count:,} prompts"
