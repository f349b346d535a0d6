"""Sums up many reports: means by slice, with what they counted and an interval."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

from hallascope.data.older_fields import read_older
from hallascope.data.records import (
    COIS,
    DIFFICULTIES,
    FIELDS,
    Category,
    CoI,
    Difficulty,
    IHallaField,
    Report,
    Verdict,
)
from hallascope.metrics.base import SHARE, UNBOUNDED, Bounds
from hallascope.metrics.statistics.intervals import (
    ClusterSums,
    IntervalMethod,
    Spread,
    share_interval,
    spread,
    sum_clusters,
    t_interval,
)

Policy = Literal["answered", "published"]
NOT_GIVEN = "not given"


class MixedVersions(ValueError):
    """Reports of several metrics or versions were put into one mean; the message names them."""


class HasReport(Protocol):
    """A row that holds the report on one picture, or None where there is no picture."""

    @property
    def report(self) -> Report | None: ...


RowT = TypeVar("RowT", bound=HasReport)


@dataclass(frozen=True, kw_only=True)
class ReportRow:
    """Holds a report with what it is sliced by.

    `field` is needed only where the category is not known.
    """

    report: Report
    model: str = ""
    judge: str = ""
    trial: int = 0
    category: Category | None = None
    field: IHallaField | None = None
    difficulty: Difficulty | None = None


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


@dataclass(frozen=True)
class TrialMeans:
    """Holds the mean of each repeated trial, and their mean and sample standard deviation.

    Trials without a mean are left out.
    """

    means: Mapping[str, Mean]
    over: Spread
    left_out: int


@dataclass(frozen=True, kw_only=True)
class Benchmark:
    """Holds a benchmark under one policy: mean over prompts, strict share, slices and trials."""

    policy: Policy
    score: Mean
    strict: Mean
    by: Mapping[str, Mapping[str, Mean]]
    coi: Mapping[CoI, Mean]
    trials: TrialMeans
    strict_trials: TrialMeans


# a slice is a name and a function of the row
SLICES: dict[str, Callable[[ReportRow], str]] = {
    "model": lambda row: row.model or NOT_GIVEN,
    "judge": lambda row: row.judge or NOT_GIVEN,
    "trial": lambda row: str(row.trial),
    "category": lambda row: row.category.value if row.category else NOT_GIVEN,
    "field": lambda row: row.field or (row.category.field if row.category else NOT_GIVEN),
    "difficulty": lambda row: row.difficulty or NOT_GIVEN,
}
# the order in which the papers name the values; all others follow in order of appearance
_PAPER_ORDER = (
    *FIELDS,
    *(category.value for category in Category),
    *DIFFICULTIES,
)
_RANKS = {name: rank for rank, name in enumerate(_PAPER_ORDER)}


def mean(
    rows: Iterable[ReportRow],
    name: str = "score",
    policy: Policy = "answered",
    bounds: Bounds = SHARE,
) -> Mean:
    """Return the mean over prompts of a score by name ("score", "strict", ...).

    Paper, equation 1, outer mean. Several images of one prompt (seeds, trials) are averaged
    first, so that every prompt weighs the same. `bounds` are those that the metric
    declares of the score; values outside of them make it one without bounds. Raises MixedVersions.
    """
    rows = rows_of_one_version(rows)
    values: dict[str, list[float]] = {row.report.prompt: [] for row in rows}
    for row in rows:
        value = value_of(row.report, name, policy)
        if value is not None:
            values[row.report.prompt].append(value)
    counted = [sum(several) / len(several) for several in values.values() if several]
    answered, unanswered = _count_answers(
        [verdict for row in rows for verdict in row.report.verdicts]
    )
    if any(not bounds[0] <= value <= bounds[1] for value in counted):
        bounds = UNBOUNDED
    return clustered_mean(
        sum_clusters(counted),
        left_out=len(values) - len(counted),
        answered=answered,
        unanswered=unanswered,
        bounds=bounds,
    )


def mean_by_slice(
    rows: Iterable[ReportRow], slice_name: str, name: str = "score", policy: Policy = "answered"
) -> dict[str, Mean]:
    """Return the mean of each value of a slice (a name in `SLICES`), in the papers' order.

    Raises KeyError, MixedVersions.
    """
    slice_value = SLICES[slice_name]
    groups: dict[str, list[ReportRow]] = defaultdict(list)
    for row in rows_of_one_version(rows):
        groups[slice_value(row)].append(row)
    return {
        key: mean(groups[key], name, policy)
        for key in sorted(groups, key=lambda key: _RANKS.get(key, len(_RANKS)))
    }


def by_coi(rows: Iterable[ReportRow], policy: Policy = "answered") -> dict[CoI, Mean]:
    """Return the mean over questions by composition of interest (paper, figure 4).

    Those without a question are not listed. Raises MixedVersions.
    """
    by_prompt: dict[CoI, dict[str, list[Verdict]]] = {coi: defaultdict(list) for coi in COIS}
    for row in rows_of_one_version(rows):
        for verdict in row.report.verdicts:
            by_prompt[verdict.question.coi][row.report.prompt].append(verdict)
    return {
        coi: _mean_of_questions(list(clusters.values()), policy)
        for coi, clusters in by_prompt.items()
        if clusters
    }


def trials(
    rows: Iterable[ReportRow], name: str = "score", policy: Policy = "answered"
) -> TrialMeans:
    """Return the mean and sample standard deviation over trials (the paper runs three).

    Raises MixedVersions.
    """
    means = mean_by_slice(rows, "trial", name, policy)
    values = [trial.value for trial in means.values() if trial.value is not None]
    return TrialMeans(means, spread(values), len(means) - len(values))


def benchmark(rows: Sequence[ReportRow], policy: Policy = "answered") -> Benchmark:
    """Return everything that the dashboard and the tables show of a benchmark of one model.

    Raises MixedVersions.
    """
    return Benchmark(
        policy=policy,
        score=mean(rows, "score", policy),
        strict=mean(rows, "strict", policy),
        by={name: mean_by_slice(rows, name, "score", policy) for name in SLICES},
        coi=by_coi(rows, policy),
        trials=trials(rows, "score", policy),
        strict_trials=trials(rows, "strict", policy),
    )


def value_of(report: Report, name: str, policy: Policy) -> float | None:
    """Return a report's score by name under a policy.

    Raises KeyError where the metric has no such score.
    """
    return report.published[name] if policy == "published" else report.scores[name].value


def rows_of_one_version(rows: Iterable[RowT]) -> list[RowT]:
    """Return the rows as a list, where all their reports are of one metric and version.

    Raises MixedVersions where they are not.
    """
    rows = list(rows)
    versions = sorted({f"{row.report.metric} {row.report.version}" for row in rows if row.report})
    if len(versions) > 1:
        raise MixedVersions(
            f"these reports are of {' and '.join(versions)}, whose numbers do not compare: average"
            " each alone"
        )
    return rows


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


def _count_answers(verdicts: Sequence[Verdict]) -> tuple[int, int]:
    """Return how many questions were answered, and how many were not."""
    unanswered = sum(verdict.state in ("unreadable", "failed") for verdict in verdicts)
    return len(verdicts) - unanswered, unanswered


def _mean_of_questions(clusters: Sequence[Sequence[Verdict]], policy: Policy) -> Mean:
    totals = []
    counts = []
    left_out = 0
    for cluster in clusters:
        count = len(cluster) if policy == "published" else _count_answers(cluster)[0]
        left_out += len(cluster) - count
        if count:
            totals.append(float(sum(verdict.state == "correct" for verdict in cluster)))
            counts.append(count)
    answered, unanswered = _count_answers([verdict for cluster in clusters for verdict in cluster])
    return clustered_mean(
        sum_clusters(totals, counts), left_out=left_out, answered=answered, unanswered=unanswered
    )
