"""Tries a judge against labels: on how many questions it says the same."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from hallascope.backends.base import Judge
from hallascope.data.files import label_folder
from hallascope.data.files.label_folder import CANNOT_BE_TOLD, Label, LabelItem, labels_of
from hallascope.data.files.tables import BadTable, Complaint
from hallascope.data.records import COIS, Picture
from hallascope.engine.events import PRIMER
from hallascope.engine.judge_eval.answers import (
    TrialAnswer,
    TrialQuestion,
    group_answers,
    label_figures,
    read_answer,
)
from hallascope.engine.judge_eval.harness import ReportProgress
from hallascope.engine.models.roles import ignore_progress
from hallascope.engine.trials.records import LabeledTrial, labeler_agreement


@dataclass(frozen=True)
class _LabeledItems:
    """Holds the labeled pictures of a folder, and the labels by labeler and by the picture's id.

    `second` holds the second labels likewise. `unlabeled_questions` counts those of pictures
    without a label.
    """

    items: Sequence[LabelItem]
    by_labeler: Mapping[str, Mapping[str, Label]]
    unlabeled_questions: int
    complaints: tuple[Complaint, ...]
    second: Mapping[str, Mapping[str, Label]] = field(default_factory=dict)

    @property
    def all_labelers(self) -> dict[str, Mapping[str, Label]]:
        return {**self.by_labeler, **self.second}


def try_on_labels(
    judge: Judge,
    folder: Path,
    labeler: str | None = None,
    on_progress: ReportProgress = ignore_progress,
) -> LabeledTrial:
    """Ask the judge every question that a person (`labeler`, or anyone) could answer.

    `on_progress` is told the pictures done, of how many.

    A picture that is not the one that was labeled is left out and named. Raises BadTable.
    """
    labeled = _read_labeled(folder, labeler)
    answers: list[TrialAnswer] = []
    for done, item in enumerate(labeled.items):
        on_progress(done, len(labeled.items))
        labels = labels_of(item, labeled.all_labelers)
        answers += _ask_labeled(judge, folder, item, labels)
    on_progress(len(labeled.items), len(labeled.items))
    return _labeled_trial(judge.spec.id, folder, labeled, answers)


def _labeled_trial(
    judge: str, folder: Path, labeled: _LabeledItems, answers: Sequence[TrialAnswer]
) -> LabeledTrial:
    """Return the trial that these answers of a judge to labeled questions make."""
    by_labeler = group_answers(answers, lambda asked: asked.labeler)
    answers = [answer for answer in answers if answer.asked.labeler not in labeled.second]
    labels = [label for item in labeled.items for label in labels_of(item, labeled.by_labeler)]
    marks = [mark for label in labels for mark in label.answers]
    answers_by_coi = group_answers(answers, lambda asked: asked.question.coi)
    by_coi = {coi: label_figures(answers_by_coi[coi]) for coi in COIS if coi in answers_by_coi}
    unanswered = [answer.asked for answer in answers if answer.letter is None]
    return LabeledTrial(
        **vars(label_figures(answers)),
        judge=judge,
        folder=str(folder),
        pictures=len(labeled.items),
        by_coi={coi: own.overall for coi, own in by_coi.items()},
        sensitivity_by_coi={
            coi: own.sensitivity
            for coi, own in by_coi.items()
            if any(answer.asked.fact_violated for answer in answers_by_coi[coi])
        },
        specificity_by_coi={
            coi: own.specificity
            for coi, own in by_coi.items()
            if not all(answer.asked.fact_violated for answer in answers_by_coi[coi])
        },
        cannot_be_told=marks.count(CANNOT_BE_TOLD),
        not_labelled=marks.count(None) + labeled.unlabeled_questions,
        unanswered=len({(asked.image, asked.question.text) for asked in unanswered}),
        labellers=dict(Counter(label.labeller for label in labels)),
        complaints=labeled.complaints,
        by_labeler={name: label_figures(own) for name, own in by_labeler.items()},
        labeler_agreement=labeler_agreement(labeled.items, labeled.all_labelers),
        models=tuple(sorted({item.model for item in labeled.items if item.model})),
    )


def _read_labeled(folder: Path, labeler: str | None) -> _LabeledItems:
    """Read what a person, or anyone, has labeled. Raises BadTable where that is nothing."""
    items, complaints = label_folder.read_items(folder)
    by_labeler, label_complaints = label_folder.read_labels(folder, items)
    second, second_complaints = label_folder.read_labels(folder, items, label_folder.SECOND_LABELS)
    second = {name: own for name, own in second.items() if name not in by_labeler}
    if labeler is not None:
        both = {**by_labeler, **second}
        by_labeler = {name: own for name, own in both.items() if name == labeler}
        second = {}
    complaints += [*label_complaints, *second_complaints]
    labeled = []
    unlabeled = 0
    for item in items:
        if not any(item.id in own for own in by_labeler.values()):
            unlabeled += len(item.questions)
        elif complaint := picture_complaint(folder, item):
            complaints.append(complaint)
        else:
            labeled.append(item)
    if not labeled:
        whose = f" by {labeler!r}" if labeler else ""
        raise BadTable(
            f"the folder {str(folder)!r} holds no labels{whose}: label with `hallascope label page`"
        )
    return _LabeledItems(labeled, by_labeler, unlabeled, tuple(complaints), second)


def picture_complaint(folder: Path, item: LabelItem) -> Complaint | None:
    """Return what is wrong with the picture of an item; None where it is the labeled one."""
    path = label_folder.picture(folder, item.id)
    if not path.is_file():
        problem = "is not there"
    elif sha256(path.read_bytes()).hexdigest() != item.sha256:
        problem = "was changed"
    else:
        return None
    name = f"{label_folder.PICTURES}/{path.name}"
    return Complaint(name, None, None, f"{problem}; its labels are left out")


def _ask_labeled(
    judge: Judge, folder: Path, item: LabelItem, labels: Sequence[Label]
) -> list[TrialAnswer]:
    """Return what the judge says beside each label, asked once what a label answers."""
    is_drawn = (item.model or "").startswith(PRIMER)
    picture = Picture(item.sha256, label_folder.picture(folder, item.id), is_drawn)
    told = [
        TrialQuestion(picture, question, mark, labeler=label.labeller)
        for label in labels
        for question, mark in zip(item.questions, label.answers, strict=True)
        if mark and mark != CANNOT_BE_TOLD
    ]
    asked = {each.question.text: each for each in told}
    requests = [each.request() for each in asked.values()]
    replies = dict(zip(asked, judge.ask(requests) if requests else (), strict=True))
    return [read_answer(each, replies[each.question.text]) for each in told]
