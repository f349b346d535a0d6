"""Trials from the command line: judges where the truth is known."""

from pathlib import Path
from typing import Any

import pytest

from hallascope.cli.commands import trial
from tests.cli.conftest import assert_refused
from tests.support.halo_trials import services_on, write_table
from tests.support.lenient_judge import label_items

TRIAL = ("trial", "--judge", "scripted/judge")


def test_a_judge_is_tried_on_primer(command: Any) -> None:
    ran = command(*TRIAL, "--images", "4", "--json")
    assert (ran.code, ran.json["judge"], ran.json["pictures"]) == (0, "scripted/judge", 4)
    assert ran.json["overall"]["interval_method"] == "clopper-pearson"
    assert ran.json["reliability"]["baseline"]["asked"] == 20
    shares = {"value", "low", "high"}
    assert set(ran.json["reliability"]["balanced_accuracy"]) >= shares
    for share in ("none_right", "overall"):
        assert set(ran.json[share]) >= shares | {"right", "asked"}
    assert set(ran.json["by_coi"]) >= {"shape", "color"}


def test_several_judges_are_set_beside_each_other_with_the_questions_on_which_they_part(
    command: Any,
) -> None:
    judges = ("trial", "--judge", "scripted/judge,scripted/down", "--images", "2")
    both = (*judges, "--orders", "2", "--trials", "2", "--difficulty")
    ran = command(*both, "--json")
    assert ran.code == 1, "one of them answered nothing"
    good, down = ran.json["judges"]
    assert good["reordered"]["questions"] == good["repeated"]["questions"] == 10
    answered = {"value": 0.0, "right": 0, "asked": 30, "low": None, "high": None}
    assert down["answered"] == answered | {"interval_method": None}
    assert ran.json["pairs"][0]["kappa"]["left_out"] == 10
    assert ran.json["disagreements"] == [], "who says nothing does not disagree"
    printed = command(*both).out
    for words in ("position bias", "normal or weird", "scripted/down: 2 images, 10 questions"):
        assert words in printed


# --- HaloQuest ---


def test_a_judge_is_tried_on_labels(command: Any, tmp_path: Path) -> None:
    label_items(tmp_path, 25, untold=1)
    tried = command(*TRIAL, "--labeled", tmp_path, "--json").json
    assert tried["pictures"] == 25
    assert {"value", "same", "n"} <= tried["overall"].keys()


def test_a_judge_of_a_service_is_not_asked_where_no_budget_counts(
    command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    asked = ("trial", "--judge", "openai/gpt-4o")
    assert_refused(command, ((*asked, "--labeled", tmp_path), "no budget"))


@pytest.fixture
def halo(command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A trial by HaloQuest's released questions, of which one has no image."""
    monkeypatch.setattr(trial, "create_services", lambda: services_on(tmp_path))
    table = write_table(tmp_path)
    given = ("--benchmark", "haloquest", "--path", table, "--image-folder", tmp_path / "pictures")
    return lambda *more: command(*TRIAL, *given, *more)


def test_the_released_questions_are_asked_and_graded_and_a_missing_picture_is_named(
    halo: Any,
) -> None:
    ran = halo("--grader", "scripted/grader", "--json")
    document = ran.json
    assert ran.code == 1  # a picture is missing
    assert [(row["source"], row["state"]) for row in document["questions"]] == [
        ("haloquest-eval.csv:2", "incorrect"),
        ("haloquest-eval.csv:3", "correct"),
        ("haloquest-eval.csv:4", "failed"),
    ]
    assert document["questions"][0]["references"] == ["There is no bee."]
    overall = document["answered"]["overall"]
    assert (overall["value"], overall["n"], overall["left_out"]) == (0.5, 2, 1)
    assert document["published"]["overall"]["value"] == pytest.approx(1 / 3)
    assert "'gone.png' is missing" in document["left_out"]["haloquest-eval.csv:4"]
    assert document["grader"] == "scripted/grader"
    simple = halo("--grader", "scripted/grader", "--auto-eval", "schema").out
    assert "graded by scripted/grader (simple schema)" in simple
    by_rule = halo().out
    for words in ("graded by rule", "generated", "false premises", "'gone.png' is missing"):
        assert words in by_rule


def test_replies_given_elsewhere_are_graded_and_set_beside_people(
    halo: Any, tmp_path: Path
) -> None:
    def graded(*rows: str) -> Any:
        lines = ["item,reply,value", *(f"haloquest-eval.csv:{row}" for row in rows)]
        (tmp_path / "replies.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        return halo("--replies", tmp_path / "replies.csv", "--json")

    rows = ("2,There is no bee.,1", "3,four,1", "4,It cannot be told.,", "9,x,1", "4,again,1")
    ran = graded(*rows)
    assert (ran.code, ran.json["judge"]) == (1, "")
    states = [row["state"] for row in ran.json["questions"]]
    assert states == ["correct", "incorrect", "correct"]
    agreement = ran.json["agreement_with_people"]
    assert (agreement["value"], agreement["agreement"]) == (0.0, 0.5)
    assert (agreement["n"], agreement["left_out"]) == (2, 1)
    complaints = [(complaint["file"], complaint["row"]) for complaint in ran.json["complaints"]]
    assert complaints == [("replies.csv", 5), ("replies.csv", 6)]
    overlap = graded("2,There is no bee.,1", "3,Four,0", "4,It cannot be told.,1").json
    overlap = overlap["text_overlap"]
    assert set(overlap) == {"bleu", "rouge_l", "meteor", "cider", "chrf"}
    assert overlap["rouge_l"]["mean"] == pytest.approx(2 / 3)
    assert overlap["rouge_l"]["rated"] == 3
    assert overlap["rouge_l"]["pearson"]["value"] == pytest.approx(1)


def test_a_wrong_request_for_haloquest_is_one_sentence(command: Any) -> None:
    haloquest, primer = ((*TRIAL, "--benchmark", name) for name in ("haloquest", "primer-halo"))
    assert_refused(
        command,
        (haloquest, "name its file or folder with --path"),
        ((*haloquest, "--path", "nowhere.csv"), "cannot be opened"),
        ((*haloquest, "--path", "x.csv", "--image-folder", "nowhere"), "no folder 'nowhere'"),
        ((*primer, "--judge", "scripted/judg"), "did you mean 'scripted/judge'?"),
        ((*primer, "--grader", "scripted/judge"), "is no writer"),
        (
            (*TRIAL, "--replies", "replies.csv"),
            "--replies does not go with primer: it is for haloquest",
        ),
        ((*haloquest, "--images", "4"), "--images does not go with haloquest: it is for primer"),
        (
            (*TRIAL, "--labeled", "folder", "--sample", "4"),
            "--sample does not go with --labeled: it is for haloquest and",
        ),
        ((*haloquest, "--labeled", "folder"), "leave --benchmark out"),
    )
