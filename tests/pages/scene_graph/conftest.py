"""Services with scripted vision models, and their evaluation of a run by scene graphs."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from hallascope.data.requests import Role
from hallascope.pages.scene_graph import page
from hallascope.pages.shared.context import CurrentRun
from hallascope.pages.shared.evidence import runs
from tests.support import fake_vision as eyes

FIRST: dict[Role, str | None] = {
    "detector": "primer/segmenter",
    "segmenter": "primer/segmenter",
    "judge": "primer/judge",
    "writer": None,
    "parser": None,
}
METRIC = page.SPEC.metric


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Any]:
    found = eyes.build(tmp_path)
    yield found
    found.store.close()


def look(
    services: Any, current: CurrentRun, *others: Mapping[Role, str | None]
) -> list[runs.EvidenceUpdate]:
    return eyes.looked(services, current, page.SPEC, FIRST, *others)
