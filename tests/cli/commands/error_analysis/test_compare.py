"""Tests `hallascope errors compare`: two runs by slice, a report, and an exit code."""

from pathlib import Path
from typing import Any

import pytest

PROMPT = "a molecule of methane"


@pytest.fixture
def stored(command: Any) -> list[str]:
    """Return two stored runs of one prompt by two models."""
    return [
        command("evaluate", PROMPT, "--models", model, "--judge", "scripted/judge", "--json").json[
            "run"
        ]
        for model in ("primer/exact", "primer/careless")
    ]


def test_two_models_are_paired_where_each_run_has_one(
    command: Any, stored: list[str], tmp_path: Path
) -> None:
    report = tmp_path / "report.md"
    changes = command("errors", "compare", *stored, "--out", str(report), "--json").json
    assert changes["runs"] == stored
    whole = changes["whole"]
    assert whole["better"] + whole["worse"] + whole["unchanged"] == 1
    assert report.read_text(encoding="utf-8").startswith("## Two runs by ihalla")


def test_one_prompt_is_not_enough_to_fail(command: Any, stored: list[str]) -> None:
    shown = command("errors", "compare", *stored, "--fail-on-worse")
    assert shown.code == 0
    assert "The two runs cannot be told apart" in shown.out


def test_a_run_that_is_not_stored_is_refused(command: Any, stored: list[str]) -> None:
    assert command("errors", "compare", stored[0], "nothing").code == 2
