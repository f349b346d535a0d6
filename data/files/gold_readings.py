"""Reads gold readings: what prompts ask for, written by hand (``data/gold_readings/README.md``)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict

from hallascope.data.prompt_reading import MANY, PICTURE, Count
from hallascope.data.yaml_file import BadYaml, Fault, read_document

FOLDER = Path(__file__).parents[1] / "gold_readings"
Part = Literal["development", "test"]
PARTS: tuple[Part, ...] = ("development", "test")
# files whose prompts people wrote as sentences, for no template
NATURAL = ("coco", "drawbench", "t2i-compbench-complex")

_COUNT = re.compile(r"(?:(at least|at most|about) )?(\d{1,4})")
_MANY_WORD = "many"
_OPTIONAL = "?"
_ALTERNATIVE = " / "


@dataclass(frozen=True, kw_only=True)
class GoldObject:
    """An object of a gold reading; `names` are all that are right, the first of them its own.

    Readers may leave out an `optional` object, and find `optional_attributes` or not.
    """

    key: str
    names: tuple[str, ...]
    count: Count | None = None
    attributes: tuple[str, ...] = ()
    optional_attributes: tuple[str, ...] = ()
    absent: bool = False
    optional: bool = False
    one_of: str = ""


@dataclass(frozen=True, kw_only=True)
class GoldRelation:
    """A relation of a gold reading; `words` are all that are right."""

    subject: str
    words: tuple[str, ...]
    target: str
    optional: bool = False


@dataclass(frozen=True, kw_only=True)
class GoldText:
    """Words to be written in the picture, and the key of the object that they are on, if said."""

    text: str
    on: str = ""


@dataclass(frozen=True, kw_only=True)
class GoldReading:
    """What a prompt asks for; `stratum` is the kind of prompt, the name of its file.

    `unreadable` says why nobody can read the prompt, "" where it can be read. `language` is the
    code of the prompt's language.
    """

    prompt: str
    stratum: str
    objects: Mapping[str, GoldObject]
    relations: tuple[GoldRelation, ...] = ()
    texts: tuple[GoldText, ...] = ()
    style: tuple[str, ...] = ()
    language: str = "en"
    unreadable: str = ""

    @property
    def natural(self) -> bool:
        """Whether a person wrote the prompt as a sentence, for no template."""
        return self.stratum in NATURAL


def gold_readings(part: Part, folder: Path = FOLDER) -> list[GoldReading]:
    """Return the readings of a part, file by file in the order of their names. Raises BadYaml."""
    return [
        reading
        for file in sorted((folder / part).glob("*.yaml"))
        for reading in read_gold_file(file)
    ]


def read_gold_file(path: Path) -> list[GoldReading]:
    """Return the readings of a file. Raises BadYaml, which names the line of every fault."""
    document = read_document(path)
    entries = document.read(list[Any], document.value)
    readings: list[GoldReading] = []
    faults: list[Fault] = []
    for at, value in enumerate(entries):
        try:
            entry = document.read(_Entry, value, at)
        except BadYaml as error:
            faults += error.faults
            continue
        if unknown := _unknown_keys(entry):
            sentence = f"{unknown[0]!r} is no object of this prompt: name one of its keys."
            faults.append(Fault(document.line(at), sentence))
            continue
        readings.append(_gold_reading(entry, path.stem))
    if faults:
        raise BadYaml.in_file(document.file, faults)
    return readings


# --- the file as it is written


def _checked_count(value: int | str | None) -> int | str | None:
    if isinstance(value, str) and value != _MANY_WORD and not _COUNT.fullmatch(value):
        raise ValueError("write a number, 'at least 3', 'at most 2', 'about 12' or 'many'")
    return value


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Object(_Strict):
    name: str = ""
    also: list[str] = []
    count: Annotated[int | str | None, AfterValidator(_checked_count)] = None
    attributes: list[str] = []
    absent: bool = False
    optional: bool = False
    one_of: str = ""


class _Text(_Strict):
    text: str
    on: str = ""


class _Entry(_Strict):
    prompt: str
    objects: dict[str, _Object | None] = {}
    relations: list[tuple[str, str, str]] = []
    texts: list[_Text] = []
    style: list[str] = []
    language: str = "en"
    unreadable: str = ""


def _unknown_keys(entry: _Entry) -> list[str]:
    """Return the names that stand for an object and are no key of one."""
    named = [
        *(subject for subject, _, _ in entry.relations),
        *(target for _, _, target in entry.relations if target != PICTURE),
        *(text.on for text in entry.texts if text.on),
        *(value.one_of for value in entry.objects.values() if value and value.one_of),
    ]
    return [name for name in named if name not in entry.objects]


def _gold_reading(entry: _Entry, stratum: str) -> GoldReading:
    return GoldReading(
        prompt=entry.prompt,
        stratum=stratum,
        objects={
            key: _gold_object(key, value or _Object()) for key, value in entry.objects.items()
        },
        relations=tuple(_gold_relation(*relation) for relation in entry.relations),
        texts=tuple(GoldText(text=text.text, on=text.on) for text in entry.texts),
        style=tuple(entry.style),
        language=entry.language,
        unreadable=entry.unreadable,
    )


def _gold_object(key: str, value: _Object) -> GoldObject:
    required = [word for word in value.attributes if not word.startswith(_OPTIONAL)]
    optional = [word for word in value.attributes if word.startswith(_OPTIONAL)]
    return GoldObject(
        key=key,
        names=(value.name or key, *value.also),
        count=_count(value.count),
        attributes=tuple(word.casefold() for word in required),
        optional_attributes=tuple(word.removeprefix(_OPTIONAL).casefold() for word in optional),
        absent=value.absent,
        optional=value.optional,
        one_of=value.one_of,
    )


def _count(value: int | str | None) -> Count | None:
    if value is None:
        return None
    if value == _MANY_WORD:
        return MANY
    if isinstance(value, int):
        return Count.exactly(value)
    bound, number = _COUNT.fullmatch(value).groups()  # type: ignore[union-attr]
    return {
        None: Count.exactly,
        "at least": Count.at_least,
        "at most": Count.at_most,
        "about": Count.approximately,
    }[bound](int(number))


def _gold_relation(subject: str, words: str, target: str) -> GoldRelation:
    return GoldRelation(
        subject=subject,
        words=tuple(words.removeprefix(_OPTIONAL).split(_ALTERNATIVE)),
        target=target,
        optional=words.startswith(_OPTIONAL),
    )
