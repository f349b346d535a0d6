"""Writes what people say that prompts ask for as a file in the form of gold readings."""

from pathlib import Path

from hallascope.data.files.readings.prompt_readings import write_prompt_readings
from hallascope.data.prompt_reading import PromptReading
from hallascope.engine.errors import BadRequest
from hallascope.engine.export.folder import open_export_file, open_export_folder
from hallascope.engine.storage.people.readings import ReadingStore

_PART = "development"
_FILE = "corrections.yaml"


def export_readings(store: ReadingStore, out: Path, force: bool = False) -> list[PromptReading]:
    """Write the newest correction of every prompt, and return them in the order of their prompts.

    `out` is one file where its name ends in .yaml or .yml, else a folder that `python -m
    bench.parser_eval --folder` reads. Raises BadRequest where there is no correction or the place
    will not do, HoldsSecret where something must not leave; nothing is written then.
    """
    prompts = {correction.reading.prompt for correction in store.all()}
    newest = store.newest_of(sorted(prompts))
    # Prompts that differ in their spaces have one correction.
    readings = list({reading.prompt: reading for reading in newest.values()}.values())
    if not readings:
        raise BadRequest(
            "No prompt has a corrected reading yet: keep a correction with `hallascope asks"
            " --save FILE`, or check HALLASCOPE_HOME."
        )
    text = write_prompt_readings(readings)
    if out.suffix.lower() in (".yaml", ".yml"):
        with open_export_file(out, _FILE, force) as folder:
            folder.write_text(_FILE, text)
    else:
        with open_export_folder(out, force) as folder:
            folder.write_text(f"{_PART}/{_FILE}", text)
    return readings
