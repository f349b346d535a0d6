"""`hallascope label plan`, `list`, `queue` and `progress`: from a plan to its report."""

import io
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import assert_refused
from tests.support.exports import read_table
from tests.support.labeling_store import build


@pytest.fixture
def plan(command: Any, tmp_path: Path) -> str:
    """The id of a plan of 12 prompts by two models."""
    build(tmp_path / "home").store.close()  # where the command keeps its store
    made = command("label", "plan", "--title", "What people see", "--raters", "2", "--json")
    assert made.code == 0
    return str(made.json["id"])


def test_a_plan_says_its_frame_and_how_to_label_it_and_is_listed(command: Any, plan: str) -> None:
    again = command("label", "plan", "--title", "What people see", "--raters", "2")
    lines = again.out.splitlines()
    assert lines[0] == f"plan {plan}"
    assert ["m/one", "12", "12"] in [line.split() for line in lines]
    assert "24 images judged by j/one, seed 0, 2 raters an image" in again.out
    assert lines[-1] == f"Next: `hallascope label queue {plan} --rater NAME`"
    (listed,) = command("label", "progress", "--json").json
    assert (listed["id"], listed["images"], listed["judge"]) == (plan, 24, "j/one")
    assert listed["strata"] == {name: {"prompts": 12, "images": 12} for name in ("m/one", "m/two")}
    assert plan in command("label", "progress").out


def test_the_queue_shows_what_is_next_and_why_and_neither_model_nor_answers(
    command: Any, plan: str
) -> None:
    shown = command("label", "queue", plan, "--rater", "Ann")
    assert shown.out.startswith("Image 1: ")
    assert "1. color?\n   A) Yes\n   B) No" in shown.out
    assert "Why: random within its model: image 1 of 12." in shown.out
    assert not re.search("m/(one|two)", shown.out)
    found = command("label", "queue", plan, "--rater", "Ann", "--json")
    assert found.json["next"]["questions"][0] == {"question": "color?", "choices": ["Yes", "No"]}
    assert not re.search("m/(one|two)", found.out)
    assert "gold" not in found.out


def test_progress_raters_and_the_end_of_the_queue_are_printed(command: Any, plan: str) -> None:
    def queue(*more: str) -> Any:
        return command("label", "queue", plan, "--rater", "Ann", *more)

    assert "No image of the plan" in command("label", "progress", plan, "--raters").out
    for _ in range(20):
        queue("--answer", "AB")
    progress = command("label", "progress", plan).out
    assert "20 of 24 images labeled, 0 by as many raters as planned" in progress
    (row,) = (line.split() for line in progress.splitlines() if line.startswith("m/one "))
    assert row[1:3] == ["1.000", "0.500"]
    assert row[-4:] == ["10", "of", "12", "0"]
    assert (
        "j/one against each rater: same 0.500"
        in command("label", "progress", plan[:6], "--raters").out
    )
    for _ in range(4):
        queue("--answer", "AB")
    assert queue().out == "Nothing is left to label for this rater.\n"
    assert queue("--json").json["next"] is None
    assert_refused(
        command, (("label", "queue", plan, "--rater", "Ann", "--answer", "AA"), "Nothing is left")
    )


def test_a_wrong_request_is_one_sentence(command: Any, plan: str) -> None:
    queue = ("label", "queue", plan, "--rater", "Ann")
    make = ("label", "plan")
    assert_refused(
        command,
        ((*queue, "--answer", "AX"), "'X' is none of A, B, C, D, E, ?"),
        ((*queue, "--answer", "A"), "there are 1 marks and 2 questions"),
        ((*queue, "--answer", "AC"), "give each a mark"),
        ((*queue, "--answer", "undo"), "Ann has labeled and skipped"),
        (("label", "queue", plan, "--rater", " "), "type your name"),
        (("label", "queue", "zz", "--rater", "Ann"), "There is no labeling plan 'zz'"),
        (("label", "progress", "zz"), "There is no labeling plan 'zz'"),
        (("label", "progress", "zz", "--raters"), "There is no labeling plan 'zz'"),
        ((*make, "--model", "m/none"), "No image of m/none that j/one judged"),
        ((*make, "--raters", "9"), "take 1 to 5"),
        (("leaderboard", "--plan", plan, "--labels", "elsewhere"), "give one of them"),
        (("leaderboard", "--plan", "nothing"), "There is no labeling plan 'nothing'"),
    )


