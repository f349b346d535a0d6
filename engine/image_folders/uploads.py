"""Opens what a person dropped on the page: a zip, or a table together with its images."""

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from hallascope.engine.errors import BadRequest
from hallascope.engine.image_folders.archive import ArchiveLimits, unpacked
from hallascope.engine.image_folders.detection import OpenedImages, open_folder
from hallascope.engine.image_folders.layouts.table import TABLES

MOST_FILES = 5_000


@contextmanager
def open_dropped(
    files: Sequence[Path], limits: ArchiveLimits | None = None
) -> Iterator[OpenedImages]:
    """Open one .zip, or a table with the images that it names, while the block runs.

    Files that are dropped have no folder: a table names such images by their names alone. Raises
    BadRequest.
    """
    zips = [file for file in files if file.suffix.casefold() == ".zip"]
    if zips and len(files) > 1:
        raise BadRequest("A .zip is judged alone: drop the .zip, or the table with its images.")
    if zips:
        with unpacked(zips[0], limits) as folder:
            yield open_folder(folder, source=f"dropped {zips[0].name}")
        return
    tables = [file for file in files if file.suffix.casefold() in TABLES]
    if len(tables) != 1 or len(files) < 2:
        raise BadRequest(
            "No images are there to be judged: drop a .zip of them, or a table with the columns"
            " prompt and image together with its images."
        )
    if len(files) > MOST_FILES:
        raise BadRequest(
            f"There are {len(files):,} files; at most {MOST_FILES:,} are taken: pack them as a"
            " .zip."
        )
    with tempfile.TemporaryDirectory(prefix="hallascope-dropped-") as name:
        folder = Path(name)
        for file in files:
            _link(file, folder / file.name)
        yield open_folder(folder, "csv", source=f"dropped {tables[0].name}")


def _link(file: Path, target: Path) -> None:
    """Put a file into the folder, without a copy where the disk allows it. Raises BadRequest."""
    if target.exists():
        raise BadRequest(
            f"Two files are named {file.name!r}: rename one, or pack the folder as a .zip."
        )
    try:
        os.link(file, target)
    except OSError:
        shutil.copyfile(file, target)
