"""Reads the tags that people can begin with: the types of errors that papers tell apart."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml
from pydantic import TypeAdapter

FILE = Path(__file__).parent / "error_tags.yaml"


@dataclass(frozen=True)
class ErrorTag:
    """Holds a tag, and in one sentence when to give it."""

    tag: str
    meaning: str


@dataclass(frozen=True)
class ErrorTagGroup:
    """Holds the tags of one paper; `source` says where in the paper they stand."""

    group: str
    source: str
    tags: tuple[ErrorTag, ...]


@cache
def error_tag_groups() -> tuple[ErrorTagGroup, ...]:
    """Return the groups in the order of the file."""
    values = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return TypeAdapter(tuple[ErrorTagGroup, ...]).validate_python(values)
