"""Writes runs as tables, CSV or Parquet: verdicts, evaluations, and apart from them ratings."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from hallascope.data.files.csv_text import escape_formula
from hallascope.data.files.human_verdicts import PersonVerdict
from hallascope.engine import ratings
from hallascope.engine.export.columns import (
    TABLES,
    CellValue,
    ExportColumn,
    exported_evaluations,
)
from hallascope.engine.export.folder import ExportFolder
from hallascope.engine.export.formats import ExportSource, copy_images
from hallascope.engine.export.records import SharedRating, SharedRecord, record_line
from hallascope.engine.storage.people.ratings import Rating, RatingSubject

RECORD = "record"  # the column with the whole of a row, as a line of JSON
_ROWS_AT_ONCE = 2_000  # rows that are held in memory before they are written
_RECORD_TABLES = ("runs", "pictures", "evaluations", "people")  # the tables with that column


def _person_verdict(shared: SharedRating) -> PersonVerdict:
    subject = RatingSubject(
        shared.image, shared.metric, shared.prompt, shared.finding, shared.rater
    )
    return ratings.person_verdict(Rating(subject, shared.value, shared.created))


# --- CSV ---


def write_csv(source: ExportSource, folder: ExportFolder) -> None:
    """Write ``verdicts.csv``, ``evaluations.csv`` and ``people.csv`` in UTF-8.

    A text that a spreadsheet would take for a formula begins with ``'``.
    """
    with ExitStack() as files:
        writers: dict[str, Any] = {}
        for name, columns in TABLES.items():
            stream = files.enter_context(folder.open_text(f"{name}.csv"))
            writers[name] = csv.writer(stream, lineterminator="\n")
            writers[name].writerow([column.name for column in columns])

        def write_rows(table: str, rows: Iterable[object]) -> None:
            for row in rows:
                writers[table].writerow([cell(column.value(row)) for column in TABLES[table]])

        for run, pictures, evaluations in source.iterate_runs():
            for row in exported_evaluations(run, pictures, evaluations):
                write_rows("evaluations", [row])
                write_rows("verdicts", source.iterate_verdicts(row))
            write_rows("people", map(_person_verdict, source.ratings(run, pictures)))
            copy_images(source, folder, run, pictures)


def cell(value: CellValue) -> str:
    """Return a value as CSV has it: "" where there is none; a text never as a formula."""
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case str():
            return escape_formula(value)
        case _:
            return repr(value)


# --- Parquet ---

_RUN_COLUMNS = (
    ExportColumn("run", "text", "the run's id", lambda run: run.id),
    ExportColumn("prompt", "text", "what its images should show", lambda run: run.request.prompt),
    ExportColumn("state", "text", "running, stopped or finished", lambda run: run.state),
)
_PICTURE_COLUMNS = (
    ExportColumn("run", "text", "the run's id", lambda picture: picture.run),
    ExportColumn(
        "generation", "text", "the id of the image's place", lambda picture: picture.generation
    ),
    ExportColumn("model", "text", "the generator", lambda picture: picture.model),
    ExportColumn("seed", "whole", "of the image", lambda picture: picture.seed),
    ExportColumn(
        "image",
        "text",
        "SHA-256 of the image's bytes, once it is there",
        lambda picture: picture.image,
    ),
    ExportColumn("state", "text", "waiting, done or failed", lambda picture: picture.state),
)
_PARQUET: Mapping[str, Sequence[ExportColumn]] = {
    "runs": _RUN_COLUMNS,
    "pictures": _PICTURE_COLUMNS,
    **TABLES,
}


def write_parquet(source: ExportSource, folder: ExportFolder) -> None:
    """Write ``verdicts.parquet`` to be read, and tables with the column ``record`` to import.

    These are runs, pictures, evaluations and people.
    """
    with ExitStack() as files:
        tables = {
            name: files.enter_context(_ParquetTable(folder, name))
            for name in _PARQUET
            if source.people or name != "people"
        }
        for run, pictures, evaluations in source.iterate_runs():
            tables["runs"].add(run, run)
            for picture in pictures:
                tables["pictures"].add(picture, picture)
            for row in exported_evaluations(run, pictures, evaluations):
                tables["evaluations"].add(row, row.evaluation)
                for verdict in source.iterate_verdicts(row):
                    tables["verdicts"].add(verdict)
            for rating in source.ratings(run, pictures):
                tables["people"].add(_person_verdict(rating), rating)
            copy_images(source, folder, run, pictures)


class _ParquetTable:
    """Writes a Parquet file a few thousand rows at a time."""

    def __init__(self, folder: ExportFolder, name: str) -> None:
        import pyarrow as pa
        from pyarrow import parquet

        types = {
            "text": pa.string(),
            "whole": pa.int64(),
            "number": pa.float64(),
            "truth": pa.bool_(),
        }
        self._folder = folder
        self._file = f"{name}.parquet"
        self._columns = _PARQUET[name]
        fields = [(column.name, types[column.type]) for column in self._columns]
        if name in _RECORD_TABLES:
            fields.append((RECORD, pa.string()))
        self._schema = pa.schema(fields)
        path = folder.path(self._file)
        self._writer = parquet.ParquetWriter(path, self._schema, compression="zstd")
        self._rows: list[dict[str, Any]] = []

    def __enter__(self) -> "_ParquetTable":
        return self

    def __exit__(self, *error: object) -> None:
        if error[0] is None:
            self._flush()
        self._writer.close()

    def add(self, row: object, record: SharedRecord | None = None) -> None:
        values: dict[str, Any] = {column.name: column.value(row) for column in self._columns}
        if record is not None:
            values[RECORD] = record_line(record)
        for value in values.values():
            if isinstance(value, str):
                self._folder.scan(self._file, value)
        self._rows.append(values)
        if len(self._rows) >= _ROWS_AT_ONCE:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        if self._rows:
            self._writer.write_table(pa.Table.from_pylist(self._rows, schema=self._schema))
            self._rows = []


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
                number = 0
                for batch in table.iter_batches(batch_size=256, columns=[RECORD]):
                    for line in batch.column(0).to_pylist():
                        number += 1
                        yield file.name, number, line or ""
        except (pa.ArrowException, OSError, KeyError, IndexError) as error:
            raise ValueError(
                f"the file {file.name} cannot be read as a table with the column {RECORD!r}"
                f" ({str(error)[:160]})"
            ) from error
