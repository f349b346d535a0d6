"""Holds the command that arranges judged images in a grid.

Exit codes as in `hallascope.cli.main`.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hallascope.cli.commands.error_analysis.selection_options import (
    MetricOption,
    ModelsOption,
    RunOption,
    WhereOption,
    read_selection,
)
from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn
from hallascope.cli.terminal import DONE, JsonOption, say
from hallascope.engine.errors import BadRequest
from hallascope.engine.services import create_services

if TYPE_CHECKING:
    from hallascope.engine.error_analysis.grid import ImageGrid
    from hallascope.engine.storage.store import Store

SUFFIXES = (".png", ".html")


def grid(
    rows: Annotated[
        str, typer.Option(help="prompt, model, seed, or a setting such as guidance.")
    ] = "prompt",
    columns: Annotated[str, typer.Option(help="As for --rows.")] = "model",
    baseline: Annotated[
        str, typer.Option(help="A value of the columns: say which questions changed from it.")
    ] = "",
    metric: MetricOption = "ihalla",
    run: RunOption = "",
    models: ModelsOption = "",
    where: WhereOption = "",
    most_rows: Annotated[
        int | None, typer.Option(min=1, help="The first rows alone; of prompts the worst.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write the grid as an image (.png) or as a page (.html).")
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Arrange judged images in a grid, such as prompts by models, and write it as a file."""
    if out is not None and out.suffix.lower() not in SUFFIXES:
        raise BadRequest(
            f"The grid cannot be written as {out.name!r}: give a name that ends in .png or .html."
        )
    from hallascope.engine.error_analysis.gallery import read_gallery_images
    from hallascope.engine.error_analysis.grid import (
        build_grid,
        first_evaluations,
        grid_document,
    )
    from hallascope.engine.error_analysis.selection import read_judged_images

    store = create_services().store
    judged = read_judged_images(store, read_selection(metric, run, models, where))
    shown = build_grid(judged.images, rows, columns)
    place = shown.column(baseline) if baseline else None
    if most_rows is not None:
        shown = shown.first_rows(most_rows)
    if out is not None:
        _write(store, shown, place, out)
    if as_json:
        images = read_gallery_images(store, first_evaluations(shown))
        say(printing.document(grid_document(shown, images, place)))
    else:
        say(_lines(shown, out))
    return DONE


def _write(store: "Store", shown: "ImageGrid", baseline: int | None, out: Path) -> None:
    """Write the grid as a file. Raises BadRequest where it is too large or cannot be written."""
    from hallascope.engine.error_analysis.grid_files.export import read_exported_grid
    from hallascope.engine.error_analysis.grid_files.html_page import write_page
    from hallascope.engine.error_analysis.grid_files.image import draw_grid

    exported = read_exported_grid(store, shown, baseline)
    try:
        if out.suffix.lower() == ".png":
            draw_grid(exported).save(out)
        else:
            out.write_text(write_page(exported), encoding="utf-8")
    except OSError as error:
        raise BadRequest(
            f"The grid cannot be written to {str(out)!r} ({error}): name a folder that is there."
        ) from error


def _lines(shown: "ImageGrid", out: Path | None) -> str:
    if not shown.cells:
        return "No judged image is in this selection: judge some with `hallascope evaluate`."
    columns = (
        TextColumn(shown.column_axis, lambda line: line.value or "-"),
        TextColumn("images", lambda line: f"{line.images:,}"),
        TextColumn("mean error", lambda line: f"{line.error:.3f}"),
    )
    table = printing.table(columns, list(shown.columns))
    size = f"{len(shown.rows):,} rows by {len(shown.columns):,} columns"
    return f"{table}\n\n{size}{f': {out}' if out else ''}"
