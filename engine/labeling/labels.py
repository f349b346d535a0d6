"""Finds what people say of judged images, and corrects scores by it.

Labels are those of the Labels tab, of a folder, and of a plan. Labels that were given with a
judge's answers in sight count nowhere here.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple, cast

import sqlalchemy as sa
from sqlmodel import col

from hallascope.data.files import label_folder
from hallascope.data.files.label_folder import CANNOT_BE_TOLD, Label, LabelItem, LabelMark
from hallascope.data.files.tables import BadTable, Complaint
from hallascope.data.records import Question
from hallascope.engine.errors import BadRequest, refuse
from hallascope.engine.images.true_answers import is_labeled_image, label_mark
from hallascope.engine.ratings import answer_mark, answers_by_question
from hallascope.engine.storage.database import chunked
from hallascope.engine.storage.people.labeling import (
    LabeledQuestion,
    LabelingPlan,
    LabelingRecord,
    PlannedImage,
)
from hallascope.engine.storage.people.ratings import CHECK, IHALLA, QUESTION, SEEN
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import VerdictRow
from hallascope.metrics.statistics.corrected_scores import (
    LabeledPrompt,
)
from hallascope.metrics.statistics.intervals import FloatPair
from hallascope.metrics.statistics.prediction_powered import inclusion_probabilities

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
    judged: int = 0
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


@dataclass(frozen=True)
class Labels:
    """Holds labels of images, and says which they are; their `judged` images are not counted yet.

    `prompts` are those for which any image is labeled. `marks` returns the mark of each person who
    labeled a question.
    """

    prompts: Collection[str]
    use: LabelUse
    marks: Callable[[JudgedQuestion], list[LabelMark]]


# --- the Labels tab ---


def read_people_labels(store: Store) -> Labels:
    """Return what people answered on the Labels tab before they saw a judge's answers."""
    checked = read_first_checks(store)
    ratings = [
        rating
        for rating in store.ratings.all(IHALLA)
        if rating.subject.finding.startswith(QUESTION)
    ]
    blind = [
        rating
        for rating in ratings
        if rating.created
        <= checked.get(
            (rating.subject.rater, rating.subject.image, rating.subject.prompt), rating.created
        )
    ]
    answers = answers_by_question(blind)

    def marks(about: JudgedQuestion) -> list[LabelMark]:
        words = answers.get((about.image, about.prompt, about.question.text), {}).values()
        return [mark for word in words if (mark := answer_mark(about.question, word))]

    use = LabelUse(
        source=PEOPLE,
        labelers=len({rating.subject.rater for rating in blind}),
        images=len({image for image, _, _ in answers}),
        excluded=len(ratings) - len(blind),
    )
    return Labels({prompt for _, prompt, _ in answers}, use, marks)


def read_first_checks(store: Store) -> dict[tuple[str, str, str], float]:
    """Return by person, image and prompt when a judge's answers were first in sight."""
    first: dict[tuple[str, str, str], float] = {}
    for check in (*store.ratings.all(CHECK), *store.ratings.all(SEEN)):
        about = check.subject
        key = about.rater, about.image, about.prompt
        first[key] = min(check.created, first.get(key, check.created))
    return first


# --- a folder of labels ---


def read_folder_labels(store: Store, folder: Path) -> Labels:
    """Return the labels of a folder, for the images of a store that are the same.

    An item without a label, or with one that answers nothing, is skipped. Raises BadRequest where
    the folder holds no labels.
    """
    content = read_folder(folder)
    by_item = {item.id: label_folder.labels_of(item, content.labels) for item in content.items}
    labeled = [item for item in content.items if by_item[item.id]]

    @cache
    def find_item(image: str, prompt: str) -> LabelItem | None:
        """Return the labeled item that shows this image; None where there is none."""
        picture = store.picture(image)
        same = (item for item in labeled if item.prompt == prompt)
        return next(
            (item for item in same if picture and is_labeled_image(folder, item, picture)), None
        )

    def marks(about: JudgedQuestion) -> list[LabelMark]:
        item = find_item(about.image, about.prompt)
        if item is None:
            return []
        found = (label_mark(item, label.answers, about.question) for label in by_item[item.id])
        return [mark for mark in found if mark]

    use = LabelUse(
        source=str(folder),
        labelers=len(content.labels),
        images=len(labeled),
        skipped=len(content.items) - len(labeled),
        complaints=content.complaints,
    )
    return Labels({item.prompt for item in labeled}, use, marks)


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
    with refuse(BadTable, OSError):
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


LabelSample = Mapping[str, LabeledPrompt]  # the labels of one model in one group, by prompt


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
        key: {
            prompt: _labeled_prompt(own, over_questions)._replace(
                probability=probabilities[key[0], prompt] if probabilities else None
            )
            for prompt, own in prompts.items()
        }
        for key, prompts in by_prompt.items()
    }


def count_told(labels: LabelSample) -> int:
    """Return of how many prompts people could tell anything."""
    return sum(said.people[1] > 0 for said in labels.values())


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


