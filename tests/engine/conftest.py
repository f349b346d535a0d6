"""The fixtures of the engine, for the tests in this folder."""

from pathlib import Path
from typing import Any

import pytest

from hallascope.engine.events import Evaluated, EvaluateRequest
from tests.conftest import build
from tests.support.engine_fixtures import (
    judge,
    no_waits,
    painter,
    postgres,
    serve_scripted,
    serve_vision,
    store,
    url,
)
from tests.support.rateable_run import PROMPT, gold

__all__ = [
    "judge",
    "no_waits",
    "painter",
    "postgres",
    "serve_scripted",
    "serve_vision",
    "store",
    "url",
]


@pytest.fixture
def rated_services(tmp_path: Path) -> Any:
    opened = build(tmp_path / "home", gold)
    yield opened
    opened.store.close()


@pytest.fixture
def rated_run(rated_services: Any) -> str:
    asked = EvaluateRequest(prompt=PROMPT, models=("primer/exact", "primer/careless"))
    said = [event for event in rated_services.evaluate(asked) if isinstance(event, Evaluated)]
    return said[0].run
