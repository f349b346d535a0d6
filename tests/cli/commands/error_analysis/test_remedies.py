"""Tests `hallascope errors repair` and `repair-trial`: tables, JSON, and wrong requests."""

from pathlib import Path
from typing import Any

REPAIR = ("errors", "repair", "--model", "primer/careless", "--judge", "scripted/judge")


def test_an_experiment_is_printed_and_given_as_json(command: Any, tmp_path: Path) -> None:
    file = tmp_path / "prompts.txt"
    file.write_text("two red circles\nthree blue stars\n", encoding="utf-8")
    asked = (*REPAIR, "--evaluate-by", "openai/gpt-4o", "--prompts", file, "--images", "2")
    said = command(*asked, "--remedies", "best-of-n", "--json")
    assert said.code == 0
    assert (said.json["failing_images"], said.json["treated"]) == (2, 2)
    (best,) = said.json["remedies"]
    assert best["truth"]["repaired"]["facts"] > 0
    printed = command(*asked, "--remedies", "best-of-n")
    assert best["sentence"] in printed.out
    assert "the truth" in printed.out


def test_one_judge_cannot_evaluate_itself(command: Any, tmp_path: Path) -> None:
    file = tmp_path / "prompts.txt"
    file.write_text("two red circles\n", encoding="utf-8")
    refused = command(*REPAIR, "--evaluate-by", "scripted/judge", "--prompts", file)
    assert refused.code == 2
    assert "choose another judge to evaluate" in refused.err


def test_a_run_or_prompts_must_be_named(command: Any) -> None:
    refused = command(*REPAIR, "--evaluate-by", "scripted/down")
    assert refused.code == 2
    assert "Name what is repaired" in refused.err


def test_a_trial_prints_a_row_for_each_simulated_remedy(command: Any, monkeypatch: Any) -> None:
    from hallascope.engine.error_analysis.remedies import simulation

    monkeypatch.setattr(simulation, "_REFERENCE_PROMPTS", 500)
    said = command("errors", "repair-trial", "--experiments", "10", "--prompts", "10", "--json")
    assert said.code == 0
    assert [cell["remedy"] for cell in said.json["cells"]] == list(simulation.SIMULATED)
