"""Holds the command that says what a prompt asks for.

Exit codes as in `hallascope.cli.main`.
"""

from typing import Annotated

import typer

from hallascope.cli.output import printing
from hallascope.cli.terminal import DONE, FAILURES, JsonOption, say
from hallascope.data.files.readings.prompt_readings import write_prompt_readings
from hallascope.engine.events import jsonable


def asks(
    prompts: Annotated[list[str], typer.Argument(metavar="PROMPT", help="One prompt or several.")],
    as_json: JsonOption = False,
) -> int:
    """Print what prompts ask for: objects, counts, attributes, relations and texts.

    The form is that of a file which you can correct.
    """
    from hallascope.metrics.parsing.reading import read_prompt

    readings = [read_prompt(prompt) for prompt in prompts]
    if as_json:
        say(printing.document([jsonable(reading) for reading in readings]))
    else:
        say(write_prompt_readings(readings).rstrip("\n"))
    return FAILURES if any(reading.unreadable for reading in readings) else DONE
