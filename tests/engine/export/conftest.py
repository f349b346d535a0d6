"""The fixtures of exports: stores, and a function that exports runs."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from hallascope.engine.export.formats import ExportSummary
from hallascope.engine.storage.store import Store
from tests.support.exports import SECRETS, Send, export_runs
from tests.support.shared_runs import keep


@contextmanager
def opened(folder: Path) -> Iterator[Store]:
    store = Store(folder=folder)
    yield store
    store.close()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store with two runs and one more for each secret, which no test changes."""
    with opened(tmp_path_factory.mktemp("homes") / "home") as store:
        keep(store, "run0", "another prompt")
        keep(store)
        for i, (said, _) in enumerate(SECRETS):
            keep(store, f"secret{i}", said, models=("primer/exact",))
        yield store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path / "home") as store:
        yield store


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path / "elsewhere") as store:
        yield store


@pytest.fixture
def send(tmp_path: Path) -> Send:
    """Exports a run of a store to a name in a folder of the test."""

    def export_(store: Store, form: str, out: str = "out", **options: Any) -> ExportSummary:
        return export_runs(store, form, tmp_path / out, **options)

    return export_
