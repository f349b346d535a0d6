"""Sums up many reports: means, with what they counted and an interval."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from hallascope.data.evidence import State
from hallascope.data.older_fields import read_older
from hallascope.data.records import COIS, CoI, Report
from hallascope.metrics.base import SHARE, UNBOUNDED, Bounds
from hallascope.metrics.statistics.intervals import (
    ClusterSums,
    IntervalMethod,
    share_interval,
    sum_clusters,
    t_interval,
)

NOT_GIVEN = "not given"


class MixedVersions(ValueError):
    """Reports of several metrics or versions were put into one mean; the message names them."""


@dataclass(frozen=True, kw_only=True)
class Mean:
    """Holds a mean over prompts (or over questions, in `by_coi`) and its 95 % interval by prompt.

    `n` prompts (questions) were counted and `left_out` had no answer at all; `answered` and
    `unanswered` count the questions beneath. `value` is None where nothing was counted; `low` and
    `high` are None under two prompts. `interval_method` says how they are computed, in the words of
    `INTERVAL_METHODS`. Of a score without bounds, equal values give no interval, either.
    """

    value: float | None
    n: int
    left_out: int
    interval_method: IntervalMethod
    low: float | None = None
    high: float | None = None
    answered: int = 0
    unanswered: int = 0

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """Return the schema of the fields.

        Version 0.1.0 stored means of trials without their method, which was always the bootstrap.
        """

        def with_method(fields: object) -> object:
            return (
                {"interval_method": "bootstrap", **fields} if isinstance(fields, dict) else fields
            )

        return read_older(source, handler, with_method)


class PromptValue(NamedTuple):
    """Holds the value of one image of a prompt, and how many questions beneath were answered."""

    prompt: str
    value: float | None
    answered: int
    unanswered: int


def mean(reports: Iterable[Report], name: str = "score", bounds: Bounds = SHARE) -> Mean:
    """Return the mean over prompts of a score by name ("score", "strict", ...).

    Paper, equation 1, outer mean. `bounds` are those that the metric declares of the score; values
    outside of them make it one without bounds. Raises KeyError where the metric has no such score,
    and MixedVersions.
    """
    reports = list(reports)
    require_one_version(reports)
    return mean_over_prompts(
        (
            PromptValue(
                report.prompt,
                report.scores[name].value,
                report.scores[name].counted,
                report.scores[name].left_out,
            )
            for report in reports
        ),
        bounds,
    )


def mean_over_prompts(values: Iterable[PromptValue], bounds: Bounds = SHARE) -> Mean:
    """Return the mean over prompts; several images of one (seeds, trials) are averaged first."""
    by_prompt: dict[str, list[float]] = {}
    answered = unanswered = 0
    for each in values:
        own = by_prompt.setdefault(each.prompt, [])
        if each.value is not None:
            own.append(each.value)
        answered += each.answered
        unanswered += each.unanswered
    counted = [sum(several) / len(several) for several in by_prompt.values() if several]
    if any(not bounds[0] <= value <= bounds[1] for value in counted):
        bounds = UNBOUNDED
    return clustered_mean(
        sum_clusters(counted),
        left_out=len(by_prompt) - len(counted),
        answered=answered,
        unanswered=unanswered,
        bounds=bounds,
    )


def by_coi(reports: Iterable[Report]) -> dict[CoI, Mean]:
    """Return the mean over questions by composition of interest (paper, figure 4).

    Those without a question are not listed. Raises MixedVersions.
    """
    reports = list(reports)
    require_one_version(reports)
    by_prompt: dict[CoI, dict[str, list[State]]] = {coi: defaultdict(list) for coi in COIS}
    for report in reports:
        for verdict in report.verdicts:
            by_prompt[verdict.question.coi][report.prompt].append(verdict.state)
    return {
        coi: mean_over_questions(clusters.values())
        for coi, clusters in by_prompt.items()
        if clusters
    }


def mean_over_questions(clusters: Iterable[Sequence[State]], *, published: bool = False) -> Mean:
    """Return the share of questions that are correct; those of one prompt or image are a cluster.

    What is unreadable or failed is left out, or as `published` wrong.
    """
    totals: list[float] = []
    counts: list[int] = []
    answered = unanswered = 0
    for states in clusters:
        own, missing = _count_answers(states)
        answered += own
        unanswered += missing
        if count := len(states) if published else own:
            totals.append(float(states.count("correct")))
            counts.append(count)
    return clustered_mean(
        sum_clusters(totals, counts),
        left_out=answered + unanswered - sum(counts),
        answered=answered,
        unanswered=unanswered,
    )


def require_one_version(reports: Iterable[Report | None]) -> None:
    """Raise MixedVersions where reports are of several metrics or versions."""
    versions = sorted({f"{report.metric} {report.version}" for report in reports if report})
    if len(versions) > 1:
        raise MixedVersions(
            f"these reports are of {' and '.join(versions)}, whose numbers do not compare: average"
            " each alone"
        )


def interval_method(bounds: Bounds) -> IntervalMethod:
    """Return how the interval of a mean of values within these bounds is computed."""
    return "clopper-pearson" if bounds == SHARE else "linearized"


def clustered_mean(
    sums: ClusterSums,
    *,
    left_out: int,
    answered: int,
    unanswered: int,
    bounds: Bounds = SHARE,
) -> Mean:
    """Return the mean of clusters, such as prompts, with its 95 % interval by cluster.

    `bounds` are the least and the greatest value that there can be. The interval is cut to them,
    and holds the mean also where rounding puts the mean a little outside of them.
    """
    method = interval_method(bounds)
    counts = {"left_out": left_out, "answered": answered, "unanswered": unanswered}
    if sums.n <= 0 or sums.weight <= 0:
        return Mean(value=None, n=0, interval_method=method, **counts)
    interval = share_interval(sums) if bounds == SHARE else t_interval(sums)
    value = sums.ratio
    return Mean(
        value=value,
        n=round(sums.weight),
        interval_method=method,
        low=min(max(interval.low, bounds[0]), value) if interval else None,
        high=max(min(interval.high, bounds[1]), value) if interval else None,
        **counts,
    )


def _count_answers(states: Sequence[State]) -> tuple[int, int]:
    """Return how many questions were answered, and how many were not."""
    unanswered = sum(state in ("unreadable", "failed") for state in states)
    return len(states) - unanswered, unanswered
