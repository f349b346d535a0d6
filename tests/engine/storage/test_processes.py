"""Several processes that write into one database at once lose nothing and double nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

from hallascope.engine.storage.store import Store
from tests.engine.storage.test_store import count
from tests.support.concurrent_writer import ROUNDS
from tests.support.ledger_rows import ModelTotal, model_totals, run_spent

pytestmark = pytest.mark.full

ROOT = Path(__file__).parents[3]
WRITER = ROOT / "tests" / "support" / "concurrent_writer.py"
NAMES = ("0", "1", "2", "3")


def start(url: str, folder: Path, name: str) -> "subprocess.Popen[str]":
    command = [sys.executable, str(WRITER), url, str(folder), name]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_four_processes_open_an_empty_database_at_once_and_all_they_write_is_there_once(
    url: str, tmp_path: Path
) -> None:
    running = [start(url, tmp_path, name) for name in NAMES]
    for process in running:
        assert process.stdout is not None
        process.stdout.readline()
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    assert [process.communicate()[1] for process in running] == [""] * len(NAMES)
    assert [process.returncode for process in running] == [0] * len(NAMES)

    store, each = Store(url, tmp_path), len(NAMES) * ROUNDS
    rows = {
        name: count(store, name)
        for name in (
            "schema",
            "run",
            "generation",
            "runpicture",
            "evaluation",
            "verdict",
            "cached_reply",
        )
    }
    assert rows == {
        "schema": 1,
        "run": each + 1,
        "generation": each + ROUNDS,
        "runpicture": each * (ROUNDS + 1) + ROUNDS,
        "evaluation": each + ROUNDS,
        "verdict": 2 * (each + ROUNDS),
        "cached_reply": each + ROUNDS - 1,
    }
    assert {
        shot.state
        for name in NAMES
        for n in range(ROUNDS)
        for shot in store.generated_pictures(f"run {name} {n}")
    } == {"done"}
    assert store.run("run of all").state == "finished"
    assert len(store.question_sets()) == ROUNDS
    assert model_totals(store.ledger) == [
        ModelTotal(
            model="b",
            amount=each * 0.25,
            calls=2 * each,
            input_tokens=6 * each,
            output_tokens=0,
            pictures=0,
        ),
        ModelTotal(
            model="a",
            amount=each * 0.125,
            calls=each,
            input_tokens=3 * each,
            output_tokens=0,
            pictures=0,
        ),
    ]
    assert run_spent(store.ledger, "run of all") == each * 0.25
    store.close()
