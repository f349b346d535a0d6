"""Reads entries of prompt files, whatever their form: tables, JSON, JSON lines, one text a line.

Forms: .csv, .tsv and .xlsx with a header; .json with a list of objects or texts, columns of equal
length, texts by category, or texts or objects by id; .jsonl, or JSON lines in a file called .json;
.txt with a text a line.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from hallascope.data.benchmarks.ihalla import NotABenchmark
from hallascope.data.files import csv_tables
from hallascope.data.files.sheets import Complaint

TABLES = (".csv", ".tsv", ".xlsx")
FORMS = (".csv", ".tsv", ".json", ".jsonl", ".txt", ".xlsx")
# names of the field that holds the prompt; the first one there is read
PROMPT_FIELDS = ("prompts", "prompt", "caption", "text")
# the fields of an entry that has no names of its own
_TEXT = PROMPT_FIELDS[0]
_CATEGORY = "category"
_NUMBERED = re.compile(r"\s*(\d+)(?:[.):,;|]\s+|\s+[-–—]\s+|\t\s*)(.*\S)\s*")


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
    return csv_tables.text_of(path)


def entries(path: Path, complaints: list[Complaint]) -> list[PromptEntry]:
    """Return all entries of a file; what cannot be read is left out and named.

    Raises NotABenchmark where the file as a whole cannot be.
    """
    form = path.suffix.casefold()
    if form in TABLES:
        return list(_table(path, complaints))
    text = text_of(path)
    match form:
        case ".txt":
            return _text_lines(text)
        case ".jsonl":
            return list(_lines(text, path.name, complaints))
    return of_document(document(text, path.name, complaints), path.name, complaints)


def _text_lines(text: str) -> list[PromptEntry]:
    """Return a prompt a line; a number before every one ("701. a cat") is its id."""
    lines = [
        (row, line) for row, line in enumerate(csv_tables.split_lines(text), 1) if line.strip()
    ]
    numbered = [_NUMBERED.fullmatch(line) for _, line in lines]
    ids = [match[1] for match in numbered if match]
    if len(set(ids)) < len(lines):
        return [PromptEntry(row, {_TEXT: line}) for row, line in lines]
    return [
        PromptEntry(row, {"id": match[1], _TEXT: match[2]})
        for (row, _), match in zip(lines, numbered, strict=True)
        if match
    ]


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
        case dict() if set(PROMPT_FIELDS) & set(_fields(content)):
            listed = [PromptEntry(1, _fields(content))]
        case dict() if content and all(isinstance(row, str | dict) for row in content.values()):
            listed = [
                PromptEntry(number, {"id": name, **_fields(row)})
                for number, (name, row) in enumerate(content.items(), 1)
            ]
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


def _table(path: Path, complaints: list[Complaint]) -> Iterator[PromptEntry]:
    """Yield the rows below the header, empty ones skipped.

    A row with more cells than the header is left out and named. Raises NotABenchmark.
    """
    names: list[str] = []
    for _, row, cells in csv_tables.numbered_rows(path, complaints, PROMPT_FIELDS):
        if not names:
            names = _header(cells, path.name)
        elif any(cell.strip() for cell in cells[len(names) :]):
            problem = (
                f"has {len(cells)} cells where the header names {len(names)}; put a text with a"
                " comma in quotes; the row is left out"
            )
            complaints.append(Complaint(path.name, None, row, problem))
        else:
            yield PromptEntry(row, dict(zip(names, [*cells, *[""] * len(names)], strict=False)))


def _header(cells: Sequence[str], file: str) -> list[str]:
    names = [cell.strip().casefold() for cell in cells]
    needed = () if set(PROMPT_FIELDS) & set(names) else PROMPT_FIELDS[:1]
    csv_tables.check_header(names, needed, [name for name in names if name], file)
    return names
