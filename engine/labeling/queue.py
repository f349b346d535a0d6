"""Hands out the images of a labeling plan to raters, and keeps what they say.

A rater who comes back goes on where they stopped. The first image in the order of the plan that
still lacks raters comes first, so that images with several raters overlap from the start. What one
rater is shown, another is not shown in its place; after half an hour without an answer it is free
again. Answers are kept as ratings, as those of the Labels tab. What raters did with attention
checks, which plans of version 0.1.0 may hold, counts nowhere.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from hallascope.data.files.label_folder import CANNOT_BE_TOLD, MARKS
from hallascope.data.records import LETTERS, Question
from hallascope.engine.errors import BadRequest
from hallascope.engine.ratings import (
    Rateable,
    clean_rater_name,
    find_rateable,
    keep_marks,
    remove_mark,
)
from hallascope.engine.services import Services
from hallascope.engine.storage.people.labeling import (
    LabeledQuestion,
    LabelingPlan,
    LabelingRecord,
    LabelingState,
    PlannedImage,
)
from hallascope.engine.storage.people.ratings import CHECK, SEEN

RESERVED_SECONDS = 30 * 60.0  # for which an image is kept for the rater who is shown it
SOON = 2  # images that an outlook names


class QueueItem(NamedTuple):
    """Holds what a rater labels next.

    `reason` says why, for those who run the study: it names the model. `rater_reason` says it to
    raters, who should not know it. `number` counts the images that this rater is shown, from 1 on.
    `position` is the place in the plan.
    """

    rateable: Rateable
    reason: str
    rater_reason: str
    number: int
    position: int


class RaterOutlook(NamedTuple):
    """Holds what is ahead of a rater: images finished and left, and which may come soon.

    `soon` are the images (SHA-256) after the one that is shown now, in the order of the plan.
    """

    finished: int
    left: int
    soon: tuple[str, ...]


def next_image(services: Services, plan: LabelingPlan, rater: str) -> QueueItem | None:
    """Return what this rater labels next, None where nothing is left for them.

    Until it is labeled or skipped, it stays the same. Images that the rater checked with a judge's
    answers in sight are never handed out to them. Raises BadRequest where the rater has no name.
    """
    rater = clean_rater_name(rater)
    checked = _checked_items(services, plan, rater)
    finished = 0

    def choose(records: Sequence[LabelingRecord]) -> str | None:
        nonlocal finished
        own = _own_states(plan, records, rater)
        finished = sum(state != "shown" for state in own.values())
        shown = [item for item, state in own.items() if state == "shown" and item not in checked]
        coming = _open_images(plan, own, records, checked)
        return shown[-1] if shown else next((image.item for image in coming), None)

    item = services.store.labeling.reserve(plan.id, rater, choose, RESERVED_SECONDS)
    if item is None:
        return None
    image = plan.by_item[item]
    same = [other for other in plan.images if other.stratum == image.stratum]
    place = sum(other.position <= image.position for other in same)
    reason, rater_reason = (
        f"random within {model}: image {place} of {len(same)}"
        for model in (image.stratum, "its model")
    )
    rateable = find_rateable(services, item)
    return QueueItem(rateable, reason, rater_reason, finished + 1, image.position)


def read_outlook(services: Services, plan: LabelingPlan, rater: str) -> RaterOutlook:
    """Return what is ahead of a rater. Raises BadRequest where the rater has no name."""
    rater = clean_rater_name(rater)
    records = services.store.labeling.statuses(plan.id, RESERVED_SECONDS)
    own = _own_states(plan, records, rater)
    coming = list(_open_images(plan, own, records, _checked_items(services, plan, rater)))
    soon = (image.image for image in coming if image.item not in own)
    finished = sum(state != "shown" for state in own.values())
    return RaterOutlook(finished, len(coming), tuple(islice(soon, SOON)))


def keep(
    services: Services, plan: LabelingPlan, item_id: str, marks: Sequence[object], rater: str
) -> None:
    """Keep a rater's marks of an image, one a question: A to E, or "?" where it cannot be told.

    Answers given before, by the same rater, are replaced. Raises BadRequest where the image is not
    of the plan, a mark is missing or none, the rater has seen a judge's answers about it, or as
    many others label the image as the plan asks for.
    """
    rater = clean_rater_name(rater)
    rateable = _find_item(services, plan, item_id)
    if item_id in _checked_items(services, plan, rater):
        raise BadRequest("You have seen a judge's answers about this image: skip it.")
    questions = rateable.questions
    if len(marks) != len(questions) or not all(map(_is_mark, questions, marks)):
        raise BadRequest(
            f"This image has {len(questions)} questions: give each a mark ({', '.join(MARKS)}),"
            " or skip the image."
        )
    answers = [
        LabeledQuestion(question.text, str(mark), question.gold)
        for question, mark in zip(questions, marks, strict=True)
    ]

    def check(records: Sequence[LabelingRecord]) -> None:
        states = {one.rater: one.state for one in records if one.item == item_id}
        labeled = sum(state == "labeled" for state in states.values())
        if labeled >= plan.raters_per_image and states.get(rater) in (None, "skipped"):
            raise BadRequest("Others have labeled this image in the meantime: take the next one.")

    services.store.labeling.keep_record(
        plan.id, rater, item_id, "labeled", answers, check=check, lifetime=RESERVED_SECONDS
    )
    keep_marks(services, rateable, marks, rater)


def skip(services: Services, plan: LabelingPlan, item_id: str, rater: str) -> None:
    """Keep that a rater skipped an image: they are never asked about it again.

    It stays in the sample without a label. Raises BadRequest where it is not of the plan, or this
    rater has labeled it.
    """
    rater = clean_rater_name(rater)
    _find_item(services, plan, item_id)
    own = _own_states(plan, services.store.labeling.records(plan.id), rater)
    if own.get(item_id) == "labeled":
        raise BadRequest("You have labeled this image: take that back before you skip it.")
    services.store.labeling.keep_record(plan.id, rater, item_id, "skipped")


def undo(services: Services, plan: LabelingPlan, rater: str) -> str:
    """Take back what the rater labeled or skipped last, and return its id; it is asked next.

    Raises BadRequest where there is nothing to take back.
    """
    rater = clean_rater_name(rater)
    own = _own_states(plan, services.store.labeling.records(plan.id), rater)
    finished = [item for item, state in own.items() if state != "shown"]
    if not finished:
        raise BadRequest(f"{rater} has labeled and skipped nothing of this plan: label an image.")
    item = finished[-1]
    services.store.labeling.keep_record(plan.id, rater, item, "shown")
    rateable = find_rateable(services, item)
    for question in range(len(rateable.questions)):
        remove_mark(services, rateable, question, rater)
    return item


def _is_mark(question: Question, mark: object) -> bool:
    """Return whether a mark is a choice of the question, or says that it cannot be told."""
    return mark == CANNOT_BE_TOLD or mark in LETTERS[: len(question.choices)]


def _find_item(services: Services, plan: LabelingPlan, item: str) -> Rateable:
    """Return what an id of the plan stands for. Raises BadRequest where it is not of the plan."""
    if item not in plan.by_item:
        raise BadRequest(f"The plan {plan.id} has no image {item!r}: take the next one from it.")
    return find_rateable(services, item)


def _checked_items(services: Services, plan: LabelingPlan, rater: str) -> set[str]:
    """Return the images of the plan that the rater checked with a judge's answers in sight."""
    checked = {
        (rating.subject.image, rating.subject.prompt)
        for metric in (CHECK, SEEN)
        for rating in services.store.ratings.all(metric, rater)
    }
    return {image.item for image in plan.images if (image.image, image.prompt) in checked}


# --- what comes next ---


def _own_states(
    plan: LabelingPlan, records: Sequence[LabelingRecord], rater: str
) -> dict[str, LabelingState]:
    """Return how far a rater is with the images of the plan, the oldest first."""
    images = plan.by_item
    own = (one for one in records if one.rater == rater and one.item in images)
    return {record.item: record.state for record in own}


def _open_images(
    plan: LabelingPlan,
    own: Mapping[str, LabelingState],
    records: Sequence[LabelingRecord],
    checked: set[str],
) -> Iterator[PlannedImage]:
    """Yield the images that a rater has not finished and may be shown, in the order of the plan."""
    raters = Counter(one.item for one in records if one.state != "skipped")  # one labels or sees it
    for image in plan.images:
        state = own.get(image.item)
        others = raters[image.item] - (state == "shown")
        if (
            state in (None, "shown")
            and others < plan.raters_per_image
            and image.item not in checked
        ):
            yield image
