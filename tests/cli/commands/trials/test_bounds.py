"""Tests the bounds below which a command fails."""

import pytest

from hallascope.cli.commands.trials.bounds import read_bounds
from hallascope.engine.errors import BadRequest


def test_a_bound_is_a_share_for_a_system() -> None:
    assert read_bounds(["fig=0.92", "scene-graph=1"]) == {"fig": 0.92, "scene-graph": 1.0}
    assert read_bounds(None) == {}


@pytest.mark.parametrize("text", ["fig", "fig=", "fig=1.2", "fig=-1", "tifa=0.5", ""])
def test_anything_else_is_no_bound(text: str) -> None:
    with pytest.raises(BadRequest, match="is no bound: write a system and a share"):
        read_bounds([text])
