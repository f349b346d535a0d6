"""`hallascope wording` lists, copies and checks packs; `--wording` judges by their texts."""

from pathlib import Path
from typing import Any

import pytest

from hallascope.data.wordings.catalog import WORDINGS
from hallascope.engine.errors import BadRequest
from tests.cli.conftest import assert_refused

JUDGE = ("--judge", "scripted/judge", "--json")
EVALUATE = ("evaluate", "a molecule of methane", "--model", "primer/exact", *JUDGE)


@pytest.fixture
def lab(command: Any, tmp_path: Path) -> Path:
    """A copy of ours in which one text is changed."""
    folder = tmp_path / "lab"
    assert command("wording", "ours", "--copy", folder).code == 0
    ask = folder / "ihalla_ask.txt"
    ask.write_text(f"Look closely.\n{ask.read_text(encoding='utf-8')}", encoding="utf-8")
    return folder


def test_packs_and_wordings_are_listed_with_their_placeholders(command: Any) -> None:
    listed = command("wording", "--json").json
    assert [pack["pack"] for pack in listed["packs"]] == ["ours", "as-published", "free"]
    assert {row["wording"] for row in listed["wordings"]} == set(WORDINGS)
    assert "{question} {choices} [{none}]" in command("wording").out


def test_a_check_names_what_differs_from_ours_and_what_is_wrong(command: Any, lab: Path) -> None:
    checked = command("wording", lab, "--json").json
    assert (checked["changed"], list(checked["marks"])) == (["ihalla_ask"], ["ihalla"])
    assert "other than ours: ihalla_ask" in command("wording", lab).out
    (lab / "tifa_ask.txt").write_text("{question}\n{choises}", encoding="utf-8")
    wrong = f"{lab / 'tifa_ask.txt'}, line 2: {{choises}} is no placeholder here; did you mean"
    assert_refused(command, (("wording", lab), f"{wrong} {{choices}}?"))


def test_a_pack_is_another_way_of_judging_and_is_never_averaged_with_ours(
    command: Any, lab: Path
) -> None:
    (ours,) = command(*EVALUATE).json["evaluations"]
    (own,) = command(*EVALUATE, "--wording", lab).json["evaluations"]
    assert "@lab." in own["version"]
    assert "@" not in ours["version"]
    board = command("leaderboard", "--metric", "ihalla", "--json").json
    assert [row["n"] for row in board["rows"]] == [1]
    assert board["judged_by"]["wording"] == "lab"
    assert [other["wording"] for other in board["judged_otherwise"]] == ["ours"]


def test_questions_are_made_under_a_pack(command: Any, lab: Path) -> None:
    (lab / "ihalla_reason_unseen.txt").write_text("Think of {captoin}.", encoding="utf-8")
    made = ("questions", "make", "a pot", "--writer", "scripted/parser", "--wording", lab)
    assert_refused(command, (made, "ihalla_reason_unseen.txt, line 1: {captoin}"))


def test_a_public_app_reads_no_folder_that_a_visitor_names(
    lab: Path, services: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HALLASCOPE_PUBLIC", "1")
    with pytest.raises(BadRequest, match="choose one of ours, as-published"):
        services.wording_pack(str(lab))
    assert services.wording_pack("as-published").name == "as-published"
