"""Sums up graded HaloQuest questions: the share correct, by image and hallucination type."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from hallascope.data.benchmarks.haloquest import (
    HALLUCINATIONS,
    IMAGE_TYPES,
    Hallucination,
    HaloQuestion,
    ImageType,
)
from hallascope.data.evidence import State
from hallascope.data.records import Report
from hallascope.metrics.aggregate import Mean, MixedVersions, Policy
from hallascope.metrics.statistics.intervals import bootstrap

T = TypeVar("T", bound=str)


class HaloReportRow(NamedTuple):
    """A report on a question with the question itself.

    `image` is what clusters are made by: questions on one picture go together.
    """

    report: Report
    question: HaloQuestion
    image: str

    @property
    def state(self) -> State:
        """Raises ValueError where the report is on no question."""
        if not (self.report.evidence and self.report.evidence.findings):
            raise ValueError(
                f"the report on {self.question.text!r} has no finding: it was made without the"
                " question"
            )
        return self.report.evidence.findings[0].state


@dataclass(frozen=True)
class Shares:
    """The share judged correct with a 95 % bootstrap interval resampled by picture.

    Slices without a question are not listed.
    """

    policy: Policy
    overall: Mean
    by_image_type: Mapping[ImageType, Mean]
    by_hallucination_type: Mapping[Hallucination, Mean]


def shares(rows: Iterable[HaloReportRow], policy: Policy = "answered") -> Shares:
    """All of a judge's graded questions.

    Raises MixedVersions where they were asked or graded in several ways.
    """
    rows = list(rows)
    versions = sorted({f"{row.report.metric} {row.report.version}" for row in rows})
    if len(versions) > 1:
        raise MixedVersions(
            f"these reports are of {' and '.join(versions)}, whose numbers do not compare: average"
            " each alone"
        )
    kinds = _shares_by(rows, HALLUCINATIONS, lambda row: row.question.hallucination, policy)
    return Shares(
        policy,
        share(rows, policy),
        _shares_by(rows, IMAGE_TYPES, lambda row: row.question.image_type, policy),
        kinds,
    )


def share(rows: Iterable[HaloReportRow], policy: Policy = "answered") -> Mean:
    """Correct / answered; under the published policy what is unreadable or failed counts as wrong.

    `n` counts questions.
    """
    states: dict[str, list[State]] = defaultdict(list)
    for row in rows:
        states[row.image].append(row.state)
    kept = [
        [state for state in cluster if policy == "published" or _answered(state)]
        for cluster in states.values()
    ]
    totals = [float(cluster.count("correct")) for cluster in kept if cluster]
    counts = [len(cluster) for cluster in kept if cluster]
    every = [state for cluster in states.values() for state in cluster]
    answered = sum(map(_answered, every))
    interval = bootstrap(totals, counts) if counts else None
    return Mean(
        value=pooled(totals, counts),
        n=sum(counts),
        left_out=len(every) - sum(counts),
        interval_method="bootstrap",
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        answered=answered,
        unanswered=len(every) - answered,
    )


def pooled(totals: Sequence[float], counts: Sequence[int]) -> float | None:
    """The mean over all that was counted, from the sum and the size of each part.

    None where nothing was.
    """
    return sum(totals) / sum(counts) if sum(counts) else None


def _answered(state: State) -> bool:
    return state in ("correct", "incorrect")


def _shares_by(
    rows: Sequence[HaloReportRow],
    order: Sequence[T],
    of: Callable[[HaloReportRow], T],
    policy: Policy,
) -> dict[T, Mean]:
    return {
        name: share([row for row in rows if of(row) == name], policy)
        for name in order
        if any(of(row) == name for row in rows)
    }
