"""Reads images that are numbered by the rows of a list of prompts, as DrawBench's usually are.

``12.png`` belongs to the prompt of row 12, ``12_3.png`` is sample 3 of it. Rows are counted from 0
where an image has the number 0, else from 1.
"""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from hallascope.engine.errors import BadRequest
from hallascope.engine.image_folders.file_names import NumberedName, parse_numbered_name
from hallascope.engine.image_folders.folder_files import name_within, walk_files
from hallascope.engine.image_folders.prompt_lists import (
    NumberedPrompts,
    find_prompt_file,
    read_numbered_prompts,
)
from hallascope.engine.image_folders.records import (
    FolderEntry,
    FolderImage,
    MatchedFolder,
    UnmatchedFile,
)

_LOOKED_AT = 50  # files by which the layout is recognized
_NAMED = 12  # rows that are named in one sentence


class _NumberedFile(NamedTuple):
    """Holds a file that is named by numbers; files are in the order of these."""

    number: NumberedName
    name: str


def matches(folder: Path) -> bool:
    """Return whether most of the first images of the folder are named by numbers."""
    files = (file for file in walk_files(folder) if isinstance(file, Path))
    first = list(islice(files, _LOOKED_AT))
    fitting = sum(parse_numbered_name(file.stem) is not None for file in first)
    return fitting > len(first) / 2


def read(folder: Path, prompts: Path | None = None) -> MatchedFolder:
    """Match each image with the prompt of its row in `prompts`, else in the folder's only list.

    Raises BadRequest where there is no list, or several.
    """
    prompt_file = prompts or find_prompt_file(folder)
    if prompt_file is None:
        raise BadRequest(
            f"The folder {folder.name!r} holds no list of prompts: name one with --prompts FILE."
        )
    listed = read_numbered_prompts(prompt_file)
    files, problems = _numbered_files(folder)
    first = 0 if files and files[0].number.row == 0 else 1
    note = f"Images are numbered by the rows of {listed.file}, counted from {first}."
    entries = _entries(folder, listed, files, [*listed.problems, *problems], first)
    return MatchedFolder(entries=entries, note=note)


def _numbered_files(folder: Path) -> tuple[list[_NumberedFile], list[UnmatchedFile]]:
    files: list[_NumberedFile] = []
    problems: list[UnmatchedFile] = []
    for file in walk_files(folder):
        if isinstance(file, UnmatchedFile):
            problems.append(file)
            continue
        name = name_within(folder, file)
        if number := parse_numbered_name(file.stem):
            files.append(_NumberedFile(number, name))
        else:
            problems.append(UnmatchedFile(name, "the name is not the number of a row"))
    return sorted(files), problems


def _entries(
    folder: Path,
    listed: NumberedPrompts,
    files: list[_NumberedFile],
    problems: list[UnmatchedFile],
    first: int,
) -> Iterator[FolderEntry]:
    yield from problems
    drawn: set[int] = set()
    for number, name in files:
        row = number.row - first
        prompt = listed.prompts.get(row)
        if prompt is None:
            reason = f"{listed.file} has no prompt {number.row}, counted from {first}"
            yield UnmatchedFile(name, reason)
            continue
        drawn.add(row)
        yield FolderImage(path=folder / name, name=name, prompt=prompt, sample=number.sample)
    lacking = sorted(set(listed.prompts) - drawn)
    if lacking:
        named = ", ".join(str(row + first) for row in lacking[:_NAMED])
        more = f" and {len(lacking) - _NAMED} more" if len(lacking) > _NAMED else ""
        reason = f"no image belongs to {len(lacking)} of its prompts ({named}{more})"
        yield UnmatchedFile(listed.file, reason)
