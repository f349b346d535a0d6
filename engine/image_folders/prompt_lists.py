"""Reads a list of prompts beside a folder of images, each prompt with its place in the list."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from hallascope.data.benchmarks.prompt_files import FORMS, entries
from hallascope.data.benchmarks.prompt_lists import prompt_of
from hallascope.data.files.sheets import Complaint
from hallascope.engine.errors import BadRequest, sentence
from hallascope.engine.image_folders.records import UnmatchedFile, unmatched_row

_TABLES = (".csv", ".tsv")


class NumberedPrompts(NamedTuple):
    """Holds the prompts of a file by their place, from 0 on, and the rows that have none."""

    file: str
    prompts: Mapping[int, str]
    problems: tuple[UnmatchedFile, ...]


def read_numbered_prompts(path: Path) -> NumberedPrompts:
    """Read a .csv, .tsv, .json, .jsonl or .txt of prompts.

    A row that cannot be read keeps its place, so that the others keep theirs. Raises BadRequest.
    """
    complaints: list[Complaint] = []
    try:
        listed = entries(path, complaints)
    except ValueError as error:
        raise BadRequest(sentence(error)) from error
    first = 2 if path.suffix.casefold() in _TABLES else 1  # a table has a header
    prompts: dict[int, str] = {}
    for entry in listed:
        try:
            prompts[entry.row - first] = prompt_of(entry)
        except ValueError as problem:
            complaints.append(Complaint(path.name, None, entry.row, str(problem)))
    return NumberedPrompts(path.name, prompts, tuple(map(unmatched_row, complaints)))


def find_prompt_file(folder: Path) -> Path | None:
    """Return the only file in the folder that may be a list of prompts; None without one.

    Raises BadRequest where there are several.
    """
    listed = sorted(
        path
        for path in folder.iterdir()
        if path.suffix.casefold() in FORMS and path.is_file() and not path.name.startswith(".")
    )
    if len(listed) > 1:
        names = ", ".join(path.name for path in listed[:5])
        raise BadRequest(
            f"The folder {folder.name!r} has several files that may hold the prompts ({names}):"
            " name the one that is meant with --prompts."
        )
    return listed[0] if listed else None
