"""Opens a folder of images: by the layout that a person names, else by the one that it has."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from hallascope.engine.errors import BadRequest
from hallascope.engine.image_folders.layouts import (
    drawbench,
    factualbench,
    geneval,
    ihalla,
    t2i_compbench,
    table,
)
from hallascope.engine.image_folders.records import LAYOUTS, Layout, MatchedFolder

# the first one that matches is taken
_READERS: Mapping[Layout, ModuleType] = {
    "ihalla": ihalla,
    "geneval": geneval,
    "factualbench": factualbench,
    "csv": table,
    "t2i-compbench": t2i_compbench,
    "drawbench": drawbench,
}


@dataclass(frozen=True, kw_only=True)
class OpenedImages:
    """Holds the images of a folder, an archive or a data set, and how they are matched.

    `source` names it for people and in the id of the work; `detected`: nobody named the layout.
    """

    source: str
    layout: str
    folder: MatchedFolder
    detected: bool = False

    def document(self) -> dict[str, Any]:
        """Return where the images are and how they are matched, for programs."""
        return {
            "source": self.source,
            "layout": self.layout,
            "detected": self.detected,
            "note": self.folder.note,
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
        raise BadRequest(f"There is no layout {layout!r}: choose of {', '.join(LAYOUTS)}.")
    if prompts is not None and not prompts.exists():
        raise BadRequest(f"There is no file {str(prompts)!r}: name the list of prompts.")
    if path.is_file():
        return _open_table(path, layout, prompts, source)
    if not path.is_dir():
        raise BadRequest(
            f"There is no folder {str(path)!r}: name one with images, a .zip, a table or hf:OWNER/"
            "NAME."
        )
    chosen = layout or ("drawbench" if named_by else _detect(path, prompts))
    if named_by and chosen != "drawbench":
        raise BadRequest(
            f"The layout {chosen} says itself which prompt an image has: leave --named-by out."
        )
    read: Callable[..., MatchedFolder] = _READERS[chosen].read
    folder = read(path, prompts, named_by) if named_by else read(path, prompts)
    return OpenedImages(source=source, layout=chosen, folder=folder, detected=layout is None)


def _open_table(path: Path, layout: str | None, prompts: Path | None, source: str) -> OpenedImages:
    if path.suffix.casefold() not in table.TABLES:
        raise BadRequest(
            f"{path.name!r} is no folder, no .zip and no table ({', '.join(table.TABLES)}): name"
            " one of these."
        )
    if layout not in (None, "csv") or prompts is not None:
        raise BadRequest(
            f"{path.name!r} is a table, which names prompts and images itself: leave --prompts out,"
            " and take no other layout than csv."
        )
    return OpenedImages(
        source=source, layout="csv", folder=table.read_table(path), detected=layout is None
    )


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
