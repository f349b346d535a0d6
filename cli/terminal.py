"""Holds what all commands share: exit codes, options, lists of names, output, progress."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from hallascope.cli.exit_codes import DONE as DONE
from hallascope.cli.exit_codes import FAILURES as FAILURES
from hallascope.cli.exit_codes import INTERRUPTED as INTERRUPTED
from hallascope.cli.exit_codes import WRONG as WRONG
from hallascope.data.prompt_reading import PromptReader
from hallascope.data.wordings.packs import SHIPPED, find_folder
from hallascope.engine.errors import BadRequest

JsonOption = Annotated[
    bool,
    typer.Option(
        "--json", help="Print one JSON document on standard output and nothing else there."
    ),
]
PromptReaderOption = Annotated[
    PromptReader | None,
    typer.Option(
        help="Who reads prompts: rules, the model of --parser, or that model where the rules"
        " are not sure (auto)."
    ),
]
AcceptReadingsOption = Annotated[
    bool,
    typer.Option("--accept-readings", help="Also score readings that the rules are not sure of."),
]
BudgetOption = Annotated[
    float | None,
    typer.Option(
        help="The most that the run may cost, in USD (else HALLASCOPE_BUDGET_RUN, else 5.00)."
    ),
]
DayBudgetOption = Annotated[
    float | None,
    typer.Option(
        help=(
            "The most that all runs of a day may cost, in USD (else HALLASCOPE_BUDGET_DAY, else"
            " 20.00)."
        )
    ),
]
AsksOption = Annotated[
    Path | None,
    typer.Option(
        "--asks",
        metavar="FILE",
        help="What the prompt asks for, as `hallascope asks` prints it; before what is stored.",
    ),
]


def _resolve_wording(name: str) -> str:
    """Return the name of a pack; of a folder its whole path, as a run may go on elsewhere."""
    folder = find_folder(name) if name and name not in SHIPPED else None
    return str(folder) if folder else name


WordingOption = Annotated[
    str,
    typer.Option(
        "--wording",
        metavar="PACK",
        callback=_resolve_wording,
        help=(
            "The texts that models are sent: ours, as-published, or a folder of yours; see"
            " `hallascope wording list`."
        ),
    ),
]
UnpricedOption = Annotated[
    bool,
    typer.Option("--unpriced", help="Allow models with unknown prices; no cap holds for them."),
]


def split_names(listed: str) -> tuple[str, ...]:
    """Return the names of a list with commas between them, each once, in their order."""
    return tuple(dict.fromkeys(name.strip() for name in listed.split(",") if name.strip()))


def say(text: str) -> None:
    print(text, flush=True)


def progress(done: int, of: int, what: str = "prompts") -> None:
    """Show how much is done, on standard error, where that is a terminal."""
    if sys.stderr.isatty():
        print(
            f"\r{done} of {of} {what} ", end="" if done < of else "\n", file=sys.stderr, flush=True
        )


def rewrite(file: Path, change: Callable[[str], str], what: str, remedy: str) -> None:
    """Put what `change` makes of a text file in its place.

    Raises BadRequest where it cannot be read, changed (ValueError) or written.
    """
    try:
        file.write_text(change(file.read_text(encoding="utf-8")), encoding="utf-8")
    except (OSError, ValueError) as error:
        raise BadRequest(
            f"The {what} cannot be written into {str(file)!r} ({error}): {remedy}."
        ) from error
