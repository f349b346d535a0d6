"""Turns a grid of judged images into what the page shows."""

from typing import Any

from hallascope.engine.error_analysis.grid import GridLine, ImageGrid, build_grid, list_axes
from hallascope.engine.error_analysis.selection import (
    ErrorSelection,
    JudgedImagesReader,
    read_judged_images,
)
from hallascope.engine.services import Services
from hallascope.pages.shared.run_pictures import short_name

ROWS = "grid-rows"  # as the address names it
COLUMNS = "grid-columns"
NOT_KNOWN = "not known"
_FIRST = ("prompt", "model")


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
    }


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
