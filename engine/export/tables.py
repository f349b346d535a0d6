"""Writes runs as tables, CSV or Parquet, and as JSON lines; `hallascope import` reads the last two.

Runs are read some at a time, so that memory does not grow with their number.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from hallascope.data.files.csv_text import csv_text
from hallascope.engine.export.columns import (
    IMAGE_COLUMNS,
    RUN_COLUMNS,
    TABLES,
    Column,
    Row,
    frame,
    person_row,
)
from hallascope.engine.export.folder import ExportFolder
from hallascope.engine.export.formats import ExportSource, copy_images
from hallascope.engine.export.records import SharedRecord, record_line

if TYPE_CHECKING:
    import pandas as pd

JSON_LINES = "runs.jsonl"
HEAD = "runs.parquet"  # the table that every export as Parquet has
RECORD = "record"  # the column with the whole of a row, as a line of JSON
_RUNS_AT_ONCE = 100  # whose rows are held in memory before they are written
ALL_TABLES: Mapping[str, Sequence[Column]] = {
    "runs": RUN_COLUMNS,
    "pictures": IMAGE_COLUMNS,
    **TABLES,
}
_RECORD_COLUMN = Column(RECORD, "text", "the whole of a row, as a line of JSON")
_RECORD_TABLES = ("runs", "pictures", "evaluations", "people")  # the tables with that column
_PARQUET: Mapping[str, Sequence[Column]] = {
    name: (*columns, _RECORD_COLUMN) if name in _RECORD_TABLES else columns
    for name, columns in ALL_TABLES.items()
}


def frames(
    source: ExportSource,
    folder: ExportFolder | None = None,
    tables: Mapping[str, Sequence[Column]] = ALL_TABLES,
) -> Iterator[dict[str, "pd.DataFrame"]]:
    """Yield the tables by name, the rows of some runs at a time; images go into the folder."""
    write_line = record_line if tables is _PARQUET else _no_line
    contents = source.iterate_runs()
    while some := list(islice(contents, _RUNS_AT_ONCE)):
        rows: dict[str, list[Row]] = {name: [] for name in _PARQUET}
        for content in some:
            run = content.run
            ratings = source.ratings(run, content.pictures)
            head = {"run": run.id, "prompt": run.request.prompt, "state": run.state}
            rows["runs"].append(head | {RECORD: write_line(run)})
            rows["pictures"] += [vars(one) | {RECORD: write_line(one)} for one in content.pictures]
            rows["evaluations"] += [
                row | {RECORD: write_line(one)}
                for row, one in zip(content.rows, content.evaluations, strict=True)
            ]
            rows["verdicts"] += content.verdicts
            rows["people"] += [person_row(one) | {RECORD: write_line(one)} for one in ratings]
            if folder:
                copy_images(source, folder, content)
        yield {name: frame(columns, rows[name]) for name, columns in tables.items()}


def _no_line(record: SharedRecord) -> None:
    """Return nothing, where a table has no column of records."""


def write_csv(source: ExportSource, folder: ExportFolder) -> None:
    """Write ``verdicts.csv``, ``evaluations.csv`` and ``people.csv`` in UTF-8.

    A text that a spreadsheet would take for a formula begins with ``'``.
    """
    with ExitStack() as files:
        streams = {name: files.enter_context(folder.open_text(f"{name}.csv")) for name in TABLES}
        for name, columns in TABLES.items():
            streams[name].write(csv_text(frame(columns, [])))
        for tables in frames(source, folder, TABLES):
            for name, table in tables.items():
                streams[name].write(csv_text(table, header=False))


def write_json_lines(source: ExportSource, folder: ExportFolder) -> None:
    """Write ``runs.jsonl``: a run, a picture, an evaluation or a rating a line."""
    with folder.open_text(JSON_LINES) as stream:
        for content in source.iterate_runs():
            ratings = source.ratings(content.run, content.pictures)
            records: list[SharedRecord] = [content.run, *content.pictures, *content.evaluations]
            for record in (*records, *ratings):
                stream.write(f"{record_line(record)}\n")
            copy_images(source, folder, content)


def write_parquet(source: ExportSource, folder: ExportFolder) -> None:
    """Write ``verdicts.parquet`` to be read, and tables with the column ``record`` to import.

    These are runs, pictures, evaluations and people.
    """
    import pyarrow as pa
    from pyarrow import parquet

    types = {"text": pa.string(), "whole": pa.int64(), "number": pa.float64(), "truth": pa.bool_()}
    schemas = {
        name: pa.schema([(column.name, types[column.type]) for column in columns])
        for name, columns in _PARQUET.items()
        if source.people or name != "people"
    }
    with ExitStack() as files:
        writers = {
            name: files.enter_context(
                parquet.ParquetWriter(folder.path(f"{name}.parquet"), schema, compression="zstd")
            )
            for name, schema in schemas.items()
        }
        for tables in frames(source, folder, _PARQUET):
            for name, writer in writers.items():
                for column in tables[name].select_dtypes("object"):
                    folder.scan(f"{name}.parquet", "\n".join(tables[name][column].dropna()))
                table = pa.Table.from_pandas(tables[name], schemas[name], preserve_index=False)
                writer.write_table(table.replace_schema_metadata())


def read_record_lines(path: Path) -> Iterator[tuple[str, int, str]]:
    """Yield the file, the row (from 1) and the line of JSON of every record of a folder.

    Raises ValueError where a table is missing, but that of people.
    """
    import pyarrow as pa
    from pyarrow import parquet

    for name in _RECORD_TABLES:
        file = path / f"{name}.parquet"
        if name == "people" and not file.exists():
            continue
        try:
            with parquet.ParquetFile(file) as table:
                batches = table.iter_batches(batch_size=256, columns=[RECORD])
                lines = (line for batch in batches for line in batch.column(0).to_pylist())
                for number, line in enumerate(lines, 1):
                    yield file.name, number, line or ""
        except (pa.ArrowException, OSError, KeyError, IndexError) as error:
            raise ValueError(
                f"the file {file.name} cannot be read as a table with the column {RECORD!r}"
                f" ({str(error)[:160]})"
            ) from error
