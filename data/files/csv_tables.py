"""Reads the rows of tables (.csv, .tsv, .xlsx) by column name, each with its line's number."""

import codecs
import csv
import gzip
import io
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hallascope.data.files import tidy
from hallascope.data.files.sheets import Complaint, sheets

_GZIP = b"\x1f\x8b"
_ZIP = b"PK\x03\x04"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_SIGNS = ",;\t"  # what may stand between two cells


class BadTable(ValueError):
    """The file as a whole cannot be read as a table; the message is one sentence."""


@dataclass(frozen=True)
class CsvRow:
    """Holds one row: the line on which it begins, from 1, and its cells by column name.

    Column names are in lower case, words apart.
    """

    file: str
    line: int
    cells: Mapping[str, str]

    def complaint(self, problem: str) -> Complaint:
        return Complaint(self.file, None, self.line, problem)


def rows(
    path: Path,
    columns: Sequence[str],
    complaints: list[Complaint],
    optional: Sequence[str] = (),
    *,
    unique: bool = False,
) -> list[CsvRow]:
    """Return the rows below the header.

    Empty rows are skipped, and those that do not fit the header are left out and named.

    `columns` must be there, `optional` may be; others are read too, and with `unique` no column may
    be there twice. The sign between cells is the one of the header. Of an Excel workbook the only
    sheet that is not empty is read. Raises BadTable where the file cannot be opened, is neither
    text nor a workbook, or has no such header.
    """
    numbered = _numbered_rows(path, complaints, columns)
    header = next(numbered, None)
    names = [_column_name(cell) for cell in header[1]] if header else []
    _check(names, columns, names if unique else optional, path.name)
    return [
        CsvRow(path.name, line, dict(zip(names, cells, strict=True)))
        for line, cells in _fitting(numbered, names, path.name, complaints)
    ]


def column_titles(path: Path, columns: Sequence[str] = ()) -> dict[str, str]:
    """Return what the header says of each column, by the name under which `rows` reads it.

    `columns` are names that are likely there. Raises BadTable as `rows` does.
    """
    header = next(_numbered_rows(path, [], columns), None)
    return {_column_name(cell): tidy.line(cell) for cell in header[1]} if header else {}


def _column_name(cell: str) -> str:
    return " ".join(tidy.line(cell).replace("_", " ").split()).casefold()


def text_of(path: Path, failure: type[ValueError] = BadTable) -> str:
    """Return the file as text, without a byte order mark; it may be packed by gzip.

    UTF-16 is known by its byte order mark, all else is read as UTF-8. Raises `failure` where it
    cannot be opened or is no such text.
    """
    try:
        content = path.read_bytes()
        if content.startswith(_GZIP):
            content = gzip.decompress(content)
        if content.startswith(_ZIP):
            raise failure(
                f"the file {path.name!r} is an Excel workbook or a zip archive: save the sheet as"
                " CSV (UTF-8)"
            )
        if content.startswith(_OLE):
            raise failure(
                f"the file {path.name!r} is a workbook of an old Excel (.xls): save it as .xlsx, or"
                " the sheet as CSV (UTF-8)"
            )
        utf_16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        return content.decode("utf-16" if utf_16 else "utf-8-sig")
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise failure(f"the file {path.name!r} is damaged gzip data: pack it again") from error
    except OSError as error:
        raise failure(
            f"the file {str(path)!r} cannot be opened ({error.strerror or error}): check that it is"
            " there"
        ) from error
    except UnicodeDecodeError as error:
        raise failure(f"the file {path.name!r} is no UTF-8 text: save it as UTF-8") from error


def _numbered_rows(
    path: Path, complaints: list[Complaint], columns: Sequence[str]
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not empty, with their first line. Raises BadTable."""
    try:
        with path.open("rb") as file:
            workbook = file.read(len(_ZIP)) == _ZIP
    except OSError:
        workbook = False  # reading it as text says why
    if workbook:
        return _sheet_cells(path)
    return _cells(text_of(path), path.name, complaints, columns)


def _sheet_cells(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of the only sheet of a workbook that is not empty. Raises BadTable."""
    found, faults = sheets(path)
    if faults:
        raise BadTable(f"the file {faults[0].file!r} {faults[0].problem}, or as CSV (UTF-8)")
    filled = [sheet for sheet in found if any(any(row) for row in sheet.rows)]
    if len(filled) > 1:
        named = ", ".join(repr(sheet.name) for sheet in filled)
        raise BadTable(
            f"the file {path.name!r} has several sheets ({named}): save the one that is meant as"
            " CSV (UTF-8)"
        )
    for sheet in filled:
        for number, cells in enumerate(sheet.rows, 1):
            if any(cell.strip() for cell in cells):
                yield number, list(cells)


def _cells(
    text: str, file: str, complaints: list[Complaint], columns: Sequence[str]
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not empty, with their first line.

    One that breaks the rules of quoting is left out and named.
    """
    head = re.split("[\r\n]", text.lstrip("\r\n"), maxsplit=1)[0]
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=_separator(head, columns), strict=True
    )
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            problem = (
                f"is quoted wrongly ({error}); all from here to line {reader.line_num} is left out"
            )
            complaints.append(Complaint(file, None, line, problem))
            continue
        if any(cell.strip() for cell in cells):
            yield line, cells


def _separator(head: str, columns: Sequence[str]) -> str:
    """Return the sign between cells: the one that names most columns, then the most frequent."""

    def fit(sign: str) -> tuple[int, int]:
        try:
            cells = next(csv.reader([head], delimiter=sign), [])
        except csv.Error:
            cells = []
        # a tab beside a name would be taken for white space, and not for the sign that it is
        names = {_column_name(cell) for cell in cells if "\t" not in cell}
        return len(names & set(columns)), head.count(sign)

    return max(_SIGNS, key=fit)


def _fitting(
    numbered: Iterator[tuple[int, list[str]]],
    names: Sequence[str],
    file: str,
    complaints: list[Complaint],
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows with as many cells as the header; empty cells at the end do not count."""
    for line, cells in numbered:
        while len(cells) > len(names) and not cells[-1].strip():
            cells.pop()
        if len(cells) == len(names):
            yield line, cells
        else:
            problem = (
                f"has {len(cells)} cells where the header names {len(names)}; the row is left out"
            )
            complaints.append(Complaint(file, None, line, problem))


def _check(
    names: Sequence[str], columns: Sequence[str], optional: Sequence[str], file: str
) -> None:
    listed = ", ".join(repr(name) for name in names if name) or "none"
    missing = [name for name in columns if name not in names]
    if missing:
        raise BadTable(
            f"the file {file!r} has no column {missing[0]!r}, its columns are {listed}: put their"
            " names into the first row"
        )
    doubled = [name for name in (*columns, *optional) if names.count(name) > 1]
    if doubled:
        raise BadTable(f"the file {file!r} has the column {doubled[0]!r} twice: rename one")
