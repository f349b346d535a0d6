"""Reads the rows of tables by column name, each with its file and line.

Tables are .csv, .tsv, .xlsx, and .json or .jsonl with an object a row. It knows no columns: a
reader says which it needs, and `row_records` makes a dataclass of a row's cells.
"""

import codecs
import csv
import difflib
import gzip
import io
import json
import lzma
import re
import struct
import warnings
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

from hallascope.data.files.tidy import line
from hallascope.data.files.unpacking import open_zip, size_fault

JSON_ENDINGS = (".json", ".jsonl")
HEADER_ROWS = 5  # a header of a sheet further down than this is not found
# bytes that a packed file or all parts of a workbook may have when they are unpacked: openpyxl
# takes many times as much memory, and a small file may hold any number
MOST_UNPACKED = 32 * 2**20
MOST_PARTS = 5_000
_GZIP = b"\x1f\x8b"
_ZIP = b"PK\x03\x04"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_SEPARATORS = ",;\t"
_DOUBLED_QUOTES = re.compile(r'"(?=.*"")(?:[^"]|"")+"')
_EXCEL_ERRORS = frozenset({"#REF!", "#N/A", "#VALUE!", "#NAME?", "#DIV/0!", "#NULL!", "#NUM!"})
_BREAK = re.compile(r"_x000D_|\r\n?")
# what openpyxl lets through where the archive or the XML in it is damaged; a ParseError is a
# SyntaxError
_DAMAGE = (
    *(BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, SyntaxError),
    *(RuntimeError, ArithmeticError, LookupError, ValueError, TypeError, AttributeError),
)


class BadTable(ValueError):
    """The file as a whole cannot be read as a table; the message is one sentence."""


class UnreadableCell(ValueError):
    """A cell or a row does not say what it must; the message can follow "row 7: "."""


@dataclass(frozen=True)
class Complaint:
    """Holds what is wrong and where: the file, the sheet, and the row or line from 1."""

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
class TableRow:
    """Holds one row: the line on which it begins, from 1, and its cells by column name.

    Column names are in lower case, words apart. In a list of JSON objects the line is the place.
    """

    file: str
    line: int
    cells: Mapping[str, str]
    sheet: str | None = None

    def complaint(self, problem: str) -> Complaint:
        return Complaint(self.file, self.sheet, self.line, problem)


@contextmanager
def leave_out(row: TableRow, complaints: list[Complaint], what: str = "row") -> Iterator[None]:
    """Name the row where the block raises UnreadableCell, and go on; `what` is left out."""
    try:
        yield
    except UnreadableCell as problem:
        complaints.append(row.complaint(f"{problem}; the {what} is left out"))


def field_name(column: str) -> str:
    return column.replace(" ", "_")


# --- rows


def read_rows(
    path: Path,
    columns: Sequence[str],
    complaints: list[Complaint],
    optional: Sequence[str] = (),
    *,
    unique: bool = False,
) -> list[TableRow]:
    """Return the rows below the header.

    Empty rows are skipped, and those that do not fit the header are left out and named.

    `columns` must be there, `optional` may be; others are read too, and with `unique` no column may
    be there twice. The sign between cells is the one of the header. Of an Excel workbook the only
    sheet that is not empty is read. Raises BadTable where the file cannot be opened, is neither
    text nor a workbook, or has no such header.
    """
    numbered = numbered_rows(path, complaints, columns)
    header = next(numbered, None)
    names = [column_name(cell) for cell in header.cells] if header else []
    if faults := header_faults(names, columns, names if unique else (*columns, *optional)):
        raise BadTable(f"the file {path.name!r} {faults[0]}")
    rows: list[TableRow] = []
    for number, _, cells in numbered:
        while len(cells) > len(names) and not cells[-1].strip():
            cells.pop()
        row = TableRow(path.name, number, dict(zip(names, cells, strict=False)))
        if len(cells) == len(names):
            rows.append(row)
        else:
            problem = f"has {len(cells)} cells where the header names {len(names)}"
            complaints.append(row.complaint(f"{problem}; the row is left out"))
    return rows


