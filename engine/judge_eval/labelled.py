"""Tries a judge against labels given by hand: on how many questions it says the same."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from hallascope.backends.base import Judge
from hallascope.data.files import label_folder
from hallascope.data.files.label_folder import CANNOT_BE_TOLD, Label, LabelItem, LabelMark
from hallascope.data.files.sheets import Complaint
from hallascope.data.records import COIS, CoI, Letter, Picture
from hallascope.engine.judge_eval.harness import (
    ReportProgress,
    ask_texts,
    ignore_progress,
    ihalla_request,
    share_by_picture,
)
from hallascope.metrics.replies.letters import read_letter
from hallascope.metrics.statistics.intervals import IntervalMethod
from hallascope.metrics.statistics.response_statistics import Kappa, cohens_kappa


@dataclass(frozen=True)
class LabelAgreement:
    """Counts the questions on which the judge says what the label says: `same` of `n`.

    `n` are labelled and answered. The 95 % interval is by picture, by `interval_method`; both are
    None under two pictures, `value` where nothing was counted. Trials stored by version 0.1.0 name
    no method: theirs is a percentile bootstrap.
    """

    same: int
    n: int
    low: float | None = None
    high: float | None = None
    interval_method: IntervalMethod | None = None

    @property
    def value(self) -> float | None:
        return self.same / self.n if self.n else None


@dataclass(frozen=True, kw_only=True)
class LabeledTrial:
    """Holds a judge against labels, over all and by composition of interest.

    `baseline` is what always giving the expected answer would reach on the same questions: a judge
    at or below it tells nothing. `sensitivity`: of the questions where the person does not see the
    expected answer, those where the judge does not see it either; `specificity`: of those where the
    person sees it, those where the judge does. `kappa` is Cohen's, on "sees the expected answer or
    not".

    Counted apart and in no share: what by the label cannot be told, what is not labelled yet, what
    the judge left unanswered. `pictures` were asked about; `labellers`: how many of them each has
    labelled. `complaints`: what was wrong in the folder.
    """

    judge: str
    folder: str
    pictures: int
    overall: LabelAgreement
    baseline: LabelAgreement
    sensitivity: LabelAgreement
    specificity: LabelAgreement
    kappa: Kappa
    by_coi: Mapping[CoI, LabelAgreement]
    sensitivity_by_coi: Mapping[CoI, LabelAgreement]
    specificity_by_coi: Mapping[CoI, LabelAgreement]
    cannot_be_told: int
    not_labelled: int
    unanswered: int
    labellers: Mapping[str, int]
    complaints: tuple[Complaint, ...] = ()


class LabeledAnswer(NamedTuple):
    """Holds one labelled question of one picture (`item`) with the letter the judge gave.

    `letter` is None where none could be read; `gold` is the expected answer, `mark` the person's.
    """

    item: str
    coi: CoI
    gold: Letter
    mark: LabelMark
    letter: Letter | None

    @property
    def person_sees(self) -> bool:
        """Return whether the person sees the expected answer."""
        return self.mark == self.gold

    @property
    def judge_sees(self) -> bool | None:
        """Return whether the judge sees the expected answer; None where it gave no letter."""
        return None if self.letter is None else self.letter == self.gold


@dataclass(frozen=True)
class _LabeledItems:
    """Holds the labelled pictures of a folder, and all labels by the picture's id.

    `unlabelled_questions` counts those of pictures without a label.
    """

    items: Sequence[LabelItem]
    labels: Mapping[str, Label]
    unlabelled_questions: int
    complaints: tuple[Complaint, ...]


def try_on_labels(
    judge: Judge,
    folder: Path,
    labeller: str | None = None,
    on_progress: ReportProgress = ignore_progress,
) -> LabeledTrial:
    """Ask the judge every question that a person (`labeller`, or anyone) could answer.

    `on_progress` is told the pictures done, of how many.

    A picture that is not the one that was labelled is left out and named. Raises NotALabelFolder.
    """
    labelled = _read_labelled(folder, labeller)
    answers: list[LabeledAnswer] = []
    for done, item in enumerate(labelled.items):
        on_progress(done, len(labelled.items))
        answers += _ask_labelled(judge, folder, item, labelled.labels[item.id])
    on_progress(len(labelled.items), len(labelled.items))
    return _labeled_trial(judge.spec.id, folder, labelled, answers)


def _labeled_trial(
    judge: str, folder: Path, labelled: _LabeledItems, answers: Sequence[LabeledAnswer]
) -> LabeledTrial:
    """Return the trial that these answers of a judge to labelled questions make."""
    marks = [mark for item in labelled.items for mark in labelled.labels[item.id].answers]
    labellers = Counter(labelled.labels[item.id].labeller for item in labelled.items)
    expected = [answer._replace(letter=answer.gold) for answer in answers if answer.letter]
    return LabeledTrial(
        judge=judge,
        folder=str(folder),
        pictures=len(labelled.items),
        overall=agreement(answers),
        baseline=agreement(expected),
        sensitivity=_expected_agreement([answer for answer in answers if not answer.person_sees]),
        specificity=_expected_agreement([answer for answer in answers if answer.person_sees]),
        kappa=cohens_kappa(
            [answer.person_sees for answer in answers], [answer.judge_sees for answer in answers]
        ),
        by_coi={
            coi: agreement(own)
            for coi in COIS
            if (own := [answer for answer in answers if answer.coi == coi])
        },
        sensitivity_by_coi=_expected_by_coi(
            [answer for answer in answers if not answer.person_sees]
        ),
        specificity_by_coi=_expected_by_coi([answer for answer in answers if answer.person_sees]),
        cannot_be_told=marks.count(CANNOT_BE_TOLD),
        not_labelled=marks.count(None) + labelled.unlabelled_questions,
        unanswered=sum(answer.letter is None for answer in answers),
        labellers=dict(labellers),
        complaints=labelled.complaints,
    )


def _read_labelled(folder: Path, labeller: str | None) -> _LabeledItems:
    """Read what a person, or anyone, has labelled. Raises NotALabelFolder where that is nothing."""
    items, complaints = label_folder.read_items(folder)
    labels, label_complaints = label_folder.read_labels(folder, items, labeller)
    complaints += label_complaints
    labelled = []
    for item in items:
        if item.id not in labels:
            continue
        if complaint := picture_complaint(folder, item):
            complaints.append(complaint)
        else:
            labelled.append(item)
    if not labelled:
        whose = f" by {labeller!r}" if labeller else ""
        raise label_folder.NotALabelFolder(
            f"the folder {str(folder)!r} holds no labels{whose}: label with `hallascope label page`"
        )
    unlabelled = sum(len(item.questions) for item in items if item.id not in labels)
    return _LabeledItems(labelled, labels, unlabelled, tuple(complaints))


def picture_complaint(folder: Path, item: LabelItem) -> Complaint | None:
    """Return what is wrong with the picture of an item; None where it is the labelled one."""
    path = label_folder.picture(folder, item.id)
    if not path.is_file():
        problem = "is not there"
    elif sha256(path.read_bytes()).hexdigest() != item.sha256:
        problem = "was changed"
    else:
        return None
    name = f"{label_folder.PICTURES}/{path.name}"
    return Complaint(name, None, None, f"{problem}; its labels are left out")


def _ask_labelled(judge: Judge, folder: Path, item: LabelItem, label: Label) -> list[LabeledAnswer]:
    """Return what the judge says to the questions that the label answers."""
    picture = Picture(item.sha256, label_folder.picture(folder, item.id))
    marked = [
        (question, mark)
        for question, mark in zip(item.questions, label.answers, strict=True)
        if mark and mark != CANNOT_BE_TOLD
    ]
    texts = ask_texts(judge, [ihalla_request(picture, question) for question, _ in marked])
    return [
        LabeledAnswer(
            item.id,
            question.coi,
            question.gold,
            mark,
            None if text is None else read_letter(text, question.choices),
        )
        for (question, mark), text in zip(marked, texts, strict=True)
    ]


def agreement(answers: Sequence[LabeledAnswer]) -> LabelAgreement:
    """Return the share of the answered on which both give the same letter."""
    return LabelAgreement(
        *share_by_picture(
            (answer.item, answer.letter == answer.mark) for answer in answers if answer.letter
        )
    )


def _expected_agreement(answers: Sequence[LabeledAnswer]) -> LabelAgreement:
    """Return the share of the answered on which both, or neither, see the expected answer."""
    return LabelAgreement(
        *share_by_picture(
            (answer.item, answer.judge_sees == answer.person_sees)
            for answer in answers
            if answer.letter
        )
    )


def _expected_by_coi(answers: Sequence[LabeledAnswer]) -> dict[CoI, LabelAgreement]:
    return {
        coi: _expected_agreement(own)
        for coi in COIS
        if (own := [answer for answer in answers if answer.coi == coi])
    }
