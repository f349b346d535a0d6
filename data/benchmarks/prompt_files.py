"""Reads entries of prompt files, whatever their form: tables, JSON, JSON lines, one text a line.

Forms: .csv and .tsv with a header; .json with a list of objects or texts, columns of equal length,
or texts by category; .jsonl, or JSON lines in a file called .json; .txt with a text a line.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from hallascope.data.benchmarks.ihalla import NotABenchmark
from hallascope.data.files import csv_tables
from hallascope.data.files.sheets import Complaint

FORMS = (".csv", ".tsv", ".json", ".jsonl", ".txt")
# names of the field that holds the prompt; the first one there is read
PROMPT_FIELDS = ("prompts", "prompt", "caption", "text")
# the fields of an entry that has no names of its own
_TEXT = PROMPT_FIELDS[0]
_CATEGORY = "category"


class PromptEntry(NamedTuple):
    """Holds one entry of a file: its row, counted from 1, and its fields by name.

    The row is that of a table, with its header, a line, or the place in a list.
    """

    row: int
    fields: Mapping[str, object]


def text_of(path: Path) -> str:
    """Return the file as text. Raises NotABenchmark where it cannot be opened or is no UTF-8."""
    if path.suffix.casefold() not in FORMS:
        raise NotABenchmark(
            f"the file {path.name!r} is none of {', '.join(FORMS)}: save it as one of them, or name"
            " it so"
        )
    return csv_tables.text_of(path, NotABenchmark)


def entries(path: Path, complaints: list[Complaint]) -> list[PromptEntry]:
    """Return all entries of a file; what cannot be read is left out and named.

    Raises NotABenchmark where the file as a whole cannot be.
    """
    text = text_of(path)
    form = path.suffix.casefold()
    match form:
        case ".csv" | ".tsv":
            return list(_table(text, path.name, "\t" if form == ".tsv" else ",", complaints))
        case ".txt":
            return [
                PromptEntry(row, {_TEXT: line})
                for row, line in enumerate(text.splitlines(), 1)
                if line.strip()
            ]
        case ".jsonl":
            return list(_lines(text, path.name, complaints))
    return of_document(document(text, path.name, complaints), path.name, complaints)


# --- JSON


def document(text: str, file: str, complaints: list[Complaint]) -> object:
    """Return the JSON of a file; JSON lines come as the list of their objects.

    Raises NotABenchmark.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        if _json(text.strip().partition("\n")[0]) is not None:
            return list(_lines(text, file, complaints))
        at = f" at line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise NotABenchmark(
            f"the file {file!r} is no JSON{at}: save or download it again"
        ) from error


def of_document(content: object, file: str, complaints: list[Complaint]) -> list[PromptEntry]:
    """Return the entries of a JSON document that is a list, columns, or texts by category.

    Raises NotABenchmark.
    """
    match content:
        case [*rows]:
            listed = [
                row if isinstance(row, PromptEntry) else PromptEntry(number, _fields(row))
                for number, row in enumerate(rows, 1)
            ]
        case dict() if content and all(isinstance(values, list) for values in content.values()):
            listed = _of_lists(content)
        case _:
            raise NotABenchmark(
                f"the file {file!r} is neither a list of prompts nor lists of them by category:"
                " write it as one of these"
            )
    return list(_with_fields(listed, file, complaints))


def _lines(text: str, file: str, complaints: list[Complaint]) -> Iterator[PromptEntry]:
    listed = [
        PromptEntry(row, _fields(_json(line)))
        for row, line in enumerate(text.split("\n"), 1)
        if line.strip()
    ]
    return _with_fields(listed, file, complaints)


def _with_fields(
    listed: Sequence[PromptEntry], file: str, complaints: list[Complaint]
) -> Iterator[PromptEntry]:
    """Yield the entries that have fields; the others are named."""
    for entry in listed:
        if entry.fields:
            yield entry
        else:
            problem = "is neither a text nor an object with fields; it is left out"
            complaints.append(Complaint(file, None, entry.row, problem))


def _fields(row: object) -> dict[str, object]:
    """Return the fields of an object in lower case; a text alone is the prompt.

    Return {} where it is neither.
    """
    if isinstance(row, str):
        return {_TEXT: row}
    if isinstance(row, dict):
        return {str(name).strip().casefold(): value for name, value in row.items()}
    return {}


def _of_lists(lists: Mapping[str, Sequence[object]]) -> list[PromptEntry]:
    """Return the entries of lists that are columns with a name, else texts by category.

    Texts by category are counted over all of the lists.
    """
    names_prompts = set(PROMPT_FIELDS) & set(_fields(dict(lists)))
    if names_prompts and len(set(map(len, lists.values()))) == 1:
        columns = zip(*lists.values(), strict=True)
        rows = [_fields(dict(zip(lists, cells, strict=True))) for cells in columns]
    else:
        rows = [{_TEXT: text, _CATEGORY: name} for name, texts in lists.items() for text in texts]
    return [PromptEntry(number, row) for number, row in enumerate(rows, 1)]


def _json(line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


# --- tables


def _table(
    text: str, file: str, delimiter: str, complaints: list[Complaint]
) -> Iterator[PromptEntry]:
    """Yield the rows below the header, empty ones skipped.

    A row with more cells than the header is left out and named. Raises NotABenchmark.
    """
    names: list[str] = []
    for row, cells in _cells(text, file, delimiter, complaints):
        if not names:
            names = _header(cells, file)
        elif any(cell.strip() for cell in cells[len(names) :]):
            problem = (
                f"has {len(cells)} cells where the header names {len(names)}; put a text with a"
                " comma in quotes; the row is left out"
            )
            complaints.append(Complaint(file, None, row, problem))
        else:
            yield PromptEntry(row, dict(zip(names, [*cells, *[""] * len(names)], strict=False)))


def _cells(
    text: str, file: str, delimiter: str, complaints: list[Complaint]
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not empty, with their number.

    One that breaks the rules of quoting is left out and named.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    row = 0
    while True:
        row += 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            problem = (
                f"is quoted wrongly ({error}); all up to line {reader.line_num} of it is left out"
            )
            complaints.append(Complaint(file, None, row, problem))
            continue
        if any(cell.strip() for cell in cells):
            yield row, cells


def _header(cells: Sequence[str], file: str) -> list[str]:
    names = [cell.strip().casefold() for cell in cells]
    doubled = next((name for name in names if name and names.count(name) > 1), None)
    if doubled:
        raise NotABenchmark(f"the file {file!r} has the column {doubled!r} twice: rename one")
    if not set(PROMPT_FIELDS) & set(names):
        listed = ", ".join(repr(name) for name in names if name)
        raise NotABenchmark(
            f"the file {file!r} has no column 'prompts', its columns are {listed}: put the names of"
            " the columns at its top"
        )
    return names
