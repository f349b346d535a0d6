"""Runs as tables, CSV or Parquet: verdicts, evaluations, and apart from them what people said.

It knows columns, not what they mean.
"""

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from hallascope.data.files.human_verdicts import PersonVerdict, guarded
from hallascope.engine import ratings
from hallascope.engine.export.columns import (
    TABLES,
    CellValue,
    ExportColumn,
    exported_evaluations,
    exported_verdicts,
)
from hallascope.engine.export.folder import ExportFolder, ExportTextFile
from hallascope.engine.export.formats import ExportSource, copy_images
from hallascope.engine.export.records import (
    SharedEvaluation,
    SharedPicture,
    SharedRating,
    SharedRecord,
    SharedRun,
    line,
)
from hallascope.engine.storage.ratings import Rating, RatingSubject

RECORD = "record"  # the column with the whole of a row, as a line of JSON
_ROWS = 2_000  # that are held in memory before they are written
_NAMES: Mapping[type[SharedRecord], str] = {
    SharedRun: "runs",
    SharedPicture: "pictures",
    SharedEvaluation: "evaluations",
    SharedRating: "people",
}


def person(said: SharedRating) -> PersonVerdict:
    """A rating as a row of the table of what people said."""
    return ratings.plain(
        Rating(
            RatingSubject(said.image, said.metric, said.prompt, said.finding, said.rater),
            said.value,
            said.created,
        )
    )


# --- CSV
# --------------------------------------------------------------------------------------------------


def write_csv(source: ExportSource, folder: ExportFolder) -> None:
    """Write ``verdicts.csv``, ``evaluations.csv`` and ``people.csv`` in UTF-8.

    A text that a spreadsheet would take for a formula begins with ``'``.
    """
    with ExitStack() as open_:
        rows = {
            name: _rows_of(open_.enter_context(folder.lines(f"{name}.csv")), columns)
            for name, columns in TABLES.items()
        }
        for run, shown, said in source.iterate_runs():
            for evaluation in exported_evaluations(run, shown, said):
                rows["evaluations"]([evaluation])
                rows["verdicts"](exported_verdicts(evaluation))
            rows["people"](map(person, source.ratings(run)))
            copy_images(source, folder, run, shown)


def _rows_of(
    stream: ExportTextFile, columns: Sequence[ExportColumn]
) -> Callable[[Iterable[object]], None]:
    """Writes rows of a table below its header."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([column.name for column in columns])
    return lambda rows: writer.writerows(
        [cell(column.of(row)) for column in columns] for row in rows
    )


def cell(value: CellValue) -> str:
    """How a value stands in CSV: "" where there is none; a text never as a formula."""
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case str():
            return guarded(value)
        case _:
            return repr(value)


# --- Parquet
# --------------------------------------------------------------------------------------------------


def write_parquet(source: ExportSource, folder: ExportFolder) -> None:
    """Write ``verdicts.parquet`` to be read, and tables with the column ``record`` to import.

    These are runs, pictures, evaluations and people.
    """
    wanted = {
        name: columns for name, columns in _PARQUET.items() if source.people or name != "people"
    }
    with ExitStack() as open_:
        tables = {
            name: open_.enter_context(_ParquetTable(folder, name, columns))
            for name, columns in wanted.items()
        }
        for run, shown, said in source.iterate_runs():
            tables["runs"].add(run, run)
            for picture in shown:
                tables["pictures"].add(picture, picture)
            for evaluation in exported_evaluations(run, shown, said):
                tables["evaluations"].add(evaluation, evaluation.said)
                for row in exported_verdicts(evaluation):
                    tables["verdicts"].add(row)
            for one in source.ratings(run):
                tables["people"].add(person(one), one)
            copy_images(source, folder, run, shown)


_RUNS = (
    ExportColumn("run", "text", "the run's id", lambda run: run.id),
    ExportColumn("prompt", "text", "what its pictures should show", lambda run: run.request.prompt),
    ExportColumn("state", "text", "running, stopped or finished", lambda run: run.state),
)
_PICTURES = (
    ExportColumn("run", "text", "the run's id", lambda picture: picture.run),
    ExportColumn(
        "generation", "text", "the id of the picture's place", lambda picture: picture.generation
    ),
    ExportColumn("model", "text", "the generator", lambda picture: picture.model),
    ExportColumn("seed", "whole", "of the picture", lambda picture: picture.seed),
    ExportColumn(
        "image",
        "text",
        "SHA-256 of the picture's bytes, once it is there",
        lambda picture: picture.image,
    ),
    ExportColumn("state", "text", "waiting, done or failed", lambda picture: picture.state),
)
_PARQUET: Mapping[str, Sequence[ExportColumn]] = {"runs": _RUNS, "pictures": _PICTURES, **TABLES}


class _ParquetTable:
    """A Parquet file that is written a few thousand rows at a time."""

    def __init__(self, folder: ExportFolder, name: str, columns: Sequence[ExportColumn]) -> None:
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
        self._columns = columns
        self._whole = name in _NAMES.values()
        more = [(RECORD, pa.string())] if self._whole else []
        self._schema = pa.schema(
            [*((column.name, types[column.type]) for column in columns), *more]
        )
        self._stream = parquet.ParquetWriter(
            folder.path(self._file), self._schema, compression="zstd"
        )
        self._rows: list[dict[str, Any]] = []

    def __enter__(self) -> "_ParquetTable":
        return self

    def __exit__(self, *error: object) -> None:
        if error[0] is None:
            self._flush()
        self._stream.close()

    def add(self, row: object, record: SharedRecord | None = None) -> None:
        cells: dict[str, Any] = {column.name: column.of(row) for column in self._columns}
        if self._whole and record is not None:
            cells[RECORD] = line(record)
        for cell in cells.values():
            if isinstance(cell, str):
                self._folder.scan(self._file, cell)
        self._rows.append(cells)
        if len(self._rows) >= _ROWS:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        if self._rows:
            self._stream.write_table(pa.Table.from_pylist(self._rows, schema=self._schema))
            self._rows = []


def records(path: Path) -> Iterator[tuple[str, int, str]]:
    """File, row (from 1) and line of JSON of every record of a folder.

    Raises ValueError where a table is missing, but that of people.
    """
    import pyarrow as pa
    from pyarrow import parquet

    for name in _NAMES.values():
        file = path / f"{name}.parquet"
        if name == _NAMES[SharedRating] and not file.exists():
            continue
        try:
            with parquet.ParquetFile(file) as opened:
                number = 0
                for batch in opened.iter_batches(batch_size=256, columns=[RECORD]):
                    for said in batch.column(0).to_pylist():
                        number += 1
                        yield file.name, number, said or ""
        except (pa.ArrowException, OSError, KeyError, IndexError) as error:
            raise ValueError(
                f"the file {file.name} cannot be read as a table with the column {RECORD!r}"
                f" ({str(error)[:160]})"
            ) from error
