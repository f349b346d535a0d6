"""The evidence of a run is had in every tab."""

from typing import Any

from hallascope.pages.shared.evidence.handlers import evidence
from tests.support.fake_vision import drawn


def test_the_findings_of_a_run_stand_on_the_cards_and_in_the_viewer_of_every_tab(
    services: Any,
) -> None:
    current = drawn(services, "fig")
    html = evidence(services, str(current.run), None)
    assert 'data-metric="fig"' in html
    assert "Not in the prompt" in html
    assert "Step by step" in html
