"""JSON out of a model's reply, however it is wrapped and where it breaks off.

It knows names of fields, not their meaning.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

ReplyFields = Mapping[str, object]
_TRIES = 500  # places at which an object may begin and not be one


class DuplicateField:
    """Stands for the value of a field that an object names twice."""


@dataclass(frozen=True)
class ReplyObject:
    """An object of a reply as it came, its fields by name (lower case, words apart).

    Without `fields` it cannot be read.
    """

    raw: str
    fields: ReplyFields = field(default_factory=dict)


def objects(text: str, names: Sequence[str]) -> list[ReplyObject]:
    """The objects that have a field of one of the `names`, in their order, outermost first.

    Those within a list among them.

    What begins as such an object and is none (broken off, a quote missing) is a piece without
    fields; what follows it is read all the same. Never raises.
    """
    found: list[ReplyObject] = []
    place = 0
    broken = -1
    tries = 0
    while (start := text.find("{", place)) >= 0 and tries < _TRIES:
        value, end = _decoded(text, start)
        inner = list(_holding(value, names))
        if inner:
            found += _lost(text[broken:start] if broken >= 0 else "", names)
            found += [
                ReplyObject(text[start:end], each)
                if each is value
                else ReplyObject(_fields_json(each), each)
                for each in inner
            ]
            broken = -1
        elif end == start:
            broken = start if broken < 0 else broken
            tries = tries + 1
            end = start + 1
        place = end
    return found + _lost(text[broken:] if broken >= 0 else "", names)


def text_of(fields: ReplyFields, *names: str) -> str:
    """The text of the field that goes by one of the names, "" where there is none.

    A number is a text too.

    Raises ValueError where it stands there twice, also under two of the names, or is something
    else.
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


_DECODER = json.JSONDecoder(object_pairs_hook=lambda pairs: _folded(pairs))


def _decoded(text: str, start: int) -> tuple[object, int]:
    """The object that begins at a place and where it ends.

    Nothing, at the same place, where there is none.
    """
    try:
        return _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None, start


def _folded(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    fields: dict[str, object] = {}
    for name, value in pairs:
        plain = " ".join(name.replace("_", " ").casefold().split())
        fields[plain] = DuplicateField() if plain in fields else value
    return fields


def _holding(value: object, names: Sequence[str]) -> Iterator[ReplyFields]:
    """The objects with such a field, at any depth, none of them within another."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict) and any(name in one for name in names):
            yield one
        elif isinstance(one, dict | list):
            waiting += reversed(list(one.values()) if isinstance(one, dict) else one)


def _lost(raw: str, names: Sequence[str]) -> list[ReplyObject]:
    """A piece without fields where the text names one of the fields."""
    said = raw.casefold().replace("_", " ")
    return [ReplyObject(raw.strip(" ,\n\t"))] if any(f'"{name}"' in said for name in names) else []


def _fields_json(fields: ReplyFields) -> str:
    return json.dumps(fields, ensure_ascii=False, default=lambda _: "(twice)")
