"""Reports how far a labeling plan is: by model the corrected score, and how many labels it needs.

The score is that of `hallascope.metrics.statistics.active_sampling`: it rests on the labels of the
plan alone, weighed by the inverse of their inclusion probabilities, and covers what people would
say of prompts such as those of the frame. Skipped images are left out of it, as if they lacked at
random; `lowest` and `highest` say what it would be if all they show were wrong, or right.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from hallascope.data.files.label_folder import CANNOT_BE_TOLD
from hallascope.engine.labeling.plan_labels import (
    ImageLabels,
    JudgeVerdict,
    read_image_labels,
    read_verdicts,
)
from hallascope.engine.labeling.plans import LabelingPlan
from hallascope.engine.services import Services
from hallascope.metrics.statistics.active_sampling import (
    SampledMean,
    SampledPrompt,
    correct_sampled_mean,
    half_width_of_all,
    inclusion_probabilities,
    labels_for_half_width,
)
from hallascope.metrics.statistics.prediction_powered import labels_needed

TARGET = 0.05  # the half width that a sentence looks ahead to


@dataclass(frozen=True, kw_only=True)
class ModelLabelingProgress:
    """Holds how far the labels of one model are.

    `frame`, `labeled` and `skipped` count prompts; one is labeled where a rater could tell a
    question of it, and skipped where raters skipped it and nobody labeled it. `score` is None under
    10 labeled prompts: `needed` says how many are missing. `to_target` is how many more labels
    bring the interval to 0.05 on each side: 0 where it is there, None where labels alone cannot.
    `lowest` and `highest` are the scores if all that was skipped or could not be told were wrong,
    or right.
    """

    model: str
    frame: int
    labeled: int
    skipped: int
    needed: int
    score: SampledMean | None
    lowest: float | None
    highest: float | None
    to_target: int | None

    @property
    def sentence(self) -> str:
        """Return how wide the interval is, and how many more labels make it ±0.05."""
        if self.score is None:
            return f"{self.model}: {_label_more(self.needed, self.frame - self.labeled)}"
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
    labels = read_image_labels(services, plan)
    verdicts = read_verdicts(services, plan.images)
    strata = defaultdict[str, defaultdict[str, list[ImageLabels]]](lambda: defaultdict(list))
    for image in labels:
        strata[image.image.stratum][image.image.prompt].append(image)
    return LabelingProgress(
        plan=plan.id,
        frame=len(labels),
        labeled=sum(bool(image.labeled) for image in labels),
        finished=sum(len(image.labeled) >= plan.raters_per_image for image in labels),
        skipped=sum(bool(image.skipped) and not image.labeled for image in labels),
        models=tuple(
            _model_progress(model, prompts, verdicts) for model, prompts in sorted(strata.items())
        ),
    )


def _label_more(needed: int, left: int) -> str:
    if needed > left:
        return f"too few prompts to correct its score: judge {needed - left} more."
    return f"label {needed} more to correct its score."


@dataclass
class _PromptLabels:
    """Sums what people and the judge say of the questions of one prompt.

    `judged` holds whether the judge finds each question right that it answered; `people`, `judge`
    are of those that people could tell, and `untold` is what the judge says of the others of images
    that were labeled or skipped.
    """

    probability: float
    judged: list[float] = field(default_factory=list)
    people: list[float] = field(default_factory=list)
    judge: list[float] = field(default_factory=list)
    untold: list[float] = field(default_factory=list)

    def add(self, labels: ImageLabels, verdicts: Sequence[JudgeVerdict]) -> None:
        """Add an image; several raters are averaged."""
        marks = defaultdict[str, list[float]](list)
        for record in labels.labeled:
            for answer in record.answers:
                if answer.mark != CANNOT_BE_TOLD:
                    marks[answer.question].append(float(answer.mark == answer.expected))
        for verdict in verdicts:
            if verdict.state not in ("correct", "incorrect"):
                continue
            right = float(verdict.state == "correct")
            self.judged.append(right)
            told = marks.get(verdict.question)
            if told:
                self.people.append(fmean(told))
                self.judge.append(right)
            elif labels.labeled or labels.skipped:
                self.untold.append(right)


def _model_progress(
    model: str,
    prompts: Mapping[str, Sequence[ImageLabels]],
    verdicts: Mapping[int, Sequence[JudgeVerdict]],
) -> ModelLabelingProgress:
    units = []
    for images in prompts.values():
        unit = _PromptLabels(images[0].image.probability)
        for image in images:
            unit.add(image, verdicts.get(image.image.evaluation, ()))
        if unit.judged:
            units.append(unit)
    labeled = [unit for unit in units if unit.people]
    score = _correct(units, labeled)
    needed = labels_needed(len(labeled))
    return ModelLabelingProgress(
        model=model,
        frame=len(units),
        labeled=len(labeled),
        skipped=sum(bool(unit.untold) and not unit.people for unit in units),
        needed=needed,
        score=score,
        lowest=_bound(units, score, 0.0),
        highest=_bound(units, score, 1.0),
        to_target=labels_for_half_width(score, TARGET) if score else None,
    )


def _correct(
    units: Sequence[_PromptLabels], labeled: Sequence[_PromptLabels], untold: float | None = None
) -> SampledMean | None:
    """Return the corrected score of a model.

    `untold`: what the questions count that were not told; None: they are left out.
    """
    included = inclusion_probabilities([unit.probability for unit in units], len(labeled))
    by_unit = {id(unit): share for unit, share in zip(units, included, strict=True)}
    sample = []
    for unit in labeled:
        people, judge = unit.people, unit.judge
        if untold is not None:
            people = [*people, *[untold] * len(unit.untold)]
            judge = [*judge, *unit.untold]
        sample.append(SampledPrompt(fmean(people), fmean(judge), by_unit[id(unit)]))
    asked = [len(unit.people) for unit in labeled if unit.people]
    step = 1 / fmean(asked) if asked else 0.0
    return correct_sampled_mean([fmean(unit.judged) for unit in units], sample, step=step)


def _bound(
    units: Sequence[_PromptLabels], score: SampledMean | None, untold: float
) -> float | None:
    """Return the score if every question that was asked and not told were `untold`, 0 or 1."""
    touched = [unit for unit in units if unit.people or unit.untold]
    bound = _correct(units, touched, untold) if score else None
    if score is None or bound is None:
        return None
    return min(bound.value, score.value) if untold == 0 else max(bound.value, score.value)
