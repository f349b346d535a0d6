"""Reads a list of prompts beside a folder of images: their places, and the names of the items."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from hallascope.data.benchmarks.prompt_files import FORMS, TABLES, PromptEntry, read_entries
from hallascope.data.benchmarks.prompt_lists import prompt_of
from hallascope.data.files import tidy
from hallascope.data.files.tables import Complaint
from hallascope.engine.errors import refuse
from hallascope.engine.image_folders.folder_files import IMAGE_ENDINGS, find_only
from hallascope.engine.image_folders.records import UnmatchedFile, unmatched_row

# the last word of a field that names an item, or its image
_NAMING = re.compile(
    r"(.*[ _-])?(\w*(id|index|idx)|key|number|(file|image|img)[ _]?(name|path)?|path)"
)
_NUMBER = re.compile(r"0*(\d+)(?:\.0+)?")


class NumberedPrompts(NamedTuple):
    """Holds the prompts of a file by their place, from 0 on, and the rows that have none.

    `names`: of each field that names the items, the place of each item, by its key (`name_key`).
    `rows`: how many there are, with those that cannot be read.
    """

    file: str
    prompts: Mapping[int, str]
    problems: tuple[UnmatchedFile, ...]
    names: Mapping[str, Mapping[str, int]] = {}
    rows: int = 0


def read_numbered_prompts(path: Path) -> NumberedPrompts:
    """Read a .csv, .tsv, .xlsx, .json, .jsonl or .txt of prompts.

    A row that cannot be read keeps its place, so that the others keep theirs. Raises BadRequest.
    """
    complaints: list[Complaint] = []
    with refuse(ValueError):
        listed = read_entries(path, complaints)
    first = 2 if path.suffix.casefold() in TABLES else 1  # a table has a header
    prompts: dict[int, str] = {}
    for entry in listed:
        try:
            prompts[entry.row - first] = prompt_of(entry)
        except ValueError as problem:
            complaints.append(Complaint(path.name, None, entry.row, str(problem)))
    names = {
        field: places
        for field in dict.fromkeys(field for entry in listed for field in entry.fields)
        if _NAMING.fullmatch(field) and (places := _places(listed, field, first, prompts))
    }
    last = max((entry.row for entry in listed), default=0)
    problems = tuple(map(unmatched_row, complaints))
    return NumberedPrompts(path.name, prompts, problems, names, last - first + 1)


def name_key(name: object) -> str:
    """Return a name as it is compared: numbers without zeros before them, images without ending."""
    text = tidy.line(str(name)).replace("\\", "/").removeprefix("./")
    path = PurePosixPath(text)
    if path.suffix.casefold() in IMAGE_ENDINGS:
        text = str(path.with_suffix(""))
    number = _NUMBER.fullmatch(text)
    return number[1] if number else text


def _places(
    listed: Sequence[PromptEntry], field: str, first: int, prompts: Mapping[int, str]
) -> dict[str, int]:
    """Return the place of each item by what the field says; {} where it does not name them all."""
    places: dict[str, int] = {}
    for entry in listed:
        value = entry.fields.get(field)
        if not isinstance(value, int | str) or isinstance(value, bool) or value == "":
            return {}
        place = entry.row - first
        before = places.setdefault(name_key(value), place)
        if prompts.get(before) != prompts.get(place):
            return {}
    return places


def file_keys(name: str) -> Iterator[tuple[str, int]]:
    """Yield the keys by which an item may be named in the path of its image, with the sample.

    They are the path, the name, the name before ``_3`` (sample 3), and the folders from the
    innermost on, in which the name is the number of the sample.
    """
    path = PurePosixPath(name_key(name))
    yield from ((str(path), 0), (name_key(path.name), 0))
    if match := re.fullmatch(r"(.+)[_-](\d{1,9})", path.name):
        yield name_key(match[1]), int(match[2])
    sample = int(path.name) if path.name.isascii() and path.name.isdigit() else 0
    yield from ((name_key(part), sample) for part in reversed(path.parts[:-1]))


def find_prompt_file(folder: Path) -> Path | None:
    """Return the only file in the folder that may be a list of prompts; None without one.

    Raises BadRequest where there are several.
    """
    return find_only(
        folder, lambda path: path.suffix.casefold() in FORMS, "files that may hold the prompts"
    )
