"""Holds the fixture that writes files of prompts."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str, object], Path]:
    """Write a file of that name, a text as it is and anything else as JSON."""

    def write(name: str, content: object) -> Path:
        path = tmp_path / name
        path.write_text(
            content if isinstance(content, str) else json.dumps(content),
            encoding="utf-8",
            newline="",
        )
        return path

    return write
