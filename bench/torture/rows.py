"""Defines what a check of `make torture` yields, and what it is given."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

SEED = 26


@dataclass(frozen=True)
class TortureRow:
    """Holds what was measured, and whether it holds; None where it could not be measured here."""

    what: str
    measured: str
    bar: str
    holds: bool | None


@dataclass(frozen=True)
class TortureSetup:
    """Holds an empty folder and how much is to be done.

    `kills` of a sweep on a service, `embedded_kills` of one on the models that ship, and `images`
    of all other sweeps. Of the handlers of the page every `handler_step`-th is called.
    """

    folder: Path
    kills: int
    embedded_kills: int
    images: int
    handler_step: int = 1
