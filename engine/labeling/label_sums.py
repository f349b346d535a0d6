"""Sums what people and a judge say of labeled questions, by prompt, and corrects scores by it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
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


@dataclass
class _PromptAnswers:
    """Sums the labeled questions of a prompt: those that people could tell, and the others."""

    people: list[float] = field(default_factory=list)
    judge: list[float] = field(default_factory=list)
    errors: TrialErrors = field(default_factory=TrialErrors)

    def add(self, label: QuestionLabel) -> None:
        """Add one question; people's answers are averaged first."""
        self.judge.append(label.judge)
        if not label.marks:
            return
        sees = fmean(label.marks)
        self.people.append(sees)
        self.errors += TrialErrors(
            flagged=(1 - sees) * (1 - label.judge),
            violated=1 - sees,
            accepted=sees * label.judge,
            holding=sees,
        )

    def summary(self, over_questions: bool) -> LabeledPrompt:
        """Return the sums; every prompt weighs the same unless questions count."""
        right = sum(self.people)
        told = len(self.people)
        asked = len(self.judge)
        return LabeledPrompt(
            people=_pair(right, told, over_questions),
            judge=_pair(sum(self.judge), asked, over_questions),
            lowest=_pair(right, asked, over_questions),
            highest=_pair(right + asked - told, asked, over_questions),
            questions=told,
        )


def _pair(total: float, count: int, over_questions: bool) -> FloatPair:
    if over_questions or not count:
        return total, float(count)
    return total / count, 1.0


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
    sums = defaultdict[tuple[str, str], defaultdict[str, _PromptAnswers]](
        lambda: defaultdict(_PromptAnswers)
    )
    for label in labels:
        if probabilities is None or (label.model, label.prompt) in probabilities:
            sums[label.model, label.group][label.prompt].add(label)

    def summary(model: str, prompt: str, answers: _PromptAnswers) -> LabeledPrompt:
        probability = probabilities[model, prompt] if probabilities else None
        return answers.summary(over_questions)._replace(probability=probability)

    return {
        key: LabelSample(
            {prompt: summary(key[0], prompt, answers) for prompt, answers in prompts.items()},
            {prompt: answers.errors for prompt, answers in prompts.items()},
        )
        for key, prompts in sums.items()
    }


def correct_by_labels(judged: Mapping[str, FloatPair], labels: LabelSample) -> ScoreCorrection:
    """Return a model's corrected score; `judged` is as in `correct_score`."""
    score = correct_score(judged, labels.prompts)
    if score is None:
        return ScoreCorrection(None, None)
    return ScoreCorrection(score, correct_by_errors(judged.values(), labels.total_errors))
