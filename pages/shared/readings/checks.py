"""Checks that a reading that comes from the page is whole: its size, its ids and its places."""

from collections.abc import Iterator

from hallascope.data.prompt_reading import PICTURE, PromptReading
from hallascope.data.regions import Span
from hallascope.engine.errors import BadRequest

MOST_ITEMS = 200  # objects, relations and texts of a reading, and attributes of an object
MOST_CHARACTERS = 200  # of a name, a word or a text
OUTDATED = "This is no longer part of the reading: reload the page, and correct it there."


def check_reading(reading: PromptReading) -> None:
    """Raise BadRequest where a reading is too large, or its parts do not fit together."""
    attributes = [len(asked.attributes) for asked in reading.objects]
    sizes = (len(reading.objects), len(reading.relations), len(reading.texts), *attributes)
    if max(sizes) > MOST_ITEMS:
        raise BadRequest(f"A reading has at most {MOST_ITEMS} things of a kind: delete some first.")
    longest = max(_texts(reading), key=len, default="")
    if len(longest) > MOST_CHARACTERS:
        raise BadRequest(
            f"“{longest[:40]}…” has {len(longest)} characters: give at most {MOST_CHARACTERS}."
        )
    if not _fits_together(reading):
        raise BadRequest(OUTDATED)


def _texts(reading: PromptReading) -> Iterator[str]:
    for asked in reading.objects:
        yield from (asked.id, asked.name, *(attribute.value for attribute in asked.attributes))
    yield from (relation.words for relation in reading.relations)
    yield from (text.text for text in reading.texts)


def _fits_together(reading: PromptReading) -> bool:
    """Return whether ids are known and no two are the same, and places lie within the prompt."""
    ids = {asked.id for asked in reading.objects}
    length = len(reading.translation or reading.prompt)
    return (
        len(ids) == len(reading.objects)
        and PICTURE not in ids
        and set(_named_ids(reading)) <= ids
        and all(0 <= start < end <= length for start, end in _spans(reading))
        and all(len(style.text) <= length for style in reading.style)
    )


def _named_ids(reading: PromptReading) -> Iterator[str]:
    """Yield the ids of the objects by which others, relations and texts are said."""
    yield from (asked.one_of for asked in reading.objects if asked.one_of)
    yield from (relation.subject for relation in reading.relations)
    yield from (relation.target for relation in reading.relations if relation.target != PICTURE)
    yield from (text.on for text in reading.texts if text.on)


def _spans(reading: PromptReading) -> Iterator[Span]:
    for asked in reading.objects:
        yield from (*asked.spans, *asked.count_spans)
        for attribute in asked.attributes:
            yield from attribute.spans
    for relation in reading.relations:
        yield from relation.spans
    yield from (text.span for text in reading.texts if text.span)
    yield from (style.span for style in reading.style if style.span)
