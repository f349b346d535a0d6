"""Reads the labels of a plan: by image what people said, beside the judge's verdicts."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import sqlalchemy as sa
from sqlmodel import col

from hallascope.data.records import State
from hallascope.engine.services import Services
from hallascope.engine.storage.database import CHUNK
from hallascope.engine.storage.people.labeling import LabelingPlan, LabelingRecord, PlannedImage
from hallascope.engine.storage.tables import VerdictRow
from hallascope.metrics.statistics.active_sampling import inclusion_probabilities


@dataclass(frozen=True)
class JudgeVerdict:
    """Holds what the judge answered to a question, a letter or None, and its state."""

    question: str
    answer: str | None
    state: State


@dataclass(frozen=True, kw_only=True)
class ImageLabels:
    """Holds what people did with an image of a plan: labels by rater, and who skipped it."""

    image: PlannedImage
    labeled: tuple[LabelingRecord, ...]
    skipped: tuple[LabelingRecord, ...]


def read_image_labels(services: Services, plan: LabelingPlan) -> list[ImageLabels]:
    """Return every image of the plan, in its order; attention checks are not among them."""
    by_item = defaultdict[str, list[LabelingRecord]](list)
    for record in services.store.labeling.records(plan.id):
        by_item[record.item].append(record)
    return [
        ImageLabels(
            image=image,
            labeled=_in_state(by_item[image.item], "labeled"),
            skipped=_in_state(by_item[image.item], "skipped"),
        )
        for image in plan.images
    ]


def read_label_probabilities(
    services: Services, plan: LabelingPlan
) -> dict[tuple[str, str], float]:
    """Return by model and prompt how likely each labeled prompt was to be labeled, in (0, 1].

    A prompt is labeled where a rater labeled an image of it; with n of them in a stratum, these are
    its inclusion probabilities for n draws.
    """
    strata = defaultdict[str, dict[str, float]](dict)
    labeled = defaultdict[str, set[str]](set)
    for labels in read_image_labels(services, plan):
        image = labels.image
        strata[image.stratum][image.prompt] = image.probability
        if labels.labeled:
            labeled[image.stratum].add(image.prompt)
    probabilities: dict[tuple[str, str], float] = {}
    for model, prompts in labeled.items():
        chances = strata[model]
        included = inclusion_probabilities(list(chances.values()), len(prompts))
        for prompt, share in zip(chances, included, strict=True):
            if prompt in prompts:
                probabilities[model, prompt] = share
    return probabilities


def _in_state(records: Sequence[LabelingRecord], state: str) -> tuple[LabelingRecord, ...]:
    return tuple(record for record in records if record.state == state)


def read_verdicts(
    services: Services, images: Iterable[PlannedImage]
) -> Mapping[int, list[JudgeVerdict]]:
    """Return by the number of the evaluation the judge's verdicts, in the order of questions."""
    numbers = sorted({image.evaluation for image in images})
    verdicts = defaultdict[int, list[JudgeVerdict]](list)
    columns = (
        col(VerdictRow.evaluation),
        col(VerdictRow.question),
        col(VerdictRow.answer),
        col(VerdictRow.state),
    )
    with services.store.database.read_transaction() as session:
        connection = session.connection()
        for start in range(0, len(numbers), CHUNK):
            # as columns: whole rows take several times as long, and progress is read often
            statement = (
                sa.select(*columns)
                .where(columns[0].in_(numbers[start : start + CHUNK]))
                .order_by(columns[0], col(VerdictRow.index))
            )
            for evaluation, question, answer, state in connection.execute(statement):
                verdicts[evaluation].append(JudgeVerdict(question, answer, cast("State", state)))
    return verdicts
