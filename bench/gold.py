"""Reads gold data: readings of prompts, pairs of names, and replies of judges.

Each kind has a folder beside this file, whose README.md says where it comes from.
"""

from dataclasses import dataclass, replace
from itertools import filterfalse
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from hallascope.data.files.readings.prompt_readings import (
    ObjectEntry,
    ReadingEntry,
    entry_reading,
    read_entries,
)
from hallascope.data.files.row_records import FilledText, parse_record, parse_row
from hallascope.data.files.tables import BadTable, Complaint, leave_out, read_json_lines, read_rows
from hallascope.data.prompt_reading import (
    PICTURE,
    GoldObject,
    GoldReading,
    GoldRelation,
    GoldText,
    PromptReading,
)
from hallascope.data.records import LETTERS, Letter
from hallascope.data.yaml_file import read_document

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


@dataclass(frozen=True, kw_only=True)
class GoldNamePair:
    """Two names, and whether a person says that the observed is, or may well be, the expected."""

    expected: Annotated[FilledText, Field(alias="asked")]
    observed: Annotated[FilledText, Field(alias="seen")]
    same: Annotated[
        bool,
        BeforeValidator(lambda cell: {"yes": True, "no": False}.get(cell.strip().casefold(), cell)),
        Field(strict=True, description="yes or no"),
    ]


def gold_name_pairs(part: Part, folder: Path = NAMES) -> list[GoldNamePair]:
    """Return the pairs of a part in the order of its file.

    Raises BadTable where the file is missing, or for its first row that cannot be read.
    """
    complaints: list[Complaint] = []
    pairs: list[GoldNamePair] = []
    for row in read_rows(folder / f"{part}.csv", ("asked", "seen", "same"), complaints):
        with leave_out(row, complaints):
            pairs.append(parse_row(GoldNamePair, row))
    if complaints:
        raise BadTable(str(complaints[0]))
    return pairs


# --- replies

_Text = Annotated[str, Field(description="a text")]


@dataclass(frozen=True, kw_only=True)
class GoldReply:
    """Holds a reply to a multiple-choice question, and the letter that it names.

    `habit` is what kind of reply it is; `line` where it stands in its `file`, from 1.
    """

    question: _Text
    choices: Annotated[tuple[_Text, ...], Field(description="a list of texts")]
    reply: _Text
    expected: Letter | Literal["unreadable"]
    habit: _Text
    file: str
    line: int

    def __post_init__(self) -> None:
        if self.letter not in (None, *LETTERS[: len(self.choices)]):
            raise ValueError(
                f"'expected' is {self.expected!r}: write the letter of a choice or 'unreadable'"
            )

    @property
    def letter(self) -> Letter | None:
        """The letter that the reply names, None where it names no one."""
        return None if self.expected == "unreadable" else self.expected


def parts(folder: Path = REPLIES) -> list[str]:
    """Return the parts of the replies by name: every file, and all of them."""
    return [*sorted(file.stem for file in folder.glob("*.jsonl")), ALL]


def gold_replies(part: str = ALL) -> list[GoldReply]:
    """Return the replies of one of the `parts`, in the order of the files. Raises BadTable."""
    files = sorted(REPLIES.glob("*.jsonl" if part == ALL else f"{part}.jsonl"))
    return [reply for file in files for reply in read_replies(file)]


def read_replies(file: Path) -> list[GoldReply]:
    """Return the replies of a file in its order, JSON lines.

    Raises BadTable where it cannot be read, and for its first line that is wrong.
    """
    complaints: list[Complaint] = []
    replies: list[GoldReply] = []
    for row, fields in read_json_lines(file, complaints):
        with leave_out(row, complaints, "reply"):
            place = {"file": row.file, "line": row.line}
            replies.append(parse_record(GoldReply, fields | place))
    if complaints:
        raise BadTable(str(complaints[0]))
    return replies
