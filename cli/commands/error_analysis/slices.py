"""Holds the command that finds groups of images that fail more than the rest.

Exit codes as in `hallascope.cli.main`.
"""

from typing import Annotated

import typer

from hallascope.cli.output import printing
from hallascope.cli.output import slices as output
from hallascope.cli.terminal import DONE, JsonOption, say, split_names
from hallascope.engine.services import create_services


def slices(
    metric: Annotated[str, typer.Option(help="The metric by name.")] = "ihalla",
    run: Annotated[str, typer.Option(help="Only these runs or sweeps, with commas between.")] = "",
    models: Annotated[
        str, typer.Option("--model", "--models", help="Only these models, with commas between.")
    ] = "",
    where: Annotated[
        str,
        typer.Option(
            help="Only images that meet these conditions, such as `number:4;model:primer/hasty`."
        ),
    ] = "",
    most: Annotated[int, typer.Option(min=1, max=100, help="Slices, at most.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="Of the drawn permutations.")] = 0,
    as_json: JsonOption = False,
) -> int:
    """Find the groups of images that fail more than the rest, beyond chance.

    Each is a sentence with its 95 % interval; p is corrected for all groups that were looked at.
    """
    from hallascope.engine.error_analysis.conditions import parse_conditions
    from hallascope.engine.error_analysis.selection import ErrorSelection, read_judged_images
    from hallascope.engine.error_analysis.slices.discovery import find_slices
    from hallascope.engine.error_analysis.slices.documents import slice_report_document
    from hallascope.engine.leaderboard.filters import Filters

    selection = ErrorSelection(
        metric=metric,
        filters=Filters(models=split_names(models), runs=split_names(run)),
        conditions=parse_conditions(where),
    )
    judged = read_judged_images(create_services().store, selection)
    report = find_slices(judged, most=most, seed=seed)
    say(printing.document(slice_report_document(report)) if as_json else output.slice_lines(report))
    return DONE
