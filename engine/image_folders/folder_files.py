"""Lists the files of a folder and finds those that a table names, without leaving the folder."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from hallascope.engine.errors import BadRequest
from hallascope.engine.image_folders.records import UnmatchedFile

IMAGE_ENDINGS = frozenset({".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif", ".tif", ".tiff"})
_IGNORED = ("__MACOSX", "Thumbs.db")
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
    folder: Path, wanted: Callable[[Path], bool] = is_image
) -> Iterator[Path | UnmatchedFile]:
    """Yield the wanted files below a folder, folder by folder, each in the order of its names.

    Hidden files are left aside. A link is not followed, and named. Raises BadRequest where the
    folder itself cannot be read.
    """
    yield from _walk(folder, folder, wanted, 0)


def _walk(
    root: Path, folder: Path, wanted: Callable[[Path], bool], depth: int
) -> Iterator[Path | UnmatchedFile]:
    try:
        with os.scandir(folder) as listed:
            entries = sorted(listed, key=lambda entry: entry.name)
    except OSError as error:
        if folder == root:
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


def find_within(folder: Path, named: str) -> Path:
    """Return the file that a table names by its path relative to the folder.

    Raises LeavesFolder where the path is absolute, leads out of the folder, or to no file.
    """
    cleaned = named.strip().replace("\\", "/")
    relative = PurePosixPath(cleaned)
    has_drive = len(cleaned) > 1 and cleaned[1] == ":"
    if relative.is_absolute() or has_drive or ".." in relative.parts:
        raise LeavesFolder("the path leads out of the folder: give it relative to the table")
    if not relative.parts or not cleaned.isprintable():
        raise LeavesFolder("the path of the image is empty or cannot be read")
    path = folder / relative
    try:
        if not path.is_file():
            raise LeavesFolder("the image is not there")
        inside = path.resolve().is_relative_to(folder.resolve())
    except OSError as error:
        raise LeavesFolder("the path of the image cannot be opened") from error
    if not inside:
        raise LeavesFolder("the image is a link that leads out of the folder")
    return path
