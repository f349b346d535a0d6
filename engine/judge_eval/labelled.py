"""Tries a judge against labels: on how many questions it says the same."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from hallascope.backends.base import Judge
from hallascope.data.files import label_folder
from hallascope.data.files.label_folder import CANNOT_BE_TOLD, Label, LabelItem, LabelMark
from hallascope.data.files.tables import Complaint
from hallascope.data.records import COIS, CoI, Letter, Picture
from hallascope.engine.events import PRIMER
from hallascope.engine.judge_eval.harness import (
    ReportProgress,
    ask_texts,
    ignore_progress,
    ihalla_request,
)
from hallascope.engine.trials.labeler_agreement import labeler_agreement
from hallascope.engine.trials.records import (
    LabeledTrial,
    LabelFigures,
    share_of,
    summarize_decisions,
)
from hallascope.metrics.replies.letters import read_letter
from hallascope.metrics.statistics.balanced_accuracy import FactDecision


class LabeledAnswer(NamedTuple):
    """Holds one labeled question of one picture (`item`) with the letter the judge gave.

    `letter` is None where none could be read; `gold` is the expected answer, `mark` that of the
    person, `labeler`. `question` is its text.
    """

    item: str
    coi: CoI
    gold: Letter
    mark: LabelMark
    letter: Letter | None
    labeler: str = ""
    question: str = ""

    @property
    def person_sees(self) -> bool:
        """Return whether the labeler sees the expected answer."""
        return self.mark == self.gold

    @property
    def judge_sees(self) -> bool | None:
        """Return whether the judge sees the expected answer; None where it gave no letter."""
        return None if self.letter is None else self.letter == self.gold


@dataclass(frozen=True)
class _LabeledItems:
    """Holds the labeled pictures of a folder, and the labels by labeler and by the picture's id.

    `second` holds the second labels likewise. `unlabelled_questions` counts those of pictures
    without a label.
    """

    items: Sequence[LabelItem]
    by_labeler: Mapping[str, Mapping[str, Label]]
    unlabelled_questions: int
    complaints: tuple[Complaint, ...]
    second: Mapping[str, Mapping[str, Label]] = field(default_factory=dict)

    @property
    def all_labelers(self) -> dict[str, Mapping[str, Label]]:
        return {**self.by_labeler, **self.second}


def try_on_labels(
    judge: Judge,
    folder: Path,
    labeller: str | None = None,
    on_progress: ReportProgress = ignore_progress,
) -> LabeledTrial:
    """Ask the judge every question that a person (`labeller`, or anyone) could answer.

    `on_progress` is told the pictures done, of how many.

    A picture that is not the one that was labeled is left out and named. Raises NotALabelFolder.
    """
    labelled = _read_labelled(folder, labeller)
    answers: list[LabeledAnswer] = []
    for done, item in enumerate(labelled.items):
        on_progress(done, len(labelled.items))
        labels = _labels_of(item, labelled.all_labelers)
        answers += _ask_labelled(judge, folder, item, labels)
    on_progress(len(labelled.items), len(labelled.items))
    return _labeled_trial(judge.spec.id, folder, labelled, answers)


def label_figures(answers: Sequence[LabeledAnswer]) -> LabelFigures:
    """Return what the judge of these answers reaches; what it left unanswered is in no figure."""
    answered = [answer for answer in answers if answer.letter]
    figures = summarize_decisions(
        FactDecision(answer.item, not answer.person_sees, not answer.judge_sees)
        for answer in answered
    )
    kappa = replace(figures.kappa, left_out=len(answers) - len(answered))
    overall = share_of((answer.item, answer.letter == answer.mark) for answer in answered)
    return LabelFigures(**{**vars(figures), "kappa": kappa, "overall": overall})


def _labeled_trial(
    judge: str, folder: Path, labelled: _LabeledItems, answers: Sequence[LabeledAnswer]
) -> LabeledTrial:
    """Return the trial that these answers of a judge to labeled questions make."""
    every_answer = answers
    answers = [answer for answer in every_answer if answer.labeler not in labelled.second]
    labels = [label for item in labelled.items for label in _labels_of(item, labelled.by_labeler)]
    marks = [mark for label in labels for mark in label.answers]
    by_coi: dict[CoI, LabelFigures] = {
        coi: label_figures(own)
        for coi in COIS
        if (own := [answer for answer in answers if answer.coi == coi])
    }
    return LabeledTrial(
        **vars(label_figures(answers)),
        judge=judge,
        folder=str(folder),
        pictures=len(labelled.items),
        by_coi={coi: own.overall for coi, own in by_coi.items()},
        sensitivity_by_coi={
            coi: own.sensitivity
            for coi, own in by_coi.items()
            if any(answer.coi == coi and not answer.person_sees for answer in answers)
        },
        specificity_by_coi={
            coi: own.specificity
            for coi, own in by_coi.items()
            if any(answer.coi == coi and answer.person_sees for answer in answers)
        },
        cannot_be_told=marks.count(CANNOT_BE_TOLD),
        not_labelled=marks.count(None) + labelled.unlabelled_questions,
        unanswered=len({(a.item, a.question) for a in answers if a.letter is None}),
        labellers=dict(Counter(label.labeller for label in labels)),
        complaints=labelled.complaints,
        by_labeler={
            name: label_figures([answer for answer in every_answer if answer.labeler == name])
            for name in dict.fromkeys(answer.labeler for answer in every_answer)
        },
        labeler_agreement=labeler_agreement(labelled.items, labelled.all_labelers),
        models=tuple(sorted({item.model for item in labelled.items if item.model})),
    )


def _read_labelled(folder: Path, labeller: str | None) -> _LabeledItems:
    """Read what a person, or anyone, has labeled. Raises NotALabelFolder where that is nothing."""
    items, complaints = label_folder.read_items(folder)
    by_labeler, label_complaints = label_folder.read_labels(folder, items)
    second, second_complaints = label_folder.read_labels(folder, items, label_folder.SECOND_LABELS)
    second = {name: own for name, own in second.items() if name not in by_labeler}
    if labeller is not None:
        both = {**by_labeler, **second}
        by_labeler = {name: own for name, own in both.items() if name == labeller}
        second = {}
    complaints += [*label_complaints, *second_complaints]
    labelled = []
    unlabelled = 0
    for item in items:
        if not any(item.id in own for own in by_labeler.values()):
            unlabelled += len(item.questions)
        elif complaint := picture_complaint(folder, item):
            complaints.append(complaint)
        else:
            labelled.append(item)
    if not labelled:
        whose = f" by {labeller!r}" if labeller else ""
        raise label_folder.NotALabelFolder(
            f"the folder {str(folder)!r} holds no labels{whose}: label with `hallascope label page`"
        )
    return _LabeledItems(labelled, by_labeler, unlabelled, tuple(complaints), second)


def _labels_of(item: LabelItem, by_labeler: Mapping[str, Mapping[str, Label]]) -> list[Label]:
    """Return the labels of a picture, one of each labeler who has one."""
    return [own[item.id] for own in by_labeler.values() if item.id in own]


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


def _ask_labelled(
    judge: Judge, folder: Path, item: LabelItem, labels: Sequence[Label]
) -> list[LabeledAnswer]:
    """Return what the judge says beside each label, asked once what a label answers."""
    is_drawn = (item.model or "").startswith(PRIMER)
    picture = Picture(item.sha256, label_folder.picture(folder, item.id), is_drawn)
    told = [
        (number, label.labeller, mark)
        for label in labels
        for number, mark in enumerate(label.answers)
        if mark and mark != CANNOT_BE_TOLD
    ]
    asked = sorted({number for number, _, _ in told})
    requests = [ihalla_request(picture, item.questions[number]) for number in asked]
    texts = dict(zip(asked, ask_texts(judge, requests), strict=True))
    answers = []
    for number, labeler, mark in told:
        question = item.questions[number]
        text = texts[number]
        answers.append(
            LabeledAnswer(
                item=item.id,
                coi=question.coi,
                gold=question.gold,
                mark=mark,
                letter=None if text is None else read_letter(text, question.choices, question.text),
                labeler=labeler,
                question=question.text,
            )
        )
    return answers
