"""Has a model read what a prompt asks for, in one request, as the same records as the rules.

It also reads other languages, with a translation into English.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from hallascope.data.files.readings.written_counts import read_count, write_count
from hallascope.data.files.tidy import line
from hallascope.data.prompt_reading import (
    PICTURE,
    AskedAttribute,
    AskedObject,
    AskedRelation,
    AskedText,
    Count,
    PromptReading,
    StyleWords,
    find_words,
)
from hallascope.data.regions import Span
from hallascope.data.requests import ReadPrompt
from hallascope.data.wordings.templates import Template, template
from hallascope.metrics.replies import structured
from hallascope.metrics.replies.letters import strip_thinking
from hallascope.metrics.replies.structured import TEXT, array_of, object_schema

MOST_OBJECTS = 40
MOST_RELATIONS = 80
_LONGEST = 200  # characters of a name, a text or a word that describes
_LONGEST_TRANSLATION = 4000
_LANGUAGE = re.compile(r"[a-z]{2,3}")
SCHEMA = object_schema(
    language=TEXT,
    translation=TEXT,
    objects=array_of(
        object_schema(
            id=TEXT,
            name=TEXT,
            count=TEXT,
            attributes=array_of(TEXT),
            absent={"type": "boolean"},
        )
    ),
    relations=array_of(object_schema(subject=TEXT, relation=TEXT, target=TEXT)),
    texts=array_of(object_schema(text=TEXT, on=TEXT)),
    style=array_of(TEXT),
)


def reading_template(prompts: Path | None = None) -> Template:
    """Return the template of a folder, ours where it has none.

    Raises TemplateError where it cannot be used.
    """
    return template("prompt_reading", prompts)


def reading_request(prompt: str, form: Template) -> ReadPrompt:
    """Return what a parser is asked; `form` is the template ``prompt_reading``."""
    prompt = line(prompt)
    return ReadPrompt(prompt, form.fill({"prompt": prompt}), form.version, SCHEMA)


def parse_model_reading(prompt: str, reply: str) -> PromptReading | None:
    """Return the reading of a reply; None where nothing can be read. Never raises.

    Objects without a name are left out, and so are relations of objects that there are not.
    """
    for piece in structured.objects(strip_thinking(reply), ("objects",)):
        if isinstance(piece.fields.get("objects"), list):
            return _reading(prompt, piece.fields)
    return None


def write_model_reading(reading: PromptReading) -> str:
    """Return a reading as a model is asked to write it; `parse_model_reading` reads the same again.

    Which object is one of others is left out.
    """
    objects = [
        {
            "id": asked.id,
            "name": asked.name,
            "count": "" if asked.count is None else str(write_count(asked.count)),
            "attributes": [attribute.value for attribute in asked.attributes],
            "absent": asked.absent,
        }
        for asked in reading.objects
    ]
    relations = [
        {"subject": relation.subject, "relation": relation.words, "target": relation.target}
        for relation in reading.relations
    ]
    fields = {
        "language": reading.language,
        "translation": reading.translation,
        "objects": objects,
        "relations": relations,
        "texts": [{"text": text.text, "on": text.on} for text in reading.texts],
        "style": [words.text for words in reading.style],
    }
    return json.dumps(fields, ensure_ascii=False)


def _reading(prompt: str, fields: structured.ReplyFields) -> PromptReading:
    entries = dict(_object_entries(fields))
    ids = {given: f"o{at}" for at, given in enumerate(entries, 1)}
    targets = ids | {PICTURE: PICTURE}
    language = _text(fields, "language").casefold()
    return PromptReading(
        prompt=prompt,
        objects=tuple(_object(prompt, ids[given], entry) for given, entry in entries.items()),
        relations=tuple(dict.fromkeys(_relations(prompt, fields, targets))),
        texts=tuple(_texts(prompt, fields, ids)),
        style=tuple(
            StyleWords(words, _first(find_words(prompt, words)))
            for words in _texts_of(fields.get("style"))
        ),
        language=language if _LANGUAGE.fullmatch(language) else "",
        translation=_text(fields, "translation", _LONGEST_TRANSLATION),
        source="model",
    )


# --- objects


def _object_entries(
    fields: structured.ReplyFields,
) -> Iterator[tuple[str, structured.ReplyFields]]:
    """Yield the named objects of a reply by the ids that it gives them, each id once."""
    used: set[str] = set()
    for entry in _records(fields.get("objects"))[:MOST_OBJECTS]:
        given = _text(entry, "id") or f"unnamed {len(used)}"
        if _text(entry, "name") and given not in used:
            used.add(given)
            yield given, entry


def _object(prompt: str, id: str, entry: structured.ReplyFields) -> AskedObject:
    name = _text(entry, "name")
    return AskedObject(
        id=id,
        name=name,
        spans=find_words(prompt, name),
        count=_count(_text(entry, "count")),
        attributes=tuple(
            AskedAttribute(word.casefold(), find_words(prompt, word))
            for word in _texts_of(entry.get("attributes"))
        ),
        absent=entry.get("absent") is True,
    )


def _count(written: str) -> Count | None:
    """Return the count that a reply gives; one that has no form says nothing."""
    try:
        return read_count(written.casefold() or None)
    except ValueError:
        return None


# --- relations and texts


def _relations(
    prompt: str, fields: structured.ReplyFields, targets: Mapping[str, str]
) -> Iterator[AskedRelation]:
    for entry in _records(fields.get("relations"))[:MOST_RELATIONS]:
        subject = targets.get(_text(entry, "subject"), PICTURE)
        target = targets.get(_text(entry, "target"))
        words = _text(entry, "relation")
        if words and target and PICTURE not in (subject, words) and subject != target:
            yield AskedRelation(subject, words, target, find_words(prompt, words))


def _texts(
    prompt: str, fields: structured.ReplyFields, ids: Mapping[str, str]
) -> Iterator[AskedText]:
    for entry in _records(fields.get("texts"))[:MOST_OBJECTS]:
        text = _text(entry, "text")
        if text:
            yield AskedText(text, _first(find_words(prompt, text)), ids.get(_text(entry, "on"), ""))


# --- fields of a reply


def _records(value: object) -> list[structured.ReplyFields]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def _text(fields: structured.ReplyFields, name: str, longest: int = _LONGEST) -> str:
    """Return a text or number of a reply on one line; "" for anything else."""
    try:
        return line(structured.text_of(fields, name))[:longest]
    except ValueError:
        return ""


def _texts_of(value: object) -> list[str]:
    if not isinstance(value, list):
        return []
    texts = [line(text)[:_LONGEST] for text in value if isinstance(text, str)]
    return [text for text in dict.fromkeys(texts) if text][:MOST_OBJECTS]


def _first(spans: tuple[Span, ...]) -> Span | None:
    return spans[0] if spans else None
