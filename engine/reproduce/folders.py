"""Has the images of a folder judged in place of those that a table's models would draw."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from hallascope.data.reproduce.paper_tables import PaperTable
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.image_folders.detection import OpenedImages
from hallascope.engine.image_folders.layouts import ihalla
from hallascope.engine.image_folders.records import FolderEntry, UnmatchedFile
from hallascope.engine.image_folders.sources import open_images
from hallascope.engine.reproduce.cells import CellSource, CellSources

DRAWN_FILLS = ("scores", "correlations")  # tables of images, which a folder may hold


def data_in_images(table: PaperTable, images: str) -> dict[str, str]:
    """Return the path of the table's benchmark by its kind, where it lies beside the images."""
    is_there = bool(images) and "ihalla" in table.parts.values() and ihalla.matches(Path(images))
    return {"ihalla": images} if is_there else {}


def with_images(table: PaperTable, sources: CellSources, source: str) -> tuple[CellSources, str]:
    """Return the cells with the folder's models in place of those that would draw, and a note.

    A model of the folder is a row's where its name is that of the row or of its model, but for
    case and signs. Raises BadRequest where the folder has no image for the table.
    """
    if table.fill not in DRAWN_FILLS:
        raise BadRequest(f"{table.heading.capitalize()} has no rows of images: leave --images out.")
    with open_images(source) as opened:
        layout, models = opened.layout, opened.folder.models
    by_name = {_plain_name(model): model for model in models}
    drawn = [(line.model, line.inject, line.name) for line in (*table.rows, *table.columns)]
    drawn += [(model, "", model) for model in table.models]
    owners: dict[tuple[str, str], str] = {
        (model, inject): own
        for model, inject, name in drawn
        for each in (name, model)
        if model and (own := by_name.get(_plain_name(each) + inject))
    }
    if not owners:
        raise BadRequest(
            f"The images (layout {layout}) name the models {', '.join(models) or 'not'}, and none"
            f" is a row of {table.heading}: name them as its rows, in a table with the columns"
            " prompt, image and model."
        )
    places = [f"{own} as {name}" for (name, _), own in owners.items()]
    places += [f"{model} is in no row" for model in models if model not in owners.values()]
    note = f"The images are those of {source} (layout {layout}): {'; '.join(places)}."
    return {place: _on_images(cell, owners) for place, cell in sources.items()}, note


def _on_images(source: CellSource, owners: dict[tuple[str, str], str]) -> CellSource:
    models = tuple(own for model in source.models if (own := owners.get((model, source.inject))))
    reason = source.reason
    if source.models and not models:
        reason = reason or f"The folder has no images of {', '.join(source.models)}."
    return replace(source, models=models, stored=bool(models), inject="", reason=reason)


def _plain_name(name: str) -> str:
    """Return a model's name without owner, case, signs, and what writers leave out."""
    name = "".join(filter(str.isalnum, name.rpartition("/")[2].casefold()))
    return name.replace("stablediffusion", "sd").replace("stable", "sd").replace("base", "")


@dataclass(frozen=True, kw_only=True)
class FolderWork:
    """Says which images of a folder are judged, and how.

    `models` are the folder's names of them; `prompts`, with single spaces, those that count; None:
    all. `id` names the scores in the store.
    """

    source: str
    models: tuple[str, ...]
    template: EvaluateRequest
    prompts: frozenset[str] | None = None
    id: str = ""

    def has(self, entry: FolderEntry) -> bool:
        """Return whether an image counts; what cannot be matched is always named."""
        if isinstance(entry, UnmatchedFile):
            return True
        is_asked = self.prompts is None or " ".join(entry.prompt.split()) in self.prompts
        return entry.model in self.models and is_asked

    @contextmanager
    def open(self) -> Iterator[OpenedImages]:
        """Open the images that count; the source of others is another one. Raises BadRequest."""
        chosen = json.dumps([self.models, sorted(self.prompts or ())])
        with open_images(self.source) as opened:
            entries = filter(self.has, opened.folder.entries)
            yield replace(
                opened,
                source=f"{opened.source}#{hashlib.sha256(chosen.encode()).hexdigest()[:12]}",
                folder=replace(opened.folder, models=self.models, entries=entries),
            )
