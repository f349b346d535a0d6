"""Sums up graded HaloQuest questions: the share correct, by image and hallucination type."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from hallascope.data.benchmarks.haloquest import (
    HALLUCINATIONS,
    HALO_IMAGE_TYPES,
    Hallucination,
    HaloImageType,
    HaloQuestion,
)
from hallascope.data.evidence import State
from hallascope.data.records import Report
from hallascope.metrics.aggregate import Mean, clustered_mean, require_one_version
from hallascope.metrics.statistics.intervals import sum_clusters

T = TypeVar("T", bound=str)
Policy = Literal["answered", "published"]


@dataclass(frozen=True)
class HaloReportRow:
    """Holds a report on a question with the question itself.

    `image` names the picture: questions on one picture are one cluster.
    """

    report: Report
    question: HaloQuestion
    image: str

    @property
    def state(self) -> State:
        """Return the state of the question. Raises ValueError where the report is on none."""
        if not (self.report.evidence and self.report.evidence.findings):
            raise ValueError(
                f"the report on {self.question.text!r} has no finding: it was made without the"
                " question"
            )
        return self.report.evidence.findings[0].state


@dataclass(frozen=True)
class Shares:
    """Holds the share judged correct, with a 95 % interval by picture.

    Slices without a question are not listed.
    """

    policy: Policy
    overall: Mean
    by_image_type: Mapping[HaloImageType, Mean]
    by_hallucination_type: Mapping[Hallucination, Mean]


def shares(rows: Iterable[HaloReportRow], policy: Policy = "answered") -> Shares:
    """Return the shares over all of a judge's graded questions.

    Raises MixedVersions where they were asked or graded in several ways.
    """
    rows = list(rows)
    require_one_version(row.report for row in rows)
    return Shares(
        policy,
        share(rows, policy),
        _shares_by(rows, HALO_IMAGE_TYPES, lambda row: row.question.image_type, policy),
        _shares_by(rows, HALLUCINATIONS, lambda row: row.question.hallucination, policy),
    )


def share(rows: Iterable[HaloReportRow], policy: Policy = "answered") -> Mean:
    """Return correct / answered; `n` counts questions.

    Under the published policy what is unreadable or failed counts as wrong.
    """
    counted_by_image: dict[str, list[State]] = defaultdict(list)
    questions = 0
    answered = 0
    for row in rows:
        counted = counted_by_image[row.image]
        is_answered = row.state in ("correct", "incorrect")
        questions += 1
        answered += is_answered
        if is_answered or policy == "published":
            counted.append(row.state)
    totals = [float(states.count("correct")) for states in counted_by_image.values() if states]
    counts = [len(states) for states in counted_by_image.values() if states]
    return clustered_mean(
        sum_clusters(totals, counts),
        left_out=questions - sum(counts),
        answered=answered,
        unanswered=questions - answered,
    )


def pooled_mean(totals: Sequence[float], counts: Sequence[int]) -> float | None:
    """Return the mean over all that was counted, from the sum and the size of each part.

    None where nothing was counted.
    """
    return sum(totals) / sum(counts) if sum(counts) else None


def _shares_by(
    rows: Sequence[HaloReportRow],
    order: Sequence[T],
    key: Callable[[HaloReportRow], T],
    policy: Policy,
) -> dict[T, Mean]:
    """Return the share of each slice that has a question, in the given order."""
    rows_by_slice: dict[T, list[HaloReportRow]] = defaultdict(list)
    for row in rows:
        rows_by_slice[key(row)].append(row)
    return {name: share(rows_by_slice[name], policy) for name in order if name in rows_by_slice}
