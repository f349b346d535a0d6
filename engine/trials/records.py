"""Holds the records of trials of judges: what is measured, printed, stored and shipped.

They know no model, no store and no page. What people who labeled the same images agree on stands
for the truth of an image: a judge can be held to it at most.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Annotated, Literal

from pydantic import AliasChoices, Field

from hallascope.data.files.label_folder import (
    CANNOT_BE_TOLD,
    Label,
    LabelItem,
    LabelMark,
    labels_of,
)
from hallascope.data.files.tables import Complaint
from hallascope.data.records import CoI, Difficulty, Letter
from hallascope.data.wordings.catalog import OURS
from hallascope.metrics.haloquest.aggregate import Shares
from hallascope.metrics.statistics.balanced_accuracy import (
    BalancedAccuracy,
    FactDecision,
    balanced_accuracy,
    kappa_of_decisions,
)
from hallascope.metrics.statistics.intervals import IntervalMethod, interval_by_cluster
from hallascope.metrics.statistics.reliability import krippendorff_alpha
from hallascope.metrics.statistics.response_statistics import (
    NO_KAPPA,
    Calibration,
    Consistency,
    Kappa,
    PositionBias,
    cohens_kappa,
)


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
    by_labeler = dict(sorted(by_labeler.items()))
    told_by_one = told_by_none = questions = 0
    pairs: list[tuple[str, Letter, LabelMark, LabelMark]] = []
    sees_expected: list[list[float]] = []
    for item in items:
        labels = labels_of(item, by_labeler)
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
        labelers=tuple(by_labeler),
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


PictureTruth = Literal["factual", "violated"]
SIDES: tuple[PictureTruth, ...] = ("factual", "violated")


@dataclass(frozen=True)
class Share:
    """Counts `right` of `asked`, such as right answers of the questions that were answered.

    Beside labels `right` counts the questions on which the judge says what the label says. `value`
    is None where nothing was asked.

    The 95 % interval is by picture, by `interval_method`; both are None under two pictures or where
    nobody took one. Trials stored by version 0.1.0 name no method: theirs is a percentile
    bootstrap, and those on labels call the counts "same" and "n".
    """

    right: Annotated[int, Field(validation_alias=AliasChoices("right", "same"))]
    asked: Annotated[int, Field(validation_alias=AliasChoices("asked", "n"))]
    low: float | None = None
    high: float | None = None
    interval_method: IntervalMethod | None = None

    @property
    def value(self) -> float | None:
        return self.right / self.asked if self.asked else None


@dataclass(frozen=True)
class Reliability:
    """Says how far a judge's objections and its confirmations can be trusted.

    `sensitivity`: of the answered questions whose own fact is violated in the picture, those where
    the judge does not give the expected answer, whatever else it says. `specificity`: of those
    whose fact holds, those where it gives the expected answer; all others are `false_alarms`.
    `balanced_accuracy` is the mean of both. `kappa` is Cohen's, of flagged or not against violated
    or not. `baseline` is what always giving the expected answer would get right of the same
    questions: a judge that is right no more often tells nothing. Trials of version 0.1.0 lack these
    three.
    """

    sensitivity: Share = Share(0, 0)
    specificity: Share = Share(0, 0)
    balanced_accuracy: BalancedAccuracy = field(default_factory=BalancedAccuracy)
    kappa: Kappa = NO_KAPPA
    baseline: Share = Share(0, 0)

    @property
    def false_alarms(self) -> Share:
        """Return 1 - specificity: of the facts that hold, those that the judge objects to."""
        accepted = self.specificity
        low = None if accepted.high is None else 1 - accepted.high
        high = None if accepted.low is None else 1 - accepted.low
        alarms = accepted.asked - accepted.right
        return Share(alarms, accepted.asked, low, high, accepted.interval_method)


@dataclass(frozen=True)
class DifficultyResult:
    """Holds what I-HallA's protocol of table 1 gives: five times Normal or Weird of each picture.

    `told`: how often that was right, of what could be read, over all and by what the picture is.
    `pictures` by difficulty; those without five readable replies are `left_out`.
    """

    told: Share
    by_side: Mapping[PictureTruth, Share]
    pictures: Mapping[Difficulty, int]
    left_out: int


@dataclass(frozen=True)
class Cost:
    """Holds what answers took that were asked anew: how many, USD, and seconds in all.

    None came from the cache.
    """

    answers: int
    amount: float
    seconds: float

    @property
    def seconds_each(self) -> float | None:
        return self.seconds / self.answers if self.answers else None

    @property
    def thousand(self) -> float | None:
        """Return the USD for a thousand answers."""
        return 1000 * self.amount / self.answers if self.answers else None


@dataclass(frozen=True)
class JudgeAnswer:
    """Holds what a judge said to a question about a picture (its SHA-256).

    It is in the words of the choices, None where nothing could be read.
    """

    picture: str
    question: str
    coi: CoI
    right: str
    said: str | None


@dataclass(frozen=True, kw_only=True)
class Trial:
    """Holds what a judge got right of what it answered: in all, by CoI, and by kind of picture.

    Pictures are factual or violated.

    These count the first time each question is asked. `answered`: the replies that could be read,
    of all; `abstained`: of those, the ones that find no choice to fit where one does. `positions`:
    whether it prefers a place among the choices, over all orders they were asked in; `calibration`:
    how far its probabilities can be taken at their word. `repeated` and `reordered`: how alike it
    answers the same question again, and with its choices in another order; None where it was asked
    once. `difficulty` and `cost`: where they were tried. `violated_facts`: of the
    questions whose own fact is wrong in the picture (on a violated picture many are not), those
    answered right. `reliability` also counts a wrong answer that is not the expected one as an
    objection; `by_concept` and `by_fact` ("concept / parameter") rest on pictures of their own.
    `by_concept` counts the five questions of the concept's set, `by_fact` those on every fact. Both
    hold sensitivity and specificity alone, as the other figures say little of so few answers.
    `all_right`: of the pictures of which every question was answered, those with all of them right.
    `none_right`: of the questions that are asked once more without their true choice, those that
    the judge answers with "None of the above"; they count in no other figure, and
    `none_right_unanswered` of them are in none at all. Trials of version 0.1.0 asked none.
    `answers` are the first ones, question by question; `version` is of the template and the reading
    rule.
    """

    judge: str
    benchmark: str
    pictures: int
    overall: Share
    by_coi: Mapping[CoI, Share]
    by_kind: Mapping[str, Share]
    unanswered: int
    positions: PositionBias
    calibration: Calibration
    answered: Share = Share(0, 0)
    abstained: Share = Share(0, 0)
    repeated: Consistency | None = None
    reordered: Consistency | None = None
    difficulty: DifficultyResult | None = None
    cost: Cost | None = None
    violated_facts: Share = Share(0, 0)
    reliability: Reliability = Reliability()
    reliability_by_coi: Mapping[CoI, Reliability] = field(default_factory=dict)
    by_concept: Mapping[str, Reliability] = field(default_factory=dict)
    by_fact: Mapping[str, Reliability] = field(default_factory=dict)
    all_right: Mapping[PictureTruth, Share] = field(default_factory=dict)
    none_right: Share = Share(0, 0)
    none_right_unanswered: int = 0
    answers: tuple[JudgeAnswer, ...] = ()
    seed: int = 0
    version: str = ""

    @property
    def identity(self) -> list[object]:
        """Return the same values for trials that asked the same."""
        extras = (self.repeated, self.reordered, self.difficulty)
        asked = [self.judge, self.benchmark, self.pictures, self.seed, self.version]
        return [*asked, [each is not None for each in extras]]


@dataclass(frozen=True, kw_only=True)
class HaloTrial:
    """Holds what came of HaloQuest's questions to a judge.

    `judge` is "" where the replies were given; `grader` is "rules" without a language model, and
    names the implementation of Auto-Eval where it is not the paper's own. `left_out`: how many of
    the `questions` are in no share. `people` says how far the grader agrees with them, where they
    graded replies too. `wording` names the pack of texts, with its version where it is not ours.
    `seed` is that by which the questions were drawn.
    """

    judge: str
    grader: str
    benchmark: str
    answered: Shares
    published: Shares
    questions: int
    left_out: int
    people: Kappa | None = None
    wording: str = OURS
    seed: int = 0

    @property
    def identity(self) -> list[object]:
        """Return the same values for trials that asked the same."""
        asked: list[object] = [self.judge, self.benchmark, self.grader, self.questions]
        asked += [self.seed] if self.seed else []  # files of before have none in their names
        return [*asked, self.wording] if self.wording != OURS else asked


@dataclass(frozen=True, kw_only=True)
class LabelFigures(Reliability):
    """Holds what a judge reaches against the labels of people, over all their answers.

    A fact holds where the labeler sees the expected answer, and is violated where not. `overall`
    counts the same choice. Every figure has its 95 % interval by picture.
    """

    overall: Share = Share(0, 0)


@dataclass(frozen=True, kw_only=True)
class LabeledTrial(LabelFigures):
    """Holds a judge against labels, over all and by composition of interest.

    Where several people labeled a question, the judge's answer counts beside each of theirs.
    `by_labeler` has the figures beside each labeler, with the number of answers in each, also
    beside second labels (`SECOND_LABELS`), which count in no other figure. `labeler_agreement` is
    how far all these labelers agree among themselves, None where no two labeled the same question.

    Counted apart and in no share: what by a label cannot be told, what is not labeled yet, what the
    judge left unanswered. `pictures` were asked about; `labellers`: how many of them each has
    labeled. `complaints`: what was wrong in the folder. `models` made the pictures. Trials of
    version 0.1.0 lack balanced accuracy, the interval of kappa, models, and what is by labeler.
    """

    judge: str
    folder: str
    pictures: int
    by_coi: Mapping[CoI, Share]
    sensitivity_by_coi: Mapping[CoI, Share]
    specificity_by_coi: Mapping[CoI, Share]
    cannot_be_told: int
    not_labelled: int
    unanswered: int
    labellers: Mapping[str, int]
    complaints: tuple[Complaint, ...] = ()
    by_labeler: Mapping[str, LabelFigures] = field(default_factory=dict)
    labeler_agreement: LabelerAgreement | None = None
    models: tuple[str, ...] = ()

    @property
    def identity(self) -> list[object]:
        """Return the same values for trials that asked the same."""
        return [self.judge, "labels", self.folder, sorted(self.labellers)]


def share_of(outcomes: Iterable[tuple[str, bool]]) -> Share:
    """Count true outcomes, each named by its picture, with the interval by picture."""
    pairs = list(outcomes)
    values = [outcome for _, outcome in pairs]
    interval = interval_by_cluster(values, [picture for picture, _ in pairs])
    return Share(sum(values), len(values), *(interval or ()))


def summarize_decisions(decisions: Iterable[FactDecision]) -> Reliability:
    """Return the figures of decisions on facts, each with its 95 % interval by image."""
    decisions = list(decisions)
    return Reliability(
        sensitivity=share_of((each.image, each.flagged) for each in decisions if each.violated),
        specificity=share_of((each.image, each.right) for each in decisions if not each.violated),
        balanced_accuracy=balanced_accuracy(decisions),
        kappa=kappa_of_decisions(decisions),
        baseline=share_of((each.image, not each.violated) for each in decisions),
    )


@dataclass(frozen=True)
class JudgePair:
    """Holds how far two judges agree on the questions that both were asked."""

    one: str
    other: str
    kappa: Kappa


@dataclass(frozen=True)
class JudgeDisagreement:
    """Holds a question on which judges differ: the right answer, and what each judge said.

    None: nothing readable.
    """

    picture: str
    question: str
    right: str
    said: Mapping[str, str | None]


def pairs(trials: Sequence[Trial]) -> Iterator[JudgePair]:
    """Yield Cohen's kappa of every two judges that share a question.

    It is over the words of their answers.
    """
    answers = {trial.judge: _by_question(trial) for trial in trials}
    for judge, other in combinations(answers, 2):
        shared = [question for question in answers[judge] if question in answers[other]]
        if shared:
            own = [answers[judge][question].said for question in shared]
            others = [answers[other][question].said for question in shared]
            yield JudgePair(judge, other, cohens_kappa(own, others))


def disagreements(trials: Sequence[Trial]) -> Iterator[JudgeDisagreement]:
    """Yield the questions that all judges were asked and not all answered alike.

    What one left unanswered is no disagreement by itself.
    """
    by_judge = {trial.judge: _by_question(trial) for trial in trials}
    if len(by_judge) < 2:
        return
    for question, answer in next(iter(by_judge.values())).items():
        if not all(question in answers for answers in by_judge.values()):
            continue
        words = {judge: answers[question].said for judge, answers in by_judge.items()}
        if len(set(words.values()) - {None}) > 1:
            yield JudgeDisagreement(*question, answer.right, words)


def _by_question(trial: Trial) -> dict[tuple[str, str], JudgeAnswer]:
    return {(answer.picture, answer.question): answer for answer in trial.answers}
