"""Reads files in which people say what prompts ask for, and keeps what they say in the store."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from hallascope.data.files.readings.prompt_readings import read_prompt_readings
from hallascope.data.prompt_reading import PromptReading
from hallascope.data.yaml_file import BadYaml
from hallascope.engine.errors import BadRequest
from hallascope.engine.ratings import clean_rater_name
from hallascope.engine.run.validation import checked_prompt
from hallascope.engine.storage.people.readings import ReadingStore

Readings = Mapping[str, PromptReading]
_SHOWN = 3  # prompts that an error names


def read_corrections(path: Path) -> Readings:
    """Return the readings of a file by their prompts.

    Raises BadRequest with a sentence for each fault, which names file, line, prompt and remedy.
    """
    try:
        readings = read_prompt_readings(path)
    except BadYaml as error:
        raise BadRequest(str(error)) from error
    if not readings:
        raise BadRequest(
            f"The file {str(path)!r} has no prompt: write what `hallascope asks PROMPT` prints."
        )
    for reading in readings:
        try:
            checked_prompt(reading.prompt)
        except BadRequest as error:
            raise BadRequest(f"{path}: {error}") from error
    return {reading.prompt: reading for reading in readings}


def reading_of(prompt: str, path: Path) -> PromptReading:
    """Return what a file says that a prompt asks for.

    Raises BadRequest where the file is wrong or is about other prompts.
    """
    readings = read_corrections(path)
    reading = readings.get(" ".join(prompt.split()))
    if reading is None:
        raise BadRequest(
            f"The file {str(path)!r} does not say what {prompt!r} asks for, it has"
            f" {_listed(readings)}: add what `hallascope asks PROMPT` prints for this prompt."
        )
    return reading


def require_any(readings: Readings, prompts: Iterable[str], path: Path) -> None:
    """Raise BadRequest where a file says nothing of any of these prompts."""
    if readings.keys().isdisjoint(" ".join(prompt.split()) for prompt in prompts):
        raise BadRequest(
            f"The file {str(path)!r} is about none of these prompts, it has {_listed(readings)}:"
            " give the file of these prompts."
        )


def save_corrections(store: ReadingStore, path: Path, author: str = "") -> list[PromptReading]:
    """Keep the readings of a file as an author's; "": of the author that the file names.

    Raises BadRequest where nobody is named or the file is wrong; nothing is kept then. Raises
    StoreError.
    """
    if author:
        author = clean_rater_name(author)
    readings = [
        replace(reading, author=author or reading.author)
        for reading in read_corrections(path).values()
    ]
    unsigned = next((reading for reading in readings if not reading.author), None)
    if unsigned:
        raise BadRequest(
            f"No author is named who says what {unsigned.prompt!r} in {str(path)!r} asks for: give"
            " --author NAME, or the key 'author' in the file."
        )
    return store.keep_authored(readings)


def _listed(readings: Readings) -> str:
    shown = ", ".join(repr(prompt) for prompt in list(readings)[:_SHOWN])
    more = len(readings) - _SHOWN
    return f"{shown} and {more:,} more" if more > 0 else shown
