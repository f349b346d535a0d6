"""An address restores what the Leaderboard shows."""

from hallascope.engine.services import Services
from hallascope.pages.leaderboard.choice import (
    PREFIX,
)
from hallascope.pages.leaderboard.page import open_address


def test_an_address_restores_what_was_chosen(ranked: Services) -> None:
    _, controls, figure, *_ = open_address(
        ranked,
        [("tab", "leaderboard"), (f"{PREFIX}by", "coi"), (f"{PREFIX}view", "heat"), ("run", "x")],
    )
    assert controls.value == {"by": ["coi"], "view": ["heat"]}
    assert figure.to_plotly_json()["data"][0]["type"] == "heatmap"
    _, controls, figure, *_ = open_address(ranked, [(f"{PREFIX}view", "heat")], {"by": ["coi"]})
    assert controls.value == {"by": ["coi"]}, "what was chosen since goes before the address"