def read_titles(path: Path, columns: Sequence[str] = ()) -> dict[str, str]:
    """Return what the header says of each column, by the name under which `read_rows` reads it.

    `columns` are names that are likely there. Raises BadTable as `read_rows` does.
    """
    header = next(numbered_rows(path, [], columns), None)
    return {column_name(cell): line(cell) for cell in header.cells} if header else {}


def column_name(cell: str) -> str:
    """Return the name under which a column is read."""
    return " ".join(line(cell).replace("_", " ").split()).casefold()


def header_faults(names: Sequence[str], columns: Sequence[str], single: Sequence[str]) -> list[str]:
    """Return what is wrong with a header: a missing column, or one of `single` that is there twice.

    Each is a clause that can follow the name of the file.
    """
    listed = ", ".join(repr(name) for name in names if name) or "none"
    faults: list[str] = []
    for column in columns:
        if column not in names:
            close = difflib.get_close_matches(column, names, n=1)
            remedy = f"rename {close[0]!r}" if close else "put their names into the first row"
            faults.append(f"has no column {column!r}, its columns are {listed}: {remedy}")
    for column in dict.fromkeys(single):
        if names.count(column) > 1:
            faults.append(f"has the column {column!r} twice: rename one")
    return faults


class NumberedRow(NamedTuple):
    """Holds a row: the line on which it begins, its place in the table (header: 1), its cells."""

    line: int
    place: int
    cells: list[str]


def numbered_rows(
    path: Path, complaints: list[Complaint], columns: Sequence[str]
) -> Iterator[NumberedRow]:
    """Yield the rows of a table that are not empty, the header first.

    `columns` are names that are likely in the header. A row that breaks the rules of quoting is
    left out and named. Raises BadTable.
    """
    if path.suffix.casefold() in JSON_ENDINGS:
        return _json_rows(path)
    try:
        with path.open("rb") as file:
            workbook = file.read(len(_ZIP)) == _ZIP
    except OSError:
        workbook = False  # reading it as text says why
    rows = _sheet_rows(path) if workbook else _text_rows(path, complaints, columns)
    return (row for row in rows if any(cell.strip() for cell in row.cells))


def _sheet_rows(path: Path) -> Iterator[NumberedRow]:
    filled = [sheet for sheet in read_sheets(path) if any(any(row) for row in sheet.rows)]
    if len(filled) > 1:
        named = ", ".join(repr(sheet.name) for sheet in filled)
        raise BadTable(
            f"the file {path.name!r} has several sheets ({named}): save the one that is meant as"
            " CSV (UTF-8)"
        )
    for sheet in filled:
        for number, cells in enumerate(sheet.rows, 1):
            yield NumberedRow(number, number, list(cells))


def _text_rows(
    path: Path, complaints: list[Complaint], columns: Sequence[str]
) -> Iterator[NumberedRow]:
    text = read_text(path)
    head = split_lines(text.lstrip("\r\n"))[0]
    sign = "\t" if path.suffix.casefold() == ".tsv" else _separator(head, columns)
    # tables with tabs are written without quoting: a cell may begin with a quotation mark
    plain = sign == "\t" and not head.startswith('"')
    stream = io.StringIO(text, newline="")
    # pandas tells neither the line of a row nor a row with too few cells
    reader = csv.reader(
        stream,
        delimiter=sign,
        quoting=csv.QUOTE_NONE if plain else csv.QUOTE_MINIMAL,
        strict=not plain,
    )
    place = 0
    while True:
        place += 1
        number = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            problem = (
                f"is quoted wrongly ({error}); all from here to line {reader.line_num} is left out"
            )
            complaints.append(Complaint(path.name, None, number, problem))
            continue
        yield NumberedRow(number, place, [_unquoted(cell) for cell in cells] if plain else cells)


def _unquoted(cell: str) -> str:
    """Return a cell without its quotation marks where those within are doubled."""
    return cell[1:-1].replace('""', '"') if _DOUBLED_QUOTES.fullmatch(cell) else cell


