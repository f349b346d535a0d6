"""What the tests of the engine share: a store of their own, judges that follow a script, and
retries without waits.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import stamina

from hallascope.backends.base import (
    CallLimits,
)
from hallascope.data.models.specs import Price, read_models
from hallascope.data.requests import (
    Generated,
    Setting,
)
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support import postgres as postgresql
from tests.support.images import png
from tests.support.scripted import Script, Scripted
from tests.support.scripted_models import scripted, serve
from tests.support.vision_metric import answers, metric, models

Make = Callable[..., Scripted]


@pytest.fixture(autouse=True)
def no_waits() -> Iterator[None]:
    with stamina.set_testing(True, attempts=3):
        yield


@pytest.fixture(scope="session")
def postgres() -> Iterator[postgresql.Server]:
    with postgresql.served() as server:
        yield server


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.full)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database of each sort."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'one.db'}"
        return
    server: postgresql.Server = request.getfixturevalue("postgres")
    with server.database() as lent:
        yield lent


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(folder=tmp_path / "home")
    yield opened
    opened.close()


@pytest.fixture
def judge() -> Make:
    def make(
        script: Script | None = None, batch: int = 1, concurrency: int = 1, **settings: Setting
    ) -> Scripted:
        limits = CallLimits(batch, concurrency)
        return scripted("scripted/judge", "judge", script, limits, settings=settings)

    return make


@pytest.fixture
def painter() -> Make:
    def make(
        script: Script | None = None, name: str = "scripted/painter", concurrency: int = 1
    ) -> Scripted:
        draws = script or (lambda request: Generated(png(f"{name} {request.seed}")))
        return scripted(name, "generator", draws, CallLimits(1, concurrency))

    return make


@pytest.fixture
def serve_vision(store: Store) -> Callable[..., Services]:
    def make(script: Any = answers, price: Price | None = None) -> Services:
        return Services(store, read_models(), models(script, price), metric)

    return make


@pytest.fixture
def serve_scripted(store: Store) -> Callable[..., Services]:
    return partial(serve, store)
