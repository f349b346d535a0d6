"""Keeps the short tags that people give stored images; no score counts them.

They are kept with the ratings, so that they are in the tables of people's verdicts, too.
"""

from collections.abc import Mapping

from hallascope.engine.errors import BadRequest
from hallascope.engine.storage.people.ratings import RatingSubject
from hallascope.engine.storage.store import Store

TAG = "tag"  # the metric of a rating that is a tag; its finding is the tag itself
LONGEST = 40  # characters of a tag
MOST = 20  # tags of an image


def clean_tag(text: str) -> str:
    """Return a tag in lower case with single spaces. Raises BadRequest where it is none."""
    tag = " ".join(text.split()).casefold()
    if not tag or not tag.isprintable():
        raise BadRequest("The tag is empty: type a word or two, such as “extra fingers”.")
    if len(tag) > LONGEST:
        raise BadRequest(
            f"The tag has {len(tag)} characters: use at most {LONGEST}, such as “extra fingers”."
        )
    return tag


def image_tags(store: Store, image: str, prompt: str) -> tuple[str, ...]:
    """Return the tags of an image (its SHA-256) that was made for a prompt, the oldest first."""
    return tuple(store.ratings.for_picture(image, TAG, prompt))


def tagged_images(store: Store) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """Return the tags of all tagged images, by their SHA-256 and the prompt they were made for."""
    tags: dict[tuple[str, str], dict[str, None]] = {}
    for rating in store.ratings.all(TAG):
        about = rating.subject
        tags.setdefault((about.image, about.prompt), {})[about.finding] = None
    return {about: tuple(own) for about, own in tags.items()}


def keep_tag(store: Store, image: str, prompt: str, text: str, rater: str = "") -> None:
    """Keep a tag of an image. Raises BadRequest where it is none, or the image has many."""
    tag = clean_tag(text)
    tags = image_tags(store, image, prompt)
    if tag not in tags and len(tags) >= MOST:
        raise BadRequest(f"An image has at most {MOST} tags: remove one first.")
    if tag not in tags:
        store.ratings.keep(RatingSubject(image, TAG, prompt, tag, rater), TAG)


def remove_tag(store: Store, image: str, prompt: str, tag: str) -> None:
    """Remove a tag of an image, whoever gave it; nothing happens where there is none."""
    for rater in store.ratings.for_picture(image, TAG, prompt).get(tag, {}):
        store.ratings.remove(RatingSubject(image, TAG, prompt, tag, rater))
