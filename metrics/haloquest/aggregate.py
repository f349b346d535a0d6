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
from hallascope.metrics.aggregate import Mean, mean_over_questions, require_one_version

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
    states_by_image: dict[str, list[State]] = defaultdict(list)
    for row in rows:
        states_by_image[row.image].append(row.state)
    return mean_over_questions(states_by_image.values(), published=policy == "published")


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
