"""Reads records of older versions, whose fields had other names or were not there yet."""

from collections.abc import Callable
from typing import Any


def read_older(source: Any, handler: Any, change: Callable[[object], object]) -> Any:
    """Return the pydantic schema of a dataclass whose fields go through `change` before reading.

    For `__get_pydantic_core_schema__`. The change stands within the schema that the type shares
    among all the places where it is used: around it, only the first of them would have it.
    """
    from pydantic_core import core_schema  # here, as importing the records loads no pydantic

    schema = handler(source)
    shared = handler.resolve_ref_schema(schema)
    if shared["schema"]["type"] == "dataclass-args":
        fields = shared["schema"]
        shared["schema"] = core_schema.no_info_before_validator_function(change, fields)
    return schema
