"""Reads gold readings: what prompts ask for, kept as files (``data/gold_readings/README.md``)."""

from pathlib import Path
from typing import Literal

from hallascope.data.files.readings.reading_entries import (
    ALTERNATIVE,
    OPTIONAL,
    ObjectEntry,
    ReadingEntry,
    is_optional,
    reading_entries,
)
from hallascope.data.files.readings.written_counts import read_count
from hallascope.data.prompt_reading import GoldObject, GoldReading, GoldRelation, GoldText
from hallascope.data.yaml_file import read_document

FOLDER = Path(__file__).parents[2] / "gold_readings"
Part = Literal["development", "test", "held_out"]
PARTS: tuple[Part, ...] = ("development", "test", "held_out")


def gold_readings(part: Part, folder: Path = FOLDER) -> list[GoldReading]:
    """Return the readings of a part, file by file in the order of their names. Raises BadYaml."""
    return [
        reading
        for file in sorted((folder / part).glob("*.yaml"))
        for reading in read_gold_file(file)
    ]


def read_gold_file(path: Path) -> list[GoldReading]:
    """Return the readings of a file. Raises BadYaml, which names the line of every fault."""
    return [_gold_reading(entry, path.stem) for entry in reading_entries(read_document(path))]


def _gold_reading(entry: ReadingEntry, stratum: str) -> GoldReading:
    return GoldReading(
        prompt=entry.prompt,
        stratum=stratum,
        objects={
            key: _gold_object(key, value or ObjectEntry()) for key, value in entry.objects.items()
        },
        relations=tuple(_gold_relation(*relation) for relation in entry.relations),
        texts=tuple(GoldText(text=text.text, on=text.on) for text in entry.texts),
        style=tuple(entry.style),
        language=entry.language,
        unreadable=entry.unreadable,
    )


def _gold_object(key: str, value: ObjectEntry) -> GoldObject:
    required = [word for word in value.attributes if not is_optional(word)]
    optional = [word for word in value.attributes if is_optional(word)]
    return GoldObject(
        key=key,
        names=(value.name or key, *value.also),
        count=read_count(value.count),
        attributes=tuple(word.casefold() for word in required),
        optional_attributes=tuple(word.removeprefix(OPTIONAL).casefold() for word in optional),
        absent=value.absent,
        optional=value.optional,
        one_of=value.one_of,
    )


def _gold_relation(subject: str, words: str, target: str) -> GoldRelation:
    return GoldRelation(
        subject=subject,
        words=tuple(words.removeprefix(OPTIONAL).split(ALTERNATIVE)),
        target=target,
        optional=is_optional(words),
    )
