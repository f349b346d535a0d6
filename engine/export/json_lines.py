"""Writes runs as JSON lines, whole: what `hallascope import` reads.

A line is a run, a picture, an evaluation or a rating.
"""

from hallascope.engine.export.folder import ExportFolder
from hallascope.engine.export.formats import ExportSource, copy_images
from hallascope.engine.export.records import SharedRecord, record_line

FILE = "runs.jsonl"


def write(source: ExportSource, folder: ExportFolder) -> None:
    """Write ``runs.jsonl`` and, where they go along, the pictures."""
    with folder.open_text(FILE) as stream:
        for run, pictures, evaluations in source.iterate_runs():
            records: list[SharedRecord] = [
                run,
                *pictures,
                *evaluations,
                *source.ratings(run, pictures),
            ]
            for record in records:
                stream.write(f"{record_line(record)}\n")
            copy_images(source, folder, run, pictures)
