"""Reads a table with the columns prompt and image, and optionally model and seed.

The path of an image is relative to the table. A table is .csv, .tsv or .xlsx.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from hallascope.data.benchmarks.prompt_files import TABLES
from hallascope.data.files import tables, tidy
from hallascope.data.files.tables import BadTable, Complaint, TableRow
from hallascope.engine.errors import BadRequest, refuse
from hallascope.engine.image_folders.folder_files import (
    find_only,
    find_within,
    name_within,
    walk_files,
)
from hallascope.engine.image_folders.records import (
    FolderEntry,
    FolderImage,
    OpenedImages,
    SampleCounter,
    UnmatchedFile,
    unmatched_row,
)

# the names of a column; the first one that is there is read
_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "prompt": ("prompt", "prompts", "caption", "text"),
    "image": ("image", "image path", "image name", "file", "file name", "filename", "path"),
    "model": ("model", "generator"),
    "seed": ("seed", "sample"),
}


@dataclass(frozen=True)
class _ImageTable:
    """Holds the rows of a table, and what its columns are called."""

    path: Path
    rows: list[TableRow]
    columns: Mapping[str, str]
    complaints: list[Complaint]

    def cell(self, row: TableRow, column: str) -> str:
        """Return a cell on one line, "" where the table has no such column."""
        return tidy.line(row.cells.get(self.columns.get(column, ""), ""))


def matches(folder: Path) -> bool:
    """Return whether the folder has a table with prompts and images."""
    return any(is_table(path) for path in folder.iterdir() if not path.name.startswith("."))


def read(folder: Path, prompts: Path | None = None) -> OpenedImages:
    """Read the table `prompts`, else the only one in the folder; other images of it are named.

    Raises BadRequest.
    """
    if table := prompts or find_only(folder, is_table, "tables of images"):
        return read_table(table, folder)
    raise BadRequest(
        f"The folder {folder.name!r} has no table with the columns prompt and image: write one, or"
        " name it with --prompts."
    )


def read_table(path: Path, folder: Path | None = None) -> OpenedImages:
    """Read a table; with `folder` the images of it that no row names are named, too.

    Raises BadRequest.
    """
    table = _open(path)
    named = dict.fromkeys(filter(None, (table.cell(row, "model") for row in table.rows)))
    lacks_model = not all(table.cell(row, "model") for row in table.rows)
    return OpenedImages(
        entries=_entries(table, folder), models=tuple(named), lacks_model=lacks_model
    )


def is_table(path: Path) -> bool:
    """Return whether a file is a table with prompts and images."""
    if path.suffix.casefold() not in TABLES:
        return False
    try:
        return {"prompt", "image"} <= _columns_of(path).keys()
    except BadTable:
        return False


def _columns_of(path: Path) -> dict[str, str]:
    """Return what the columns of a table are called that are known here. Raises BadTable."""
    every_name = [name for names in _COLUMNS.values() for name in names]
    titles = tables.read_titles(path, every_name)
    return {
        column: next(name for name in names if name in titles)
        for column, names in _COLUMNS.items()
        if titles.keys() & set(names)
    }


def _open(path: Path) -> _ImageTable:
    complaints: list[Complaint] = []
    with refuse(BadTable):
        columns = _columns_of(path)
        wanted = [columns.get("prompt", "prompt"), columns.get("image", "image")]
        optional = [columns[name] for name in ("model", "seed") if name in columns]
        rows = tables.read_rows(path, wanted, complaints, optional)
    return _ImageTable(path, rows, columns, complaints)


def _entries(table: _ImageTable, folder: Path | None) -> Iterator[FolderEntry]:
    yield from map(unmatched_row, table.complaints)
    base = table.path.parent.resolve()
    samples = SampleCounter()
    named: set[Path] = set()
    for row in table.rows:
        try:
            path = find_within(base, row.cells[table.columns["image"]])
            named.add(path)
            yield _match_row(table, row, path, name_within(base, path), samples)
        except ValueError as problem:
            yield UnmatchedFile(f"{table.path.name}, row {row.line}", str(problem))
    if folder is None:
        return
    folder = folder.resolve()
    for file in walk_files(folder):
        if isinstance(file, UnmatchedFile):
            if folder / file.name not in named:
                yield file
        elif file not in named:
            name = name_within(folder, file)
            yield UnmatchedFile(name, f"no row of {table.path.name} names it")


def _match_row(
    table: _ImageTable, row: TableRow, path: Path, name: str, samples: SampleCounter
) -> FolderImage:
    """Return the image of a row. Raises ValueError with what is wrong."""
    prompt, model = table.cell(row, "prompt"), table.cell(row, "model")
    if not prompt:
        raise ValueError("the prompt is empty")
    return samples.image(path, name, prompt, model, table.cell(row, "seed"))
