"""A ranked store for tests of the static site, which no test changes."""

from collections.abc import Iterator

import pytest

from hallascope.engine.services import Services
from tests.support.labeled_stores import build_board
from tests.support.ranked_store import build


@pytest.fixture(scope="module")
def ranked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    services = build(tmp_path_factory.mktemp("ranked"))
    yield services
    services.store.close()


@pytest.fixture(scope="module")
def labeled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    services = build_board(tmp_path_factory.mktemp("labeled"))
    yield services
    services.store.close()
