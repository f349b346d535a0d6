"""Lists the files of a folder and finds those that a table names, without leaving the folder."""

import os
import re
import unicodedata
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from unicodedata import normalize

from hallascope.data.files import tidy
from hallascope.engine.errors import BadRequest
from hallascope.engine.image_folders.records import UnmatchedFile

IMAGE_ENDINGS = frozenset(
    {".png", ".jpg", ".jpeg", ".jfif", ".webp", ".avif", ".bmp", ".gif", ".tif", ".tiff"}
    | {".heic", ".heif", ".jp2", ".jxl", ".ppm", ".tga"}  # refused with a sentence, not passed over
)
_IGNORED = ("__MACOSX", "Thumbs.db")
LOOKED_AT = 50  # files by which a layout is recognized
_DEEPEST = 32  # folders within each other


class LeavesFolder(ValueError):
    """A path leads out of its folder, or to nothing; the message says which."""


def is_image(path: Path) -> bool:
    """Return whether the ending of a file is that of an image."""
    return path.suffix.casefold() in IMAGE_ENDINGS


def name_within(folder: Path, path: Path) -> str:
    """Return the path of a file within the folder, with "/" between."""
    return path.relative_to(folder).as_posix()


def walk_files(
    folder: Path, wanted: Callable[[Path], bool] = is_image, root: Path | None = None
) -> Iterator[Path | UnmatchedFile]:
    """Yield the wanted files below a folder, folder by folder, each in the order of its names.

    Hidden files are left aside. A link is not followed, and named by its path within `root`, else
    within the folder. Raises BadRequest where the folder itself cannot be read.
    """
    yield from _walk(root or folder, folder, wanted, 0)


def most_fit(folder: Path, fits: Callable[[str], object]) -> bool:
    """Return whether the names of most of the first images fit, without their endings."""
    files = (file for file in walk_files(folder) if isinstance(file, Path))
    first = [fits(file.stem) for file in islice(files, LOOKED_AT)]
    return sum(map(bool, first)) > len(first) / 2


def _walk(
    root: Path, folder: Path, wanted: Callable[[Path], bool], depth: int
) -> Iterator[Path | UnmatchedFile]:
    try:
        with os.scandir(folder) as listed:
            entries = sorted(listed, key=lambda entry: entry.name)
    except OSError as error:
        if not depth:
            raise BadRequest(
                f"The folder {str(folder)!r} cannot be read ({error.strerror or error}): check that"
                " it is there."
            ) from error
        yield UnmatchedFile(name_within(root, folder), "the folder cannot be read")
        return
    for entry in entries:
        path = Path(entry.path)
        if entry.name.startswith(".") or entry.name in _IGNORED:
            continue
        if entry.is_symlink():
            if wanted(path) or path.is_dir():
                yield UnmatchedFile(name_within(root, path), "it is a link, which is not followed")
        elif entry.is_dir():
            if depth < _DEEPEST:
                yield from _walk(root, path, wanted, depth + 1)
            else:
                yield UnmatchedFile(name_within(root, path), "the folder is nested too deep")
        elif entry.is_file() and wanted(path):
            yield path


def find_only(folder: Path, wanted: Callable[[Path], bool], what: str) -> Path | None:
    """Return the only file in the folder that is wanted; None without one.

    Raises BadRequest where there are several; `what` says what they are.
    """
    listed = [
        path
        for path in sorted(folder.iterdir())
        if path.is_file() and not path.name.startswith(".") and wanted(path)
    ]
    if len(listed) > 1:
        names = ", ".join(path.name for path in listed[:5])
        raise BadRequest(
            f"The folder {folder.name!r} has several {what} ({names}): name the one that is meant"
            " with --prompts."
        )
    return listed[0] if listed else None


def _find_name(folder: Path, name: str) -> Path:
    """Return what the folder calls so, also where its name is composed of other characters."""
    path = folder / name
    if name.isascii() or path.exists() or not folder.is_dir():
        return path
    composed = normalize("NFC", name)
    return next((own for own in folder.iterdir() if normalize("NFC", own.name) == composed), path)


def find_within(folder: Path, named: str) -> Path:
    """Return the file that a table names by its path relative to the folder.

    Raises LeavesFolder where the path is absolute, leads out of the folder, or to no file.
    """
    try:
        return _find_file(folder, named)
    except LeavesFolder as problem:
        raise LeavesFolder(f"{tidy.line(named)!r}: {problem}") from problem


def _find_file(folder: Path, named: str) -> Path:
    cleaned = named.strip().replace("\\", "/")
    relative = PurePosixPath(cleaned)
    has_drive = len(cleaned) > 1 and cleaned[1] == ":"
    if relative.is_absolute() or has_drive or ".." in relative.parts:
        raise LeavesFolder("the path leads out of the folder: give it relative to the table")
    if not relative.parts or not cleaned.isprintable():
        raise LeavesFolder("the path of the image is empty or cannot be read")
    path = folder
    try:
        for part in relative.parts:
            path = _find_name(path, part)
        if not path.is_file():
            raise LeavesFolder("the image is not there")
        inside = path.resolve().is_relative_to(folder.resolve())
    except OSError as error:
        raise LeavesFolder("the path of the image cannot be opened") from error
    if not inside:
        raise LeavesFolder("the image is a link that leads out of the folder")
    return path


_PROMPTED = re.compile(r"(?P<prompt>.+)_(?P<number>[0-9]{6,9})", re.DOTALL)
_NUMBERED = re.compile(r"(?P<row>[0-9]{1,9})(?:[_-](?P<sample>[0-9]{1,9}))?")


class PromptedName(NamedTuple):
    """Holds the prompt that a file is named by, and the number behind it."""

    prompt: str
    number: int


class NumberedName(NamedTuple):
    """Holds the row of a prompt that a file is named by, and the number of the sample."""

    row: int
    sample: int


def parse_prompted_name(stem: str) -> PromptedName | None:
    """Read ``PROMPT_000123``: T2I-CompBench's names, without the ending.

    The number has six digits or more. None where the name is not of this kind.
    """
    match = _PROMPTED.fullmatch(stem)
    prompt = " ".join(match["prompt"].split()) if match else ""
    return PromptedName(prompt, int(match["number"])) if match and prompt else None


def parse_numbered_name(stem: str) -> NumberedName | None:
    """Read ``12``, ``00012`` or ``12_3``: the row of the prompt, and of several images which one.

    None where the name is not of this kind.
    """
    match = _NUMBERED.fullmatch(stem)
    return NumberedName(int(match["row"]), int(match["sample"] or 0)) if match else None


def fold_prompt(prompt: str) -> str:
    """Return the form in which a prompt of a file name is compared with those of a list.

    Case, characters that file names often lack, and `_` for a space do not matter.
    """
    text = unicodedata.normalize("NFKC", prompt).casefold()
    words = "".join(each if each.isalnum() else " " for each in text)
    return " ".join(words.split())
