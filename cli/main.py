"""Runs the command line.

Exit code 0: done; 1: finished with failures, which are listed; 2: the request was wrong; 3: a score
is too low, or worse than before; 130: interrupted.
"""

import logging
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from hallascope.cli.terminal import DONE, INTERRUPTED, WRONG
from hallascope.engine.process_exit import leave

# By name: the function of a command, and what it does. The module of a command, with all that it
# imports, is imported when the command runs, not when commands are listed. A group has no function.
COMMANDS = {
    "app": ("dashboard:start_dashboard", "Start the dashboard and print its address."),
    "evaluate": ("evaluate:evaluate", "Make images of a prompt, and judge them."),
    "judge": ("judge:judge", "Bring existing images into the store, and judge them."),
    "sweep": ("sweep:sweep", "Make and judge images of many prompts."),
    "leaderboard": ("leaderboard:leaderboard", "Rank the models by a score, with intervals."),
    "runs": ("", "Stored runs: show, edit and compare them."),
    "runs show": ("runs:show", "List runs and sweeps, or show what one contains."),
    "runs edit": ("runs:edit", "Name, pin or delete a run or sweep."),
    "runs compare": ("runs:compare", "Compare two runs by prompt, model and slice."),
    "errors": ("", "Why models fail: slices, map, grid, tags, probe, remedies."),
    "errors slices": ("errors:slices", "Find groups of images that fail more than the rest."),
    "errors map": ("errors:draw_map", "Draw judged images as a map of what looks alike."),
    "errors grid": ("errors:grid", "Arrange judged images, such as prompts by models."),
    "errors tags": ("errors:tags", "List, add and remove tags of images, or write a note."),
    "errors probe": ("probe:probe", "Vary one thing of a prompt, and find where models fail."),
    "errors remedies": ("remedies:remedies", "Try three remedies beside a control."),
    "repair": ("repair:repair", "Refine a prompt, draw and judge again."),
    "trial": ("trial:trial", "Test how often a judge is right."),
    "label": ("", "Labels by people: plans, folders, ratings."),
    "label plan": ("label_plans:plan", "Plan which images people label, or delete a plan."),
    "label progress": ("label_plans:show_progress", "List plans, or show how far one is."),
    "label queue": ("label_plans:queue", "Show or label the next image of a rater."),
    "label make": ("label_folders:make", "Draw images into a folder, to be labeled."),
    "label page": ("label_folders:page", "Label a folder in the browser or on paper."),
    "label export": ("label_folders:export", "Write the tables of a plan, or people's ratings."),
    "agreement": ("agreement:agreement", "Measure how well metrics agree with people."),
    "teach": ("teach:teach", "Sets of exercises: what is wrong in this image?"),
    "models": ("", "The models: list them, get them."),
    "models list": ("models:list_models", "List every model, and whether it can run here."),
    "models get": ("models:get", "Fetch models from the Hub."),
    "doctor": ("doctor:doctor", "Check what this machine can run."),
    "questions": ("", "The questions of prompts: make, show, import."),
    "questions make": ("questions:make", "Write the questions of a prompt, or find its category."),
    "questions show": ("questions:show", "Show, write to a file or remove saved questions."),
    "questions import": ("questions:read", "Save the questions of a file."),
    "asks": ("asks:asks", "Print what prompts ask for: objects, counts, relations."),
    "benchmark": ("", "Files of benchmarks."),
    "benchmark load": ("benchmark:load", "Read a benchmark and say what is wrong in it."),
    "export": ("export:export", "Write runs for others: tables, LaTeX, a site, the Hub."),
    "import": ("export:import_", "Take in exported runs."),
    "reproduce": ("reproduce:reproduce", "Say what a paper's table needs, and print it."),
    "wording": ("wording:wording", "List, check and copy the texts that models are sent."),
    "spaces": ("spaces:spaces", "Check, write and deploy the Spaces of this repository."),
}
# Names of 0.1.0 and of its successors, which are answered with the new name in this release.
RENAMED_COMMANDS = {
    "merge": "import SHARD",
    "runs list": "runs show",
    "runs rename": "runs edit RUN --name NAME",
    "runs pin": "runs edit RUN --pin",
    "runs unpin": "runs edit RUN --unpin",
    "runs delete": "runs edit RUN --delete",
    "errors compare": "runs compare RUN OTHER",
    "errors tag": "errors tags --add TAG",
    "errors note": "errors tags --note NOTE",
    "errors repair": "errors remedies",
    "errors repair-trial": "python -m bench.repair_trial",
    "judge-trial": "trial",
    "label plans": "label progress",
    "label list": "label progress",
    "label delete": "label plan --delete PLAN",
    "label raters": "label progress PLAN --raters",
    "label sheet": "label page FOLDER --out IMAGE",
    "label read": "label page FOLDER --typed FILE",
    "label ratings": "label export FILE",
    "label import": "import FOLDER",
    "models": "models list",
    "models table": "models list --format markdown",
    "questions list": "questions show",
    "questions export": "questions show --out FILE",
    "questions remove": "questions show PROMPT --remove",
    "questions categorize": "questions make PROMPT --category",
    "spaces check": "spaces",
    "spaces build": "spaces NAME --out FOLDER",
    "spaces deploy": "spaces NAME --owner OWNER",
    "teach make": "teach KIND",
    "teach sets": "teach answers SET",
    "methods": "export RUN --to methods",
    "push": "export RUN OWNER/NAME --to hub",
    "contact-sheet": "python -m bench.screenshots contact-sheet",
}
RENAMED_OPTIONS = {
    "--models": "--model",
    "--metrics": "--metric",
    "--estimate": "--dry-run",
    "--labelled": "--labeled",
    "--labeller": "--labeler",
    "--outcomes": "--outcome",
    "--cois": "--coi",
    "--only-images": "--image",
    "--most": "--limit",
    "--most-rows": "--limit",
    "--pictures": "--image-folder",
}
UsageError: type[Exception] = typer.BadParameter.__bases__[0]  # typer does not name it


