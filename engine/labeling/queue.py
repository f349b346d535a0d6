"""Hands out the images of a labeling plan to raters, and keeps what they say.

A rater who comes back goes on where they stopped. The first image in the order of the plan that
still lacks raters comes first, so that images with several raters overlap from the start. What one
rater is shown, another is not shown in its place; after half an hour without an answer it is free
again. Answers are kept as ratings, as those of the Labels tab. What raters did with attention
checks, which plans of version 0.1.0 may hold, counts nowhere.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from hallascope.data.files.label_folder import CANNOT_BE_TOLD, MARKS
from hallascope.data.records import LETTERS, Question
from hallascope.engine.errors import BadRequest
from hallascope.engine.labeling.plans import LabelingPlan, PlannedImage
from hallascope.engine.ratings import (
    CHECK,
    Rateable,
    clean_rater_name,
    find_rateable,
    keep_answers,
    remove_answers,
)
from hallascope.engine.services import Services
from hallascope.engine.storage.people.labeling import LabeledQuestion, LabelingStatus

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
    checked = _checked_images(services, rater)
    finished = 0

    def choose(statuses: Sequence[LabelingStatus]) -> str | None:
        nonlocal finished
        own = _own_statuses(plan, statuses, rater)
        finished = sum(status.state != "shown" for status in own)
        return _choose_item(plan, own, statuses, checked)

    item = services.store.labeling.reserve(plan.id, rater, choose, RESERVED_SECONDS)
    if item is None:
        return None
    image = plan.by_item[item]
    return QueueItem(
        rateable=find_rateable(services, item),
        reason=_reason(plan, image, image.stratum),
        rater_reason=_reason(plan, image, "its model"),
        number=finished + 1,
        position=image.position,
    )


def read_outlook(services: Services, plan: LabelingPlan, rater: str) -> RaterOutlook:
    """Return what is ahead of a rater. Raises BadRequest where the rater has no name."""
    rater = clean_rater_name(rater)
    statuses = services.store.labeling.statuses(plan.id, RESERVED_SECONDS)
    own = _own_statuses(plan, statuses, rater)
    finished = {status.item for status in own if status.state != "shown"}
    left = sum(1 for _ in _open_images(plan, own, statuses, _checked_images(services, rater)))
    known = {status.item for status in own}
    soon = (image.image for image in plan.images if image.item not in known)
    return RaterOutlook(len(finished), left, tuple(islice(soon, SOON)))


def keep(
    services: Services, plan: LabelingPlan, item_id: str, marks: Sequence[object], rater: str
) -> None:
    """Keep a rater's marks of an image, one a question: A to E, or "?" where it cannot be told.

    Answers given before, by the same rater, are replaced. Raises BadRequest where the image is not
    of the plan, a mark is missing or none, or as many others label the image as the plan asks for.
    """
    rater = clean_rater_name(rater)
    rateable = _find_item(services, plan, item_id)
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

    def check(statuses: Sequence[LabelingStatus]) -> None:
        states = {one.rater: one.state for one in statuses if one.item == item_id}
        labeled = sum(state == "labeled" for state in states.values())
        if labeled >= plan.raters_per_image and states.get(rater) in (None, "skipped"):
            raise BadRequest("Others have labeled this image in the meantime: take the next one.")

    services.store.labeling.keep_record(
        plan.id, rater, item_id, "labeled", answers, check=check, lifetime=RESERVED_SECONDS
    )
    keep_answers(services, rateable, marks, rater)


def skip(services: Services, plan: LabelingPlan, item_id: str, rater: str) -> None:
    """Keep that a rater skipped an image: they are never asked about it again.

    It stays in the sample without a label. Raises BadRequest where it is not of the plan, or this
    rater has labeled it.
    """
    rater = clean_rater_name(rater)
    _find_item(services, plan, item_id)
    if any(
        (record.rater, record.item, record.state) == (rater, item_id, "labeled")
        for record in services.store.labeling.records(plan.id)
    ):
        raise BadRequest("You have labeled this image: take that back before you skip it.")
    services.store.labeling.keep_record(plan.id, rater, item_id, "skipped")


def undo(services: Services, plan: LabelingPlan, rater: str) -> str:
    """Take back what the rater labeled or skipped last, and return its id; it is asked next.

    Raises BadRequest where there is nothing to take back.
    """
    rater = clean_rater_name(rater)
    finished = _finished_items(services, plan, rater)
    if not finished:
        raise BadRequest(f"{rater} has labeled and skipped nothing of this plan: label an image.")
    item = finished[-1]
    services.store.labeling.keep_record(plan.id, rater, item, "shown")
    remove_answers(services, find_rateable(services, item), rater)
    return item


def _is_mark(question: Question, mark: object) -> bool:
    """Return whether a mark is a choice of the question, or says that it cannot be told."""
    return mark == CANNOT_BE_TOLD or mark in LETTERS[: len(question.choices)]


def _own_statuses(
    plan: LabelingPlan, statuses: Sequence[LabelingStatus], rater: str
) -> list[LabelingStatus]:
    """Return how far a rater is with the images of the plan."""
    images = plan.by_item
    return [status for status in statuses if status.rater == rater and status.item in images]


def _find_item(services: Services, plan: LabelingPlan, item: str) -> Rateable:
    """Return what an id of the plan stands for. Raises BadRequest where it is not of the plan."""
    if item not in plan.by_item:
        raise BadRequest(f"The plan {plan.id} has no image {item!r}: take the next one from it.")
    return find_rateable(services, item)


def _finished_items(services: Services, plan: LabelingPlan, rater: str) -> list[str]:
    """Return what the rater labeled or skipped, the oldest first."""
    images = plan.by_item
    return [
        record.item
        for record in services.store.labeling.records(plan.id)
        if record.rater == rater and record.state != "shown" and record.item in images
    ]


def _checked_images(services: Services, rater: str) -> set[tuple[str, str]]:
    """Return image and prompt of what the rater checked with a judge's answers in sight."""
    return {
        (rating.subject.image, rating.subject.prompt)
        for rating in services.store.ratings.all(CHECK, rater)
    }


