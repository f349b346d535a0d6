"""Reads the rows of tables by column name, each with its line's number.

Tables are .csv, .tsv, .xlsx, and .json or .jsonl with an object a row.
"""

import codecs
import csv
import gzip
import io
import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hallascope.data.files import tidy
from hallascope.data.files.sheets import MOST_UNPACKED, Complaint, sheets

JSON_ENDINGS = (".json", ".jsonl")
_GZIP = b"\x1f\x8b"
_ZIP = b"PK\x03\x04"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_SIGNS = ",;\t"  # what may stand between two cells
_DOUBLED_QUOTES = re.compile(r'"(?=.*"")(?:[^"]|"")+"')


class BadTable(ValueError):
    """The file as a whole cannot be read as a table; the message is one sentence."""


# the line on which a row begins, and its place in the table, from 1 with the header; its cells
NumberedRow = tuple[int, int, list[str]]


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
    numbered = numbered_rows(path, complaints, columns)
    header = next(numbered, None)
    names = [column_name(cell) for cell in header[2]] if header else []
    check_header(names, columns, names if unique else optional, path.name)
    return [
        CsvRow(path.name, line, dict(zip(names, cells, strict=True)))
        for line, cells in _fitting(numbered, names, path.name, complaints)
    ]


def column_titles(path: Path, columns: Sequence[str] = ()) -> dict[str, str]:
    """Return what the header says of each column, by the name under which `rows` reads it.

    `columns` are names that are likely there. Raises BadTable as `rows` does.
    """
    header = next(numbered_rows(path, [], columns), None)
    return {column_name(cell): tidy.line(cell) for cell in header[2]} if header else {}


def column_name(cell: str) -> str:
    """Return the name under which a column is read."""
    return " ".join(tidy.line(cell).replace("_", " ").split()).casefold()


def text_of(path: Path) -> str:
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
    return _sheet_rows(path) if workbook else _text_rows(path, complaints, columns)


def _sheet_rows(path: Path) -> Iterator[NumberedRow]:
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
                yield (number, number, list(cells))


def _text_rows(
    path: Path, complaints: list[Complaint], columns: Sequence[str]
) -> Iterator[NumberedRow]:
    text = text_of(path)
    head = split_lines(text.lstrip("\r\n"))[0]
    sign = "\t" if path.suffix.casefold() == ".tsv" else _separator(head, columns)
    # tables with tabs are written without quoting: a cell may begin with a quotation mark
    plain = sign == "\t" and not head.startswith('"')
    stream = io.StringIO(text, newline="")
    if plain:
        reader = csv.reader(stream, delimiter=sign, quoting=csv.QUOTE_NONE)
    else:
        reader = csv.reader(stream, delimiter=sign, strict=True)
    number = 0
    while True:
        number += 1
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            problem = (
                f"is quoted wrongly ({error}); all from here to line {reader.line_num} is left out"
            )
            complaints.append(Complaint(path.name, None, line, problem))
            continue
        if plain:
            cells = [_unquoted(cell) for cell in cells]
        if any(cell.strip() for cell in cells):
            yield (line, number, cells)


def _json_rows(path: Path) -> Iterator[NumberedRow]:
    """Yield the objects of a list, of lines, or by item, as rows. Raises BadTable."""
    text = text_of(path)
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        try:
            content = [json.loads(line) for line in split_lines(text) if line.strip()]
        except (ValueError, RecursionError) as error:
            raise BadTable(
                f"the file {path.name!r} is no JSON: save or download it again"
            ) from error
    if isinstance(content, dict) and len(content) == 1:
        (only,) = content.values()
        content = only if isinstance(only, list) else content
    if isinstance(content, dict):
        by_item = all(isinstance(fields, dict) for fields in content.values())
        content = [{"item": key, **content[key]} for key in content] if by_item else [content]
    records = [flatten(record) for record in content if isinstance(record, dict)]
    if not records or len(records) < len(content):
        raise BadTable(
            f"the file {path.name!r} is no list of objects and no object of them by item: write it"
            " as one of these"
        )
    names = list(dict.fromkeys(name for record in records for name in record))
    yield (0, 0, names)
    for number, record in enumerate(records, 1):
        yield (number, number, [record.get(name, "") for name in names])


def flatten(record: Mapping[str, object]) -> dict[str, str]:
    """Return the fields of a JSON object as texts, those of objects within it by both names."""
    cells: dict[str, str] = {}
    for name, value in record.items():
        if isinstance(value, dict):
            cells |= {f"{name} {inner}": cell for inner, cell in flatten(value).items()}
        elif value is not None:
            cells[name] = value if isinstance(value, str) else json.dumps(value)
    return cells


def _unquoted(cell: str) -> str:
    """Return a cell without its quotation marks where those within are doubled."""
    return cell[1:-1].replace('""', '"') if _DOUBLED_QUOTES.fullmatch(cell) else cell


def split_lines(text: str) -> list[str]:
    """Return the lines of a text; no other sign than a line feed or a return ends one."""
    return re.split("\r\n|[\r\n]", text)


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

    return max(_SIGNS, key=fit)


def _fitting(
    numbered: Iterator[NumberedRow],
    names: Sequence[str],
    file: str,
    complaints: list[Complaint],
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows with as many cells as the header; empty cells at the end do not count."""
    for line, _, cells in numbered:
        while len(cells) > len(names) and not cells[-1].strip():
            cells.pop()
        if len(cells) == len(names):
            yield line, cells
        else:
            problem = (
                f"has {len(cells)} cells where the header names {len(names)}; the row is left out"
            )
            complaints.append(Complaint(file, None, line, problem))


def check_header(
    names: Sequence[str], columns: Sequence[str], optional: Sequence[str], file: str
) -> None:
    """Raise BadTable where a column of `columns` is missing, or one of any is there twice."""
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
