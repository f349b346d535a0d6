"""Holds the entries of files of readings as they are written: one prompt and what it asks for.

Gold readings and the readings that people correct have this form
(``data/gold_readings/README.md``).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from pydantic import AfterValidator, ConfigDict, Field

from hallascope.data.files.readings.written_counts import read_count
from hallascope.data.prompt_reading import PICTURE
from hallascope.data.yaml_file import BadYaml, Document, Fault

_STRICT = ConfigDict(extra="forbid")
_SHOWN = 60  # characters of a prompt in a sentence


def _checked_count(value: int | str | None) -> int | str | None:
    try:
        read_count(value)
    except ValueError:
        raise ValueError(
            f"{value!r} is no count: write a number, 'at least 3', 'at most 2', '3 to 9', 'about"
            " 12' or 'many'."
        ) from None
    return value


_Texts = Annotated[tuple[str, ...], Field(description="a list of texts")]
_Truth = Annotated[bool, Field(description="true or false")]


ALTERNATIVE = " / "  # stands between the words of a relation that are all right
OPTIONAL = "?"  # stands before an attribute or a relation that a reader may leave out


def is_optional(words: str) -> bool:
    """Return whether an attribute or a relation of a gold reading may be left out."""
    return words.startswith(OPTIONAL)


@dataclass(frozen=True, kw_only=True)
class ObjectEntry:
    """An object as it is written; `also` and `optional` are for gold readings alone."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    name: str = ""
    also: _Texts = ()
    count: Annotated[int | str | None, AfterValidator(_checked_count)] = None
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
        Mapping[str, ObjectEntry | None],
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


_Entries = Annotated[
    list[object], Field(description="a list of prompts, each of which begins with `- prompt:`")
]


def reading_entries(document: Document) -> Iterator[ReadingEntry]:
    """Yield the entries of a document. Raises BadYaml, which names the line of every fault."""
    values = document.read(_Entries, document.value)
    entries: list[ReadingEntry] = []
    faults: list[Fault] = []
    for at, value in enumerate(values):
        try:
            entry = document.read(ReadingEntry, value, at)
        except BadYaml as error:
            faults += [Fault(line, f"{_name(value)}{said}") for line, said in error.faults]
            continue
        entries.append(entry)
        if said := _wrong_key(entry):
            faults.append(Fault(document.line(at), f"{_name(value)}{said}"))
    if faults:
        raise BadYaml.in_file(document.file, faults)
    yield from entries


def _name(value: object) -> str:
    """Return the beginning of a sentence about an entry, "" where it has no prompt."""
    prompt = value.get("prompt") if isinstance(value, dict) else None
    if not isinstance(prompt, str):
        return ""
    words = " ".join(prompt.split())
    shown = words if len(words) <= _SHOWN else f"{words[: _SHOWN - 3]}..."
    return f"In “{shown}”: "


def _wrong_key(entry: ReadingEntry) -> str:
    """Return what is wrong with the first name that stands for no other object, "" without one."""
    named = [
        *(subject for subject, _, _ in entry.relations),
        *(target for _, _, target in entry.relations if target != PICTURE),
        *(text.on for text in entry.texts if text.on),
        *(value.one_of for value in entry.objects.values() if value and value.one_of),
    ]
    unknown = [name for name in named if name not in entry.objects]
    if unknown:
        keys = ", ".join(entry.objects) or "none yet: add it"
        return f"{unknown[0]!r} is no object of this prompt: write one of its objects ({keys})."
    for key, value in entry.objects.items():
        if value and value.one_of == key:
            return f"{key!r} is one of itself: write the key of another object after 'one_of'."
    return ""
