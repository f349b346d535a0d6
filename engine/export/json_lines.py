"""Runs as JSON lines, whole: what `hallascope import` reads.

A line is a run, a picture, an evaluation or a rating; it knows no table.
"""

from hallascope.engine.export.folder import ExportFolder
from hallascope.engine.export.formats import ExportSource, copy_images
from hallascope.engine.export.records import SharedRecord, line

FILE = "runs.jsonl"


def write(source: ExportSource, folder: ExportFolder) -> None:
    """Write ``runs.jsonl`` and, where they go along, the pictures."""
    with folder.lines(FILE) as stream:
        for run, shown, said in source.iterate_runs():
            records: list[SharedRecord] = [run, *shown, *said, *source.ratings(run)]
            for record in records:
                stream.write(f"{line(record)}\n")
            copy_images(source, folder, run, shown)
