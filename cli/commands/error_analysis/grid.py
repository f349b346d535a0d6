"""Holds the command that arranges judged images in a grid.

Exit codes as in `hallascope.cli.main`.
"""

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
from hallascope.engine.services import create_services

if TYPE_CHECKING:
    from hallascope.engine.error_analysis.grid import ImageGrid
    from hallascope.engine.error_analysis.selection import JudgedImages


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
    as_json: JsonOption = False,
) -> int:
    """Arrange judged images in a grid, such as prompts by models."""
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
    if as_json:
        images = read_gallery_images(store, first_evaluations(shown))
        say(printing.document(grid_document(shown, judged.images, images, place)))
    else:
        say(_lines(shown, judged))
    return DONE


def _lines(shown: "ImageGrid", judged: "JudgedImages") -> str:
    if not shown.cells:
        return "No judged image is in this selection: judge some with `hallascope evaluate`."
    columns = (
        TextColumn(shown.column_axis, lambda line: line.value or "-"),
        TextColumn("images", lambda line: f"{line.images:,}"),
        TextColumn("mean error", lambda line: f"{line.error:.3f}"),
        TextColumn("left out", lambda line: f"{line.left_out:,}"),
    )
    table = printing.table(columns, list(shown.columns))
    size = f"{len(shown.rows):,} rows by {len(shown.columns):,} columns"
    counted = (
        f"images: n = {len(judged.images):,}, {judged.unanswered:,} left out;"
        f" answers: {judged.left_out:,} left out"
    )
    return f"{table}\n\n{size}; {counted}"
