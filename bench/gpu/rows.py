"""Defines what a measurement yields and what it is given."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

Size = Literal["full", "tiny"]
ALLOWED = 0.15  # share by which the memory of an entry may differ from what was measured
GB = 10**9
GIB = 2**30


@dataclass(frozen=True)
class GpuRow:
    """Holds a line of the table: what was measured, the result, and what it should be."""

    what: str
    result: str
    bar: str = ""


@dataclass(frozen=True)
class PeakMemory:
    """Holds the bytes that the model of an entry took on the device at most.

    `entry_gb` is the `memory_gb` of the entry, in 10^9 bytes. `parameters` counts its weights.
    """

    entry: str
    entry_gb: float | None
    peak: int
    parameters: int
    note: str = ""

    @property
    def suggestion(self) -> float:
        """Return the measured GB (10^9 bytes), rounded up to half a GB from 4 GB on, else 0.1."""
        step = 0.5 if self.peak >= 4 * GB else 0.1
        return round(math.ceil(self.peak / GB / step) * step, 1)

    @property
    def is_near(self) -> bool:
        """Return whether the entry says what was measured, within 15 %."""
        if self.entry_gb is None:
            return False
        return abs(self.entry_gb * GB - self.peak) <= ALLOWED * self.peak


@dataclass(frozen=True)
class Setup:
    """Says where a measurement runs: the device (cuda or cpu), the size of models, its folder."""

    device: str
    size: Size
    folder: Path

    @property
    def is_tiny(self) -> bool:
        return self.size == "tiny"


def to_line(item: GpuRow | PeakMemory) -> str:
    """Write a row as one line of JSON; `from_line` reads it."""
    return json.dumps({"kind": type(item).__name__, **asdict(item)})


def from_line(line: str) -> GpuRow | PeakMemory:
    """Read what `to_line` wrote. Raises ValueError where a line is none of its."""
    kinds = {"GpuRow": GpuRow, "PeakMemory": PeakMemory}
    try:
        fields = json.loads(line)
        made: GpuRow | PeakMemory = kinds[fields.pop("kind")](**fields)
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        raise ValueError(f"The line {line[:80]!r} holds no row.") from error
    return made
