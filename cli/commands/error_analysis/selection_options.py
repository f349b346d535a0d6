"""Holds the options with which commands name judged images, and reads them."""

from typing import TYPE_CHECKING, Annotated

import typer

from hallascope.cli.terminal import split_names

if TYPE_CHECKING:
    from hallascope.engine.error_analysis.selection import ErrorSelection

MetricOption = Annotated[str, typer.Option("--metric", help="The metric by name.")]
RunOption = Annotated[
    str, typer.Option("--run", help="Only these runs or sweeps, with commas between.")
]
ModelsOption = Annotated[
    str, typer.Option("--model", "--models", help="Only these models, with commas between.")
]
WhereOption = Annotated[
    str,
    typer.Option(
        "--where",
        help="Only images that meet these conditions, such as `number:4;tag:extra fingers`.",
    ),
]


def read_selection(metric: str, run: str, models: str, where: str) -> "ErrorSelection":
    """Return the selection that the options name. Raises BadRequest."""
    from hallascope.engine.error_analysis.conditions import parse_conditions
    from hallascope.engine.error_analysis.selection import ErrorSelection
    from hallascope.engine.leaderboard.filters import Filters

    return ErrorSelection(
        metric=metric,
        filters=Filters(models=split_names(models), runs=split_names(run)),
        conditions=parse_conditions(where),
    )