@dataclass(frozen=True, kw_only=True)
class ImageLabels:
    """Holds what people did with an image of a plan: labels by rater, and who skipped it.

    `excluded` counts answers by persons who had seen a judge's about this image.
    """

    image: PlannedImage
    labeled: tuple[LabelingRecord, ...]
    skipped: tuple[LabelingRecord, ...]
    excluded: int = 0

    @property
    def asked(self) -> bool:
        """Return whether a rater labeled or skipped the image."""
        return bool(self.labeled or self.skipped)

    def answers(self, question: str) -> list[LabeledQuestion]:
        """Return what each rater who labeled the image answered."""
        answers = (answer for record in self.labeled for answer in record.answers)
        return [answer for answer in answers if answer.question == question]

    def marks(self, question: str) -> list[LabelMark]:
        """Return the mark of each rater, or that it cannot be told where raters skipped the image.

        There are none of an image that nobody labeled or skipped.
        """
        marks = [cast("LabelMark", answer.mark) for answer in self.answers(question)]
        return marks or ([CANNOT_BE_TOLD] if self.asked else [])


class PlanLabels:
    """Holds the labels of a plan, whose prompts were drawn with known probabilities.

    `images` are all images of the plan, in its order. `inclusion` in [0, 1] holds by model and
    prompt its inclusion probability for n draws, with n prompts in its stratum of which a rater
    labeled or skipped an image. `probabilities` are those of these n prompts alone.
    """

    def __init__(self, store: Store, plan: LabelingPlan) -> None:
        self.plan = plan
        self.images = _read_image_labels(store, plan)
        self.inclusion = _inclusion_probabilities(self.images)
        asked = {
            (labels.image.stratum, labels.image.prompt) for labels in self.images if labels.asked
        }
        self.probabilities = {
            prompt: share for prompt, share in self.inclusion.items() if prompt in asked
        }
        self._by_image = defaultdict[tuple[str, str], list[ImageLabels]](list)
        for labels in self.images:
            self._by_image[labels.image.image, labels.image.prompt].append(labels)

    @property
    def frame(self) -> set[tuple[str, str]]:
        """Return model and prompt of all that may be labeled."""
        return {(labels.image.stratum, labels.image.prompt) for labels in self.images}

    @property
    def prompts(self) -> Collection[str]:
        return {prompt for _, prompt in self.probabilities}

    def marks(self, about: JudgedQuestion) -> list[LabelMark]:
        same = self._by_image.get((about.image, about.prompt), [])
        return [mark for labels in same for mark in labels.marks(about.question.text)]

    @property
    def use(self) -> LabelUse:
        """Say which labels these are; their judged images are not counted yet."""
        return LabelUse(
            source=f"the plan {self.plan.id}",
            labelers=len({record.rater for labels in self.images for record in labels.labeled}),
            images=sum(labels.asked for labels in self.images),
            untold=sum(labels.asked and not labels.labeled for labels in self.images),
            excluded=sum(labels.excluded for labels in self.images),
        )


def _read_image_labels(store: Store, plan: LabelingPlan) -> list[ImageLabels]:
    by_item = defaultdict[tuple[str, str], list[LabelingRecord]](list)
    for record in store.labeling.records(plan.id):
        by_item[record.item, record.state].append(record)
    checked = read_first_checks(store)
    images = []
    for image in plan.images:
        labeled = by_item[image.item, "labeled"]
        blind = tuple(
            record
            for record in labeled
            if record.created
            <= checked.get((record.rater, image.image, image.prompt), record.created)
        )
        excluded = sum(len(record.answers) for record in labeled if record not in blind)
        skipped = tuple(by_item[image.item, "skipped"])
        images.append(ImageLabels(image=image, labeled=blind, skipped=skipped, excluded=excluded))
    return images


def _inclusion_probabilities(images: Iterable[ImageLabels]) -> dict[tuple[str, str], float]:
    strata = defaultdict[str, dict[str, float]](dict)
    asked = defaultdict[str, set[str]](set)
    for labels in images:
        image = labels.image
        strata[image.stratum][image.prompt] = image.probability
        if labels.asked:
            asked[image.stratum].add(image.prompt)
    return {
        (model, prompt): share
        for model, chances in strata.items()
        for prompt, share in zip(
            chances,
            inclusion_probabilities(list(chances.values()), len(asked[model])),
            strict=True,
        )
    }


def read_verdicts(store: Store, images: Iterable[PlannedImage]) -> Mapping[int, list[Any]]:
    """Return by the number of the evaluation the judge's verdicts, in the order of questions.

    A verdict has `question`, `answer`, a letter or None, and `state`.
    """
    row = VerdictRow
    # as columns: whole rows take several times as long, and progress is read often
    statement = sa.select(col(row.evaluation), col(row.question), col(row.answer), col(row.state))
    verdicts = defaultdict[int, list[Any]](list)
    with store.database.read_transaction() as session:
        for numbers in chunked(sorted({image.evaluation for image in images})):
            of_these = statement.where(col(row.evaluation).in_(numbers))
            ordered = of_these.order_by(col(row.evaluation), col(row.index))
            for verdict in session.connection().execute(ordered):
                verdicts[verdict.evaluation].append(verdict)
    return verdicts
