"""Reads and writes tables of records: a CSV file with one column for each field."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter

FOLDER = Path(__file__).parent
Record = TypeVar("Record")


def read_records(kind: type[Record], path: Path) -> list[Record]:
    """Return the records of a file. Raises ValueError where a cell does not fit its field."""
    reader: TypeAdapter[Record] = TypeAdapter(kind)
    with path.open(encoding="utf-8", newline="") as file:
        return [reader.validate_python(row) for row in csv.DictReader(file)]


def write_records(records: Sequence[Any], path: Path) -> None:
    """Write records of one kind, numbers with at most six significant digits."""
    stream = io.StringIO()
    names = [field.name for field in fields(records[0])]
    writer = csv.DictWriter(stream, names, lineterminator="\n")
    writer.writeheader()
    for record in records:
        writer.writerow({name: _cell(value) for name, value in asdict(record).items()})
    path.write_text(stream.getvalue(), encoding="utf-8")


def _cell(value: object) -> object:
    return f"{value:.6g}" if isinstance(value, float) else value
