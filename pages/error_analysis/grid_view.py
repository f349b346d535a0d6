"""Turns a grid of judged images into what the page shows, and into files."""

import base64
import io
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from hallascope.engine.error_analysis.conditions import format_conditions, parse_conditions
from hallascope.engine.error_analysis.grid import GridLine, ImageGrid, build_grid, list_axes
from hallascope.engine.error_analysis.selection import (
    ErrorSelection,
    JudgedImagesReader,
    read_judged_images,
)
from hallascope.engine.leaderboard.filters import Filters
from hallascope.engine.services import Services
from hallascope.pages.shared.run_pictures import short_name

ROWS = "grid-rows"  # as the address names it
COLUMNS = "grid-columns"
NOT_KNOWN = "not known"
_FIRST = ("prompt", "model")


class SelectionFields(BaseModel):
    """Holds a selection as the page sends it back."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    metric: str
    models: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    instrument: str | None = None
    conditions: str = ""
    tags: tuple[str, ...] = ()


class GridExportRequest(BaseModel):
    """Asks for a grid as a file; `baseline` is a value of the columns, None for none."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    rows: str
    columns: str
    baseline: str | None = None
    kind: Literal["png", "html"]
    selection: SelectionFields = Field(...)


def selection_fields(selection: ErrorSelection) -> SelectionFields:
    """Return a selection as the page keeps it."""
    filters = selection.filters
    return SelectionFields(
        metric=selection.metric,
        models=filters.models,
        runs=filters.runs,
        instrument=filters.instrument,
        conditions=format_conditions(selection.conditions),
        tags=selection.tags,
    )


def read_selection(fields: SelectionFields) -> ErrorSelection:
    """Return the selection that the page kept. Raises BadRequest."""
    return ErrorSelection(
        metric=fields.metric,
        filters=Filters(models=fields.models, runs=fields.runs, instrument=fields.instrument),
        conditions=parse_conditions(fields.conditions),
        tags=fields.tags,
    )


def grid_value(
    services: Services,
    selection: ErrorSelection,
    axes: tuple[str, str],
    read: JudgedImagesReader = read_judged_images,
) -> dict[str, Any] | None:
    """Return what `image_grid.js` shows; None where no image is judged.

    `axes` are those of the rows and the columns; what the images do not have is replaced. `read`
    reads the judged images of a selection.
    """
    images = read(services.store, selection).images
    known = [axis.name for axis in list_axes(images)]
    if images.empty:
        return None
    rows = axes[0] if axes[0] in known else _FIRST[0]
    columns = axes[1] if axes[1] in known and axes[1] != rows else ""
    columns = columns or next(name for name in (*reversed(_FIRST), "seed") if name != rows)
    grid = build_grid(images, rows, columns)
    return {
        "axes": [
            {"name": axis.name, "title": f"{axis.name} ({axis.values:,})"}
            for axis in list_axes(images)
        ],
        "rows": rows,
        "columns": columns,
        "row_lines": [_line(line) for line in grid.rows],
        "column_lines": [_line(line) for line in grid.columns],
        "cells": [[*place, list(ids)] for place, ids in grid.cells.items()],
        "words": _summary(grid, len(images)),
        "selection": selection_fields(selection).model_dump(mode="json"),
    }


def grid_file(services: Services, request: GridExportRequest) -> dict[str, str]:
    """Return a file of the grid as {name, base64, kind}. Raises BadRequest."""
    from hallascope.engine.error_analysis.grid_files.export import read_exported_grid
    from hallascope.engine.error_analysis.grid_files.html_page import write_page
    from hallascope.engine.error_analysis.grid_files.image import draw_grid

    images = read_judged_images(services.store, read_selection(request.selection)).images
    grid = build_grid(images, request.rows, request.columns)
    baseline = None if request.baseline is None else grid.column(request.baseline)
    exported = read_exported_grid(services.store, grid, baseline)
    if request.kind == "png":
        stream = io.BytesIO()
        draw_grid(exported).save(stream, "PNG")
        content, kind = stream.getvalue(), "image/png"
    else:
        content, kind = write_page(exported).encode(), "text/html"
    name = f"grid-{request.rows}-{request.columns}.{request.kind}"
    return {"name": name, "base64": base64.b64encode(content).decode(), "kind": kind}


def _line(line: GridLine) -> dict[str, str]:
    number = "1 image" if line.images == 1 else f"{line.images:,} images"
    return {
        "name": line.value,
        "title": short_name(line.value) or NOT_KNOWN,
        "about": f"mean error {line.error:.2f}, {number}",
    }


def _summary(grid: ImageGrid, images: int) -> str:
    return (
        f"{len(grid.rows):,} rows by {len(grid.columns):,} columns, {images:,} images;"
        " a place with several shows one, of the same prompt and seed as the others where it can."
    )
