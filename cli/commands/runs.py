"""Holds the commands about stored runs: list, show, rename, pin, unpin, delete and compare.

Exit codes as in `hallascope.cli.main`.
"""

from typing import Annotated

import typer

from hallascope.cli.output import printing
from hallascope.cli.output import runs as output
from hallascope.cli.terminal import DONE, WRONG, JsonOption, say
from hallascope.engine.run_history import history as documents
from hallascope.engine.run_history.comparison import compare_runs, comparison_document
from hallascope.engine.run_history.history import PER_PAGE, RunHistory
from hallascope.engine.services import create_services
from hallascope.engine.storage.runs.catalog import ListedRun

commands = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Stored runs and sweeps: list, name, pin, delete and compare them.",
)
RunArgument = Annotated[
    str, typer.Argument(metavar="RUN", help="The id of a run or sweep, or how it begins.")
]


@commands.command("list")
def list_(
    find: Annotated[
        str, typer.Option(help="Only runs whose name, prompts, models or judge contain this.")
    ] = "",
    limit: Annotated[int, typer.Option(min=1, help="How many runs.")] = PER_PAGE,
    offset: Annotated[int, typer.Option(min=0, help="How many runs to leave out first.")] = 0,
    as_json: JsonOption = False,
) -> int:
    """List runs and sweeps, the pinned first, then the newest."""
    runs = RunHistory(create_services()).list(find, limit, offset)
    printing.print_result(as_json, documents.list_document(runs), output.runs_lines(runs, find))
    return DONE


@commands.command("show")
def show(run: RunArgument, as_json: JsonOption = False) -> int:
    """Show what a run or sweep contains."""
    _say_run(RunHistory(create_services()).find(run), as_json)
    return DONE


@commands.command("rename")
def rename(
    run: RunArgument,
    name: Annotated[str, typer.Argument(help="Its new name; empty: the prompt again.")],
    as_json: JsonOption = False,
) -> int:
    """Give a run or sweep a name."""
    _say_run(RunHistory(create_services()).rename(run, name), as_json)
    return DONE


@commands.command("pin")
def pin(run: RunArgument, as_json: JsonOption = False) -> int:
    """Pin a run or sweep, so that lists show it first."""
    _say_run(RunHistory(create_services()).pin(run, True), as_json)
    return DONE


@commands.command("unpin")
def unpin(run: RunArgument, as_json: JsonOption = False) -> int:
    """Take the pin off a run or sweep."""
    _say_run(RunHistory(create_services()).pin(run, False), as_json)
    return DONE


@commands.command("delete")
def delete(
    run: RunArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Delete without asking.")] = False,
    as_json: JsonOption = False,
) -> int:
    """Delete a run or sweep with its verdicts; images that other runs show stay.

    It says what is deleted and asks first. With --json and without --yes nothing is deleted.
    """
    history = RunHistory(create_services())
    planned = history.describe_removal(run)
    if as_json:
        removal = history.delete(run) if yes else planned
        say(printing.document(documents.removal_document(removal, deleted=yes)))
        return DONE
    say(planned.sentence)
    if not yes and not typer.confirm("Delete it?"):
        say("Nothing was deleted.")
        return WRONG
    history.delete(run)
    say("Deleted.")
    return DONE


@commands.command("compare")
def compare(
    run: RunArgument,
    other: Annotated[str, typer.Argument(metavar="OTHER", help="The run to compare it with.")],
    as_json: JsonOption = False,
) -> int:
    """Compare two runs or sweeps: prompt by prompt, model by model, and their configurations.

    Differences are the first run less the second, paired over the prompts of both.
    """
    services = create_services()
    history = RunHistory(services)
    comparison = compare_runs(services.store, history.find(run), history.find(other))
    printing.print_result(
        as_json, comparison_document(comparison), output.comparison_lines(comparison)
    )
    return DONE


def _say_run(run: ListedRun, as_json: bool) -> None:
    printing.print_result(as_json, documents.run_document(run), output.run_lines(run))
