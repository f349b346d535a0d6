"""Writes results as a folder of Parquet shards that are merged later.

It is for many processes that share no database.

A shard is a folder as `hallascope export --to parquet --images` writes it: some runs, whole, with
their pictures. It is put there as a whole or not at all, and is never changed. A run that is in
several shards is counted once: its record in the newest one stands.
"""

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from hallascope.engine.errors import BadRequest, UnknownRun
from hallascope.engine.events import Finished
from hallascope.engine.export import formats
from hallascope.engine.export.formats import ExportSource
from hallascope.engine.export.importer import ImportSummary, import_runs
from hallascope.engine.export.reader import select_runs
from hallascope.engine.export.tables import HEAD
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store

RUNS = 50  # runs of a shard, and so the most that is lost when a process dies

E = TypeVar("E")


class Shards:
    """Writes the shards of one process into `folder`.

    `clock` gives seconds since 1970, by which they are in order.
    """

    def __init__(
        self,
        services: Services,
        folder: Path,
        size: int = RUNS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._services = services
        self._folder = folder
        self._size = size
        self._clock = clock

    def write_finished_runs(self, sweep: str, events: Iterable[E]) -> Iterator[E]:
        """Yield the same events, and write the runs that they report as finished.

        The runs of the sweep that no shard has yet come first. Raises BadRequest where the folder
        cannot be written.
        """
        try:
            runs = select_runs(self._services.store, sweep)
        except UnknownRun:  # it was never begun
            runs = []
        written = runs_in_shards(self._folder)
        waiting = dict.fromkeys(run for run in runs if run not in written)
        try:
            for event in events:
                yield event
                if isinstance(event, Finished):
                    waiting[event.run] = None
                    if len(waiting) >= self._size:
                        self._write(list(waiting))
                        waiting.clear()
        finally:
            if waiting:
                self._write(list(waiting))

    def _write(self, runs: list[str]) -> None:
        moment = datetime.fromtimestamp(self._clock(), UTC).strftime("%Y%m%dT%H%M%S%f")
        name = f"{moment}-{hashlib.sha256(' '.join(runs).encode()).hexdigest()[:12]}"
        source = ExportSource(services=self._services, runs=runs, images=True)
        formats.export(source, "parquet", self._folder / name, force=True)


def shards(folder: Path) -> list[Path]:
    """Return the shards of a folder, the newest first.

    The name of one that is still being written begins with a dot.
    """
    heads = folder.glob(f"[!.]*/{HEAD}")
    return sorted((head.parent for head in heads), key=lambda path: path.name, reverse=True)


def runs_in_shards(folder: Path) -> frozenset[str]:
    """Return the runs that are in any shard of a folder."""
    import pandas as pd

    heads = (pd.read_parquet(shard / HEAD, columns=["run"]) for shard in shards(folder))
    return frozenset(run for head in heads for run in head["run"])


def merge(store: Store, folder: Path) -> ImportSummary:
    """Import every shard of a folder into a store.

    What is there already stays; doing it again changes nothing.

    Raises BadRequest where the folder holds no shard, StoreError.
    """
    paths = shards(folder)
    if not paths:
        raise BadRequest(
            f"{str(folder)!r} holds no shard: name the folder that was given to `hallascope sweep"
            " --shards`."
        )
    total = ImportSummary()
    for path in paths:
        found = import_runs(store, path)
        found.faults = [fault._replace(file=f"{path.name}/{fault.file}") for fault in found.faults]
        for name, value in vars(found).items():
            setattr(total, name, getattr(total, name) + value)
    return total
