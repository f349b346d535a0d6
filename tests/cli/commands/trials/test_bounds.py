"""Tests the bounds below which a command fails."""

import pytest

from hallascope.cli.commands.trials.bounds import exit_code, read_bounds
from hallascope.cli.terminal import DONE, FAILURES
from hallascope.engine.errors import BadRequest
from hallascope.engine.judge_eval.parsers.parser_eval import PromptShare


def test_a_bound_is_a_share_for_a_system() -> None:
    assert read_bounds(["fig=0.92", "scene-graph=1"]) == {"fig": 0.92, "scene-graph": 1.0}
    assert read_bounds(None) == {}


@pytest.mark.parametrize("text", ["fig", "fig=", "fig=1.2", "fig=-1", "tifa=0.5", ""])
def test_anything_else_is_no_bound(text: str) -> None:
    with pytest.raises(BadRequest, match="is no bound: write a system and a share"):
        read_bounds([text])


def test_a_command_fails_where_a_share_is_below_its_bound_or_of_nothing() -> None:
    shares = {"fig": PromptShare(9, 10, None), "scene-graph": PromptShare(0, 0, None)}
    assert exit_code({"fig": 0.9}, shares.__getitem__) == DONE
    assert exit_code({"fig": 0.91}, shares.__getitem__) == FAILURES
    assert exit_code({"scene-graph": 0.1}, shares.__getitem__) == FAILURES
    assert exit_code({}, shares.__getitem__) == DONE
