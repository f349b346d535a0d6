"""Makes dataclasses of rows of tables and JSON objects, and says what pydantic finds wrong.

It stands beside `tables`, so that what reads no such dataclass loads no pydantic.
"""

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator, Field, ValidationError

from hallascope.data.files.tables import TableRow, UnreadableCell, field_name
from hallascope.data.files.tidy import line
from hallascope.data.yaml_file import first_fault, type_adapter

T = TypeVar("T")


def _clean(cell: object) -> object:
    return line(cell) if isinstance(cell, str) else cell


CleanText = Annotated[str, BeforeValidator(_clean), Field(description="a text")]
FilledText = Annotated[str, Field(min_length=1, description="a text"), BeforeValidator(_clean)]


def parse_record(kind: type[T], values: Mapping[str, object]) -> T:
    """Return the dataclass of values by field. Raises UnreadableCell with what is wrong first."""
    any_kind: Any = kind
    try:
        record: T = type_adapter(any_kind).validate_python(dict(values))
    except ValidationError as error:
        raise UnreadableCell(first_fault(kind, error)) from None
    return record


def parse_row(kind: type[T], row: TableRow) -> T:
    """Return the dataclass of a row's cells; a field `row` is the row itself.

    Raises UnreadableCell.
    """
    cells = {field_name(name): cell for name, cell in row.cells.items()}
    return parse_record(kind, {**cells, "row": row})
