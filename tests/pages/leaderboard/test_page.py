"""An address restores what the Leaderboard shows."""

from types import SimpleNamespace
from typing import Any

import pytest

from hallascope.engine.services import Services
from hallascope.pages.leaderboard import drilldown
from hallascope.pages.leaderboard.choice import (
    PREFIX,
)
from hallascope.pages.leaderboard.page import LeaderboardEvents, open_address


def test_an_address_restores_what_was_chosen(ranked: Services) -> None:
    _, controls, figure, *_ = open_address(
        ranked,
        [("tab", "leaderboard"), (f"{PREFIX}by", "coi"), (f"{PREFIX}view", "heat"), ("run", "x")],
    )
    assert controls.value == {"by": ["coi"], "view": ["heat"]}
    assert figure.to_plotly_json()["data"][0]["type"] == "heatmap"
    _, controls, figure, *_ = open_address(ranked, [(f"{PREFIX}view", "heat")], {"by": ["coi"]})
    assert controls.value == {"by": ["coi"]}, "what was chosen since goes before the address"


@pytest.mark.parametrize(
    ("choices", "used"),
    [({"by": ["coi"]}, "coi"), ({}, "domain"), (None, "domain"), ("x", "model")],
)
def test_a_pick_is_of_what_the_address_names_before_the_controls_hold_it(
    ranked: Services, monkeypatch: pytest.MonkeyPatch, choices: Any, used: str
) -> None:
    seen: list[str] = []
    monkeypatch.setattr(
        drilldown, "prompts", lambda services, choice, picked: seen.append(choice.by)
    )
    event: Any = SimpleNamespace(_data={"model": "primer/hasty", "choices": choices})
    LeaderboardEvents(ranked).show_prompts({"by": ["domain"]}, event)
    assert seen == [used]
