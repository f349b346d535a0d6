"""Many reports to a few numbers: means by slice with what they counted and an interval.

It knows no single metric's rules.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from hallascope.data.older_fields import read_older
from hallascope.data.records import COIS, Category, CoI, Difficulty, Report, Verdict
from hallascope.metrics.statistics.intervals import IntervalMethod, Spread, bootstrap, spread

Policy = Literal["answered", "published"]
SubjectField = Literal["Science", "History"]
NOT_GIVEN = "not given"


class MixedVersions(ValueError):
    """Reports of several metrics or versions were put into one mean; the message names them."""


@dataclass(frozen=True, kw_only=True)
class ReportRow:
    """A report with what it is sliced by.

    `field` is needed only where the category is not known.
    """

    report: Report
    model: str = ""
    judge: str = ""
    trial: int = 0
    category: Category | None = None
    field: SubjectField | None = None
    difficulty: Difficulty | None = None


@dataclass(frozen=True, kw_only=True)
class Mean:
    """A mean over prompts (or over questions, in `by_coi`), with its 95 % interval by prompt.

    `n` prompts (questions) were counted and `left_out` had no answer at all; `answered` and
    `unanswered` count the questions beneath. `value` is None where nothing was counted; `low` and
    `high` are None under two prompts. `interval_method` says how they are computed, in the words of
    `INTERVAL_METHODS`.
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
        """The schema of the fields.

        The means that version 0.1.0 stored, of trials, are all by bootstrap.
        """

        def with_method(fields: object) -> object:
            return (
                {"interval_method": "bootstrap", **fields} if isinstance(fields, dict) else fields
            )

        return read_older(source, handler, with_method)


@dataclass(frozen=True)
class TrialMeans:
    """Repeated trials: the mean of each, and their mean and sample standard deviation.

    Trials without a mean are left out.
    """

    means: Mapping[str, Mean]
    over: Spread
    left_out: int


@dataclass(frozen=True, kw_only=True)
class Benchmark:
    """Holds all of a benchmark under one policy: the mean over prompts, strict share, slices.

    The trials are in it, too.
    """

    policy: Policy
    score: Mean
    strict: Mean
    by: Mapping[str, Mapping[str, Mean]]
    coi: Mapping[CoI, Mean]
    trials: TrialMeans
    strict_trials: TrialMeans


def _category(row: ReportRow) -> str:
    return row.category.value if row.category else NOT_GIVEN


def _field(row: ReportRow) -> str:
    return row.field or (row.category.field if row.category else NOT_GIVEN)


# a slice is a name and a function of the row
SLICES: dict[str, Callable[[ReportRow], str]] = {
    "model": lambda row: row.model or NOT_GIVEN,
    "judge": lambda row: row.judge or NOT_GIVEN,
    "trial": lambda row: str(row.trial),
    "category": _category,
    "field": _field,
    "difficulty": lambda row: row.difficulty or NOT_GIVEN,
}
# the order in which the papers name them; the rest follows in order of appearance
_ORDER = (
    "Science",
    "History",
    *(category.value for category in Category),
    "easy",
    "medium",
    "hard",
)
_PLACES = {name: place for place, name in enumerate(_ORDER)}


def mean(rows: Iterable[ReportRow], name: str = "score", policy: Policy = "answered") -> Mean:
    """The mean over prompts of a score by name ("score", "strict", ...).

    Paper, equation 1, outer mean. Our reading: several images of one prompt (seeds, trials) are
    averaged first, so that every prompt weighs the same. Raises MixedVersions.
    """
    rows = one_version(rows)
    values: dict[str, list[float]] = {row.report.prompt: [] for row in rows}
    for row in rows:
        value = value_of(row.report, name, policy)
        if value is not None:
            values[row.report.prompt].append(value)
    counted = [sum(several) / len(several) for several in values.values() if several]
    answered, unanswered = _questions(rows)
    return _mean(counted, [1] * len(counted), len(values) - len(counted), answered, unanswered)