# --- what comes next ---


def _choose_item(
    plan: LabelingPlan,
    own: Sequence[LabelingStatus],
    statuses: Sequence[LabelingStatus],
    checked: set[tuple[str, str]],
) -> str | None:
    """Return the item that a rater is shown: the one that is shown now, or the next image.

    `own` are those of the rater among the statuses of all.
    """
    shown = [status.item for status in own if status.state == "shown"]
    if shown:
        return shown[-1]
    return next((image.item for image in _open_images(plan, own, statuses, checked)), None)


def _open_images(
    plan: LabelingPlan,
    own: Sequence[LabelingStatus],
    statuses: Sequence[LabelingStatus],
    checked: set[tuple[str, str]],
) -> Iterator[PlannedImage]:
    """Yield the images that a rater has not finished and may be shown, in the order of the plan."""
    finished = {status.item for status in own if status.state != "shown"}
    shown = {status.item for status in own} - finished
    raters = defaultdict[str, int](int)  # who labeled it or is shown it
    for status in statuses:
        raters[status.item] += status.state != "skipped"
    for image in plan.images:
        others = raters[image.item] - (image.item in shown)
        if (
            image.item not in finished
            and others < plan.raters_per_image
            and (image.image, image.prompt) not in checked
        ):
            yield image


def _reason(plan: LabelingPlan, image: PlannedImage, model: str) -> str:
    """Return why an image is labeled; `model` stands for its model."""
    same = [other for other in plan.images if other.stratum == image.stratum]
    place = sum(other.position <= image.position for other in same)
    return f"random within {model}: image {place} of {len(same)}"
