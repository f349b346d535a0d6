"""Defines what a check of `make torture` yields, and what it is given."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

SEED = 26


@dataclass(frozen=True)
class TortureRow:
    """Holds what was measured, and whether it holds."""

    what: str
    measured: str
    bar: str
    holds: bool


@dataclass(frozen=True)
class TortureSetup:
    """Holds an empty folder and how much is to be done: kills of a sweep, images of the others."""

    folder: Path
    kills: int
    images: int
