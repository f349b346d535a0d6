"""Reads entries of prompt files, whatever their form: tables, JSON, JSON lines, one text a line.

Forms: .csv, .tsv and .xlsx with a header; .json with a list of objects or texts, columns of equal
length, texts by category, or texts or objects by id; .jsonl, or JSON lines in a file called .json;
.txt with a text a line.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from hallascope.data.files.tables import (
    BadTable,
    Complaint,
    header_faults,
    numbered_rows,
    read_text,
    split_lines,
)

TABLES = (".csv", ".tsv", ".xlsx")
FORMS = (".csv", ".tsv", ".json", ".jsonl", ".txt", ".xlsx")
# names of the field that holds the prompt; the first one there is read
PROMPT_FIELDS = ("prompts", "prompt", "caption", "text")
_TEXT = PROMPT_FIELDS[0]  # the field of an entry that has no names of its own
_NUMBERED = re.compile(r"\s*(\d+)(?:[.):,;|]\s+|\s+[-–—]\s+|\t\s*)(.*\S)\s*")


class PromptEntry(NamedTuple):
    """Holds one entry of a file: its row, counted from 1, and its fields by name.

    The row is that of a table, with its header, a line, or the place in a list.
    """

    row: int
    fields: Mapping[str, object]


def read_entries(
    path: Path, complaints: list[Complaint], fields: Sequence[str] = PROMPT_FIELDS
) -> list[PromptEntry]:
    """Return all entries of a file; what cannot be read is left out and named.

    `fields` may hold the prompt. Raises BadTable where the file as a whole cannot be.
    """
    match path.suffix.casefold():
        case ".csv" | ".tsv" | ".xlsx":
            return list(_table_entries(path, complaints, fields))
        case ".txt":
            return _text_entries(read_text(path))
        case ".jsonl":
            return list_entries(_line_entries(read_text(path)), path.name, complaints, fields)
        case ".json":
            return list_entries(read_json(path), path.name, complaints, fields)
    raise BadTable(
        f"the file {path.name!r} is none of {', '.join(FORMS)}: save it as one of them, or name"
        " it so"
    )


def _text_entries(text: str) -> list[PromptEntry]:
    """Return a prompt a line; a number before every one ("701. a cat") is its id."""
    lines = [(row, line) for row, line in enumerate(split_lines(text), 1) if line.strip()]
    numbered = {row: match for row, line in lines if (match := _NUMBERED.fullmatch(line))}
    if len({match[1] for match in numbered.values()}) < len(lines):
        return [PromptEntry(row, {_TEXT: line}) for row, line in lines]
    return [PromptEntry(row, {"id": one[1], _TEXT: one[2]}) for row, one in numbered.items()]


def read_json(path: Path) -> object:
    """Return the JSON of a file; JSON lines come as a list of entries. Raises BadTable."""
    text = read_text(path)
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        if _json(text.strip().partition("\n")[0]) is not None:
            return _line_entries(text)
        at = f" at line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise BadTable(
            f"the file {path.name!r} is no JSON{at}: save or download it again"
        ) from error


def _line_entries(text: str) -> list[PromptEntry]:
    lines = enumerate(text.split("\n"), 1)
    return [PromptEntry(row, _fields(_json(line))) for row, line in lines if line.strip()]


def list_entries(
    content: object, file: str, complaints: list[Complaint], fields: Sequence[str] = PROMPT_FIELDS
) -> list[PromptEntry]:
    """Return the entries of JSON that is a list, columns, or texts by category or id.

    Raises BadTable.
    """
    rows: Iterable[object]
    known = set(fields)
    match content:
        case [*rows]:
            pass
        case dict() if content and all(isinstance(values, list) for values in content.values()):
            if known & _fields(content).keys() and _are_even(content.values()):
                columns = zip(*content.values(), strict=True)
                rows = [dict(zip(content, cells, strict=True)) for cells in columns]
            else:
                rows = [
                    {_TEXT: text, "category": name}
                    for name, texts in content.items()
                    for text in texts
                ]
        case dict() if known & _fields(content).keys():
            rows = [content]
        case dict() if content and all(isinstance(row, str | dict) for row in content.values()):
            rows = [{"id": name, **_fields(row)} for name, row in content.items()]
        case _:
            raise BadTable(
                f"the file {file!r} is neither a list of prompts nor lists of them by category:"
                " write it as one of these"
            )
    entries: list[PromptEntry] = []
    for number, row in enumerate(rows, 1):
        entry = row if isinstance(row, PromptEntry) else PromptEntry(number, _fields(row))
        if entry.fields:
            entries.append(entry)
        else:
            problem = "is neither a text nor an object with fields; it is left out"
            complaints.append(Complaint(file, None, entry.row, problem))
    return entries


def _are_even(lists: Iterable[list[object]]) -> bool:
    return len(set(map(len, lists))) == 1


def _fields(row: object) -> dict[str, object]:
    """Return the fields of an object in lower case; a text alone is the prompt, all else {}."""
    if isinstance(row, str):
        return {_TEXT: row}
    if isinstance(row, dict):
        return {str(name).strip().casefold(): value for name, value in row.items()}
    return {}


def _json(line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _table_entries(
    path: Path, complaints: list[Complaint], fields: Sequence[str]
) -> Iterator[PromptEntry]:
    """Yield the rows below the header, cells that are missing at their end empty.

    A row with more cells than the header is left out and named. Raises BadTable.
    """
    rows = numbered_rows(path, complaints, fields)
    header = next(rows, None)
    names = [cell.strip().casefold() for cell in header.cells] if header else []
    if header:
        needed = () if set(fields) & set(names) else fields[:1]
        if faults := header_faults(names, needed, [name for name in names if name]):
            raise BadTable(f"the file {path.name!r} {faults[0]}")
    for _, row, cells in rows:
        if any(cell.strip() for cell in cells[len(names) :]):
            problem = (
                f"has {len(cells)} cells where the header names {len(names)}; put a text with a"
                " comma in quotes; the row is left out"
            )
            complaints.append(Complaint(path.name, None, row, problem))
        else:
            yield PromptEntry(row, dict(zip(names, [*cells, *[""] * len(names)], strict=False)))
