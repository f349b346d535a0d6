"""Says how long a model takes for one request on a GPU, and where the number comes from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from bench.cluster_simulation.csv_tables import FOLDER, read_records

FILE = FOLDER / "service_times.csv"
ANY_MODEL = "*"
Basis = Literal["measured", "derived", "assumed"]


@dataclass(frozen=True)
class ServiceTime:
    """Holds the seconds of one request to a model in a role; the model `*` is any other one.

    `basis`: measured by a command of the repository, derived from such numbers, or assumed. The
    `source` says which, and the sizes that an assumption is about.
    """

    model: str
    role: str
    seconds: float
    basis: Basis
    source: str


def read_service_times(path: Path = FILE) -> list[ServiceTime]:
    """Return the times of a file. Raises ValueError where a cell does not fit."""
    return read_records(ServiceTime, path)


def service_time(times: Sequence[ServiceTime], model: str, role: str) -> ServiceTime:
    """Return the time of a model in a role. Raises LookupError where there is none."""
    for name in (model, ANY_MODEL):
        for time in times:
            if (time.model, time.role) == (name, role):
                return time
    raise LookupError(
        f"There is no time of {model!r} as {role!r}: add a row for it, or for the model"
        f" {ANY_MODEL!r}, to the table of service times."
    )
