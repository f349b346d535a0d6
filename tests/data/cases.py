"""Gives the cases of `cases.yaml`: what is given beside what is read or said of it."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

TESTS = Path(__file__).parents[1]


@cache
def read_cases(room: str = "data") -> dict[str, dict[str, Any]]:
    text = (TESTS / room / "cases.yaml").read_text(encoding="utf-8")
    found: dict[str, dict[str, Any]] = yaml.safe_load(text)
    return found


def cases(module: str, test: str, room: str = "data") -> list[Any]:
    """Return the cases of a test, which stand in the file without their common `test_`."""
    found: list[Any] = read_cases(room)[module][test]
    return found
