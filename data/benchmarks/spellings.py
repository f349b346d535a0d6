"""Reads the names that files of benchmarks use for one thing, from ``spellings.toml``."""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

StrT = TypeVar("StrT", bound=str)
FILE = Path(__file__).with_suffix(".toml")


def spellings(what: str, known: Sequence[StrT]) -> dict[str, StrT]:
    """Return our name of a thing, one of those known, by each of its names."""
    others = tomllib.loads(FILE.read_text(encoding="utf-8"))[what]
    return {name: own for own in known for name in (own, *others.get(own, ()))}
