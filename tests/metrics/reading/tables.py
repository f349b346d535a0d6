"""Reads the tables of `readings_expected/`."""

from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent / "readings_expected"


def table(name: str) -> Any:
    return yaml.safe_load((FOLDER / f"{name}.yaml").read_text("utf-8"))
