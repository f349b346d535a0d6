"""Holds the command that compares two runs image by image and slice by slice.

Exit codes as in `hallascope.cli.main`; with `--fail-on-worse` 1 where it got worse.
"""

from pathlib import Path
from typing import Annotated

import typer

from hallascope.cli.output import printing
from hallascope.cli.output import slices as output
from hallascope.cli.terminal import DONE, FAILURES, JsonOption, say
from hallascope.engine.services import create_services


def compare(
    one: Annotated[
        str, typer.Argument(metavar="ONE", help="The id of a run or sweep, or how it begins.")
    ],
    other: Annotated[
        str, typer.Argument(metavar="OTHER", help="The run that is compared with it: the newer.")
    ],
    metric: Annotated[str, typer.Option(help="The metric by name.")] = "ihalla",
    out: Annotated[
        Path | None,
        typer.Option(help="Write a report: Markdown (.md), or a page with thumbnails (.html)."),
    ] = None,
    fail_on_worse: Annotated[
        bool,
        typer.Option("--fail-on-worse", help="Exit with 1 where all images or a slice got worse."),
    ] = False,
    as_json: JsonOption = False,
) -> int:
    """Compare two runs by slice: what got better, what got worse, paired image by image.

    Images are paired by prompt, model and seed; two runs with one model each are paired by prompt
    and seed.
    """
    from hallascope.engine.error_analysis.slices.change_report import (
        changes_document,
        write_changes,
    )
    from hallascope.engine.error_analysis.slices.run_changes import compare_run_errors
    from hallascope.engine.run_history.history import RunHistory

    services = create_services()
    history = RunHistory(services)
    changes = compare_run_errors(services.store, history.find(one), history.find(other), metric)
    if out is not None:
        write_changes(changes, out, services.store)
    if as_json:
        say(printing.document(changes_document(changes)))
    else:
        say(output.change_lines(changes))
        if out is not None:
            say(f"\nThe report is in {out}.")
    return FAILURES if fail_on_worse and changes.is_worse else DONE
