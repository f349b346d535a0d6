"""Runs the command line.

Exit code 0: done; 1: finished with failures, which are listed; 2: the request was wrong.
"""

import logging
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from typing import Annotated, Any, cast

import typer
from typer.core import TyperCommand, TyperGroup

from hallascope.cli.exit_codes import DONE, INTERRUPTED, WRONG
from hallascope.engine.process_exit import leave

# By name: where the command is, and what it does. The module of a command, with all that it
# imports, is imported when the command runs, not when commands are listed.
COMMANDS = {
    "app": ("dashboard:start_dashboard", "Start the dashboard and print its address."),
    "evaluate": ("evaluate:evaluate", "Make images of a prompt, and judge them."),
    "judge": ("images.judge:judge", "Bring existing images into the store, and judge them."),
    "sweep": ("sweep:sweep", "Make and judge images of many prompts."),
    "merge": ("sweep:merge", "Bring the shards of a sweep into one store."),
    "leaderboard": ("leaderboard:leaderboard", "Rank the models by a score, with intervals."),
    "runs": ("runs:commands", "Stored runs: list, name, pin, delete and compare them."),
    "errors": ("error_analysis:commands", "From a score to its cause: slices, map, probe."),
    "repair": ("images.repair:repair", "Refine a prompt, draw and judge again."),
    "asks": ("asks:asks", "Print what prompts ask for: objects, counts, relations."),
    "questions": ("questions:commands", "The questions of prompts: make, show, import them."),
    "models": ("models:commands", "Every model and whether it can run here; get models."),
    "doctor": ("doctor:doctor", "Check what this machine can run."),
    "judge-trial": ("trials.judge_trial:judge_trial", "Count how often a judge is right."),
    "label": ("label:commands", "Images with labels of people: folders, pages, plans."),
    "agreement": ("agreement:agreement", "Measure how well metrics agree with people."),
    "benchmark": ("benchmark:commands", "Real benchmark folders and files."),
    "reproduce": ("papers.reproduce:reproduce", "Say what a paper's table needs, and print it."),
    "wording": ("wording:commands", "The texts that models are sent: list, copy, check."),
    "methods": ("methods:methods", "Print a methods paragraph that is true of the runs."),
    "export": ("export:export", "Write runs for others: tables, LaTeX, a static site."),
    "import": ("export:import_", "Take in runs that were exported elsewhere."),
    "push": ("export:push", "Put runs on the Hub as a data set, private by default."),
    "contact-sheet": ("images.contact_sheet:contact_sheet", "Draw a page of models by prompts."),
    "teach": ("teach:commands", "Exercises: what is wrong in this image?"),
    "spaces": ("spaces:commands", "The Spaces of this repository: check, build, deploy."),
}
UsageError: type[Exception] = typer.BadParameter.__bases__[0]  # typer does not name it


class LazyCommand(TyperCommand):
    """A command that is listed by its name and one line, and imported when it is called."""

    def load(self) -> TyperCommand | TyperGroup:
        """Import the command."""
        module, _, name = COMMANDS[str(self.name)][0].partition(":")
        found = getattr(import_module(f"hallascope.cli.commands.{module}"), name)
        if isinstance(found, typer.Typer):
            return typer.main.get_group(found)
        app = typer.Typer(add_completion=False, rich_markup_mode=None)
        app.command(self.name)(found)
        return cast(TyperCommand, typer.main.get_command(app))

    def make_context(self, *arguments: Any, **options: Any) -> Any:
        """Return the context of the command itself."""
        return self.load().make_context(*arguments, **options)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"hallascope {version('hallascope')}")
        raise typer.Exit


def options(
    show_version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """See what is false in generated images, and on what evidence."""


def command_line() -> TyperGroup:
    """Return the group of all commands."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.callback()(options)
    group = typer.main.get_group(app)
    for name, (_, text) in COMMANDS.items():
        group.add_command(LazyCommand(name, help=text))
    return group


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and leave with its exit code.

    What is wrong is one sentence on standard error. With HALLASCOPE_LOG set, so are all faults of
    calls.
    """
    if os.environ.get("HALLASCOPE_LOG"):
        logging.basicConfig(format="%(asctime)s %(message)s")
        logging.getLogger("hallascope").setLevel(logging.INFO)
    try:
        given = sys.argv[1:] if arguments is None else list(arguments)
        code = command_line().main(
            given or ["--help"], prog_name="hallascope", standalone_mode=False
        )
    except UsageError as error:
        message = str(error.format_message()).rstrip(".")  # type: ignore[attr-defined]
        code = _complain(f"{message}: `hallascope --help` shows what there is.")
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except Exception as error:
        from hallascope.backends.base import HallaScopeError  # with what it imports

        if not isinstance(error, HallaScopeError):
            raise
        code = _complain(f"{error} {error.remedy}".rstrip())
    if code == INTERRUPTED:  # newer versions of typer return it, older ones raise
        _complain("Stopped: the same command goes on where it was left.")
    leave(code or DONE)


def _complain(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return WRONG


if __name__ == "__main__":
    main()
