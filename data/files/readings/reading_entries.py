"""Holds the entries of files of readings as they are written: one prompt and what it asks for.

Gold readings and the readings that people correct have this form
(``data/gold_readings/README.md``).
"""

import re
from collections.abc import Iterator
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict

from hallascope.data.prompt_reading import MANY, PICTURE, Count
from hallascope.data.yaml_file import BadYaml, Document, Fault

_COUNT = re.compile(r"(?:(at least|at most|about) )?(\d{1,4})")
_MANY_WORD = "many"


def _checked_count(value: int | str | None) -> int | str | None:
    if value is not None and value != _MANY_WORD and not _COUNT.fullmatch(str(value)):
        raise ValueError("write a number, 'at least 3', 'at most 2', 'about 12' or 'many'")
    return value


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ObjectEntry(_Strict):
    """An object as it is written; `also` and `optional` are for gold readings alone."""

    name: str = ""
    also: list[str] = []
    count: Annotated[int | str | None, AfterValidator(_checked_count)] = None
    attributes: list[str] = []
    absent: bool = False
    optional: bool = False
    one_of: str = ""


class TextEntry(_Strict):
    """A text to be written in the picture, and the key of the object that it is on."""

    text: str
    on: str = ""


class ReadingEntry(_Strict):
    """A prompt and what it asks for, objects by their keys."""

    prompt: str
    objects: dict[str, ObjectEntry | None] = {}
    relations: list[tuple[str, str, str]] = []
    texts: list[TextEntry] = []
    style: list[str] = []
    language: str = "en"
    unreadable: str = ""


def reading_entries(document: Document) -> Iterator[ReadingEntry]:
    """Yield the entries of a document. Raises BadYaml, which names the line of every fault."""
    values = document.read(list[object], document.value)
    entries: list[ReadingEntry] = []
    faults: list[Fault] = []
    for at, value in enumerate(values):
        try:
            entry = document.read(ReadingEntry, value, at)
        except BadYaml as error:
            faults += error.faults
            continue
        entries.append(entry)
        if unknown := _unknown_keys(entry):
            sentence = f"{unknown[0]!r} is no object of this prompt: name one of its keys."
            faults.append(Fault(document.line(at), sentence))
    if faults:
        raise BadYaml.in_file(document.file, faults)
    yield from entries


def _unknown_keys(entry: ReadingEntry) -> list[str]:
    """Return the names that stand for an object and are no key of one."""
    named = [
        *(subject for subject, _, _ in entry.relations),
        *(target for _, _, target in entry.relations if target != PICTURE),
        *(text.on for text in entry.texts if text.on),
        *(value.one_of for value in entry.objects.values() if value and value.one_of),
    ]
    return [name for name in named if name not in entry.objects]


def read_count(written: int | str | None) -> Count | None:
    """Return the count of "many", 3, "at least 3", "at most 2" or "about 12"; of None, None.

    Raises ValueError for anything else.
    """
    if written is None:
        return None
    if written == _MANY_WORD:
        return MANY
    match = _COUNT.fullmatch(str(written))
    if match is None:
        raise ValueError(f"{written!r} is no count")
    bound, number = match[1], int(match[2])
    if bound == "at least":
        return Count.at_least(number)
    if bound == "at most":
        return Count.at_most(number)
    return Count.approximately(number) if bound else Count.exactly(number)


def write_count(count: Count) -> int | str:
    """Return a count as it is written; `read_count` reads the same again.

    Raises ValueError for bounds that have no form.
    """
    if count == MANY:
        return _MANY_WORD
    if count.exact is not None:
        return count.exact
    if count.most is None:
        return f"at least {count.least}"
    if count.least == 0 and not count.approximate:
        return f"at most {count.most}"
    number = (count.least + count.most) // 2
    if Count.approximately(number) == count:
        return f"about {number}"
    raise ValueError(f"a count from {count.least} to {count.most} cannot be written")
