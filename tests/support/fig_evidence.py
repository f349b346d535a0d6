"""The evaluation of a run by FiG, with the models that the tests choose."""

from collections.abc import Mapping
from typing import Any

from hallascope.data.requests import Role
from hallascope.pages import fig
from hallascope.pages.shared.context import CurrentRun
from hallascope.pages.shared.evidence import runs
from tests.support import fake_vision as eyes

FIRST: dict[Role, str | None] = {
    "detector": "primer/segmenter",
    "segmenter": "primer/segmenter",
    "captioner": "primer/judge",
    "writer": None,
    "parser": None,
    "reader": None,
}


def look(
    services: Any, current: CurrentRun, *others: Mapping[Role, str | None]
) -> list[runs.EvidenceUpdate]:
    return eyes.looked(services, current, fig.TAB, FIRST, *others)
