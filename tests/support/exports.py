"""Helpers of the tests of exports: what is sent, what of a run can leave, and what must not."""

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from hallascope.data.models.specs import read_models
from hallascope.engine.export import records
from hallascope.engine.export.formats import ExportSource, ExportSummary, export
from hallascope.engine.export.records import SharedRecord, record_line
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store

Send = Callable[..., ExportSummary]


SECRETS: list[tuple[str, dict[str, str]]] = [
    ("sk-proj-abcdefghijklmnop1234", {}),
    ("hf_abcdefghijklmnopqrstuvwxyzABCDEF12", {}),
    ("Authorization: Bearer abcdefghijklmnop.qrstuv", {}),
    ("postgresql://me:hunter2@db.example/x", {}),
    ("a quite ordinary word: correcthorse", {"MY_SERVICE_KEY": "correcthorse"}),
    ('say "tok&en<1>"', {"HF_TOKEN": "tok&en<1>"}),
    ("p%40ssword1", {"HALLASCOPE_STORE": "postgresql://me:p%40ssword1@host/db"}),
]


def export_runs(
    store: Store,
    form: str,
    out: Path,
    runs: str = "run1",
    *,
    force: bool = False,
    **chosen: Any,
) -> ExportSummary:
    """Export runs of a store; what else is chosen are fields of the source."""
    services, names = Services(store, read_models()), records.select_runs(store, runs)
    source = ExportSource(services=services, runs=names, **chosen)
    return export(source, form, out, force)


def read_records(store: Store, run: str) -> Iterator[SharedRecord]:
    """A run, then its pictures, its evaluations, and people's ratings of its pictures."""
    head = records.read_run(store, run)
    yield head
    yield from records.read_pictures(store, run)
    yield from records.read_evaluations(store, run)
    yield from records.read_ratings(store, head)


def lines_of(store: Store, run: str = "run1") -> list[str]:
    """Everything of a run that can leave, as lines."""
    return [record_line(one) for one in read_records(store, run)]


def bytes_of(store: Store, run: str = "run1") -> list[bytes]:
    return [shot.path.read_bytes() for shot in store.generated_pictures(run) if shot.path]


def read_table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))
