"""Reads and writes what prompts ask for as YAML files, which a person corrects by hand.

Gold readings have this form, too (``bench/gold_readings/README.md``).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain, count
from pathlib import Path
from typing import Annotated, Any, ClassVar

import yaml
from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field

from hallascope.data.files.readings.written_counts import read_count, write_count
from hallascope.data.lexicon import shorten
from hallascope.data.prompt_reading import (
    PICTURE,
    AskedAttribute,
    AskedObject,
    AskedRelation,
    AskedText,
    Count,
    PromptReading,
    StyleWords,
    find_places,
)
from hallascope.data.yaml_file import BadYaml, Document, Fault, read_document

_STRICT = ConfigDict(extra="forbid")
_Texts = Annotated[tuple[str, ...], Field(description="a list of texts")]
_Truth = Annotated[bool, Field(description="true or false")]


@dataclass(frozen=True, kw_only=True)
class ObjectEntry:
    """An object as it is written; `also` and `optional` are for gold readings alone."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    name: str = ""
    also: _Texts = ()
    count: Annotated[Count | None, BeforeValidator(read_count)] = None
    attributes: _Texts = ()
    absent: _Truth = False
    optional: _Truth = False
    one_of: str = ""


@dataclass(frozen=True, kw_only=True)
class TextEntry:
    """A text to be written in the picture, and the key of the object that it is on."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    text: str
    on: str = ""


@dataclass(frozen=True, kw_only=True)
class ReadingEntry:
    """A prompt and what it asks for, objects by their keys."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    prompt: str
    objects: Annotated[
        Mapping[
            str,
            Annotated[ObjectEntry, BeforeValidator(lambda value: {} if value is None else value)],
        ],
        Field(description="a mapping of names to objects, such as `cat: {count: 2}`"),
    ] = field(default_factory=dict)
    relations: Annotated[
        tuple[tuple[str, str, str], ...],
        Field(description="lists of three: an object, the relation, another object"),
    ] = ()
    texts: Annotated[
        tuple[TextEntry, ...], Field(description="a list, such as `[{text: STOP, on: sign}]`")
    ] = ()
    style: _Texts = ()
    language: str = "en"
    unreadable: str = ""
    author: str = ""


def _check_keys(entry: ReadingEntry) -> ReadingEntry:
    """Raise ValueError where a name stands for no other object."""
    named = [
        *(subject for subject, _, _ in entry.relations),
        *(target for _, _, target in entry.relations if target != PICTURE),
        *(text.on for text in entry.texts if text.on),
        *(value.one_of for value in entry.objects.values() if value.one_of),
    ]
    if unknown := [name for name in named if name not in entry.objects]:
        keys = ", ".join(entry.objects) or "none yet: add it"
        raise ValueError(
            f"{unknown[0]!r} is no object of this prompt: write one of its objects ({keys})."
        )
    if own := [key for key, value in entry.objects.items() if value.one_of == key]:
        raise ValueError(
            f"{own[0]!r} is one of itself: write the key of another object after 'one_of'."
        )
    return entry


_Entry = Annotated[ReadingEntry, AfterValidator(_check_keys)]
_Entries = Annotated[
    list[object], Field(description="a list of prompts, each of which begins with `- prompt:`")
]


def read_prompt_readings(path: Path) -> list[PromptReading]:
    """Return the readings of a file, as a person's, each of another prompt. Raises BadYaml."""
    document = read_document(path, texts=True)
    readings: dict[str, PromptReading] = {}
    for at, entry in enumerate(read_entries(document)):
        reading = entry_reading(entry)
        if reading.prompt in readings:
            sentence = f"The prompt {reading.prompt!r} appears twice: leave one of them out."
            raise BadYaml.in_file(document.file, [Fault(document.line(at), sentence)])
        readings[reading.prompt] = reading
    return list(readings.values())


def write_prompt_readings(readings: Iterable[PromptReading]) -> str:
    """Return readings as the text of a file, one prompt after another."""
    entries = [_entry(reading) for reading in readings]
    return yaml.safe_dump(
        entries, allow_unicode=True, sort_keys=False, default_flow_style=None, width=100
    )


# --- reading


def read_entries(document: Document) -> list[ReadingEntry]:
    """Return the entries of a document. Raises BadYaml, which names the line of every fault."""
    entries: list[ReadingEntry] = []
    faults: list[Fault] = []
    for at, value in enumerate(document.read(_Entries, document.value)):
        try:
            entries.append(document.read(_Entry, value, at))
        except BadYaml as error:
            faults += [Fault(line, f"{_name(value)}{said}") for line, said in error.faults]
    if faults:
        raise BadYaml.in_file(document.file, faults)
    return entries


def _name(value: object) -> str:
    """Return the beginning of a sentence about an entry, "" where it has no prompt."""
    prompt = value.get("prompt") if isinstance(value, dict) else None
    if not isinstance(prompt, str):
        return ""
    words = " ".join(prompt.split())
    return f"In “{shorten(words)}”: "


def entry_reading(entry: ReadingEntry) -> PromptReading:
    """Return an entry as a person's reading, each word with its places in the prompt."""
    ids = {PICTURE: PICTURE} | {key: f"o{at}" for at, key in enumerate(entry.objects, 1)}
    reading = PromptReading(
        prompt=" ".join(entry.prompt.split()),
        objects=tuple(
            AskedObject(
                id=ids[key],
                name=value.name or key,
                count=value.count,
                attributes=tuple(AskedAttribute(word.casefold()) for word in value.attributes),
                absent=value.absent,
                one_of=ids.get(value.one_of, ""),
            )
            for key, value in entry.objects.items()
        ),
        relations=tuple(
            AskedRelation(ids[subject], words, ids[target])
            for subject, words, target in entry.relations
        ),
        texts=tuple(AskedText(text.text, on=ids.get(text.on, "")) for text in entry.texts),
        style=tuple(map(StyleWords, entry.style)),
        language=entry.language,
        unreadable=entry.unreadable,
        source="person",
        author=entry.author,
    )
    return find_places(reading)


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
