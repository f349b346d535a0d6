"""Keeps the notes that people write on stored images; no score counts them.

They are kept with the ratings, so that they are in the tables of people's verdicts, too.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from hallascope.engine.errors import BadRequest
from hallascope.engine.image_tags import TaggedImage
from hallascope.engine.storage.people.ratings import RatingSubject
from hallascope.engine.storage.store import Store

NOTE = "note"  # the metric and the finding of a rating that is a note
LONGEST_NOTE = 1000  # characters


@dataclass(frozen=True)
class ImageNote:
    """Holds what a person wrote on an image; `author` is "" where nobody is named."""

    author: str
    text: str


def image_notes(store: Store, image: str, prompt: str) -> tuple[ImageNote, ...]:
    """Return the notes on an image (its SHA-256) that was made for a prompt."""
    notes = store.ratings.for_picture(image, NOTE, prompt).get(NOTE, {})
    return tuple(ImageNote(author, text) for author, text in notes.items())


def keep_note(store: Store, images: Iterable[TaggedImage], text: str, author: str = "") -> None:
    """Keep a note on each image, in place of that of the same author; "" removes it.

    Raises BadRequest where it is too long.
    """
    note = text.strip()
    if len(note) > LONGEST_NOTE:
        raise BadRequest(
            f"The note has {len(note):,} characters: shorten it to {LONGEST_NOTE:,} or fewer."
        )
    subjects = [
        RatingSubject(about.image, NOTE, about.prompt, NOTE, author)
        for about in dict.fromkeys(images)
    ]
    if note:
        store.ratings.keep_values(dict.fromkeys(subjects, note))
        return
    for subject in subjects:
        store.ratings.remove(subject)
