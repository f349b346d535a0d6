"""The tab FiG evaluates the pictures of a run and makes none again."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hallascope.data.files.object_attributes import ObjectAttribute
from hallascope.engine.events import Evaluated, Queued
from hallascope.pages import fig
from hallascope.pages.shared.evidence import runs, tab
from tests.support import fake_vision as eyes
from tests.support.fake_vision import drawn
from tests.support.fig_evidence import FIRST, look


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Any]:
    found = eyes.build(tmp_path)
    yield found
    found.store.close()


def test_the_pictures_of_the_run_are_looked_at_and_none_is_made_again(services: Any) -> None:
    current = drawn(services)
    frames = look(services, current)
    assert "<progress" in frames[0][0]
    assert "2 of 2 images, 2 judged" in frames[-1][0]
    said, table, looked = frames[-1]
    assert [shot.generation for shot in services.view(looked.runs[0]).shots] == [
        s.generation for s in services.view(current.run).shots
    ]
    assert looked.source_run == current.run
    assert "2 of 2" in said
    thing = eyes.made().extras[0].concept.name
    assert thing in table, "what not in the prompt stands in the last column"
    assert tab.open_tab(services, fig.TAB, current, looked)[2] == looked, (
        "what was looked at stays when the tab is left"
    )


def test_attributes_of_ones_own_are_in_the_request_and_their_scores_have_a_version_of_their_own(
    services: Any,
) -> None:
    request = runs.request_of(services.view(drawn(services).run).request, FIRST, "fig")
    wanted = fig.add_attributes(request, ["Thing, material, glassy"])
    assert wanted.fig_attributes == (ObjectAttribute("thing", "material", "glassy"),)
    versions = set()
    ids = set()
    for each in (request, wanted):
        events = list(services.evaluate(each))
        evaluated = [event.evaluation for event in events if isinstance(event, Evaluated)]
        assert evaluated
        versions |= {evaluation.report.version for evaluation in evaluated}
        ids |= {event.run for event in events if isinstance(event, Queued)}
    assert len(versions) == len(ids) == 2
