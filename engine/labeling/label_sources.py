"""Finds what people say of judged images: on the Labels tab, and in a folder of labels.

Those of a plan are read by `hallascope.engine.labeling.plan_labels`.

Labels that were given with a judge's answers in sight count nowhere here.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple, Protocol

from hallascope.data.files import label_folder
from hallascope.data.files.label_folder import Label, LabelItem, LabelMark
from hallascope.data.files.tables import Complaint
from hallascope.data.records import Question
from hallascope.engine.errors import BadRequest, refuse
from hallascope.engine.images.true_answers import is_labeled_image, label_mark
from hallascope.engine.ratings import CHECK, answer_mark
from hallascope.engine.storage.people.ratings import IHALLA, QUESTION
from hallascope.engine.storage.store import Store

PEOPLE = "people"  # stands where a folder's name would, for the answers of the Labels tab


@dataclass(frozen=True, kw_only=True)
class LabelUse:
    """Says which labels a correction rests on.

    `source` is "people", the folder or the plan, `labelers` the number of persons and `images` of
    labeled images, `judged` those of them that the leaderboard counts. `skipped` images of the
    folder have no label. `untold` of the plan's `images` were skipped by raters, and count as what
    cannot be told. `excluded` answers were given by persons who had seen the judge's before.
    `complaints`: what was wrong in the folder.
    """

    source: str
    labelers: int
    images: int
    judged: int
    skipped: int = 0
    untold: int = 0
    excluded: int = 0
    complaints: tuple[Complaint, ...] = ()

    @property
    def sentence(self) -> str:
        """Return it in words."""
        where = "on the Labels tab" if self.source == PEOPLE else f"of {self.source}"
        text = (
            f"Labels {where}: {_count(self.images, 'image')} by {_count(self.labelers, 'person')},"
            f" judged here: {self.judged:,}"
        )
        if self.skipped:
            text += f"; left out: {_count(self.skipped, 'image')} without a label"
        if self.untold:
            text += f"; skipped, as what cannot be told: {_count(self.untold, 'image')}"
        if self.excluded:
            text += (
                f"; left out: {_count(self.excluded, 'answer')} by persons who had seen the judge's"
            )
        return f"{text}."


def _count(number: int, thing: str) -> str:
    return f"1 {thing}" if number == 1 else f"{number:,} {thing}s"


class JudgedQuestion(NamedTuple):
    """Names a question about an image (its SHA-256) that was judged for a prompt."""

    image: str
    prompt: str
    question: Question


class LabelSource(Protocol):
    """Holds labels of images; `prompts` are those for which any image is labeled."""

    @property
    def prompts(self) -> Collection[str]: ...

    def marks(self, about: JudgedQuestion) -> list[LabelMark]:
        """Return the mark of each person who labeled the question."""
        ...

    def summarize(self, judged: int) -> LabelUse:
        """Say which labels these are, `judged` images of which are counted."""
        ...


# --- the Labels tab ---


class PeopleAnswers:
    """Holds what people answered on the Labels tab before they saw a judge's answers."""

    def __init__(self, store: Store) -> None:
        checked = read_first_checks(store)
        self._answers = defaultdict[tuple[str, str, str], dict[str, str]](dict)
        self._excluded = 0
        for rating in store.ratings.all(IHALLA):
            about = rating.subject
            if not about.finding.startswith(QUESTION):
                continue
            if rating.created > checked.get(
                (about.rater, about.image, about.prompt), rating.created
            ):
                self._excluded += 1
                continue
            question = about.finding.removeprefix(QUESTION)
            self._answers[about.image, about.prompt, question][about.rater] = rating.value

    @property
    def prompts(self) -> Collection[str]:
        return {prompt for _, prompt, _ in self._answers}

    def marks(self, about: JudgedQuestion) -> list[LabelMark]:
        key = about.image, about.prompt, about.question.text
        words = self._answers[key].values() if key in self._answers else ()
        return [mark for word in words if (mark := answer_mark(about.question, word))]

    def summarize(self, judged: int) -> LabelUse:
        return LabelUse(
            source=PEOPLE,
            labelers=len({rater for answers in self._answers.values() for rater in answers}),
            images=len({image for image, _, _ in self._answers}),
            judged=judged,
            excluded=self._excluded,
        )


def read_first_checks(store: Store) -> dict[tuple[str, str, str], float]:
    """Return by person, image and prompt when a judge's answers were first in sight."""
    first: dict[tuple[str, str, str], float] = {}
    for check in store.ratings.all(CHECK):
        about = check.subject
        key = about.rater, about.image, about.prompt
        first[key] = min(check.created, first.get(key, check.created))
    return first


# --- a folder of labels ---


class FolderLabels:
    """Holds the labels of a folder, for the images of a store that are the same.

    An item without a label, or with one that answers nothing, is skipped. Raises BadRequest where
    the folder holds no labels.
    """

    def __init__(self, store: Store, folder: Path) -> None:
        self._store = store
        self._folder = folder
        self._content = read_folder(folder)
        self._marks = marks_by_item(self._content.labels)
        self._labeled = [item for item in self._content.items if item.id in self._marks]
        self.prompts: Collection[str] = {item.prompt for item in self._labeled}
        self._find_item = cache(self._search_item)

    def marks(self, about: JudgedQuestion) -> list[LabelMark]:
        item = self._find_item(about.image, about.prompt)
        labels = self._marks[item.id] if item else ()
        marks = (label_mark(item, label.answers, about.question) for label in labels if item)
        return [mark for mark in marks if mark]

    def summarize(self, judged: int) -> LabelUse:
        return LabelUse(
            source=str(self._folder),
            labelers=len(self._content.labels),
            images=len(self._marks),
            judged=judged,
            skipped=len(self._content.items) - len(self._marks),
            complaints=self._content.complaints,
        )

    def _search_item(self, image: str, prompt: str) -> LabelItem | None:
        """Return the labeled item that shows this image; None where there is none."""
        picture = self._store.picture(image)
        same = (item for item in self._labeled if item.prompt == prompt)
        return next(
            (item for item in same if picture and is_labeled_image(self._folder, item, picture)),
            None,
        )


class FolderContent(NamedTuple):
    """Holds the items of a folder, its labels by labeler and item, and what was wrong."""

    items: list[LabelItem]
    labels: dict[str, dict[str, Label]]
    complaints: tuple[Complaint, ...]


def read_folder(folder: Path) -> FolderContent:
    """Read a folder of labels.

    A label that answers nothing, not even that it cannot be told, is none. Raises BadRequest where
    the folder holds no labels.
    """
    with refuse(label_folder.NotALabelFolder, OSError):
        items, complaints = label_folder.read_items(folder)
        labels, label_complaints = label_folder.read_labels(folder, items)
    given = {
        labeler: answered
        for labeler, own in labels.items()
        if (answered := {name: label for name, label in own.items() if any(label.answers)})
    }
    if not given:
        raise BadRequest(
            f"The folder {str(folder)!r} holds no labels: label its images with"
            f" `hallascope label page {folder}`."
        )
    return FolderContent(items, given, (*complaints, *label_complaints))


def marks_by_item(labels: Mapping[str, Mapping[str, Label]]) -> dict[str, list[Label]]:
    """Return the labels of each item, one of each labeler who labeled it."""
    by_item = defaultdict[str, list[Label]](list)
    for own in labels.values():
        for name, label in own.items():
            by_item[name].append(label)
    return dict(by_item)
