"""Keeps the short tags that people give stored images and their questions; no score counts them.

They are kept with the ratings, so that they are in the tables of people's verdicts, too.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from hallascope.engine.errors import BadRequest
from hallascope.engine.storage.owners import NotYours
from hallascope.engine.storage.people.ratings import RatingSubject
from hallascope.engine.storage.store import Store

TAG = "tag"  # the metric of a rating that is a tag; its finding is the tag itself
QUESTION_TAG = "question-tag"  # of a question; its finding is "TAG · question: TEXT"
MAX_TAG_CHARACTERS = 40  # characters of a tag
MAX_TAGS_PER_IMAGE = 20  # tags of an image by one person
_ABOUT_QUESTION = " · question: "


class TaggedImage(NamedTuple):
    """Names an image by its SHA-256, and the prompt that it was made for."""

    image: str
    prompt: str


def clean_tag(text: str) -> str:
    """Return a tag in lower case with single spaces. Raises BadRequest where it is none."""
    tag = " ".join(text.split()).casefold()
    if not tag or not tag.isprintable() or _ABOUT_QUESTION in tag:
        raise BadRequest(
            "The tag is empty or cannot be shown: type a word or two, such as “extra fingers”."
        )
    if len(tag) > MAX_TAG_CHARACTERS:
        raise BadRequest(
            f"The tag has {len(tag)} characters: use at most {MAX_TAG_CHARACTERS}, such as"
            " “extra fingers”."
        )
    return tag


def image_tags(store: Store, image: str, prompt: str) -> tuple[str, ...]:
    """Return the tags of an image (its SHA-256) that was made for a prompt, the oldest first."""
    return tuple(store.ratings.for_picture(image, TAG, prompt))


def question_tags(store: Store, image: str, prompt: str) -> Mapping[str, tuple[str, ...]]:
    """Return the tags of the questions of an image, by the text of the question."""
    tags: dict[str, list[str]] = {}
    for finding in store.ratings.for_picture(image, QUESTION_TAG, prompt):
        tag, _, question = finding.partition(_ABOUT_QUESTION)
        tags.setdefault(question, []).append(tag)
    return {question: tuple(own) for question, own in tags.items()}


def tagged_images(
    store: Store, images: Collection[str] | None = None
) -> Mapping[TaggedImage, tuple[str, ...]]:
    """Return the tags of all tagged images, each once, with those of their questions.

    They stand by the image and the prompt it was made for, the oldest first. `images`: only of
    these, by their SHA-256.
    """
    tags: dict[TaggedImage, dict[str, None]] = {}
    for kind in (TAG, QUESTION_TAG):
        for rating in store.ratings.all(kind, images=images):
            about = rating.subject
            tag = about.finding.partition(_ABOUT_QUESTION)[0]
            tags.setdefault(TaggedImage(about.image, about.prompt), {})[tag] = None
    return {about: tuple(own) for about, own in tags.items()}


def tags_by_image(
    store: Store, question: str = "", rater: str | None = None
) -> Mapping[TaggedImage, tuple[str, ...]]:
    """Return the tags of all images, "" in `question`, or those of this question of theirs.

    `rater`: of this person alone, as the store names them.
    """
    kind, finding = _kind_and_finding("", question)
    tags: dict[TaggedImage, list[str]] = {}
    for rating in store.ratings.all(kind, rater):
        about = rating.subject
        if about.finding.endswith(finding):
            tag = about.finding.removesuffix(finding)
            tags.setdefault(TaggedImage(about.image, about.prompt), []).append(tag)
    return {about: tuple(dict.fromkeys(own)) for about, own in tags.items()}


def latest_tags(store: Store, most: int = 9) -> tuple[str, ...]:
    """Return the tags that were given last, the last one first."""
    ratings = [*store.ratings.all(TAG), *store.ratings.all(QUESTION_TAG)]
    ratings.sort(key=lambda rating: rating.created, reverse=True)
    tags = (rating.subject.finding.partition(_ABOUT_QUESTION)[0] for rating in ratings)
    return tuple(dict.fromkeys(tags))[:most]


def keep_tags(
    store: Store, images: Iterable[TaggedImage], text: str, rater: str = "", question: str = ""
) -> int:
    """Keep a tag of several images, or of a question of theirs, and return of how many it is new.

    Raises BadRequest where it is no tag, or the person gave one of the images many; none is tagged
    then.
    """
    tag = clean_tag(text)
    tagged = tags_by_image(store, question)
    new = [about for about in dict.fromkeys(images) if tag not in tagged.get(about, ())]
    own = tags_by_image(store, question, store.owners.stored_name(rater))
    if any(len(own.get(about, ())) >= MAX_TAGS_PER_IMAGE for about in new):
        raise BadRequest(f"You give an image at most {MAX_TAGS_PER_IMAGE} tags: remove one first.")
    kind, finding = _kind_and_finding(tag, question)
    subjects = {
        RatingSubject(about.image, kind, about.prompt, finding, rater): TAG for about in new
    }
    if subjects:
        store.ratings.keep_values(subjects)
    return len(subjects)


def remove_tag(store: Store, image: str, prompt: str, tag: str, question: str = "") -> bool:
    """Remove a tag of an image, or of a question of it, whoever gave it.

    Return whether there was one. Raises NotYours where only others than the visitor gave it.
    """
    kind, finding = _kind_and_finding(tag, question)
    subjects = [rating.subject for rating in store.ratings.all(kind, images=[image])]
    given = [each for each in subjects if (each.prompt, each.finding) == (prompt, finding)]
    refusals = []
    for subject in given:
        try:
            if store.owners.visitor and not subject.rater:
                raise NotYours(
                    f"The tag {tag!r} was given by whoever runs this app: only they remove it."
                )
            store.ratings.remove(subject)
        except NotYours as refusal:
            refusals.append(refusal)
    if refusals and len(refusals) == len(given):
        raise refusals[0]
    return bool(given)


def _kind_and_finding(tag: str, question: str) -> tuple[str, str]:
    return (QUESTION_TAG, f"{tag}{_ABOUT_QUESTION}{question}") if question else (TAG, tag)
