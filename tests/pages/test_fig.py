"""The tab FiG evaluates the pictures of a run and makes none again."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hallascope.pages import fig
from hallascope.pages.shared.evidence import tab
from tests.support import fake_vision as eyes
from tests.support.fake_vision import drawn
from tests.support.fig_evidence import look


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
    assert tab.open_tab(services, fig.SPEC, current, looked)[2] == looked, (
        "what was looked at stays when the tab is left"
    )
