"""Reads what prompts ask for out of a text."""

from pathlib import Path
from tempfile import TemporaryDirectory

from hallascope.data.files.readings.prompt_readings import read_prompt_readings
from hallascope.data.prompt_reading import PromptReading


def parse_prompt_readings(text: str) -> list[PromptReading]:
    """Return the readings of a text in the form of a file."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "reading"
        path.write_text(text, encoding="utf-8")
        return read_prompt_readings(path)
