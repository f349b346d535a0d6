"""Describes JSON that a model is to reply, and reads it, however it is wrapped or broken off."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

ReplyFields = Mapping[str, object]
_TRIES = 500  # how many "{" may begin no object before reading stops
TEXT: Mapping[str, object] = {"type": "string"}  # the JSON schema of a text


def object_schema(**properties: Mapping[str, object]) -> Mapping[str, object]:
    """Return the JSON schema of an object that has these properties, all of them, and no other."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def array_of(items: Mapping[str, object]) -> Mapping[str, object]:
    """Return the JSON schema of a list of such items."""
    return {"type": "array", "items": items}


class DuplicateField:
    """Stands for the value of a field that an object names twice."""


@dataclass(frozen=True)
class ReplyObject:
    """Holds an object of a reply as it came, and its fields by name (lower case, words apart).

    An object without `fields` cannot be read.
    """

    raw: str
    fields: ReplyFields = field(default_factory=dict)


def objects(text: str, names: Sequence[str]) -> list[ReplyObject]:
    """Return the objects with a field of one of the `names`, in their order, outermost first.

    Objects within a list are among them. What begins as such an object and is none (broken off, a
    quote missing) is an object without fields; what follows it is read all the same. Never raises.
    """
    results: list[ReplyObject] = []
    place = 0
    broken = -1  # where the text begins that could not be decoded
    tries = 0
    while (start := text.find("{", place)) >= 0 and tries < _TRIES:
        value, place = _decode(text, start)
        matches = list(_matching_objects(value, names))
        if matches:
            if broken >= 0:
                results += _broken_object(text[broken:start], names)
            for match in matches:
                raw = text[start:place]
                if match is not value:
                    raw = json.dumps(match, ensure_ascii=False, default=lambda _: "(twice)")
                results.append(ReplyObject(raw, match))
            broken = -1
        elif place == start:
            broken = start if broken < 0 else broken
            tries += 1
            place = start + 1
    return results + (_broken_object(text[broken:], names) if broken >= 0 else [])


def text_of(fields: ReplyFields, *names: str) -> str:
    """Return the text of the field that has one of the names, "" where there is none.

    A number counts as a text. Raises ValueError where the field stands there twice, also under two
    of the names, or is something else.
    """
    values = [fields[name] for name in dict.fromkeys(names) if name in fields]
    value = values[0] if values else ""
    if len(values) > 1 or isinstance(value, DuplicateField):
        raise ValueError(f"{names[0]!r} stands there twice")
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{names[0]!r} is no text")
    return (value or "").strip()


def label_pattern(names: str, more: str = "") -> re.Pattern[str]:
    """Return the pattern of a label at the beginning of a line, its name as group 1.

    `names` is a pattern of names, `more` of what may follow a name.
    """
    return re.compile(
        rf"^[ \t>#*•-]*({names}){more}[*_]*\s*:[*_]*[ \t]*", re.IGNORECASE | re.MULTILINE
    )


def labeled_texts(label: re.Pattern[str], text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Yield every match of a label with the text after it, up to the next label or the end."""
    labels = list(label.finditer(text))
    ends = [*(following.start() for following in labels[1:]), len(text)]
    for match, end in zip(labels, ends, strict=False):
        yield match, text[match.end() : end]


def labeled_fields(label: re.Pattern[str], text: str) -> ReplyFields:
    """Return what stands after each label by its name, in lower case."""
    fields: dict[str, object] = {}
    for match, words in labeled_texts(label, text):
        name = match[1].casefold()
        fields[name] = DuplicateField() if name in fields else words.strip()
    return fields


def _fields_by_name(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    fields: dict[str, object] = {}
    for name, value in pairs:
        plain = " ".join(name.replace("_", " ").casefold().split())
        fields[plain] = DuplicateField() if plain in fields else value
    return fields


_DECODER = json.JSONDecoder(object_pairs_hook=_fields_by_name)


def _decode(text: str, start: int) -> tuple[object, int]:
    """Return the object that begins at a place, and where it ends.

    None and the same place where no object begins there.
    """
    try:
        return _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None, start


def _matching_objects(value: object, names: Sequence[str]) -> Iterator[ReplyFields]:
    """Yield the objects with a field of the names, at any depth, none of them within another."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict) and any(name in item for name in names):
            yield item
        elif isinstance(item, dict | list):
            stack += reversed(list(item.values()) if isinstance(item, dict) else item)


def _broken_object(raw: str, names: Sequence[str]) -> list[ReplyObject]:
    """Return an object without fields where the text names one of the fields."""
    plain = raw.casefold().replace("_", " ")
    if any(f'"{name}"' in plain for name in names):
        return [ReplyObject(raw.strip(" ,\n\t"))]
    return []
