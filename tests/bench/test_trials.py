"""The trials print what is right, and fail where a bound is missed."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bench import measuring, metric_trial, parser_eval, repair_trial, reply_eval

Trial = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture
def trial(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Trial:
    """Runs a module with options, and gives its exit code and its document."""

    def run(module: Any, *options: object) -> tuple[int, dict[str, Any]]:
        monkeypatch.setattr("sys.argv", ["bench", *map(str, options), "--json"])
        with pytest.raises(SystemExit) as ended:
            measuring.launch(module.main)
        out = capsys.readouterr().out
        return int(ended.value.code or 0), json.loads(out) if out else {}

    return run


def shares(document: dict[str, Any]) -> dict[str, float | None]:
    """The shares of a document's rows by what they are of."""
    return {row["what"]: row["share"] for row in document["rows"]}


@pytest.mark.parametrize(
    "part, least", [("all", 0.95), ("test", 0.98), ("work", 0.97), ("work-3", 0.97)]
)
def test_gold_replies_are_read_right_none_is_misread_and_no_answer_is_read_less(
    trial: Trial, part: str, least: float
) -> None:
    code, document = trial(reply_eval, "--part", part, "--at-least", least)
    assert (code, document["misread"]) == (0, [])
    answers = {what.rpartition(" ")[2] for what in shares(document)}
    assert answers == {"right", "Yes", "No", *"ABCDE"}


def test_a_reader_of_yes_alone_fails_fishers_test_though_most_is_read(
    trial: Trial, tmp_path: Path
) -> None:
    """The p-value is the hypergeometric one: 1 / C(20, 10) twice."""
    row = {"question": "Is it so?", "choices": ["Yes", "No"], "habit": "x"}
    replies = [{"reply": "A", "expected": "A"}, {"reply": "?", "expected": "B"}]
    file = tmp_path / "gold.jsonl"
    file.write_text("\n".join(json.dumps(row | reply) for reply in replies * 10), encoding="utf-8")
    code, document = trial(reply_eval, "--file", file, "--at-least", 0.4)
    assert (code, document["p_values"][0]) == (1, pytest.approx(2 / math.comb(20, 10)))


@pytest.mark.full
def test_parsers_are_held_against_gold_readings(trial: Trial, tmp_path: Path) -> None:
    (tmp_path / "development").mkdir()
    gold = "- {prompt: a red car, objects: {car: {attributes: [red]}}}\n"
    gold += "- {prompt: two dogs, objects: {dog: {count: 3}}}\n"
    (tmp_path / "development" / "coco.yaml").write_text(gold, encoding="utf-8")
    code, document = trial(parser_eval, "--folder", tmp_path, "--fig-at-least", 0.5)
    assert (code, shares(document)["fig: prompts read right"]) == (0, 0.5)
    assert [wrong["prompt"] for wrong in document["mistakes"]] == ["two dogs"]
    assert trial(parser_eval, "--folder", tmp_path, "--fig-at-least", 0.6)[0] == 1
    readings = tmp_path / "development" / "coco.yaml"
    of_itself = trial(parser_eval, "--folder", tmp_path, "--readings", readings)[1]
    assert shares(of_itself)["fig: prompts read right"] == 1.0


@pytest.mark.full
def test_fig_finds_every_error_with_perfect_eyes_and_a_missing_role_is_refused(
    trial: Trial, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HALLASCOPE_HOME", str(tmp_path))
    code, document = trial(metric_trial, "fig", "--count", 4, "--perfect")
    assert (code, document["images"], document["mistakes"]) == (0, 4, [])
    assert trial(metric_trial, "clipscore", "--count", 2)[0] == 2


def test_a_remedy_that_pleases_the_selecting_judge_alone_is_not_credited_by_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(repair_trial, "REFERENCE_PROMPTS", 500)
    found = repair_trial.simulate(experiments=20, prompts=30, images=3, seed=0)
    fooled = found.loc["fools its judge"]
    assert fooled["by the selecting judge"] == 1.0
    assert fooled["overstated"] <= 0.1
    assert (found["coverage, truth"] >= 0.9).all()
