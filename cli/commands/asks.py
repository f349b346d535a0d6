"""Holds the command that says what a prompt asks for, and keeps what people correct.

Exit codes as in `hallascope.cli.main`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from hallascope.cli.output import printing
from hallascope.cli.terminal import DONE, FAILURES, JsonOption, say
from hallascope.data.files.readings.prompt_readings import write_prompt_readings
from hallascope.data.prompt_reading import PromptReading, fit_to_prompt
from hallascope.engine.corrections import save_corrections
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import jsonable
from hallascope.engine.services import create_services
from hallascope.engine.storage.readings import ReadingStore


def asks(
    prompts: Annotated[
        list[str] | None, typer.Argument(metavar="PROMPT", help="One prompt or several.")
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Keep what this file says, in the form that is printed, from now on.",
        ),
    ] = None,
    author: Annotated[
        str, typer.Option(metavar="NAME", help="Who says so, with --save; else the file names it.")
    ] = "",
    forget: Annotated[
        bool,
        typer.Option("--forget", help="Take back what --author says of the prompts."),
    ] = False,
    as_json: JsonOption = False,
) -> int:
    """Print what prompts ask for: objects, counts, attributes, relations and texts.

    The form is that of a file which you can correct. What a person corrected is printed in place of
    what the rules read, and is used by every evaluation of the prompt.
    """
    if not prompts and save is None:
        raise BadRequest("No prompt is given: name one, or a file to keep with --save.")
    store = create_services().store.readings
    readings: list[PromptReading] = []
    if save is not None:
        readings += save_corrections(store, save, author)
    if forget:
        _forget(store, prompts or [], author)
    readings += _readings(store, prompts or [])
    if as_json:
        say(printing.document([jsonable(reading) for reading in readings]))
    else:
        say("\n".join(_entry(reading) for reading in readings))
    return FAILURES if any(reading.unreadable for reading in readings) else DONE


def _forget(store: ReadingStore, prompts: Sequence[str], author: str) -> None:
    """Take back what an author says of prompts. Raises BadRequest where nobody is named."""
    if not author:
        raise BadRequest("Nobody is named whose correction is to go: give --author NAME.")
    for prompt in prompts:
        store.remove(prompt, author)


def _readings(store: ReadingStore, prompts: Sequence[str]) -> list[PromptReading]:
    """Return what people say that each prompt asks for, and else what the rules read."""
    from hallascope.metrics.parsing.reading import read_prompt

    corrections = store.newest_of(prompts)
    return [
        fit_to_prompt(corrections[prompt], prompt) if prompt in corrections else read_prompt(prompt)
        for prompt in prompts
    ]


def _entry(reading: PromptReading) -> str:
    """Return a reading as an item of a file, below a comment where a person wrote it."""
    entry = write_prompt_readings([reading]).rstrip("\n")
    if reading.source != "person":
        return entry
    return f"# corrected by {' '.join(reading.author.split())}\n{entry}"
