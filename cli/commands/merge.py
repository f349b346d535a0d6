"""The command that brings the shards of several processes into one store.

Exit codes as in `hallascope.cli.main`.
"""

from pathlib import Path
from typing import Annotated

import typer

from hallascope.cli.output import printing
from hallascope.cli.terminal import DONE, FAILURES, JsonOption, say
from hallascope.engine.services import create_services


def merge(
    folder: Annotated[Path, typer.Argument(help="What was given to `hallascope sweep --shards`.")],
    store: Annotated[
        str | None, typer.Option(help="The database by URL, SQLite or PostgreSQL.")
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Bring the shards of a sweep into one store.

    What is in several of them is counted once; doing it again changes nothing.
    """
    from hallascope.engine.export import shards

    found = shards.merge(create_services(store).store, folder)
    came = (
        f"{found.runs:,} runs, {found.pictures:,} pictures, {found.evaluations:,} evaluations came"
        f" in; {found.there:,} were here already."
    )
    said = vars(found) | {"faults": [str(fault) for fault in found.faults]}
    say(printing.document(said) if as_json else "\n".join([came, *map(str, found.faults)]))
    return FAILURES if found.faults else DONE
