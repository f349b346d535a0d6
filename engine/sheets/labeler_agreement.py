"""Says how far the people who labeled the same images agree: what a judge can be held to at most.

What they agree on stands for the truth of an image. No judge is asked here.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from hallascope.data.files.label_folder import CANNOT_BE_TOLD, Label, LabelItem, LabelMark
from hallascope.data.records import Letter
from hallascope.metrics.statistics.balanced_accuracy import FactDecision, kappa_of_decisions
from hallascope.metrics.statistics.intervals import IntervalMethod, interval_by_cluster
from hallascope.metrics.statistics.reliability import krippendorff_alpha
from hallascope.metrics.statistics.response_statistics import Kappa


@dataclass(frozen=True, kw_only=True)
class LabelerAgreement:
    """Holds how far labelers agree on the questions that two of them or more could tell.

    `questions`: how many these are. `same` of `n` pairs of answers name the same choice; the 95 %
    interval of that share is by image, by `interval_method`, None under two images. With two
    labelers every question has one pair. `kappa` is Cohen's over the pairs, with its interval by
    image, and `alpha` is Krippendorff's (nominal) over the questions, both on whether a labeler
    sees the expected answer or not, as a judge's kappa against labels is. `told_by_one`: the
    questions that one labeler could tell and another marked as not to be told; `told_by_none`:
    those that two or more marked so, and nobody could tell.
    """

    labelers: tuple[str, ...]
    questions: int
    same: int
    n: int
    low: float | None
    high: float | None
    interval_method: IntervalMethod | None
    kappa: Kappa
    alpha: float | None
    told_by_one: int
    told_by_none: int

    @property
    def value(self) -> float | None:
        """Return the share of pairs that name the same choice, in [0, 1]."""
        return self.same / self.n if self.n else None


class _QuestionMarks(NamedTuple):
    """Holds the marks of one question about an item, in the order of the labelers' names."""

    item: str
    gold: Letter
    marks: tuple[LabelMark, ...]

    @property
    def told(self) -> tuple[LabelMark, ...]:
        return tuple(mark for mark in self.marks if mark != CANNOT_BE_TOLD)


def labeler_agreement(
    items: Sequence[LabelItem], by_labeler: Mapping[str, Mapping[str, Label]]
) -> LabelerAgreement | None:
    """Return how far labelers agree; None where no question has the marks of two of them.

    `by_labeler` holds the labels of each labeler by item, as `label_folder.read_labels`
    returns them.
    """
    shared = [marks for marks in _question_marks(items, by_labeler) if len(marks.marks) > 1]
    if not shared:
        return None
    told = [marks for marks in shared if len(marks.told) > 1]
    pairs = [(marks, one, other) for marks in told for one, other in combinations(marks.told, 2)]
    same = [one == other for _, one, other in pairs]
    low, high, method = (
        interval_by_cluster(same, [marks.item for marks, *_ in pairs]) or (None,) * 3
    )
    return LabelerAgreement(
        labelers=tuple(sorted(by_labeler)),
        questions=len(told),
        same=sum(same),
        n=len(pairs),
        low=low,
        high=high,
        interval_method=method,
        kappa=kappa_of_decisions(
            [
                FactDecision(marks.item, one != marks.gold, other != marks.gold)
                for marks, one, other in pairs
            ]
        ),
        alpha=krippendorff_alpha(
            [[float(mark == marks.gold) for mark in marks.told] for marks in told], "nominal"
        ),
        told_by_one=sum(0 < len(marks.told) < len(marks.marks) for marks in shared),
        told_by_none=sum(not marks.told for marks in shared),
    )


def _question_marks(
    items: Sequence[LabelItem], by_labeler: Mapping[str, Mapping[str, Label]]
) -> Iterator[_QuestionMarks]:
    for item in items:
        labels = [by_labeler[name].get(item.id) for name in sorted(by_labeler)]
        for number, question in enumerate(item.questions):
            marks = [label.answers[number] for label in labels if label is not None]
            given = tuple(mark for mark in marks if mark is not None)
            yield _QuestionMarks(item.id, question.gold, given)
