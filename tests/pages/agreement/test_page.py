"""A comparison from the page says how far it is, ends with what it shows, and can be left."""

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from hallascope.engine.services import Services
from hallascope.metrics.statistics.agreement import Study
from hallascope.pages.agreement.page import comparison_updates
from tests.pages.agreement.conftest import tables


@pytest.mark.parametrize(
    ("scale", "missing", "words"),
    [("", True, "Two tables are needed"), ("5..1", False, "is none"), ("one", False, "is none")],
)
def test_what_cannot_be_compared_is_said_in_a_sentence(
    services: Services, tmp_path: Path, scale: str, missing: bool, words: str
) -> None:
    scores, ratings = tables(tmp_path)
    ((line, shown, figure),) = comparison_updates(
        services, ["tables"], scores, None if missing else ratings, scale
    )
    assert words in line
    assert (shown, figure) == ("", None)


def test_a_comparison_says_how_far_it_is_and_ends_with_what_it_shows(
    services: Services, tmp_path: Path
) -> None:
    *before, last = comparison_updates(services, ["tables"], *tables(tmp_path), "")
    lines = [line for line, *_ in before]
    assert [f"Comparing: {number} of 2" in line for number, line in enumerate(lines, start=1)] == [
        True,
        True,
    ]
    assert "2 metrics, 20 rated items." in last[0]


def test_nothing_more_is_computed_once_nobody_asks_for_the_next_step(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed: list[str] = []
    draws = Study._draws

    def compute(study: Study, name: str, items: Any) -> Any:
        computed.append(name)
        return draws(study, name, items)

    monkeypatch.setattr(Study, "_draws", compute)
    steps = comparison_updates(services, ["tables"], *tables(tmp_path), "")
    next(steps)
    assert isinstance(steps, Generator)
    steps.close()
    assert computed == ["near"]
