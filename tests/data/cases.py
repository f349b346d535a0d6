"""Gives the cases of `cases.yaml`: what a reader is given beside what is read or said of it."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

FILE = Path(__file__).with_suffix(".yaml")


@cache
def read_cases() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return found


def cases(module: str, test: str) -> list[Any]:
    """Return the cases of a test, which stand in the file without their common `test_`."""
    found: list[Any] = read_cases()[module][test]
    return found
