"""Suggests tags for images: those that people gave images that are like them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import sqlalchemy as sa
from sqlmodel import col

from hallascope.engine.image_tags import TaggedImage, tagged_images
from hallascope.engine.storage.database import chunked
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import EvaluationRow, VerdictRow

MOST_SUGGESTIONS = 5
_WRONG = ("incorrect", "abstained")


class TagSuggestion(NamedTuple):
    """Holds a tag that similar images have: `images` of them, of `compared` that have any tag."""

    tag: str
    images: int
    compared: int


def suggest_tags(store: Store, images: Iterable[TaggedImage]) -> tuple[TagSuggestion, ...]:
    """Return the tags that most of the similar images have and not all of these.

    Similar are images of the same prompt, and those with errors in the same compositions of
    interest.
    """
    about = list(dict.fromkeys(images))
    tags = tagged_images(store)
    others = [other for other in tags if other not in about]
    similar = _similar(store, about, others)
    counts = Counter(tag for other in similar for tag in tags[other])
    return tuple(
        TagSuggestion(tag, number, len(similar))
        for tag, number in counts.most_common()
        if not all(tag in tags.get(image, ()) for image in about)
    )[:MOST_SUGGESTIONS]


def _similar(
    store: Store, about: Sequence[TaggedImage], others: Sequence[TaggedImage]
) -> list[TaggedImage]:
    prompts = {image.prompt for image in about}
    wrong = _wrong_parts(store, [*about, *others])
    of_these = {wrong[image] for image in about if wrong.get(image)}
    return [other for other in others if other.prompt in prompts or wrong.get(other) in of_these]


def _wrong_parts(
    store: Store, images: Iterable[TaggedImage]
) -> Mapping[TaggedImage, frozenset[str]]:
    """Return the compositions of interest in which each image has an error."""
    parts: dict[TaggedImage, set[str]] = {}
    statement = (
        sa.select(col(EvaluationRow.image), col(EvaluationRow.prompt), col(VerdictRow.coi))
        .join(VerdictRow, col(VerdictRow.evaluation) == col(EvaluationRow.id))
        .where(col(VerdictRow.state).in_(_WRONG))
        .distinct()
    )
    with store.database.read_transaction() as session:
        for chunk in chunked(sorted({about.image for about in images})):
            rows = session.execute(statement.where(col(EvaluationRow.image).in_(chunk)))
            for image, prompt, coi in rows:
                parts.setdefault(TaggedImage(image, prompt), set()).add(coi)
    return {about: frozenset(own) for about, own in parts.items()}
