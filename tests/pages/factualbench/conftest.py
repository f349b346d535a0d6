"""A run that a scripted judge of pairs evaluated with references, for tests of FactualBench."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from hallascope.data.requests import Role
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.pages.explore import run
from hallascope.pages.factualbench import concepts, page
from hallascope.pages.shared.context import CurrentRun
from hallascope.pages.shared.evidence import runs
from hallascope.pages.shared.evidence.runs import EvidenceRuns
from tests.support import pair_judge

FIRST: dict[Role, str | None] = {"judge": "primer/judge", "detector": "primer/segmenter"}


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    found = pair_judge.build(tmp_path_factory.mktemp("home"))
    yield found
    found.store.close()


def drawn(services: Any, prompt: str = "a ladybug above a sunflower", *models: str) -> CurrentRun:
    asked = EvaluateRequest(
        prompt=prompt, models=models or ("primer/exact", "knowing/painter"), metrics=(), judge=None
    )
    return list(run.frames(services, asked, threading.Event()))[-1].current


def looked(
    services: Any, current: CurrentRun, values: tuple[Any, ...] = ("", "", None, [])
) -> EvidenceRuns:
    look = replace(page.SPEC, adjust_request=lambda asked: concepts.add_concept(asked, values))
    return list(
        runs.frames(
            services=services,
            run=str(current.run),
            lineups=[FIRST],
            stop=threading.Event(),
            terms=SpendingPolicy(),
            spec=look,
        )
    )[-1][2]


@pytest.fixture(scope="module")
def pair(services: Any) -> EvidenceRuns:
    return looked(services, drawn(services), ("", "", None, ["text"]))
