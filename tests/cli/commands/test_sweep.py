"""Tests what `hallascope sweep`, `spaces` and `teach` print."""

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hallascope.cli.commands import sweep
from hallascope.data.teaching.odd_one_out import OddOneOutSet, read_rounds, write_rounds
from hallascope.engine.teaching import shipped_lessons
from tests.cli.conftest import assert_refused

ROOT = Path(__file__).parents[3]


def test_the_first_ctrl_c_asks_to_stop_and_the_second_ends_at_once() -> None:
    before = signal.getsignal(signal.SIGINT)
    with sweep.stopped_by_hand() as stop:
        signal.raise_signal(signal.SIGINT)
        assert stop.is_set()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


IN_A_CALL = """
import threading, torch
from hallascope.engine.process_exit import leave
layer, began = torch.nn.Conv2d(16, 16, 3), threading.Event()
def call():
    while True:
        layer(torch.rand(1, 16, 64, 64))
        began.set()
threading.Thread(target=call, name="ask a model", daemon=True).start()
began.wait()
print("said")
leave(130)
"""


@pytest.mark.full
def test_a_command_that_ends_during_a_call_of_torch_does_not_abort() -> None:
    ended = subprocess.run([sys.executable, "-c", IN_A_CALL], capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "said\n", "")


def test_a_sweep_takes_readings_of_its_prompts_and_refuses_others(
    command: Any, tmp_path: Path
) -> None:
    spec, file = tmp_path / "spec.yaml", tmp_path / "asks.yaml"
    spec.write_text(
        "prompts: [a ladybug]\nmodels: [primer/exact]\nmetrics: [tifa]\njudge: scripted/judge\n",
        encoding="utf-8",
    )
    file.write_text("- {prompt: a cow, objects: {cow: }}\n", encoding="utf-8")
    sentence = "is about none of these prompts, it has 'a cow'"
    assert_refused(command, (("sweep", spec, "--asks", file), sentence))
    file.write_text("- {prompt: a ladybug, objects: {hat: }, author: Ann}\n", encoding="utf-8")
    result = command("sweep", spec, "--asks", file, "--json")
    assert (result.code, result.json["evaluations"]) == (0, 1)
    board = command("leaderboard", "--metric", "tifa", "--json").json
    assert board["corrected"] == {"prompts": 1, "authors": ["Ann"], "mixed": 0}


def test_the_spaces_of_this_repository_can_be_deployed_and_a_fault_changes_nothing(
    command: Any, tmp_path: Path
) -> None:
    result = command("spaces", "--json")
    assert (result.code, result.json["problems"]) == (0, [])
    assert {space["sdk"] for space in result.json["spaces"]} <= {"gradio", "static", "docker"}
    file, readme = tmp_path / "spaces.yaml", tmp_path / "README.md"
    file.write_text("spaces:\n  - name: demo\n    hardware: zero\n", encoding="utf-8")
    readme.write_text("words", encoding="utf-8")
    for form in ([], ["--json"]):
        wrong = command("spaces", "--file", file, "--write", readme, *form)
        assert (wrong.code, "title" in wrong.out) == (1, True)
    assert readme.read_text(encoding="utf-8") == "words"


def test_the_link_of_a_link_is_the_link(command: Any) -> None:
    example = next((ROOT / "examples").rglob("*exercise*.yaml"))
    link = command("teach", "link", example)
    assert link.out.startswith("?tab=learn&set=")
    assert command("teach", "link", link.out.strip()).out == link.out
    assert command("teach", "--json").json == []


def test_the_rounds_of_the_first_page_are_made_and_their_size_is_said(
    command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make(services: Any, folder: Path) -> OddOneOutSet:
        rounds = read_rounds()
        write_rounds(rounds, folder)
        return rounds

    monkeypatch.setattr(shipped_lessons, "make_rounds", make)
    made = command("teach", "odd-one-out", tmp_path)
    assert (made.code, made.out.startswith("12 rounds and an example, ")) == (0, True)
    assert "primer/judge finds the odd image in 9 of 12 rounds." in made.out
    assert read_rounds(tmp_path) == read_rounds()