def _separator(head: str, columns: Sequence[str]) -> str:
    """Return the sign between cells: the one that names most columns, then the most frequent."""

    def fit(sign: str) -> tuple[int, int]:
        try:
            cells = next(csv.reader([head], delimiter=sign), [])
        except csv.Error:
            cells = []
        # a tab beside a name would be taken for white space, and not for the sign that it is
        names = {column_name(cell) for cell in cells if "\t" not in cell}
        return len(names & set(columns)), head.count(sign)

    return max(_SEPARATORS, key=fit)


# --- text and JSON


def read_text(path: Path) -> str:
    """Return the file as text, without a byte order mark; it may be packed by gzip.

    UTF-16 is known by its byte order mark, all else is read as UTF-8. Raises BadTable where it
    cannot be opened or is no such text.
    """
    try:
        content = path.read_bytes()
        if content.startswith(_GZIP):
            with gzip.open(io.BytesIO(content)) as file:
                content = file.read(MOST_UNPACKED + 1)
            if len(content) > MOST_UNPACKED:
                raise BadTable(
                    f"the file {path.name!r} unpacks to more than {MOST_UNPACKED // 2**20} MB:"
                    " unpack it, or split it"
                )
        if content.startswith(_ZIP):
            raise BadTable(
                f"the file {path.name!r} is an Excel workbook or a zip archive: save the sheet as"
                " CSV (UTF-8)"
            )
        if content.startswith(_OLE):
            raise BadTable(
                f"the file {path.name!r} is a workbook of an old Excel (.xls): save it as .xlsx, or"
                " the sheet as CSV (UTF-8)"
            )
        utf_16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        return content.decode("utf-16" if utf_16 else "utf-8-sig")
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise BadTable(f"the file {path.name!r} is damaged gzip data: pack it again") from error
    except OSError as error:
        raise BadTable(
            f"the file {str(path)!r} cannot be opened ({error.strerror or error}): check that it is"
            " there"
        ) from error
    except UnicodeDecodeError as error:
        raise BadTable(f"the file {path.name!r} is no UTF-8 text: save it as UTF-8") from error


def split_lines(text: str) -> list[str]:
    """Return the lines of a text; no other sign than a line feed or a return ends one."""
    return re.split("\r\n|[\r\n]", text)


