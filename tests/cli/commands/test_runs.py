"""Tests `hallascope runs`: stored runs are listed, named, pinned, compared and deleted."""

from typing import Any

import pytest

PROMPTS = ("a molecule of methane", "the planet Saturn")


@pytest.fixture
def stored(command: Any) -> list[str]:
    """Two stored runs; their ids."""
    return [
        command(
            "evaluate", prompt, "--models", "primer/exact", "--judge", "scripted/judge", "--json"
        ).json["run"]
        for prompt in PROMPTS
    ]


def test_an_empty_store_says_how_to_make_a_run(command: Any) -> None:
    shown = command("runs", "list")
    assert (shown.code, "hallascope evaluate" in shown.out) == (0, True)
    assert command("runs", "list", "--json").json == {"runs": [], "total": 0}


def test_runs_are_listed_named_pinned_and_found(command: Any, stored: list[str]) -> None:
    first, second = stored
    listed = command("runs", "list", "--json").json
    assert [run["id"] for run in listed["runs"]] == [second, first]
    assert listed["runs"][0] | {"created": "", "image": ""} == {
        "id": second,
        "kind": "run",
        "name": PROMPTS[1],
        "pinned": False,
        "created": "",
        "state": "finished",
        "prompts": [PROMPTS[1]],
        "models": ["primer/exact"],
        "judges": ["scripted/judge"],
        "images": 1,
        "image": "",
        "scores": listed["runs"][0]["scores"],
        "runs": [second],
    }
    assert command("runs", "pin", first).code == 0
    assert command("runs", "rename", first[:8], "The first", "--json").json["name"] == "The first"
    table = command("runs", "list").out.splitlines()
    assert (first in table[1], "yes" in table[1], "The first" in table[1]) == (True,) * 3
    assert command("runs", "unpin", first, "--json").json["pinned"] is False
    found = command("runs", "list", "--find", "the FIRST", "--json").json
    assert [run["id"] for run in found["runs"]] == [first]
    assert "No run contains 'zebra'" in command("runs", "list", "--find", "zebra").out
    assert f"run {second}: {PROMPTS[1]}" in command("runs", "show", second).out


def test_a_deletion_is_told_and_asks_first(
    command: Any, stored: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = stored
    monkeypatch.setattr("typer.confirm", lambda _: False)
    refused = command("runs", "delete", first)
    assert (refused.code, "Nothing was deleted." in refused.out) == (2, True)
    planned = command("runs", "delete", first, "--json").json
    assert (planned["deleted"], planned["count"]["images"]) == (False, 1)
    assert command("runs", "list", "--json").json["total"] == 2
    assert command("runs", "delete", first, "--yes", "--json").json == planned | {"deleted": True}
    monkeypatch.setattr("typer.confirm", lambda _: True)
    assert command("runs", "delete", second).out.endswith("Deleted.\n")
    assert command("runs", "list", "--json").json["total"] == 0


def test_two_runs_are_compared(command: Any, stored: list[str]) -> None:
    shown = command("runs", "compare", *stored)
    assert (shown.code, "Prompts" in shown.out, "all models" in shown.out) == (0, True, True)
    document = command("runs", "compare", *stored, "--json").json
    assert [run["id"] for run in document["runs"]] == stored
    assert document["metrics"][0]["all_models"]["difference"]["n"] == 0


def test_a_run_that_is_not_there_is_one_sentence(command: Any) -> None:
    shown = command("runs", "show", "none")
    assert (shown.code, "No run 'none'" in shown.err) == (2, True)
