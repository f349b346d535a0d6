"""Tests what `hallascope sweep` and `merge` print; the sweep itself is tested in the engine."""

import signal
from pathlib import Path
from typing import Any

import pytest

from hallascope.cli.commands import sweep


def test_the_first_ctrl_c_asks_to_stop_and_the_second_ends_at_once() -> None:
    before = signal.getsignal(signal.SIGINT)
    with sweep.stopped_by_hand() as stop:
        signal.raise_signal(signal.SIGINT)
        assert stop.is_set()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_missing_specification_is_one_sentence(command: Any, tmp_path: Path) -> None:
    result = command("sweep", tmp_path / "missing.yaml", "--dry-run")
    assert (result.code, result.out) == (2, "")
    assert "missing.yaml" in result.err


def test_merging_a_folder_without_shards_is_one_sentence(command: Any, tmp_path: Path) -> None:
    result = command("merge", tmp_path / "missing")
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)


def test_readings_of_other_prompts_are_one_sentence(command: Any, tmp_path: Path) -> None:
    spec = tmp_path / "spec.yaml"
    spec.write_text(
        "prompts: [a ladybug]\nmodels: [primer/exact]\nmetrics: [tifa]\njudge: scripted/judge\n",
        encoding="utf-8",
    )
    file = tmp_path / "asks.yaml"
    file.write_text("- {prompt: a cow, objects: {cow: }}\n", encoding="utf-8")
    result = command("sweep", spec, "--asks", file)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert "is about none of these prompts, it has 'a cow'" in result.err
    file.write_text("- {prompt: a ladybug, objects: {hat: }, author: Ann}\n", encoding="utf-8")
    result = command("sweep", spec, "--asks", file, "--json")
    assert (result.code, result.json["evaluations"]) == (0, 1)
    board = command("leaderboard", "--metric", "tifa", "--json").json
    assert board["corrected"] == {"prompts": 1, "authors": ["Ann"], "mixed": 0}
