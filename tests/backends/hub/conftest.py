"""A Hub on this machine with one model, and a client with an empty cache."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hallascope.backends.hub.download import HubClient
from tests.support import hub_server
from tests.support.hub_requests import PLAIN
from tests.support.hub_server import FakeHub, Repository


@pytest.fixture
def fake() -> Iterator[FakeHub]:
    with hub_server.hub() as found:
        found.models["maker/model"] = Repository(dict(PLAIN))
        yield found


@pytest.fixture
def hub(fake: FakeHub, tmp_path: Path) -> HubClient:
    return HubClient(fake.address, tmp_path / "cache")
