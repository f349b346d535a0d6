"""Reads gold data: readings of prompts, pairs of names, and replies of judges.

Each kind has a folder beside this file, whose README.md says where it comes from.
"""

import csv
import json
from dataclasses import dataclass, replace
from itertools import filterfalse
from pathlib import Path
from typing import Literal

from hallascope.data.files.readings.prompt_readings import (
    ObjectEntry,
    ReadingEntry,
    entry_reading,
    read_entries,
)
from hallascope.data.prompt_reading import (
    PICTURE,
    GoldObject,
    GoldReading,
    GoldRelation,
    GoldText,
    PromptReading,
)
from hallascope.data.records import Letter
from hallascope.data.yaml_file import read_document
from hallascope.metrics.reading.names import alike, label_phrase

READINGS = Path(__file__).parent / "gold_readings"
NAMES = Path(__file__).parent / "gold_names"
REPLIES = Path(__file__).parent / "gold_replies"
Part = Literal["development", "test", "held_out"]
PARTS: tuple[Part, ...] = ("development", "test", "held_out")
ALL = "all"
ALTERNATIVE = " / "  # stands between the words of a relation that are all right
OPTIONAL = "?"  # stands before an attribute or a relation that a reader may leave out


def is_optional(words: str) -> bool:
    return words.startswith(OPTIONAL)


# --- readings


def gold_readings(part: Part, folder: Path = READINGS) -> list[GoldReading]:
    """Return the readings of a part, file by file in the order of their names. Raises BadYaml."""
    return [
        reading
        for file in sorted((folder / part).glob("*.yaml"))
        for reading in read_gold_file(file)
    ]


def read_gold_file(path: Path) -> list[GoldReading]:
    """Return the readings of a file. Raises BadYaml, which names the line of every fault."""
    return [_gold_reading(entry, path.stem) for entry in read_entries(read_document(path))]


def _gold_reading(entry: ReadingEntry, stratum: str) -> GoldReading:
    return GoldReading(
        prompt=entry.prompt,
        stratum=stratum,
        objects={key: _gold_object(key, value) for key, value in entry.objects.items()},
        relations=tuple(
            GoldRelation(
                subject=subject,
                words=tuple(words.removeprefix(OPTIONAL).split(ALTERNATIVE)),
                target=target,
                optional=is_optional(words),
            )
            for subject, words, target in entry.relations
        ),
        texts=tuple(GoldText(text=text.text, on=text.on) for text in entry.texts),
        style=entry.style,
        language=entry.language,
        unreadable=entry.unreadable,
    )


def _gold_object(key: str, value: ObjectEntry) -> GoldObject:
    words = [word.casefold() for word in value.attributes]
    return GoldObject(
        key=key,
        names=(value.name or key, *value.also),
        count=value.count,
        attributes=tuple(filterfalse(is_optional, words)),
        optional_attributes=tuple(
            word.removeprefix(OPTIONAL) for word in words if is_optional(word)
        ),
        absent=value.absent,
        optional=value.optional,
        one_of=value.one_of,
    )


def read_required(path: Path) -> list[PromptReading]:
    """Return what the gold readings of a file, or of all files of a folder, require.

    What may be left out is left out, and of several right words the first are taken. Raises
    BadYaml.
    """
    files = sorted(path.glob("*.yaml")) if path.is_dir() else [path]
    return [
        entry_reading(_required(entry))
        for file in files
        for entry in read_entries(read_document(file, texts=True))
    ]


def _required(entry: ReadingEntry) -> ReadingEntry:
    objects = {
        key: replace(value, also=(), attributes=tuple(filterfalse(is_optional, value.attributes)))
        for key, value in entry.objects.items()
        if not value.optional
    }
    relations = tuple(
        (subject, words.split(ALTERNATIVE)[0], target)
        for subject, words, target in entry.relations
        if not is_optional(words) and subject in objects and target in {*objects, PICTURE}
    )
    return replace(entry, objects=objects, relations=relations)


# --- names


@dataclass(frozen=True)
class GoldNamePair:
    """Two names, and whether the observed is, or may be, the expected, by a language model."""

    expected: str
    observed: str
    same: bool


def gold_name_pairs(part: Part) -> list[GoldNamePair]:
    """Return the pairs of a part in the order of its file."""
    with (NAMES / f"{part}.csv").open(encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file)
    return [GoldNamePair(name, seen, same == "yes") for name, seen, same in rows]


# --- replies


@dataclass(frozen=True, kw_only=True)
class GoldReply:
    """Holds a reply to a multiple-choice question, and the letter that it names.

    `habit` is what kind of reply it is.
    """

    question: str
    choices: tuple[str, ...]
    reply: str
    expected: Letter | Literal["unreadable"]
    habit: str

    @property
    def letter(self) -> Letter | None:
        """The letter that the reply names, None where it names no one."""
        return None if self.expected == "unreadable" else self.expected


def parts() -> list[str]:
    """Return the parts of the replies by name: every file, and all of them."""
    return [*sorted(file.stem for file in REPLIES.glob("*.jsonl")), ALL]


def gold_replies(part: str = ALL) -> list[GoldReply]:
    """Return the replies of one of the `parts`, in the order of the files."""
    files = sorted(REPLIES.glob("*.jsonl" if part == ALL else f"{part}.jsonl"))
    return [reply for file in files for reply in read_replies(file)]


def read_replies(file: Path) -> list[GoldReply]:
    """Return the replies of a file of JSON lines in its order."""
    with file.open(encoding="utf-8") as lines:
        rows = map(json.loads, lines)
        return [GoldReply(**{**row, "choices": tuple(row["choices"])}) for row in rows]


def labels_alike(expected: str, observed: str) -> bool:
    """Return whether two labels are equal, or name the same thing by the lenient rule."""
    if expected.casefold() == observed.casefold():
        return True
    first, second = label_phrase(expected), label_phrase(observed)
    return first is not None and second is not None and alike(first, second)
