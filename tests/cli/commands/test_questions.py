"""Tests `hallascope questions`: saved sets go to a file, come back and are removed."""

from pathlib import Path
from typing import Any

from hallascope.data.models.specs import read_models
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store

PROMPT = "a molecule of methane"


def test_questions_of_a_prompt_are_shown_without_being_saved(command: Any) -> None:
    shown = command("questions", "show", PROMPT)
    assert shown.code == 0
    assert shown.out.startswith("1. ")
    assert shown.out.count("*") == 5, "five questions with one right answer each"
    assert command("questions", "list", "--json").json == []


def test_saved_sets_go_to_a_file_and_come_back(command: Any, tmp_path: Path) -> None:
    sets = Services(Store(folder=tmp_path / "home"), read_models()).sets
    sets.save(sets.for_prompt(PROMPT))
    assert PROMPT in command("questions", "list").out
    file = tmp_path / "sets.jsonl"
    assert command("questions", "export", file, "--json").json["written"] == 1
    assert command("questions", "remove", PROMPT).out == f"Removed the questions of {PROMPT!r}.\n"
    assert command("questions", "list", "--json").json == []
    imported = command("questions", "import", file, "--json")
    assert (imported.code, imported.json) == (0, {"saved": [PROMPT], "complaints": []})
    assert len(command("questions", "list", "--json").json) == 1


def test_a_file_that_cannot_be_read_is_named(command: Any, tmp_path: Path) -> None:
    result = command("questions", "import", tmp_path / "missing.xlsx")
    assert result.code == 1
    assert "0 sets saved" in result.out
    assert "missing.xlsx" in result.out


def test_a_prompt_is_put_into_a_category_with_its_reason(command: Any) -> None:
    said = command("questions", "categorize", PROMPT, "--save", "--json")
    assert said.code == 0
    assert (said.json["category"], said.json["field"], said.json["saved"]) == (
        "Physics",
        "Science",
        True,
    )
    (saved,) = command("questions", "list", "--json").json
    assert saved["category"] == "Physics"
    refused = command("questions", "categorize", "a hamburger on a plate")
    assert refused.code == 2
