"""Reads and writes what prompts ask for as YAML files, which a person corrects by hand.

They have the form of gold readings (``data/gold_readings/README.md``) and may name their `author`.
A correction has neither `also` nor `optional`; of a second reader's gold readings
`read_required` takes what that reader requires.
"""

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain, count, filterfalse
from pathlib import Path
from typing import Any

import yaml

from hallascope.data.files.readings.reading_entries import (
    ALTERNATIVE,
    ObjectEntry,
    ReadingEntry,
    is_optional,
    reading_entries,
)
from hallascope.data.files.readings.written_counts import read_count, write_count
from hallascope.data.prompt_reading import (
    PICTURE,
    AskedAttribute,
    AskedObject,
    AskedRelation,
    AskedText,
    PromptReading,
    StyleWords,
    find_places,
)
from hallascope.data.yaml_file import BadYaml, Document, Fault, read_document


def read_prompt_readings(path: Path) -> list[PromptReading]:
    """Return the readings of a file, as a person's, each of another prompt. Raises BadYaml."""
    return _readings(read_document(path, texts=True))


def parse_prompt_readings(text: str, name: str = "reading") -> list[PromptReading]:
    """Return the readings of a text in the form of a file; `name` stands for it in errors.

    Raises BadYaml.
    """
    return _readings(Document(text, name, texts=True))


def write_prompt_readings(readings: Iterable[PromptReading]) -> str:
    """Return readings as the text of a file, one prompt after another."""
    entries = [_entry(reading) for reading in readings]
    return yaml.safe_dump(
        entries, allow_unicode=True, sort_keys=False, default_flow_style=None, width=100
    )


def read_required(path: Path) -> list[PromptReading]:
    """Return what the gold readings of a file, or of all files of a folder, require.

    What may be left out is left out, and of several right words the first are taken. Raises
    BadYaml.
    """
    files = sorted(path.glob("*.yaml")) if path.is_dir() else [path]
    return [
        _reading(_required(entry))
        for file in files
        for entry in reading_entries(read_document(file, texts=True))
    ]


# --- reading


def _required(entry: ReadingEntry) -> ReadingEntry:
    objects = {
        key: replace(value, also=(), attributes=tuple(filterfalse(is_optional, value.attributes)))
        for key, value in ((key, value or ObjectEntry()) for key, value in entry.objects.items())
        if not value.optional
    }
    relations = tuple(
        (subject, words.split(ALTERNATIVE)[0], target)
        for subject, words, target in entry.relations
        if not is_optional(words) and subject in objects and target in {*objects, PICTURE}
    )
    return replace(entry, objects=objects, relations=relations)


def _readings(document: Document) -> list[PromptReading]:
    readings: dict[str, PromptReading] = {}
    for at, entry in enumerate(reading_entries(document)):
        reading = _reading(entry)
        if reading.prompt in readings:
            sentence = f"The prompt {reading.prompt!r} stands here twice: leave one of them out."
            raise BadYaml.in_file(document.file, [Fault(document.line(at), sentence)])
        readings[reading.prompt] = reading
    return list(readings.values())


def _reading(entry: ReadingEntry) -> PromptReading:
    ids = {PICTURE: PICTURE} | {key: f"o{at}" for at, key in enumerate(entry.objects, 1)}
    reading = PromptReading(
        prompt=" ".join(entry.prompt.split()),
        objects=tuple(
            _object(ids[key], value or ObjectEntry(), key, ids)
            for key, value in entry.objects.items()
        ),
        relations=tuple(
            AskedRelation(ids[subject], words, ids[target])
            for subject, words, target in entry.relations
        ),
        texts=tuple(AskedText(text.text, on=ids.get(text.on, "")) for text in entry.texts),
        style=tuple(StyleWords(words) for words in entry.style),
        language=entry.language,
        unreadable=entry.unreadable,
        source="person",
        author=entry.author,
    )
    return find_places(reading)


def _object(id: str, value: ObjectEntry, key: str, ids: dict[str, str]) -> AskedObject:
    return AskedObject(
        id=id,
        name=value.name or key,
        count=read_count(value.count),
        attributes=tuple(AskedAttribute(word.casefold()) for word in value.attributes),
        absent=value.absent,
        one_of=ids.get(value.one_of, ""),
    )


# --- writing


def _entry(reading: PromptReading) -> dict[str, Any]:
    """Return a reading by the keys of a file, without those that say nothing."""
    keys = _keys(reading) | {PICTURE: PICTURE}
    entry: dict[str, Any] = {
        "prompt": reading.prompt,
        "objects": {keys[asked.id]: _object_entry(asked, keys) for asked in reading.objects},
        "relations": [
            [keys[relation.subject], relation.words, keys[relation.target]]
            for relation in reading.relations
        ],
        "texts": [
            {"text": text.text, "on": keys[text.on]} if text.on else {"text": text.text}
            for text in reading.texts
        ],
        "style": [words.text for words in reading.style],
        "language": reading.language if reading.language != "en" else "",
        "unreadable": reading.unreadable,
        "author": reading.author,
    }
    return {key: value for key, value in entry.items() if value or key == "prompt"}


def _keys(reading: PromptReading) -> dict[str, str]:
    """Return each object's key by its id: its name, with a number where that is taken.

    `PICTURE` is taken: in a relation it stands for the picture itself.
    """
    keys: dict[str, str] = {}
    for asked in reading.objects:
        numbered = (f"{asked.name} {number}" for number in count(2))
        taken = {PICTURE, *keys.values()}
        keys[asked.id] = next(key for key in chain([asked.name], numbered) if key not in taken)
    return keys


def _object_entry(asked: AskedObject, keys: dict[str, str]) -> dict[str, Any]:
    entry: dict[str, Any] = {}
    if keys[asked.id] != asked.name:
        entry["name"] = asked.name
    if asked.count is not None:
        entry["count"] = write_count(asked.count)
    if asked.attributes:
        entry["attributes"] = [attribute.value for attribute in asked.attributes]
    if asked.absent:
        entry["absent"] = True
    if asked.one_of:
        entry["one_of"] = keys[asked.one_of]
    return entry
