"""The fixtures of exports: stores that are quick to make, and a function that exports runs."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from hallascope.engine.export.formats import ExportSummary
from hallascope.engine.storage.store import Store
from tests.support.exports import SECRETS, Send, export_runs
from tests.support.shared_runs import keep


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a store with its tables, which take a moment to make."""
    folder = tmp_path_factory.mktemp("empty")
    Store(folder=folder).close()
    return folder / "hallascope.db"


@contextmanager
def opened(folder: Path, empty: Path) -> Iterator[Store]:
    folder.mkdir()
    shutil.copy(empty, folder)
    store = Store(folder=folder)
    yield store
    store.close()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, empty: Path) -> Iterator[Store]:
    """A store with two runs and one more for each secret, which no test changes."""
    with opened(tmp_path_factory.mktemp("homes") / "home", empty) as store:
        keep(store, "run0", "another prompt")
        keep(store)
        for i, (said, _) in enumerate(SECRETS):
            keep(store, f"secret{i}", said, models=("primer/exact",))
        yield store


@pytest.fixture
def store(tmp_path: Path, empty: Path) -> Iterator[Store]:
    with opened(tmp_path / "home", empty) as store:
        yield store


@pytest.fixture
def other(tmp_path: Path, empty: Path) -> Iterator[Store]:
    with opened(tmp_path / "elsewhere", empty) as store:
        yield store


@pytest.fixture
def send(tmp_path: Path) -> Send:
    """Exports a run of a store to a name in a folder of the test."""

    def export_(store: Store, form: str, out: str = "out", **options: Any) -> ExportSummary:
        return export_runs(store, form, tmp_path / out, **options)

    return export_
