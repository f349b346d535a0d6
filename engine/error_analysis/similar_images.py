"""Suggests tags for images: those that people gave images that are like them."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

import numpy as np
import sqlalchemy as sa
from sqlmodel import col

from hallascope.engine.image_tags import TaggedImage, tagged_images
from hallascope.engine.leaderboard.queries import read_rows_of
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import EvaluationRow, VerdictRow

MOST_SUGGESTIONS = 5
NEAREST_SHARE = 0.02  # of all embedded images, those that are near
LEAST_NEAREST = 20
_WRONG = ("incorrect", "abstained")


class TagSuggestion(NamedTuple):
    """Holds a tag that similar images have: `images` of them, of `compared` that have any tag."""

    tag: str
    images: int
    compared: int


def suggest_tags(store: Store, images: Iterable[TaggedImage]) -> tuple[TagSuggestion, ...]:
    """Return the tags that most of the similar images have and not all of these.

    Similar are the nearest images where these are embedded (`hallascope errors map`), else images
    of the same prompt, and those with errors in the same compositions of interest.
    """
    about = dict.fromkeys(images)
    tags = tagged_images(store)
    others = [other for other in tags if other not in about]
    similar = _nearest(store, about, others)
    if similar is None:
        similar = _alike(store, about, others)
    counts = Counter(tag for other in similar for tag in tags[other])
    return tuple(
        TagSuggestion(tag, number, len(similar))
        for tag, number in counts.most_common()
        if not all(tag in tags.get(image, ()) for image in about)
    )[:MOST_SUGGESTIONS]


def _nearest(
    store: Store, about: Collection[TaggedImage], others: Collection[TaggedImage]
) -> list[TaggedImage] | None:
    """Return those of the others that are among the nearest of all embedded images.

    Nearness is the cosine to the mean of these images. None where one of them is not embedded.
    """
    for embedder in store.embeddings.embedders():
        names = store.embeddings.images(embedder)
        places = {name: place for place, name in enumerate(names)}
        if not all(image.image in places for image in about):
            continue
        vectors = store.embeddings.read(embedder, names)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
        mean = vectors[[places[image.image] for image in about]].mean(axis=0)
        nearness = vectors @ mean
        number = min(len(names), max(LEAST_NEAREST, round(NEAREST_SHARE * len(names))))
        least = np.sort(nearness)[-number]
        return [
            other
            for other in others
            if other.image in places and nearness[places[other.image]] >= least
        ]
    return None


def _alike(
    store: Store, about: Collection[TaggedImage], others: Collection[TaggedImage]
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
    names = (about.image for about in images)
    for image, prompt, coi in read_rows_of(store, statement, col(EvaluationRow.image), names):
        parts.setdefault(TaggedImage(image, prompt), set()).add(coi)
    return {about: frozenset(own) for about, own in parts.items()}
