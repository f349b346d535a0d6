"""Tests `hallascope runs` and `questions`: what is stored is listed, named and deleted."""

import io
from pathlib import Path
from typing import Any

import pytest

from hallascope.data.models.specs import read_models
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store

METHANE = "a molecule of methane"
PROMPTS = (METHANE, "the planet Saturn")
JUDGED = ("--model", "primer/exact", "--judge", "scripted/judge", "--json")


@pytest.fixture
def stored(command: Any) -> list[str]:
    """Two stored runs; their ids."""
    return [command("evaluate", prompt, *JUDGED).json["run"] for prompt in PROMPTS]


def test_an_empty_store_says_how_to_make_a_run(command: Any) -> None:
    shown = command("runs", "show")
    assert (shown.code, "hallascope evaluate" in shown.out) == (0, True)
    assert command("runs", "show", "--json").json == {"runs": [], "total": 0}


def test_runs_are_listed_named_pinned_and_found(command: Any, stored: list[str]) -> None:
    first, second = stored
    listed = command("runs", "show", "--json").json["runs"]
    assert [run["id"] for run in listed] == [second, first]
    expected = {
        "id": second,
        "kind": "run",
        "name": PROMPTS[1],
        "pinned": False,
        "state": "finished",
        "prompts": [PROMPTS[1]],
        "models": ["primer/exact"],
        "judges": ["scripted/judge"],
        "images": 1,
        "runs": [second],
    }
    assert listed[0] | expected == listed[0]
    assert command("runs", "edit", first, "--pin").code == 0
    named = command("runs", "edit", first[:8], "--name", "The first", "--json").json
    assert named["name"] == "The first"
    table = command("runs", "show").out.splitlines()
    assert (first in table[1], "yes" in table[1], "The first" in table[1]) == (True,) * 3
    assert command("runs", "edit", first, "--unpin", "--json").json["pinned"] is False
    found = command("runs", "show", "--find", "the FIRST", "--json").json
    assert [run["id"] for run in found["runs"]] == [first]
    assert "No run contains 'zebra'" in command("runs", "show", "--find", "zebra").out
    assert f"run {second}: {PROMPTS[1]}" in command("runs", "show", second).out


def test_a_deletion_is_told_and_asks_first(
    command: Any, stored: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = stored
    monkeypatch.setattr("sys.stdin", io.StringIO())
    unanswered = command("runs", "edit", first, "--delete")
    assert (unanswered.code, "add --yes" in unanswered.err) == (2, True)
    monkeypatch.setattr("typer.confirm", lambda _: False)
    refused = command("runs", "edit", first, "--delete")
    assert (refused.code, "Nothing was deleted." in refused.out) == (2, True)
    planned = command("runs", "edit", first, "--delete", "--json").json
    assert (planned["deleted"], planned["count"]["images"]) == (False, 1)
    assert command("runs", "show", "--json").json["total"] == 2
    assert command("runs", "edit", first, "--delete", "--yes", "--json").json == planned | {
        "deleted": True
    }
    monkeypatch.setattr("typer.confirm", lambda _: True)
    assert command("runs", "edit", second, "--delete").out.endswith("Deleted.\n")
    assert command("runs", "show", "--json").json["total"] == 0


# --- questions ---


def test_questions_of_a_prompt_are_shown_without_being_saved(command: Any) -> None:
    shown = command("questions", "show", METHANE)
    assert (shown.code, shown.out[:3]) == (0, "1. ")
    assert shown.out.count("*") == 5, "five questions with one right answer each"
    assert command("questions", "show", "--json").json == []


def test_saved_sets_go_to_a_file_and_come_back(command: Any, tmp_path: Path) -> None:
    sets = Services(Store(folder=tmp_path / "home"), read_models()).sets
    sets.save(sets.for_prompt(METHANE))
    assert METHANE in command("questions", "show").out
    file = tmp_path / "sets.jsonl"
    assert command("questions", "show", "--out", file, "--json").json["written"] == 1
    assert METHANE in command("questions", "show", METHANE, "--remove").out
    assert command("questions", "show", "--json").json == []
    imported = command("questions", "import", file, "--json")
    assert (imported.code, imported.json) == (0, {"saved": [METHANE], "complaints": []})
    assert len(command("questions", "show", "--json").json) == 1
    missing = command("questions", "import", tmp_path / "missing.xlsx")
    assert (missing.code, "missing.xlsx" in missing.out) == (1, True)


def test_a_prompt_is_put_into_a_category_with_its_reason(command: Any) -> None:
    said = command("questions", "make", METHANE, "--category", "--save", "--json").json
    assert (said["category"], said["field"], said["saved"]) == ("Physics", "Science", True)
    (saved,) = command("questions", "show", "--json").json
    assert saved["category"] == "Physics"
