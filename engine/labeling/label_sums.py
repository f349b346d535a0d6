"""Sums what people and a judge say of labeled questions, by prompt, and corrects scores by it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from hallascope.metrics.statistics.corrected_scores import (
    CorrectedScore,
    LabeledPrompt,
    correct_score,
)
from hallascope.metrics.statistics.intervals import FloatPair
from hallascope.metrics.statistics.rogan_gladen import (
    RoganGladen,
    TrialErrors,
    correct_by_errors,
)


class QuestionLabel(NamedTuple):
    """Holds what people and a judge say of one question about one image.

    `group` is "" or the composition of interest. `marks`: of each person who could tell, whether
    that person sees the expected answer; empty where nobody could tell. `judge` in [0, 1] is the
    share of the judge's trials that see it.
    """

    model: str
    group: str
    prompt: str
    marks: Sequence[bool]
    judge: float


class LabelSample(NamedTuple):
    """Holds the labels of one model in one group.

    Both are by prompt; `errors` counts how often the judge errs on what people could tell.
    """

    prompts: Mapping[str, LabeledPrompt]
    errors: Mapping[str, TrialErrors]

    def select(self, prompts: Iterable[str]) -> "LabelSample":
        """Return the labels of these prompts only."""
        names = list(prompts)
        return LabelSample(
            {name: self.prompts[name] for name in names},
            {name: self.errors[name] for name in names},
        )

    @property
    def total_errors(self) -> TrialErrors:
        """Return the judge's errors over all prompts."""
        return sum(self.errors.values(), TrialErrors())

    @property
    def told(self) -> int:
        """Return of how many prompts people could tell anything."""
        return sum(said.people[1] > 0 for said in self.prompts.values())


NO_LABELS = LabelSample({}, {})


class ScoreCorrection(NamedTuple):
    """Holds a model's score as its labels correct it, and by the judge's errors beside it.

    Both are None where people could tell anything of fewer than 10 prompts.
    """

    score: CorrectedScore | None
    rogan_gladen: RoganGladen | None


def sum_labels(
    labels: Iterable[QuestionLabel],
    *,
    over_questions: bool,
    probabilities: Mapping[tuple[str, str], float] | None = None,
) -> dict[tuple[str, str], LabelSample]:
    """Return the labels by model and group; `over_questions`: questions count, not prompts.

    `probabilities` in (0, 1], by model and prompt, are those with which prompts were drawn to be
    labeled; labels of other prompts are left out then, as nobody knows how they were chosen.
    """
    by_prompt = defaultdict[tuple[str, str], defaultdict[str, list[QuestionLabel]]](
        lambda: defaultdict(list)
    )
    for label in labels:
        if probabilities is None or (label.model, label.prompt) in probabilities:
            by_prompt[label.model, label.group][label.prompt].append(label)
    return {
        key: LabelSample(
            {
                prompt: _labeled_prompt(own, over_questions)._replace(
                    probability=probabilities[key[0], prompt] if probabilities else None
                )
                for prompt, own in prompts.items()
            },
            {prompt: _judge_errors(own) for prompt, own in prompts.items()},
        )
        for key, prompts in by_prompt.items()
    }


def _labeled_prompt(labels: Sequence[QuestionLabel], over_questions: bool) -> LabeledPrompt:
    """Return the sums of a prompt; every prompt weighs the same unless questions count.

    What several people answered to a question is averaged first.
    """
    people = [fmean(label.marks) for label in labels if label.marks]
    right, told, asked = sum(people), len(people), len(labels)

    def pair(total: float, count: int) -> FloatPair:
        return (total, float(count)) if over_questions or not count else (total / count, 1.0)

    return LabeledPrompt(
        people=pair(right, told),
        judge=pair(sum(label.judge for label in labels), asked),
        lowest=pair(right, asked),
        highest=pair(right + asked - told, asked),
        questions=told,
    )


def _judge_errors(labels: Sequence[QuestionLabel]) -> TrialErrors:
    """Count how often the judge errs on what people could tell."""
    errors = TrialErrors()
    for label in labels:
        if label.marks:
            sees = fmean(label.marks)
            errors += TrialErrors(
                flagged=(1 - sees) * (1 - label.judge),
                violated=1 - sees,
                accepted=sees * label.judge,
                holding=sees,
            )
    return errors


def correct_by_labels(judged: Mapping[str, FloatPair], labels: LabelSample) -> ScoreCorrection:
    """Return a model's corrected score; `judged` is as in `correct_score`."""
    score = correct_score(judged, labels.prompts)
    if score is None:
        return ScoreCorrection(None, None)
    return ScoreCorrection(score, correct_by_errors(judged.values(), labels.total_errors))
