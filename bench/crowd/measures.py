"""Computes what the rows of `make crowd` say from what was measured; it measures nothing itself."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

FULL = re.compile(r"The queue is full, about (\d+) s: try again then\.")


@dataclass(frozen=True)
class CrowdRow:
    """Holds what was measured, and whether it holds; without a bar it only states a number."""

    what: str
    measured: str
    bar: str = ""
    holds: bool = True


@dataclass(frozen=True)
class ResourceUsage:
    """Holds what the app and its children take.

    `memory`: bytes, where pages that processes share count once; `cpu`: seconds since the start.
    """

    memory: int
    threads: int
    files: int
    cpu: float


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least this share (0 to 1) of the values do not exceed.

    Raises ValueError without values.
    """
    if not values:
        raise ValueError("no values")
    rank = max(math.ceil(share * len(values)), 1)
    return sorted(values)[rank - 1]


def growth(values: Sequence[float]) -> float:
    """Return by which share the last value exceeds the first; 0.05 is 5 %."""
    return values[-1] / values[0] - 1


def spread(seconds: Sequence[float]) -> str:
    """Return the median and the 95th percentile in words."""
    if not seconds:
        return "none"
    return f"p50 {percentile(seconds, 0.5):.2f} s, p95 {percentile(seconds, 0.95):.2f} s"


def told_wait(sentence: str) -> int | None:
    """Return the seconds that the sentence of a full queue names; None where it is another."""
    found = FULL.search(sentence)
    return int(found[1]) if found else None
