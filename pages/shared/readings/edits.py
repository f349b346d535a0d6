"""Applies what a person corrects in the reading of a prompt: one thing at a time.

It knows neither the page nor the store.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from hallascope.components.evidence.exhibits.asked import ChipElement
from hallascope.data.files.tidy import line
from hallascope.data.prompt_reading import (
    PICTURE,
    AskedAttribute,
    AskedObject,
    AskedRelation,
    AskedText,
    Count,
    PromptReading,
    find_words,
)
from hallascope.data.regions import Span
from hallascope.engine.errors import BadRequest
from hallascope.metrics.reading.words.language import number_word
from hallascope.metrics.reading.words.relations import spellings
from hallascope.pages.shared.numbers import parse_whole
from hallascope.pages.shared.readings.checks import OUTDATED, check_reading

MOST_COUNT = 1_000
PLACES = ("left", "right", "top", "bottom", "middle", "corner", "background", "foreground")

_Item = TypeVar("_Item")


class _Edit(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ObjectEdit(_Edit):
    """Sets an object, a new one where `id` is "".

    `attributes` are separated by commas. `number` belongs to `bound`; it says nothing where that
    is "any", or where the count is the "same" as before.
    """

    kind: Literal["object"]
    id: str = ""
    name: str
    bound: Literal["any", "same", "exactly", "at least", "at most", "about"] = "any"
    number: float | None = None
    attributes: str = ""
    absent: bool = False


class RelationEdit(_Edit):
    """Sets a relation, a new one where `index` is None; `subject` and `target` are ids."""

    kind: Literal["relation"]
    index: int | None = None
    subject: str
    words: str
    target: str


class TextEdit(_Edit):
    """Sets a text, a new one where `index` is None; `on` is the id of an object, or ""."""

    kind: Literal["text"]
    index: int | None = None
    text: str
    on: str = ""


class RemovalEdit(_Edit):
    """Removes what a chip says (`AskedChip`); `words` is the value of an attribute."""

    kind: Literal["removal"]
    element: ChipElement
    item: str
    words: str = ""


ReadingEdit = Annotated[
    ObjectEdit | RelationEdit | TextEdit | RemovalEdit, Field(discriminator="kind")
]


def apply_edit(reading: PromptReading, edit: ReadingEdit) -> PromptReading:
    """Return the reading with one thing corrected, added or removed.

    Raises BadRequest with one sentence where the edit cannot be read.
    """
    # what no rule read is of no account where a person reads the prompt
    edited = replace(reading, unreadable="", confidence=1.0, fig_confidence=1.0, unread=())
    match edit:
        case ObjectEdit():
            edited = _set_object(edited, edit)
        case RelationEdit():
            edited = _set_relation(edited, edit)
        case TextEdit():
            edited = _set_text(edited, edit)
        case RemovalEdit():
            edited = _remove(edited, edit)
    check_reading(edited)
    return edited


# --- objects


def _set_object(reading: PromptReading, edit: ObjectEdit) -> PromptReading:
    if not edit.id:
        new = AskedObject(id=_free_id(reading), name="")
        return replace(reading, objects=(*reading.objects, _edited_object(reading, new, edit)))
    if edit.id not in {asked.id for asked in reading.objects}:
        raise BadRequest(OUTDATED)
    objects = tuple(
        _edited_object(reading, asked, edit) if asked.id == edit.id else asked
        for asked in reading.objects
    )
    return replace(reading, objects=objects)


def _free_id(reading: PromptReading) -> str:
    ids = {asked.id for asked in reading.objects}
    return next(id for number in count(1) if (id := f"o{number}") not in ids)


def _edited_object(reading: PromptReading, asked: AskedObject, edit: ObjectEdit) -> AskedObject:
    name = line(edit.name)
    if not name:
        raise BadRequest("The object has no name: type one, or delete the object.")
    count = None if edit.absent else _count(asked, edit)
    return replace(
        asked,
        name=name,
        spans=asked.spans if name == asked.name else _places(reading, name, asked.spans),
        count=count,
        count_spans=_count_places(reading, asked, count),
        attributes=tuple(_attributes(reading, asked, edit.attributes)),
        absent=edit.absent,
    )


def _count(asked: AskedObject, edit: ObjectEdit) -> Count | None:
    if edit.bound == "any":
        return None
    if edit.bound == "same":
        return asked.count
    number = parse_whole(edit.number, "count", 1, MOST_COUNT)
    match edit.bound:
        case "exactly":
            return Count.exactly(number)
        case "at least":
            return Count.at_least(number)
        case "at most":
            return Count.at_most(number)
        case "about":
            return Count.approximately(number)


def _count_places(
    reading: PromptReading, asked: AskedObject, count: Count | None
) -> tuple[Span, ...]:
    """Return where the prompt says the count; a corrected one stands where the old one did."""
    if count is None:
        return ()
    if asked.count_spans or count == asked.count:
        return asked.count_spans
    return _places(reading, number_word(count.least))


def _attributes(reading: PromptReading, asked: AskedObject, typed: str) -> Iterator[AskedAttribute]:
    """Yield the typed attributes, each once; those that were there keep their places."""
    known = {attribute.value: attribute for attribute in asked.attributes}
    values = dict.fromkeys(line(value).casefold() for value in typed.split(","))
    for value in values:
        if value:
            yield known.get(value) or AskedAttribute(value, _places(reading, value))


# --- relations and texts


def _set_relation(reading: PromptReading, edit: RelationEdit) -> PromptReading:
    typed = line(edit.words)
    if not typed:
        raise BadRequest("The relation has no words: type some, such as “on” or “left of”.")
    _check_ends(reading, edit)
    words = _place_words(typed) if edit.target == PICTURE else _relation_words(typed)
    old = _item_at(reading.relations, edit.index)
    spans = (old.spans if old else ()) or _places(reading, typed)
    new = AskedRelation(edit.subject, words, edit.target, spans)
    return replace(reading, relations=_with_item(reading.relations, edit.index, new))


def _check_ends(reading: PromptReading, edit: RelationEdit) -> None:
    """Raise BadRequest where a relation does not lead from one object to another."""
    ids = {asked.id for asked in reading.objects}
    if edit.subject not in ids or edit.target not in {*ids, PICTURE}:
        raise BadRequest("A relation needs two objects: choose both, or add them first.")
    if edit.subject == edit.target:
        raise BadRequest("A relation is between two different objects: choose another one.")


def _relation_words(typed: str) -> str:
    """Return the words by which the relation is known: "left of" for "to the left of"."""
    spelling = spellings().get(tuple(typed.casefold().split()))
    return spelling.relation if spelling else typed


def _place_words(typed: str) -> str:
    """Return a place in the picture as readings name it: "right" for "on the right"."""
    place = _relation_words(typed).removesuffix(" of")
    if place not in PLACES:
        raise BadRequest(
            f"{typed!r} is no place in the image: type {', '.join(PLACES[:-1])} or {PLACES[-1]}."
        )
    return place


def _set_text(reading: PromptReading, edit: TextEdit) -> PromptReading:
    text = line(edit.text)
    if not text:
        raise BadRequest("The text is empty: type the words that the image should show.")
    old = _item_at(reading.texts, edit.index)
    span = next(iter(_places(reading, text)), old.span if old else None)
    new = AskedText(text, span, edit.on)
    return replace(reading, texts=_with_item(reading.texts, edit.index, new))


def _item_at(items: tuple[_Item, ...], index: int | None) -> _Item | None:
    """Return the item that is corrected, None for a new one."""
    if index is None:
        return None
    if not 0 <= index < len(items):
        raise BadRequest(OUTDATED)
    return items[index]


def _with_item(items: tuple[_Item, ...], index: int | None, new: _Item) -> tuple[_Item, ...]:
    if index is None:
        return (*items, new)
    return (*items[:index], new, *items[index + 1 :])


def _places(
    reading: PromptReading, words: str, otherwise: tuple[Span, ...] = ()
) -> tuple[Span, ...]:
    """Return where the prompt, or its translation, has some words."""
    return find_words(reading.translation or reading.prompt, words) or otherwise


# --- removal


def _remove(reading: PromptReading, edit: RemovalEdit) -> PromptReading:
    match edit.element:
        case "object" | "absent":
            without = _remove_object(reading, edit.item)
        case "count" | "one_of" | "attribute":
            without = replace(
                reading,
                objects=tuple(
                    _reduced_object(asked, edit) if asked.id == edit.item else asked
                    for asked in reading.objects
                ),
            )
        case "relation":
            relations = _without_index(reading.relations, edit.item)
            without = replace(reading, relations=relations)
        case "text":
            without = replace(reading, texts=_without_index(reading.texts, edit.item))
    if without == reading:
        raise BadRequest(OUTDATED)
    return without


def _reduced_object(asked: AskedObject, edit: RemovalEdit) -> AskedObject:
    if edit.element == "count":
        return replace(asked, count=None, count_spans=())
    if edit.element == "one_of":
        return replace(asked, one_of="")
    attributes = tuple(word for word in asked.attributes if word.value != edit.words)
    return replace(asked, attributes=attributes)


def _remove_object(reading: PromptReading, id: str) -> PromptReading:
    """Return the reading without an object and the relations in which it stands."""
    return replace(
        reading,
        objects=tuple(
            replace(asked, one_of="") if asked.one_of == id else asked
            for asked in reading.objects
            if asked.id != id
        ),
        relations=tuple(
            relation
            for relation in reading.relations
            if id not in (relation.subject, relation.target)
        ),
        texts=tuple(replace(text, on="") if text.on == id else text for text in reading.texts),
    )


def _without_index(items: tuple[_Item, ...], index: str) -> tuple[_Item, ...]:
    return tuple(item for at, item in enumerate(items) if str(at) != index)
