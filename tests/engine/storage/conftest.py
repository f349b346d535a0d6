"""The fixtures of storage: a store and a database of each sort."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hallascope.engine.storage.database import Database
from hallascope.engine.storage.store import Store


@pytest.fixture
def store(url: str, tmp_path: Path) -> Iterator[Store]:
    opened = Store(url, tmp_path / "home")
    yield opened
    opened.close()


@pytest.fixture
def database(url: str, tmp_path: Path) -> Iterator[Database]:
    opened = Database(url, tmp_path)
    yield opened
    opened.close()
