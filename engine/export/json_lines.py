"""Runs as JSON lines, whole: what `hallascope import` reads.

A line is a run, a picture, an evaluation or a rating; it knows no table.
"""

from hallascope.engine.export.folder import Folder
from hallascope.engine.export.formats import Source, copy_images
from hallascope.engine.export.records import Shared, line

FILE = "runs.jsonl"


def write(source: Source, folder: Folder) -> None:
    """Write ``runs.jsonl`` and, where they go along, the pictures."""
    with folder.lines(FILE) as stream:
        for run, shown, said in source.iterate_runs():
            records: list[Shared] = [run, *shown, *said, *source.ratings(run)]
            for record in records:
                stream.write(f"{line(record)}\n")
            copy_images(source, folder, run, shown)