class LazyCommand(TyperCommand):
    """A command that is listed by its name and one line, and imported when it is called."""

    def __init__(self, name: str, function: str, text: str) -> None:
        super().__init__(name, help=text)
        self._function = function

    def load(self) -> TyperCommand:
        """Import the command."""
        from hallascope.cli.options import make_command

        module, _, function = self._function.partition(":")
        found = getattr(import_module(f"hallascope.cli.commands.{module}"), function)
        return make_command(found, str(self.name))

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
    """Find what generated images get wrong, and on what evidence."""


def command_line() -> TyperGroup:
    """Return the group of all commands."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.callback()(options)
    groups = {"": typer.main.get_group(app)}
    for path, (function, text) in COMMANDS.items():
        above, _, name = path.rpartition(" ")
        command: Any = LazyCommand(name, function, text)
        if not function:
            command = groups[path] = TyperGroup(name=name, help=text, rich_markup_mode=None)
        groups[above].add_command(command)
    return groups[""]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and leave with its exit code.

    What is wrong is one sentence on standard error. With HALLASCOPE_LOG set, so are all faults of
    calls.
    """
    if os.environ.get("HALLASCOPE_LOG"):
        logging.basicConfig(format="%(asctime)s %(message)s")
        logging.getLogger("hallascope").setLevel(logging.INFO)
    given = sys.argv[1:] if arguments is None else list(arguments)
    groups = {name for name, (function, _) in COMMANDS.items() if not function}
    if len(given) == 1 and given[0] in groups - RENAMED_COMMANDS.keys():
        given.append("--help")
    if (name := " ".join(given[:2])) in RENAMED_COMMANDS and name not in COMMANDS:
        leave(_complain(_renamed(given)))
    try:
        code = command_line().main(
            given or ["--help"], prog_name="hallascope", standalone_mode=False
        )
    except UsageError as error:
        said = str(error.format_message())  # type: ignore[attr-defined]
        message = " ".join(said.replace("Value error, ", "").split())
        message += "" if message.endswith((".", "?")) else "."
        context = getattr(error, "ctx", None)
        typed = context.command_path if context else "hallascope"
        code = _complain(_renamed(given) or f"{message} `{typed} --help` shows what there is.")
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except Exception as error:
        from hallascope.backends.base import HallaScopeError  # with what it imports

        if not isinstance(error, HallaScopeError):
            raise
        code = _complain(f"{error} {error.remedy}".rstrip())
    if code == INTERRUPTED:  # newer versions of typer return it, older ones raise
        _complain("Stopped. Run the same command to continue.")
    leave(code or DONE)


def _renamed(given: Sequence[str]) -> str:
    """Return a sentence that names the new name of a command or option, "" where there is none."""
    words = [word for word in given[:2] if not word.startswith("-")]
    for name in (" ".join(words), words[0] if words else ""):
        new = RENAMED_COMMANDS.get(name)
        if new and (name not in COMMANDS or words == [name]):
            new = new if new.startswith("python") else f"hallascope {new}"
            return f"`hallascope {name}` is now `{new}`."
    options = (word.partition("=")[0] for word in given)
    found = next((option for option in options if option in RENAMED_OPTIONS), None)
    return f"The option {found} is now {RENAMED_OPTIONS[found]}." if found else ""


def _complain(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return WRONG


if __name__ == "__main__":
    main()
