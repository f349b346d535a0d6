"""Reports how far a labeling plan is: by model the corrected score, and how many labels it needs.

The score is that of `hallascope.metrics.statistics.corrected_scores`, as the leaderboard prints it
for a plan: it rests on the labels of the plan alone, weighed by the inverse of their inclusion
probabilities, and covers what people would say of prompts such as those of the frame. Images that
raters skipped count as what cannot be told.

It also reports on the raters. Nobody can tell how well a judge agrees with people who do not agree
with each other: the agreement of each rater with the others is the most that a judge can be asked
for (the human ceiling).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, median
from typing import Any

from hallascope.data.files.label_folder import CANNOT_BE_TOLD
from hallascope.engine.labeling.labels import (
    PlanLabels,
    QuestionLabel,
    count_told,
    read_verdicts,
    sum_labels,
)
from hallascope.engine.services import Services
from hallascope.engine.storage.people.labeling import LabelingPlan, LabelingRecord
from hallascope.metrics.ihalla.plan import is_answered
from hallascope.metrics.statistics.corrected_scores import (
    CorrectedScore,
    correct_score,
    half_width_of_all,
    labels_for_half_width,
)
from hallascope.metrics.statistics.prediction_powered import labels_needed
from hallascope.metrics.statistics.reliability import krippendorff_alpha
from hallascope.metrics.statistics.response_statistics import Kappa, cohens_kappa

TARGET = 0.05  # the half width that a sentence looks ahead to


@dataclass(frozen=True, kw_only=True)
class ModelLabelingProgress:
    """Holds how far the labels of one model are.

    `frame`, `labeled` and `skipped` count prompts; one is labeled where a rater could tell a
    question of it, and skipped where raters could tell none or skipped it. `score` is None under
    10 labeled prompts: `needed` says how many are missing. `to_target` is how many more labels
    bring the interval to 0.05 on each side: 0 where it is there, None where labels alone cannot.
    """

    model: str
    frame: int
    labeled: int
    skipped: int
    needed: int
    score: CorrectedScore | None
    to_target: int | None

    @property
    def sentence(self) -> str:
        """Return how wide the interval is, and how many more labels make it ±0.05."""
        if self.score is None:
            missing = self.needed - (self.frame - self.labeled)
            if missing > 0:
                return f"{self.model}: too few prompts to correct its score: judge {missing} more."
            return f"{self.model}: label {self.needed} more to correct its score."
        now = f"{self.model}: ±{self.score.half_width:.2f} now"
        if self.to_target == 0:
            return f"{now}."
        if self.to_target is None:
            return (
                f"{now}; ±{half_width_of_all(self.score):.2f} with all {self.frame} prompts"
                f" labeled: judge more prompts for ±{TARGET:.2f}."
            )
        labels = "label" if self.to_target == 1 else "labels"
        return f"{now}; ±{TARGET:.2f} after about {self.to_target} more {labels}."


@dataclass(frozen=True, kw_only=True)
class LabelingProgress:
    """Holds how far a plan is: images in the frame, labeled and skipped, and by model the scores.

    An image is labeled where a rater labeled it, `finished` where as many did as the plan asks for,
    and skipped where raters skipped it and nobody labeled it.
    """

    plan: str
    frame: int
    labeled: int
    finished: int
    skipped: int
    models: tuple[ModelLabelingProgress, ...]

    @property
    def sentence(self) -> str:
        """Return how far the plan is, model by model."""
        counts = f"{self.labeled} of {self.frame} images labeled, {self.skipped} skipped."
        return " ".join([counts, *(model.sentence for model in self.models)])


def plan_progress(services: Services, plan: LabelingPlan) -> LabelingProgress:
    """Return how far the plan is, as it stands in the store now."""
    labels = PlanLabels(services.store, plan)
    verdicts = read_verdicts(services.store, plan.images)
    images = labels.images
    models = sorted({image.image.stratum for image in images})
    return LabelingProgress(
        plan=plan.id,
        frame=len(images),
        labeled=sum(bool(image.labeled) for image in images),
        finished=sum(len(image.labeled) >= plan.raters_per_image for image in images),
        skipped=sum(bool(image.skipped) and not image.labeled for image in images),
        models=tuple(_model_progress(model, labels, verdicts) for model in models),
    )


def _model_progress(
    model: str, labels: PlanLabels, verdicts: Mapping[int, Sequence[Any]]
) -> ModelLabelingProgress:
    """Return the progress of a stratum; prompts of which the judge answered nothing are no part."""
    judged = defaultdict[str, list[float]](list)
    questions: list[QuestionLabel] = []
    for image in labels.images:
        if image.image.stratum != model:
            continue
        prompt = image.image.prompt
        for verdict in verdicts.get(image.image.evaluation, ()):
            if not is_answered(verdict):
                continue
            right = float(verdict.state == "correct")
            judged[prompt].append(right)
            if image.asked:
                told = [
                    answer.mark == answer.expected
                    for answer in image.answers(verdict.question)
                    if answer.mark != CANNOT_BE_TOLD
                ]
                questions.append(QuestionLabel(model, "", prompt, told, right))
    sums = sum_labels(questions, over_questions=False, probabilities=labels.probabilities)
    sample = sums.get((model, ""), {})
    labeled = count_told(sample)
    score = correct_score(
        {prompt: (fmean(answers), 1.0) for prompt, answers in judged.items()}, sample
    )
    return ModelLabelingProgress(
        model=model,
        frame=len(judged),
        labeled=labeled,
        skipped=len(sample) - labeled,
        needed=labels_needed(labeled),
        score=score,
        to_target=labels_for_half_width(score, TARGET) if score else None,
    )


# by item and question the mark of one who answers
_Marks = Mapping[tuple[str, str], str | None]


@dataclass(frozen=True, kw_only=True)
class RaterReport:
    """Holds what one rater did in a plan.

    `labeled` and `skipped` count images. `seconds` is the median time from when an image is shown
    until it is labeled, None without labels. `others` is the agreement with the other raters, on
    the questions that both could tell: the share of same answers, and Cohen's kappa over all pairs
    with another rater. `judge` is that with the judge.
    """

    rater: str
    labeled: int
    skipped: int
    seconds: float | None
    others: Kappa
    judge: Kappa


@dataclass(frozen=True, kw_only=True)
class LabelingReport:
    """Holds the raters of a plan by name, and their agreement over all of it.

    `alpha` is Krippendorff's, nominal, over the answers to each question of an image; None where no
    question has two answers, or all are the same. `ceiling` is the agreement of each rater with the
    others, and `judge` that of the judge with each rater, over all pairs.
    """

    plan: str
    judge_name: str
    raters: tuple[RaterReport, ...]
    alpha: float | None
    ceiling: Kappa
    judge: Kappa


def rater_report(services: Services, plan: LabelingPlan) -> LabelingReport:
    """Return what each rater did, and how far they agree, as it stands in the store now.

    Labels that were given with a judge's answers in sight do not count.
    """
    by_rater = defaultdict[str, list[LabelingRecord]](list)
    for image in PlanLabels(services.store, plan).images:
        for record in (*image.labeled, *image.skipped):
            by_rater[record.rater].append(record)
    verdicts = read_verdicts(services.store, plan.images)
    judge = {
        (planned.item, verdict.question): verdict.answer
        for planned in plan.images
        for verdict in verdicts.get(planned.evaluation, ())
    }
    marks = {
        rater: {
            (record.item, answer.question): None if answer.mark == CANNOT_BE_TOLD else answer.mark
            for record in records
            for answer in record.answers
        }
        for rater, records in sorted(by_rater.items())
    }
    units = defaultdict[tuple[str, str], list[float]](list)
    for about, mark in (each for own in marks.values() for each in own.items()):
        if mark is not None:
            units[about].append(float(ord(mark)))
    return LabelingReport(
        plan=plan.id,
        judge_name=plan.judge,
        raters=tuple(_report(rater, by_rater[rater], marks, judge) for rater in marks),
        alpha=krippendorff_alpha(list(units.values()), "nominal"),
        ceiling=_agreement(combinations(marks.values(), 2)),
        judge=_agreement((own, judge) for own in marks.values()),
    )


def _report(
    rater: str,
    records: Sequence[LabelingRecord],
    marks: Mapping[str, _Marks],
    judge: _Marks,
) -> RaterReport:
    seconds = [one.created - one.shown for one in records if one.state == "labeled"]
    own = marks[rater]
    return RaterReport(
        rater=rater,
        labeled=len(seconds),
        skipped=len(records) - len(seconds),
        seconds=median(seconds) if seconds else None,
        others=_agreement((own, marks[name]) for name in marks if name != rater),
        judge=_agreement([(own, judge)]),
    )


def _agreement(pairs: Iterable[tuple[_Marks, _Marks]]) -> Kappa:
    """Return the agreement over all that both of a pair answered."""
    answers = [
        (one[about], other[about]) for one, other in pairs for about in one.keys() & other.keys()
    ]
    return cohens_kappa([one for one, _ in answers], [other for _, other in answers])
