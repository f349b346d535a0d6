"""A picture that chosen metrics judge, with embedders that follow a script."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends.base import CallLimits
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.requests import Embed, Embedded, Match, Matched, Reply, Request
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.run.result import RunResult
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.conftest import says
from tests.support.labeled_stores import build_board
from tests.support.ranked_store import build
from tests.support.scripted import Scripted

PROMPT = "a molecule of methane"
EMBEDDERS = ("primer/embedder", "dinov2-base", "dino-vit-small", "blip-itm-base")
Compare = Callable[[Request], Reply]


def compares(request: Request) -> Reply:
    """Everything is near everything else: a cosine of 0.8, a probability of 0.75."""
    if isinstance(request, Match):
        return Matched(0.75)
    assert isinstance(request, Embed)
    return Embedded((1.0, 0.0) if request.text or "reference" in str(request.image) else (0.8, 0.6))


@pytest.fixture(scope="session")
def ranked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    """A ranked store, which no test changes."""
    services = build(tmp_path_factory.mktemp("ranked"))
    yield services
    services.store.close()


@pytest.fixture(scope="session")
def labeled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    """A store with labels, which no test changes."""
    services = build_board(tmp_path_factory.mktemp("labeled"))
    yield services
    services.store.close()


@pytest.fixture
def judged(tmp_path: Path) -> Iterator[Callable[..., tuple[Services, RunResult]]]:
    """Runs metrics over one picture of methane and gives what is stored of it."""
    opened: list[Store] = []

    def judge(
        *names: str, compare: Compare = compares, **changes: Any
    ) -> tuple[Services, RunResult]:
        spec = ModelSpec(
            id="primer/judge", title="Scripted judge", roles=("judge",), backend="scripted"
        )
        backends: dict[str, Any] = {spec.id: Scripted(spec, says, limits=CallLimits(1, 1))}
        for name in EMBEDDERS:
            backends[name] = Scripted(
                ModelSpec(id=name, title=name, roles=("embedder",), backend="scripted"), compare
            )
        opened.append(Store(folder=tmp_path / "home"))
        services = Services(opened[-1], read_models(), backends)
        request = EvaluateRequest(prompt=PROMPT, models=("primer/exact",), metrics=names, **changes)
        run = [event.run for event in services.evaluate(request)][-1]
        return services, services.view(run)

    yield judge
    for store in opened:
        store.close()


Judged = Callable[..., tuple[Services, RunResult]]


def chip(card: str, title: str) -> str:
    """What the chip of a metric says to those who hear the page."""
    chips: list[str] = re.findall(r'<span class="unseen">(.*?)</span>', card)
    return next(words for words in chips if words.startswith(title))