def json_object(text: str | bytes) -> dict[str, Any] | None:
    """Return the JSON object of a text, None where it is none."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return fields if isinstance(fields, dict) else None


def read_json_lines(
    path: Path, complaints: list[Complaint], file: str = ""
) -> Iterator[tuple[TableRow, dict[str, Any]]]:
    """Yield the object of each line; a line that is none is left out and named.

    `file` is how the file is named, by default by its last part. Raises BadTable.
    """
    for number, text in enumerate(read_text(path).split("\n"), 1):
        row = TableRow(file or path.name, number, {})
        if not text.strip():
            continue
        if (fields := json_object(text)) is None:
            complaints.append(row.complaint("is no JSON object; the line is left out"))
        else:
            yield row, fields


def _json_rows(path: Path) -> Iterator[NumberedRow]:
    """Yield the objects of a list, of lines, or by item, as rows. Raises BadTable."""
    text = read_text(path)
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        try:
            content = [json.loads(own) for own in split_lines(text) if own.strip()]
        except (ValueError, RecursionError) as error:
            raise BadTable(
                f"the file {path.name!r} is no JSON: save or download it again"
            ) from error
    match content:
        case dict() if len(content) == 1 and isinstance(own := next(iter(content.values())), list):
            content = own
        case dict() if all(isinstance(fields, dict) for fields in content.values()):
            content = [{"item": key, **content[key]} for key in content]
        case dict():
            content = [content]
        case list():
            pass
        case _:
            content = []
    records = [flatten(record) for record in content if isinstance(record, dict)]
    if not records or len(records) < len(content):
        raise BadTable(
            f"the file {path.name!r} is no list of objects and no object of them by item: write it"
            " as one of these"
        )
    names = list(dict.fromkeys(name for record in records for name in record))
    yield NumberedRow(0, 0, names)
    for number, record in enumerate(records, 1):
        yield NumberedRow(number, number, [record.get(name, "") for name in names])


def flatten(record: Mapping[str, object]) -> dict[str, str]:
    """Return the fields of a JSON object as texts, those of objects within it by both names."""
    cells: dict[str, str] = {}
    for name, value in record.items():
        if isinstance(value, dict):
            cells |= {f"{name} {inner}": cell for inner, cell in flatten(value).items()}
        elif value is not None:
            cells[name] = value if isinstance(value, str) else json.dumps(value)
    return cells


# --- workbooks


@dataclass(frozen=True)
class Sheet:
    """Holds a sheet of a workbook as it came: rows of texts from row 1 on."""

    file: str
    name: str
    rows: tuple[tuple[str, ...], ...]

    def complaint(self, problem: str, row: int | None = None) -> Complaint:
        return Complaint(self.file, self.name, row, problem)

    def count_columns(self, columns: Iterable[str]) -> int:
        """Return how many of the columns the sheet names."""
        return self._header(columns)[0]

    def _header(self, columns: Iterable[str]) -> tuple[int, int]:
        """Return how many of the columns the row names that names most, and its place."""
        named = (len(set(columns) & set(map(column_name, row))) for row in self.rows[:HEADER_ROWS])
        return max(zip(named, count(), strict=False), key=itemgetter(0), default=(0, 0))

    def read_rows(self, columns: Sequence[str], complaints: list[Complaint]) -> list[TableRow]:
        """Return the rows below the header by column name, empty rows skipped.

        A missing or doubled column is one complaint and no rows.
        """
        _, start = self._header(columns)
        names = [column_name(cell) for cell in self.rows[start]] if self.rows else []
        if wrong := header_faults(names, columns, columns):
            complaints += map(self.complaint, wrong)
            return []
        return [
            TableRow(
                self.file,
                number,
                {name: cell for name, cell in zip(names, cells, strict=True) if name},
                self.name,
            )
            for number, cells in enumerate(self.rows[start + 1 :], start + 2)
            if any(cells)
        ]


def read_sheets(path: Path) -> list[Sheet]:
    """Return all sheets of an Excel file, as stored values.

    Raises BadTable where it cannot be read or unpacks to more than `MOST_UNPACKED` bytes.
    """
    from openpyxl import load_workbook

    try:
        with warnings.catch_warnings():
            # openpyxl warns of every extension it does not keep
            warnings.simplefilter("ignore", UserWarning)
            content = io.BytesIO(path.read_bytes())  # openpyxl refuses a file by its ending
            with open_zip(content, MOST_PARTS) as archive:
                problem = size_fault(archive.infolist(), MOST_PARTS, MOST_UNPACKED)
            if problem:
                raise BadTable(
                    f"the file {path.name!r} {problem}; split it, or save its sheet as .csv"
                )
            # pandas reads cells with an Excel error as empty ones
            book = load_workbook(content, data_only=True)
        return [
            Sheet(
                path.name,
                sheet.title,
                tuple(tuple(map(_cell_text, row)) for row in sheet.iter_rows(values_only=True)),
            )
            for sheet in book.worksheets
        ]
    except OSError as error:
        raise BadTable(
            f"the file {path.name!r} cannot be opened ({error.strerror or error}); check that it is"
            " there and may be read"
        ) from error
    except BadTable:
        raise
    except _DAMAGE as error:
        raise BadTable(
            f"the file {path.name!r} is no readable Excel file ({type(error).__name__}); save it"
            " again as .xlsx or as CSV (UTF-8)"
        ) from error


def is_excel_error(cell: str) -> bool:
    """Return whether the cell holds an Excel error such as #REF!."""
    return cell in _EXCEL_ERRORS


def _cell_text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return _BREAK.sub("\n", str(value)).strip()