def test_a_plan_is_deleted_and_its_images_stay(command: Any, plan: str) -> None:
    delete = ("label", "plan", "--delete", plan[:6], "--json")
    assert command(*delete).json == {"plan": plan, "deleted": False}
    assert len(command("label", "progress", "--json").json) == 1
    assert command(*delete, "--yes").json == {"plan": plan, "deleted": True}
    assert command("label", "progress", "--json").json == []
    assert command("label", "plan", "--json").code == 0, "a new one has the same images"


def test_a_plan_stays_where_its_deletion_is_not_confirmed(
    command: Any, plan: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    unanswered = command("label", "plan", "--delete", plan)
    assert (unanswered.code, "add --yes" in unanswered.err) == (2, True)
    monkeypatch.setattr("typer.confirm", lambda question: False)
    assert command("label", "plan", "--delete", plan).code == 2
    assert len(command("label", "progress", "--json").json) == 1


def test_the_leaderboard_counts_the_labels_of_a_plan_by_their_probabilities(
    command: Any, plan: str
) -> None:
    for _ in range(20):
        assert command("label", "queue", plan, "--rater", "Ann", "--answer", "BA").code == 0
    found = command("leaderboard", "--plan", plan, "--json").json
    rows = found["corrected_by_people"]
    assert [row["labeled"] for row in rows] == [10, 10]
    assert all(row["score"]["value"] == pytest.approx(0.5) for row in rows)
    assert found["correction_by_people"]["sampling"].startswith("The labeled prompts were drawn")


def test_a_plan_is_exported_as_tables_that_name_raters_only_where_asked(
    command: Any, plan: str, tmp_path: Path
) -> None:
    for rater, answers in (("Ann Person", ("AB", "A?", "skip")), ("Bo", ("AA",))):
        for answer in answers:
            command("label", "queue", plan, "--rater", rater, "--answer", answer)
    written = command("label", "export", tmp_path / "out", "--plan", plan[:6], "--json").json
    counts = [written[name] for name in ("images", "raters", "labeled", "skipped")]
    assert counts == [24, 2, 3, 1]
    labels = read_table(tmp_path / "out" / "labels.csv")
    names = ("rater", "state", "number", "mark", "sees_expected")
    assert [[row[name] for name in names] for row in labels] == [
        ["rater 1", "labeled", "1", "A", "true"],
        ["rater 1", "labeled", "2", "B", "false"],
        ["rater 1", "labeled", "1", "A", "true"],
        ["rater 1", "labeled", "2", "?", ""],
        ["rater 1", "skipped", "", "", ""],
        ["rater 2", "labeled", "1", "A", "true"],
        ["rater 2", "labeled", "2", "A", "true"],
    ]
    frame = read_table(tmp_path / "out" / "frame.csv")
    assert [row["labeled_by"] for row in frame[:3]] == ["2", "1", "0"]
    assert sum(float(row["probability_of_one_draw"]) for row in frame) == pytest.approx(2)
    questions = read_table(tmp_path / "out" / "questions.csv")
    assert [questions[0][name] for name in ("choice_a", "expected", "judge_state")] == [
        "Yes",
        "A",
        "correct",
    ]
    command("label", "export", tmp_path / "named", "--plan", plan, "--with-names")
    assert read_table(tmp_path / "named" / "labels.csv")[0]["rater"] == "Ann Person"
