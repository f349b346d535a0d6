"""Tags judged images, one or a whole selection, by the ids of their evaluations."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlmodel import col

from hallascope.engine.errors import BadRequest
from hallascope.engine.image_notes import ImageNote, image_notes, keep_note
from hallascope.engine.image_tags import (
    TaggedImage,
    keep_tags,
    latest_tags,
    question_tags,
    remove_tag,
    tagged_images,
    tags_by_image,
)
from hallascope.engine.storage.owners import NotYours
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import EvaluationRow, VerdictRow

MOST_TAGGED = 20_000  # images that are tagged at once
UNKNOWN = "None of these images is stored here: list them with `hallascope errors grid --json`."


@dataclass(frozen=True, kw_only=True)
class TagChoices:
    """Holds what a person chooses from who tags images.

    `counts` says by tag how many of the `images` have it, `latest` are the tags that were given
    last in the store. `questions` are those of a single image, with their tags, and `notes` those
    on it.
    """

    images: int
    counts: Mapping[str, int]
    latest: tuple[str, ...]
    questions: Mapping[str, tuple[str, ...]]
    notes: tuple[ImageNote, ...]


def find_images(store: Store, evaluations: Sequence[int]) -> tuple[TaggedImage, ...]:
    """Return the images of these evaluations, each once.

    Raises BadRequest where none is stored, or they are too many.
    """
    if len(evaluations) > MOST_TAGGED:
        raise BadRequest(
            f"These are {len(evaluations):,} images: tag at most {MOST_TAGGED:,} at once."
        )
    number = col(EvaluationRow.id)
    statement = sa.select(col(EvaluationRow.image), col(EvaluationRow.prompt)).order_by(number)
    rows = store.database.read(statement, number, sorted(set(evaluations)))
    found = dict.fromkeys(TaggedImage(*row) for row in rows)
    if not found:
        raise BadRequest(UNKNOWN)
    return tuple(found)


def tag_images(
    store: Store, evaluations: Sequence[int], tag: str, author: str = "", question: str = ""
) -> int:
    """Give the images a tag, or the question of them, and return of how many it is new.

    Raises BadRequest.
    """
    if question:
        _check_question(store, evaluations, question)
    return keep_tags(store, find_images(store, evaluations), tag, author, question)


def untag_images(store: Store, evaluations: Sequence[int], tag: str, question: str = "") -> int:
    """Take a tag from the images, whoever gave it, and return of how many.

    Raises BadRequest, and NotYours where only others than the visitor gave it to them.
    """
    if question:
        _check_question(store, evaluations, question)
    images = find_images(store, evaluations)
    tags = tags_by_image(store, question)
    tagged = [about for about in images if tag in tags.get(about, ())]
    removed, refusals = 0, []
    for about in tagged:
        try:
            removed += remove_tag(store, about.image, about.prompt, tag, question)
        except NotYours as refusal:
            refusals.append(refusal)
    if refusals and not removed:
        raise refusals[0]
    return removed


def note_images(store: Store, evaluations: Sequence[int], text: str, author: str = "") -> int:
    """Keep a note on the images and return on how many; "" removes it. Raises BadRequest."""
    images = find_images(store, evaluations)
    keep_note(store, images, text, author)
    return len(images)


def read_tag_choices(store: Store, evaluations: Sequence[int]) -> TagChoices:
    """Return what a person chooses from who tags these images. Raises BadRequest."""
    images = find_images(store, evaluations)
    tags = tags_by_image(store)
    counts = Counter(tag for about in images for tag in tags.get(about, ()))
    questions: dict[str, tuple[str, ...]] = {}
    notes: tuple[ImageNote, ...] = ()
    if len(images) == 1:
        own = question_tags(store, *images[0])
        questions = {text: own.get(text, ()) for text in _questions(store, evaluations)}
        notes = image_notes(store, *images[0])
    return TagChoices(
        images=len(images),
        counts=dict(counts.most_common()),
        latest=latest_tags(store),
        questions=questions,
        notes=notes,
    )


def count_tags(store: Store, images: Sequence[TaggedImage] | None = None) -> Mapping[str, int]:
    """Return how many images have each tag, the most frequent first; None: all that are stored."""
    tags = tagged_images(store)
    own = tags.values() if images is None else (tags.get(about, ()) for about in set(images))
    return dict(Counter(tag for each in own for tag in each).most_common())


def _questions(store: Store, evaluations: Sequence[int]) -> tuple[str, ...]:
    statement = (
        sa.select(col(VerdictRow.question))
        .where(col(VerdictRow.evaluation).in_(list(evaluations)[:100]))
        .order_by(col(VerdictRow.evaluation), col(VerdictRow.index))
    )
    with store.database.read_transaction() as session:
        return tuple(dict.fromkeys(session.execute(statement).scalars()))


def _check_question(store: Store, evaluations: Sequence[int], question: str) -> None:
    if question not in _questions(store, evaluations):
        raise BadRequest(
            f"{question!r} is not a question of this image: choose one of its questions."
        )