def mean_by_slice(
    rows: Iterable[ReportRow], slice_name: str, name: str = "score", policy: Policy = "answered"
) -> dict[str, Mean]:
    """The mean of each value of a slice (a name in `SLICES`), in the papers' order.

    Raises KeyError, MixedVersions.
    """
    groups = _group_rows(one_version(rows), SLICES[slice_name])
    return {
        key: mean(groups[key], name, policy)
        for key in sorted(groups, key=lambda key: _PLACES.get(key, len(_PLACES)))
    }


def by_coi(rows: Iterable[ReportRow], policy: Policy = "answered") -> dict[CoI, Mean]:
    """The mean over questions by composition of interest (paper, figure 4).

    Those without a question are not listed.

    Raises MixedVersions.
    """
    asked: dict[CoI, dict[str, list[Verdict]]] = {coi: defaultdict(list) for coi in COIS}
    for row in one_version(rows):
        for verdict in row.report.verdicts:
            asked[verdict.question.coi][row.report.prompt].append(verdict)
    return {
        coi: _mean_of_questions(list(clusters.values()), policy)
        for coi, clusters in asked.items()
        if clusters
    }


def trials(
    rows: Iterable[ReportRow], name: str = "score", policy: Policy = "answered"
) -> TrialMeans:
    """Mean and sample standard deviation over trials (the paper runs three).

    Raises MixedVersions.
    """
    means = mean_by_slice(rows, "trial", name, policy)
    values = [found.value for found in means.values() if found.value is not None]
    return TrialMeans(means, spread(values), len(means) - len(values))


def benchmark(rows: Sequence[ReportRow], policy: Policy = "answered") -> Benchmark:
    """Everything the dashboard and the tables show of a benchmark of one model.

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
    """A report's score by name under a policy.

    Raises KeyError where the metric has no such score.
    """
    return report.published[name] if policy == "published" else report.scores[name].value


def one_version(rows: Iterable[ReportRow]) -> list[ReportRow]:
    """The rows, once it is sure that they are of one metric and version."""
    rows = list(rows)
    found = sorted({f"{row.report.metric} {row.report.version}" for row in rows})
    if len(found) > 1:
        raise MixedVersions(
            f"these reports are of {' and '.join(found)}, whose numbers do not compare: average"
            " each alone"
        )
    return rows


def _group_rows(
    rows: Iterable[ReportRow], key: Callable[[ReportRow], str]
) -> dict[str, list[ReportRow]]:
    groups: dict[str, list[ReportRow]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return groups


def _questions(rows: Iterable[ReportRow]) -> tuple[int, int]:
    """How many questions were answered, and how many were not."""
    return _answers([verdict for row in rows for verdict in row.report.verdicts])


def _answers(verdicts: Sequence[Verdict]) -> tuple[int, int]:
    unanswered = sum(verdict.state in ("unreadable", "failed") for verdict in verdicts)
    return len(verdicts) - unanswered, unanswered


def _mean_of_questions(clusters: Sequence[Sequence[Verdict]], policy: Policy) -> Mean:
    rights = []
    counts = []
    out = 0
    answered, unanswered = _answers([verdict for cluster in clusters for verdict in cluster])
    for cluster in clusters:
        counted = len(cluster) if policy == "published" else _answers(cluster)[0]
        out += len(cluster) - counted
        if counted:
            rights.append(float(sum(verdict.state == "correct" for verdict in cluster)))
            counts.append(counted)
    return _mean(rights, counts, out, answered, unanswered)


def _mean(
    totals: Sequence[float], counts: Sequence[int], out: int, answered: int, unanswered: int
) -> Mean:
    interval = bootstrap(totals, counts) if totals else None
    return Mean(
        value=sum(totals) / sum(counts) if totals else None,
        n=sum(counts),
        left_out=out,
        interval_method="bootstrap",
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        answered=answered,
        unanswered=unanswered,
    )
