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
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store

RUNS = 50  # runs of a shard, and so the most that is lost when a process dies
HEAD = "runs.parquet"

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
        self._waiting: dict[str, None] = {}  # runs that are over and not written yet, in order

    def write_finished_runs(self, sweep: str, events: Iterable[E]) -> Iterator[E]:
        """Yield the same events, and write the runs that they report as finished.

        The runs of the sweep that no shard has yet come first. Raises BadRequest where the folder
        cannot be written.
        """
        written = runs_in_shards(self._folder)
        try:
            runs = select_runs(self._services.store, sweep)
        except UnknownRun:  # it was never begun
            runs = []
        self._waiting = dict.fromkeys(run for run in runs if run not in written)
        try:
            for event in events:
                yield event
                if isinstance(event, Finished):
                    self._waiting[event.run] = None
                    self._write(self._size)
        finally:
            self._write(1)

    def _write(self, minimum: int) -> None:
        """Write the waiting runs as a shard, where there are so many at least."""
        if len(self._waiting) < minimum:
            return
        runs = list(self._waiting)
        moment = datetime.fromtimestamp(self._clock(), UTC).strftime("%Y%m%dT%H%M%S%f")
        name = f"{moment}-{hashlib.sha256(' '.join(runs).encode()).hexdigest()[:12]}"
        formats.export(
            ExportSource(services=self._services, runs=runs, images=True),
            "parquet",
            self._folder / name,
            force=True,
        )
        self._waiting.clear()


def shards(folder: Path) -> list[Path]:
    """Return the shards of a folder, the newest first.

    The name of one that is still being written begins with a dot.
    """
    if not folder.is_dir():
        return []
    heads = [path for path in folder.glob(f"*/{HEAD}") if path.is_file()]
    paths = [head.parent for head in heads if not head.parent.name.startswith(".")]
    return sorted(paths, key=lambda path: path.name, reverse=True)


def runs_in_shards(folder: Path) -> frozenset[str]:
    """Return the runs that are in any shard of a folder."""
    from pyarrow import parquet

    tables = (parquet.read_table(shard / HEAD, columns=["run"]) for shard in shards(folder))
    return frozenset(run for table in tables for run in table.column(0).to_pylist())


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
        summary = import_runs(store, path)
        for name in ("runs", "pictures", "evaluations", "ratings", "there", "images", "missing"):
            setattr(total, name, getattr(total, name) + getattr(summary, name))
        total.faults += [
            fault._replace(file=f"{path.name}/{fault.file}") for fault in summary.faults
        ]
    return total
