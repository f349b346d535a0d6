"""Holds the command that prints the methods paragraph of runs. Exit codes as in `cli.main`."""

from typing import Annotated

import typer

from hallascope.cli.output import printing
from hallascope.cli.terminal import DONE, JsonOption, say
from hallascope.engine.export import reader
from hallascope.engine.export.formats import ExportSource
from hallascope.engine.export.methods.paragraph import describe_methods
from hallascope.engine.services import create_services


def methods(
    run: Annotated[
        str,
        typer.Argument(
            metavar="RUN",
            help="The run: its id, that of a sweep, several with commas between, or `all`.",
        ),
    ],
    bibtex: Annotated[bool, typer.Option("--bibtex", help="Print the BibTeX alone.")] = False,
    as_json: JsonOption = False,
) -> int:
    """Print a methods paragraph that is true of the runs, and the BibTeX of what it cites."""
    services = create_services()
    runs = reader.select_runs(services.store, run)
    text = describe_methods(ExportSource(services=services, runs=runs))
    if as_json:
        say(printing.document({"paragraph": text.paragraph, "bibtex": text.entries}))
    elif bibtex:
        say(text.bibtex)
    else:
        say(f"{text.paragraph}\n\n{text.bibtex}")
    return DONE
