"""Shows a reading as tables of objects, relations and texts, and reads corrected tables back.

It knows neither the page nor the store.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, NamedTuple

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

OBJECTS = ("Object", "Count", "Attributes", "Must not appear: yes")
RELATIONS = ("Object", "Relation", "Of or to")
TEXTS = ("Text", "Written on")
IMAGE = "the image"  # the end of a relation that is a place in the image
MAX_COUNT = 1_000
MAX_ITEMS = 200  # objects, relations and texts of a reading, and attributes of an object
MAX_CHARACTERS = 200  # of a name, a word or a text
PLACES = ("left", "right", "top", "bottom", "middle", "corner", "background", "foreground")
_COUNT = re.compile(r"(?:(exactly|at least|at most|about) )?(\d+)|(\d+) to (\d+)")

Rows = Sequence[Sequence[Any]]


class ReadingTables(NamedTuple):
    """Holds the rows of the tables, in the columns `OBJECTS`, `RELATIONS` and `TEXTS`."""

    objects: Rows
    relations: Rows
    texts: Rows


# --- from a reading to its tables


def reading_tables(reading: PromptReading) -> ReadingTables:
    """Return the tables of a reading, each with an empty row at its end to add something.

    Relations and texts name objects by `object_names`.
    """
    names = {**object_names(reading.objects), PICTURE: IMAGE, "": ""}
    objects = [
        [
            asked.name,
            count_text(asked.count),
            ", ".join(_values(asked)),
            "yes" if asked.absent else "",
        ]
        for asked in reading.objects
    ]
    relations = [
        [names[each.subject], each.words, names[each.target]] for each in reading.relations
    ]
    texts = [[each.text, names[each.on]] for each in reading.texts]
    return ReadingTables(
        [*objects, ["", "", "", ""]], [*relations, ["", "", ""]], [*texts, ["", ""]]
    )


def object_names(objects: Sequence[AskedObject]) -> dict[str, str]:
    """Return by id how a row names an object: "red cat"; a second one is "red cat 2"."""
    seen: Counter[str] = Counter()
    names = {}
    for asked in objects:
        name = " ".join([*_values(asked), asked.name])
        seen[name] += 1
        names[asked.id] = f"{name} {seen[name]}" if seen[name] > 1 else name
    return names


def _values(asked: AskedObject) -> list[str]:
    return [attribute.value for attribute in asked.attributes]


def count_text(count: Count | None) -> str:
    """Return a count as `read_count` takes it: "2", "at least 2", "about 10", "2 to 3"."""
    if count is None:
        return ""
    if count.approximate and count.most is not None:
        return f"about {(count.least + count.most) // 2}"
    if count.most is None:
        return f"at least {count.least}"
    if count.least == count.most:
        return str(count.least)
    return f"{count.least} to {count.most}" if count.least else f"at most {count.most}"


# --- and back


def read_tables(reading: PromptReading, tables: ReadingTables) -> PromptReading:
    """Return the reading as a person corrected it in its tables; empty rows are left out.

    Raises BadRequest with one sentence where a row cannot be read.
    """
    rows = [row for row in tables.objects if _text(row, 0)]
    olds = _matched(reading.objects, rows)
    ids = _ids(reading, olds)
    objects = tuple(
        _object(reading, replace(old or AskedObject(id=id, name=""), id=id), row)
        for row, old, id in zip(rows, olds, ids, strict=True)
    )
    objects = tuple(
        asked if asked.one_of in ids else replace(asked, one_of="") for asked in objects
    )
    known = _ids_by_name(reading, objects)
    corrected = replace(
        reading,
        objects=objects,
        relations=tuple(_relation(reading, known, row) for row in tables.relations if any(row)),
        texts=tuple(_written(reading, known, row) for row in tables.texts if any(row)),
        # what no rule read is of no account where a person reads the prompt
        unreadable="",
        confidence=1.0,
        fig_confidence=1.0,
        unread=(),
    )
    _check_size(corrected)
    return corrected


def _check_size(reading: PromptReading) -> None:
    """Raise BadRequest where a reading is too large."""
    attributes = [asked.attributes for asked in reading.objects]
    if max(map(len, (reading.objects, reading.relations, reading.texts, *attributes))) > MAX_ITEMS:
        raise BadRequest(f"A reading has at most {MAX_ITEMS} things of a kind: delete some first.")
    words = [asked.name for asked in reading.objects]
    words += [attribute.value for own in attributes for attribute in own]
    words += [relation.words for relation in reading.relations]
    words += [text.text for text in reading.texts]
    longest = max(words, key=len, default="")
    if len(longest) > MAX_CHARACTERS:
        raise BadRequest(
            f"“{longest[:40]}…” has {len(longest)} characters: give at most {MAX_CHARACTERS}."
        )


def _text(row: Sequence[Any], at: int) -> str:
    return line(str(row[at] or "")) if at < len(row) else ""


def _matched(objects: Sequence[AskedObject], rows: Rows) -> list[AskedObject | None]:
    """Return for each row the object that it was; None for a new one.

    That is one of the same name, best in the same row; where no row was added or deleted, also a
    renamed one in the same row.
    """
    names = [_text(row, 0) for row in rows]
    found = {row: old for row, old in enumerate(objects[: len(rows)]) if old.name == names[row]}
    for row, name in enumerate(names):
        left = (old for old in objects if old not in found.values())
        same = next((old for old in left if old.name == name), None)
        if row not in found and same:
            found[row] = same
    if len(rows) == len(objects):
        for row, old in enumerate(objects):
            if row not in found and old not in found.values():
                found[row] = old
    return [found.get(row) for row in range(len(rows))]


def _ids(reading: PromptReading, olds: Sequence[AskedObject | None]) -> list[str]:
    """Return an id for each row; new objects get new ones."""
    known = {asked.id for asked in reading.objects}
    free = (id for number in count(1) if (id := f"o{number}") not in known)
    return [old.id if old else next(free) for old in olds]


def _ids_by_name(reading: PromptReading, objects: Sequence[AskedObject]) -> dict[str, str]:
    """Return ids by all that a row can call an object, as it is now before as it was."""
    kept = {asked.id for asked in objects}
    before = {name: id for id, name in object_names(reading.objects).items() if id in kept}
    plain = {asked.name: asked.id for asked in reversed(objects)}
    now = {name: id for id, name in object_names(objects).items()}
    return {name.casefold(): id for name, id in {**plain, **before, **now}.items()}


def _object(reading: PromptReading, asked: AskedObject, row: Sequence[Any]) -> AskedObject:
    name = _text(row, 0)
    absent = _text(row, 3).casefold() == "yes"
    asked_count = None if absent else read_count(name, _text(row, 1))
    return replace(
        asked,
        name=name,
        spans=asked.spans if name == asked.name else _places(reading, name, asked.spans),
        count=asked_count,
        count_spans=_count_places(reading, asked, asked_count),
        attributes=tuple(_attributes(reading, asked, _text(row, 2))),
        absent=absent,
    )


def read_count(name: str, typed: str) -> Count | None:
    """Return the count of an object in words, None for "". Raises BadRequest."""
    if not typed:
        return None
    match = _COUNT.fullmatch(typed.casefold())
    numbers = (
        [int(digits[:9]) for digits in (match[2], match[3], match[4]) if digits] if match else []
    )
    if (
        not match
        or not 1 <= min(numbers) <= max(numbers) <= MAX_COUNT
        or numbers != sorted(numbers)
    ):
        raise BadRequest(
            f"The count of “{name}” is “{typed[:40]}”: type a whole number from 1 to"
            f" {MAX_COUNT:,}, “at least 2”, “at most 3”, “about 10” or “2 to 3”."
        )
    first, last = numbers[0], numbers[-1]
    match match[1]:
        case "at least":
            return Count.at_least(first)
        case "at most":
            return Count.at_most(first)
        case "about":
            return Count.approximately(first)
        case _:
            return Count(least=first, most=last)


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
    for value in filter(None, values):
        yield known.get(value) or AskedAttribute(value, _places(reading, value))


def _relation(reading: PromptReading, ids: Mapping[str, str], row: Sequence[Any]) -> AskedRelation:
    typed = _text(row, 1)
    if not typed:
        raise BadRequest("The relation has no words: type some, such as “on” or “left of”.")
    subject = _find(ids, _text(row, 0))
    is_place = _text(row, 2).casefold() in (IMAGE, "image")
    target = PICTURE if is_place else _find(ids, _text(row, 2))
    if subject == target:
        raise BadRequest("A relation is between two different objects: name another one.")
    words = _place_words(typed) if is_place else _relation_words(typed)
    ends = subject, target
    old = next((each for each in reading.relations if (each.subject, each.target) == ends), None)
    spans = (old.spans if old else ()) or _places(reading, typed)
    return AskedRelation(subject, words, target, spans)


def _find(ids: Mapping[str, str], name: str) -> str:
    if name.casefold() not in ids:
        raise BadRequest(f"There is no object “{name}”: name one of the first table, or add it.")
    return ids[name.casefold()]


def _relation_words(typed: str) -> str:
    """Return the words by which the relation is known: "left of" for "to the left of"."""
    spelling = spellings().get(tuple(typed.casefold().split()))
    return spelling.relation if spelling else typed


def _place_words(typed: str) -> str:
    """Return a place in the image as readings name it: "right" for "on the right"."""
    place = _relation_words(typed).removesuffix(" of")
    if place not in PLACES:
        raise BadRequest(
            f"{typed!r} is no place in the image: type {', '.join(PLACES[:-1])} or {PLACES[-1]}."
        )
    return place


def _written(reading: PromptReading, ids: Mapping[str, str], row: Sequence[Any]) -> AskedText:
    text = _text(row, 0)
    if not text:
        raise BadRequest("The text is empty: type the words that the image should show.")
    on = _text(row, 1)
    old = next((each for each in reading.texts if each.text == text), None)
    span = next(iter(_places(reading, text)), old.span if old else None)
    return AskedText(text, span, _find(ids, on) if on else "")


def _places(
    reading: PromptReading, words: str, otherwise: tuple[Span, ...] = ()
) -> tuple[Span, ...]:
    """Return where the prompt, or its translation, has some words."""
    return find_words(reading.translation or reading.prompt, words) or otherwise
