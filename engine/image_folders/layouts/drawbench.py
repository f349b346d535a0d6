"""Reads images that are named by the items of a list of prompts, or numbered by its rows.

``701.png`` belongs to the item that the list calls 701, where it names its items (a field such as
``prompt_id``), else to the prompt of row 701; ``701_3.png`` is sample 3 of it. A list that names
its items is never matched by its rows unless a person says so.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from hallascope.data.benchmarks.images import name_some
from hallascope.data.benchmarks.prompt_files import FORMS, TABLES, PromptEntry, read_entries
from hallascope.data.benchmarks.prompt_lists import prompt_of
from hallascope.data.files import tidy
from hallascope.data.files.tables import Complaint
from hallascope.engine.errors import BadRequest, refuse
from hallascope.engine.image_folders.folder_files import (
    IMAGE_ENDINGS,
    LOOKED_AT,
    NumberedName,
    find_only,
    most_fit,
    name_within,
    parse_numbered_name,
    walk_files,
)
from hallascope.engine.image_folders.records import (
    FolderEntry,
    FolderImage,
    OpenedImages,
    UnmatchedFile,
    unmatched_row,
)

ROWS = ("row-0", "row-1")  # the first row has this number
# the last word of a field that names an item, or its image
_NAMING = re.compile(
    r"(.*[ _-])?(\w*(id|index|idx)|key|number|(file|image|img)[ _]?(name|path)?|path)"
)
_NUMBER = re.compile(r"0*(\d+)(?:\.0+)?")
Reading = Mapping[str, NumberedName]  # by the name of a file, with rows counted from 0


# --- lists of prompts


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


# --- the layout


def matches(folder: Path) -> bool:
    """Return whether most of the first images of the folder are named by numbers."""
    return most_fit(folder, parse_numbered_name)


def is_named(folder: Path, prompts: Path | None) -> bool:
    """Return whether most of the first images are named by the items of the list."""
    try:
        prompt_file = prompts or find_prompt_file(folder)
        listed = read_numbered_prompts(prompt_file) if prompt_file else None
    except BadRequest:
        return False
    first = _names(folder, LOOKED_AT)
    readings = _read_names(listed, first) if listed else {}
    return any(len(reading) > len(first) / 2 for reading in readings.values())


def read(folder: Path, prompts: Path | None = None, named_by: str = "") -> OpenedImages:
    """Match each image with its prompt in `prompts`, else in the folder's only list.

    `named_by` is the field of the list that images are named by, "row-0" or "row-1"; "" is the one
    that fits. Raises BadRequest where there is no list, or several, or where two readings fit.
    """
    prompt_file = prompts or find_prompt_file(folder)
    if prompt_file is None:
        raise BadRequest(
            f"The folder {folder.name!r} holds no list of prompts: name one with --prompts FILE."
        )
    listed = read_numbered_prompts(prompt_file)
    files = _names(folder)
    readings = _read_names(listed, files) | _read_rows(files)
    chosen = named_by.casefold() or _choose(listed, files, readings)
    if chosen not in readings:
        raise BadRequest(
            f"{listed.file} has no field {named_by!r} that names its items: choose one of"
            f" {', '.join(readings)} with --named-by."
        )
    note = f"Images are named by the field {chosen!r} of {listed.file}."
    if chosen in ROWS:
        note = f"Images are numbered by the rows of {listed.file}, counted from {chosen[-1]}."
    links = [file for file in walk_files(folder) if isinstance(file, UnmatchedFile)]
    entries = _entries(folder, listed, files, chosen, readings[chosen])
    return OpenedImages(entries=iter([*listed.problems, *links, *entries]), note=note)


def _names(folder: Path, most: int | None = None) -> list[str]:
    """Return the first images of the folder by name, in the order of their numbers."""
    files = (file for file in walk_files(folder) if isinstance(file, Path))
    names = [name_within(folder, file) for file in islice(files, most)]
    return sorted(names, key=lambda name: (_number(name) or (0, 0), name))


def _number(name: str) -> NumberedName | None:
    return parse_numbered_name(PurePosixPath(name).stem)


# --- readings


def _read_names(listed: NumberedPrompts, files: Sequence[str]) -> dict[str, Reading]:
    """Return the place of each image that is named by an item, for each field that names them."""
    return {
        field: {
            name: NumberedName(places[key], sample)
            for name in files
            for key, sample in islice((own for own in file_keys(name) if own[0] in places), 1)
        }
        for field, places in listed.names.items()
    }


def _read_rows(files: Sequence[str]) -> dict[str, Reading]:
    """Return the place of each image that is named by a number, by where counting begins."""
    numbers = {name: number for name in files if (number := _number(name))}
    folders = {
        name: NumberedName(int(parts[-1]), number.row)
        for name, number in numbers.items()
        if (parts := [part for part in PurePosixPath(name).parts[:-1] if part.isdecimal()])
    }
    # as in 00012/samples/0003.png: the same names in numbered folders are samples
    if folders and len(folders) == len(numbers) and max(Counter(numbers.values()).values()) > 1:
        numbers = folders
    return {
        rows: {
            name: NumberedName(number.row - first, number.sample)
            for name, number in numbers.items()
        }
        for first, rows in enumerate(ROWS)
    }


def _choose(listed: NumberedPrompts, files: Sequence[str], readings: Mapping[str, Reading]) -> str:
    """Return the only reading that fits. Raises BadRequest where none does, or several."""
    rows = {name: readings[name] for name in ROWS}
    fitting = [
        name
        for name, reading in rows.items()
        if reading and all(0 <= own.row < listed.rows for own in reading.values())
    ]
    if not listed.names:
        if len(fitting) == len(ROWS):
            raise _unclear(listed, "the rows, counted from 0 or from 1,", ROWS)
        counts_from_0 = any(own.row == 0 for own in rows["row-0"].values())
        return ROWS[0] if counts_from_0 else ROWS[1]
    fields = {name: readings[name] for name in listed.names if readings[name]}
    if not fields:
        field, places = next(iter(listed.names.items()))
        raise BadRequest(
            f"{listed.file} names its prompts by {field!r} ({', '.join(list(places)[:3])} ...), and"
            f" no image is named so: rename the images, or pair them by row with --named-by"
            f" {' or '.join(ROWS)}."
        )
    best = max(fields, key=lambda name: len(fields[name]))
    for name, reading in fields.items():
        both = reading.keys() & fields[best].keys()
        if any(
            listed.prompts.get(reading[file].row) != listed.prompts.get(fields[best][file].row)
            for file in both
        ):
            raise _unclear(listed, f"the field {best!r} or the field {name!r}", (best, name))
    covering = [name for name in fitting if len(rows[name]) == len(files)]
    if covering and len(fields[best]) < len(files):
        raise _unclear(listed, f"the field {best!r} or the rows", (best, *covering))
    return best


def _unclear(listed: NumberedPrompts, readings: str, choices: Sequence[str]) -> BadRequest:
    return BadRequest(
        f"The names of the images may be {readings} of {listed.file}: choose with --named-by"
        f" {' or '.join(choices)}."
    )


# --- entries


def _entries(
    folder: Path, listed: NumberedPrompts, files: Sequence[str], chosen: str, reading: Reading
) -> Iterator[FolderEntry]:
    drawn: set[str] = set()
    for name in files:
        own = reading.get(name)
        if own is None:
            what = f"no {chosen} of {listed.file}"
            what = "not the number of a row" if chosen in ROWS else what
            yield UnmatchedFile(name, f"the name is {what}")
        elif prompt := listed.prompts.get(own.row):
            drawn.add(prompt)
            yield FolderImage(path=folder / name, name=name, prompt=prompt, sample=own.sample)
        elif not 0 <= own.row < listed.rows:
            row = own.row + ROWS.index(chosen)
            reason = f"{listed.file} has no prompt {row}, counted from {chosen[-1]}"
            yield UnmatchedFile(name, reason)
        # else its row cannot be read, which is listed
    if chosen in ROWS:
        first = ROWS.index(chosen)
        names = {str(place + first): place for place in listed.prompts}
    else:
        names = dict(listed.names[chosen])
    lacking = [name for name, place in names.items() if listed.prompts.get(place) not in drawn]
    if lacking:
        reason = f"no image belongs to {len(lacking)} of its prompts ({name_some(lacking)})"
        yield UnmatchedFile(listed.file, reason)
