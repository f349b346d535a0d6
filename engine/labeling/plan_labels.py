"""Reads the labels of a plan: by image what people said, beside the judge's verdicts.

Labels that a person gave after seeing a judge's answers about the image count nowhere here.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

import sqlalchemy as sa
from sqlmodel import col

from hallascope.data.files.label_folder import CANNOT_BE_TOLD, LabelMark
from hallascope.engine.labeling.label_sources import JudgedQuestion, LabelUse, read_first_checks
from hallascope.engine.storage.database import chunked
from hallascope.engine.storage.people.labeling import (
    LabeledQuestion,
    LabelingPlan,
    LabelingRecord,
    PlannedImage,
)
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import VerdictRow
from hallascope.metrics.statistics.prediction_powered import inclusion_probabilities


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

    def summarize(self, judged: int) -> LabelUse:
        return LabelUse(
            source=f"the plan {self.plan.id}",
            labelers=len({record.rater for labels in self.images for record in labels.labeled}),
            images=sum(labels.asked for labels in self.images),
            judged=judged,
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
