"""Holds the command that says what a prompt asks for, and keeps what people correct."""

from pathlib import Path

from hallascope.cli.options import JsonOption, SpendingOptions
from hallascope.cli.output import printing
from hallascope.cli.terminal import DONE, FAILURES
from hallascope.data.files.readings.prompt_readings import write_prompt_readings
from hallascope.data.prompt_reading import PromptReading, fit_to_prompt
from hallascope.engine.corrections import save_corrections
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import jsonable
from hallascope.engine.prompt_parsing import parse_prompts
from hallascope.engine.services import create_services
from hallascope.metrics.reading.case_reading import CaseReading, choose_reading
from hallascope.metrics.reading.confidence import doubt
from hallascope.metrics.reading.model_reading import reading_template
from hallascope.metrics.reading.prompt import read_prompt


def asks(
    prompts: list[str] | None = None,
    *,
    spending: SpendingOptions,
    save: Path | None = None,
    author: str = "",
    forget: bool = False,
    parser: str = "",
    as_json: JsonOption = False,
) -> int:
    """Print what prompts ask for: objects, counts, attributes, relations and texts.

    The form is a file that you can correct. A person's correction is printed in place of the rules'
    reading, and every evaluation of the prompt uses it. With --parser, comments name what the rules
    read differently.

    Args:
        prompts: One prompt or several.
        save: Store the corrections of this file.
        author: The author of the corrections; default: the author in the file.
        forget: Remove the corrections of --author for these prompts.
        parser: The model that reads the prompts.
    """
    if not prompts and save is None:
        raise BadRequest("No prompt is given: name one, or a file to keep with --save.")
    services = create_services()
    store = services.store.readings
    prompts = prompts or []
    printed: list[CaseReading] = []
    if save is not None:
        printed += map(_with_doubt, save_corrections(store, save, author))
    if forget:
        if not author:
            raise BadRequest(
                "No author is named whose correction is to be removed: give --author NAME."
            )
        for prompt in prompts:
            store.remove(prompt, author)
    if parser:
        parsed = parse_prompts(services, prompts, parser, spending.policy)
        form = reading_template()
        printed += [choose_reading(read_prompt(prompt), parsed[prompt], form) for prompt in prompts]
    else:
        corrections = store.newest_of(prompts)
        printed += [
            _with_doubt(
                fit_to_prompt(corrections[prompt], prompt)
                if prompt in corrections
                else read_prompt(prompt)
            )
            for prompt in prompts
        ]
    printing.print_result(
        as_json,
        [
            jsonable(read.reading) | ({"notes": list(read.notes)} if read.notes else {})
            for read in printed
        ],
        "\n".join(_entry(read) for read in printed),
    )
    return FAILURES if any(read.reading.unreadable for read in printed) else DONE


def _with_doubt(reading: PromptReading) -> CaseReading:
    """Return a reading with a sentence where the rules, which made it, are not sure of it."""
    sentence = doubt(reading)
    return CaseReading(reading, (sentence,) if sentence else ())


def _entry(read: CaseReading) -> str:
    """Return a reading as an item of a file, below comments on who wrote it and what differs."""
    reading = read.reading
    comments = []
    if reading.source == "person":
        comments.append(f"corrected by {' '.join(reading.author.split())}")
    if reading.translation:
        comments.append(f"in English: {reading.translation}")
    comments += [" ".join(note.split()) for note in read.notes]
    entry = write_prompt_readings([reading]).rstrip("\n")
    return "\n".join([*(f"# {comment}" for comment in comments), entry])
