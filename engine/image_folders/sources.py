"""Opens what a person names as images: a folder, a zip, a table, or a data set of the Hub."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from hallascope.data.benchmarks.prompt_files import TABLES
from hallascope.engine.errors import BadRequest
from hallascope.engine.image_folders.archive import ARCHIVES, unpacked
from hallascope.engine.image_folders.hub import HubColumns, is_hub_name, open_hub
from hallascope.engine.image_folders.layouts import (
    drawbench,
    factualbench,
    geneval,
    ihalla,
    t2i_compbench,
    table,
)
from hallascope.engine.image_folders.records import LAYOUTS, Layout, OpenedImages


@contextmanager
def open_images(
    source: str,
    layout: str | None = None,
    prompts: Path | None = None,
    columns: HubColumns | None = None,
    named_by: str = "",
) -> Iterator[OpenedImages]:
    """Open the images while the block runs; `columns` are those of a data set of the Hub.

    `named_by` as in `open_folder`. Raises BadRequest.
    """
    if is_hub_name(source):
        if layout is not None or prompts is not None or named_by:
            raise BadRequest(
                "A data set names prompts and images in its columns: leave --layout, --prompts and"
                " --named-by out."
            )
        with open_hub(source, columns) as opened:
            yield opened
        return
    path = Path(source)
    if path.is_file() and path.suffix.casefold() == ".zip":
        with unpacked(path) as folder:
            yield open_folder(folder, layout, prompts, str(path.absolute()), named_by)
        return
    if path.is_file() and path.suffix.casefold() in ARCHIVES:
        raise BadRequest(
            f"{path.name!r} is an archive of another kind: unpack it, or pack it as a .zip."
        )
    yield open_folder(path, layout, prompts, named_by=named_by)


MOST_FILES = 5_000


@contextmanager
def open_dropped(files: Sequence[Path]) -> Iterator[OpenedImages]:
    """Open one .zip, or a table with the images that it names, while the block runs.

    Files that are dropped have no folder: a table names such images by their names alone. Raises
    BadRequest.
    """
    zips = [file for file in files if file.suffix.casefold() == ".zip"]
    if zips and len(files) > 1:
        raise BadRequest("A .zip is judged alone: drop the .zip, or the table with its images.")
    if zips:
        with unpacked(zips[0]) as folder:
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


# the first one that matches is taken
_READERS: Mapping[Layout, ModuleType] = {
    "ihalla": ihalla,
    "geneval": geneval,
    "factualbench": factualbench,
    "csv": table,
    "t2i-compbench": t2i_compbench,
    "drawbench": drawbench,
}


def open_folder(
    path: Path,
    layout: str | None = None,
    prompts: Path | None = None,
    source: str = "",
    named_by: str = "",
) -> OpenedImages:
    """Open a folder, or a table that names images by their paths.

    `named_by` is what images are named by in a list of prompts (`drawbench.read`). Raises
    BadRequest.
    """
    source = source or str(path.absolute())
    if layout is not None and layout not in LAYOUTS:
        raise BadRequest(f"There is no layout {layout!r}: choose one of {', '.join(LAYOUTS)}.")
    if prompts is not None and not prompts.exists():
        raise BadRequest(f"There is no file {str(prompts)!r}: name the list of prompts.")
    if path.is_file():
        return _open_table(path, layout, prompts, source)
    if not path.is_dir():
        raise BadRequest(
            f"There is no folder {str(path)!r}: name one with images, a .zip, a table or hf:OWNER/"
            "NAME."
        )
    try:
        chosen = layout or ("drawbench" if named_by else _detect(path, prompts))
        if named_by and chosen != "drawbench":
            raise BadRequest(
                f"The layout {chosen} says itself which prompt an image has: leave --named-by out."
            )
        read: Callable[..., OpenedImages] = _READERS[chosen].read
        folder = read(path, prompts, named_by) if named_by else read(path, prompts)
    except OSError as error:
        raise BadRequest(
            f"The folder {str(path)!r} cannot be read ({error.strerror or error}): check that you"
            " may read it and all in it."
        ) from error
    return replace(folder, source=source, layout=chosen, detected=layout is None)


def _open_table(path: Path, layout: str | None, prompts: Path | None, source: str) -> OpenedImages:
    if path.suffix.casefold() not in TABLES:
        raise BadRequest(
            f"{path.name!r} is not a folder, a .zip or a table ({', '.join(TABLES)}): name one of"
            " these."
        )
    if layout not in (None, "csv") or prompts is not None:
        raise BadRequest(
            f"{path.name!r} is a table, which names prompts and images itself: leave --prompts out,"
            " and take no other layout than csv."
        )
    opened = table.read_table(path)
    return replace(opened, source=source, layout="csv", detected=layout is None)


def _detect(folder: Path, prompts: Path | None) -> Layout:
    """Return the first layout that the folder has. Raises BadRequest where it has none."""
    if prompts is not None and prompts.is_file() and table.is_table(prompts):
        return "csv"
    for layout, reader in _READERS.items():
        if layout == "t2i-compbench" and drawbench.is_named(folder, prompts):
            return "drawbench"
        if reader.matches(folder):
            return layout
    if prompts is not None and prompts.is_file():
        return "drawbench"
    raise BadRequest(
        f"The images in {folder.name!r} are in no layout that is known here: write a table with the"
        " columns prompt and image, or name the layout with --layout"
        f" ({', '.join(LAYOUTS)})."
    )
