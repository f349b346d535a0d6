"""Says how far the people who labeled the same images agree: what a judge can be held to at most.

What they agree on stands for the truth of an image. No judge is asked here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

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


def labeler_agreement(
    items: Sequence[LabelItem], by_labeler: Mapping[str, Mapping[str, Label]]
) -> LabelerAgreement | None:
    """Return how far labelers agree; None where no question has the marks of two of them.

    `by_labeler` holds the labels of each labeler by item, as `label_folder.read_labels`
    returns them.
    """
    names = sorted(by_labeler)
    told_by_one = told_by_none = questions = 0
    pairs: list[tuple[str, Letter, LabelMark, LabelMark]] = []
    sees_expected: list[list[float]] = []
    for item in items:
        labels = [by_labeler[name][item.id] for name in names if item.id in by_labeler[name]]
        for number, question in enumerate(item.questions):
            marks = [mark for label in labels if (mark := label.answers[number])]
            told = [mark for mark in marks if mark != CANNOT_BE_TOLD]
            if len(marks) < 2:
                continue
            questions += 1
            told_by_one += 0 < len(told) < len(marks)
            told_by_none += not told
            if len(told) > 1:
                pairs += [(item.id, question.gold, *pair) for pair in combinations(told, 2)]
                sees_expected.append([float(mark == question.gold) for mark in told])
    if not questions:
        return None
    same = [one == other for *_, one, other in pairs]
    low, high, method = interval_by_cluster(same, [name for name, *_ in pairs]) or (None,) * 3
    return LabelerAgreement(
        labelers=tuple(names),
        questions=len(sees_expected),
        same=sum(same),
        n=len(pairs),
        low=low,
        high=high,
        interval_method=method,
        kappa=kappa_of_decisions(
            [FactDecision(name, one != gold, other != gold) for name, gold, one, other in pairs]
        ),
        alpha=krippendorff_alpha(sees_expected, "nominal"),
        told_by_one=told_by_one,
        told_by_none=told_by_none,
    )
