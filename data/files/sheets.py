"""Reads tables out of Excel files, with file, sheet and row kept for every cell."""

import lzma
import re
import struct
import warnings
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from zipfile import BadZipFile

from hallascope.data.files.unpacking import open_zip, size_fault

HEADER_ROWS = 5  # a header further down than this is not found
# bytes that all parts of a workbook may have when they are unpacked: openpyxl takes many times as
# much memory, and a small file may hold any number
MOST_UNPACKED = 32 * 2**20
MOST_PARTS = 5_000
_ERRORS = frozenset({"#REF!", "#N/A", "#VALUE!", "#NAME?", "#DIV/0!", "#NULL!", "#NUM!"})
# what openpyxl lets through where the archive or the XML in it is damaged; a ParseError is a
# SyntaxError
_DAMAGE = (
    *(BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, SyntaxError),
    *(RuntimeError, ArithmeticError, LookupError, ValueError, TypeError, AttributeError),
)
_BREAK = re.compile(r"_x000D_|\r\n?")


@dataclass(frozen=True)
class Complaint:
    """Holds what is wrong and where: the file in the folder, the sheet, and Excel's row number."""

    file: str
    sheet: str | None
    row: int | None
    problem: str

    def __str__(self) -> str:
        place = [
            self.file,
            f"sheet {self.sheet}" if self.sheet else "",
            f"row {self.row}" if self.row else "",
        ]
        return f"{', '.join(filter(None, place))}: {self.problem}"


@dataclass(frozen=True)
class SheetRow:
    """Holds one row of a sheet, its cells by column name.

    `cells` are texts by column name in lower case; an empty cell is "".
    """

    file: str
    sheet: str
    row: int
    cells: Mapping[str, str]

    def complaint(self, problem: str) -> Complaint:
        return Complaint(self.file, self.sheet, self.row, problem)


@dataclass(frozen=True)
class WorkbookSheet:
    """Holds a sheet as it came: rows of texts from row 1 on."""

    file: str
    name: str
    rows: tuple[tuple[str, ...], ...]

    def complaint(self, problem: str, row: int | None = None) -> Complaint:
        return Complaint(self.file, self.name, row, problem)

    def header(self, columns: Sequence[str]) -> int:
        """Return the place of the first row that names most of the columns."""
        named = [len(set(columns) & _names(row)) for row in self.rows[:HEADER_ROWS]]
        return named.index(max(named)) if named else 0

    def has(self, columns: Sequence[str]) -> int:
        """Return how many of the columns the sheet names."""
        return len(set(columns) & _names(self.rows[self.header(columns)])) if self.rows else 0

    def lines(self, columns: Sequence[str]) -> tuple[list[SheetRow], list[Complaint]]:
        """Return the rows below the header by column name, empty rows skipped.

        A missing or doubled column is one complaint and no rows.
        """
        start = self.header(columns)
        names = [_name(cell) for cell in self.rows[start]] if self.rows else []
        listed = ", ".join(repr(name) for name in names if name) or "none"
        wrong = [
            self.complaint(f"has no column {column!r}; its columns are {listed}")
            for column in columns
            if column not in names
        ]
        wrong += [
            self.complaint(f"has the column {column!r} twice; rename one")
            for column in columns
            if names.count(column) > 1
        ]
        if wrong:
            return [], wrong
        rows = []
        for number, cells in enumerate(self.rows[start + 1 :], start + 2):
            if any(cells):
                named = {name: cell for name, cell in zip(names, cells, strict=True) if name}
                rows.append(SheetRow(self.file, self.name, number, named))
        return rows, []


def sheets(path: Path) -> tuple[list[WorkbookSheet], list[Complaint]]:
    """Return all sheets of an Excel file, as stored values.

    A file that cannot be read, or unpacks to more than `MOST_UNPACKED` bytes, is one complaint and
    no sheets.
    """
    from openpyxl import load_workbook

    try:
        with warnings.catch_warnings():
            # openpyxl warns of every extension it does not keep
            warnings.simplefilter("ignore", UserWarning)
            content = BytesIO(path.read_bytes())  # openpyxl refuses a file by the end of its name
            with open_zip(content, MOST_PARTS) as archive:
                problem = size_fault(archive.infolist(), MOST_PARTS, MOST_UNPACKED)
            if problem:
                problem += "; split it, or save its sheet as .csv"
                return [], [Complaint(path.name, None, None, problem)]
            book = load_workbook(content, data_only=True)
        read = [
            WorkbookSheet(
                path.name,
                sheet.title,
                tuple(tuple(map(_text, row)) for row in sheet.iter_rows(values_only=True)),
            )
            for sheet in book.worksheets
        ]
    except OSError as error:
        why = error.strerror or error
        problem = f"cannot be opened ({why}); check that it is there and may be read"
        return [], [Complaint(path.name, None, None, problem)]
    except _DAMAGE as error:
        problem = f"is no readable Excel file ({type(error).__name__}); save it again as .xlsx"
        return [], [Complaint(path.name, None, None, problem)]
    return read, []


def is_error(cell: str) -> bool:
    """Return whether the cell holds an Excel error such as #REF!."""
    return cell in _ERRORS


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return _BREAK.sub("\n", str(value)).strip()


def _name(cell: str) -> str:
    return "_".join(cell.casefold().split())


def _names(row: Sequence[str]) -> set[str]:
    return {_name(cell) for cell in row}
