"""Writes results as a folder of Parquet shards that are merged later; it knows no cluster.

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
from hallascope.engine.export.importer import ImportSummary, bring
from hallascope.engine.export.reader import select_runs
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store

RUNS = 50  # in a shard: what a process that dies has not written yet is at most so much
HEAD = "runs.parquet"

E = TypeVar("E")


class Shards:
    """The shards of one process in `folder`.

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
        """The same events.

        Runs of which they tell that they are over are written, first those of the sweep that no
        shard has yet.

        Raises BadRequest where the folder cannot be written.
        """
        there = runs_in_shards(self._folder)
        self._waiting = dict.fromkeys(
            run for run in _runs(self._services.store, sweep) if run not in there
        )
        try:
            for event in events:
                yield event
                if isinstance(event, Finished):
                    self._waiting[event.run] = None
                    self._write(self._size)
        finally:
            self._write(1)

    def _write(self, least: int) -> None:
        """Write what waits, where it is so much at least."""
        if len(self._waiting) < least:
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


def _runs(store: Store, sweep: str) -> list[str]:
    try:
        return select_runs(store, sweep)
    except UnknownRun:  # it was never begun
        return []


def shards(folder: Path) -> list[Path]:
    """The shards of a folder, the newest first.

    What is still being written has another sort of name.
    """
    found = (
        (
            path
            for path in folder.iterdir()
            if not path.name.startswith(".") and (path / HEAD).is_file()
        )
        if folder.is_dir()
        else ()
    )
    return sorted(found, key=lambda path: path.name, reverse=True)


def runs_in_shards(folder: Path) -> frozenset[str]:
    """The runs that are in any shard of a folder."""
    from pyarrow import parquet

    tables = (parquet.read_table(shard / HEAD, columns=["run"]) for shard in shards(folder))
    return frozenset(run for table in tables for run in table.column(0).to_pylist())


def merge(store: Store, folder: Path) -> ImportSummary:
    """Bring every shard of a folder into a store.

    What is there already stays; doing it again changes nothing.

    Raises BadRequest where the folder holds no shard, StoreError.
    """
    found = shards(folder)
    if not found:
        raise BadRequest(
            f"{str(folder)!r} holds no shard: name the folder that was given to `hallascope sweep"
            " --shards`."
        )
    whole = ImportSummary()
    for shard in found:
        one = bring(store, shard)
        for name in ("runs", "pictures", "evaluations", "ratings", "there", "images", "missing"):
            setattr(whole, name, getattr(whole, name) + getattr(one, name))
        whole.faults += [fault._replace(file=f"{shard.name}/{fault.file}") for fault in one.faults]
    return whole
