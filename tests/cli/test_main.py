"""The command line keeps its contract: one JSON document, three exit codes, one sentence for what
is wrong.
"""

import re
from pathlib import Path
from typing import Any

import pytest

from hallascope.cli import main
from hallascope.data.models.specs import read_models
from hallascope.engine import services
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store

PROMPT = "a molecule of methane"


def test_evaluate_prints_the_promised_document_and_a_second_call_is_cached(command: Any) -> None:
    words = (
        "evaluate",
        PROMPT,
        "--models",
        "primer/exact,primer/hasty",
        "--metrics",
        "ihalla",
        "--judge",
        "scripted/judge",
        "--json",
    )
    first, second = command(*words), command(*words)
    assert (first.code, first.err) == (0, "")
    assert set(first.json) >= {"run", "evaluations", "failures"}
    assert [e["model"] for e in first.json["evaluations"]] == ["primer/exact", "primer/hasty"]
    for said in first.json["evaluations"]:
        assert set(said) >= {
            "model",
            "image",
            "metric",
            "judge",
            "score",
            "strict",
            "verdicts",
            "cached",
        }
        assert set(said["score"]) == {"value", "counted", "left_out"}
        assert said["judge_reliability"] is None, "the scripted judge was not tried"
        assert Path(said["image"]).is_file()
        assert [
            set(v) >= {"question", "choices", "gold", "answer", "state", "coi", "raw"}
            for v in said["verdicts"]
        ] == [True] * 5
        for v in said["verdicts"]:
            assert v["truth"]["source"] == "drawn"
            assert v["judge_is_wrong"] == (v["answer"] != v["truth"]["letter"])
    assert first.json["judge_errors"]["known"] == 10
    assert [e["cached"] for e in first.json["evaluations"]] == [False, False]
    assert [e["cached"] for e in second.json["evaluations"]] == [True, True]
    assert (first.json["cached"], second.json["cached"]) == (False, True)
    assert second.json["run"] == first.json["run"]
    strip = [{**e, "cached": None} for e in second.json["evaluations"]]
    assert strip == [{**e, "cached": None} for e in first.json["evaluations"]]


def test_for_people_it_prints_a_table(command: Any) -> None:
    ran = command("evaluate", PROMPT, "--models", "primer/exact", "--judge", "scripted/judge")
    assert ran.code == 0
    assert "score  counted  left out" in ran.out
    assert re.search(r"The judge is wrong on \d of 5 answers whose truth is known\.", ran.out)


def test_a_judge_that_is_down_is_exit_code_1_with_every_failure_listed(command: Any) -> None:
    ran = command(
        "evaluate", PROMPT, "--models", "primer/exact", "--judge", "scripted/down", "--json"
    )
    assert ran.code == 1
    assert ran.json["evaluations"][0]["score"] == {"value": None, "counted": 0, "left_out": 5}
    assert [f["message"] for f in ran.json["failures"]] == ["It did not answer: ask again."] * 5


def test_a_prompt_no_one_can_draw_is_exit_code_1(command: Any) -> None:
    ran = command(
        "evaluate",
        "quantum marmalade",
        "--models",
        "primer/exact",
        "--judge",
        "scripted/judge",
        "--json",
    )
    assert ran.code == 1
    assert {f["kind"] for f in ran.json["failures"]} == {"no_questions", "cannot_draw"}


def test_without_a_judge_it_only_makes_pictures(command: Any) -> None:
    assert (
        command("evaluate", PROMPT, "--models", "primer/exact", "--judge", "none", "--json").code
        == 0
    )


def test_an_image_of_yours_is_judged(command: Any, tmp_path: Path) -> None:
    from tests.support.small_pictures import png

    (tmp_path / "mine.png").write_bytes(png())
    ran = command(
        "evaluate",
        PROMPT,
        "--image",
        str(tmp_path / "mine.png"),
        "--judge",
        "scripted/judge",
        "--json",
    )
    assert (ran.code, ran.json["evaluations"][0]["model"]) == (0, "uploaded")


ROLES = ("detector", "segmenter", "captioner", "reader", "writer")


def test_each_role_of_a_metric_is_filled_by_name_and_what_it_found_is_printed(
    command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.support.vision_metric import metric, models

    monkeypatch.setattr(
        main,
        "create_services",
        lambda: Services(Store(folder=tmp_path / "home"), read_models(), models(), metric),
    )
    words = (
        "evaluate",
        "a red cat",
        "--models",
        "m/painter",
        "--metrics",
        "fig",
        *(w for role in ROLES for w in (f"--{role}", f"m/{role}")),
    )
    ran = command(*words, "--judge", "none", "--json")
    assert (ran.code, ran.err) == (0, "")
    (said,) = ran.json["evaluations"]
    assert (said["judge"], said["lineup"]) == (None, {role: f"m/{role}" for role in ROLES})
    assert said["stages"]["color"] == {"value": 1.0, "counted": 1, "left_out": 0}
    assert said["pairs"][0]["attribute"] == "color"
    assert said["evidence"]["segments"][0]["written"] == "STOP"
    assert said["extraneous"] == ["dog"]
    shown = command(*words)
    assert "object  color  number  position  text" in shown.out
    missing = command(
        "evaluate",
        "a red cat",
        "--models",
        "m/painter",
        "--metrics",
        "fig",
        "--detector",
        "m/nobody",
    )
    assert (missing.code, missing.out) == (2, "")
    assert "There is no model 'm/nobody'" in missing.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("evaluate",), "Missing argument"),
        (("evaluate", "", "--models", "primer/exact"), "The prompt is empty"),
        (("evaluate", PROMPT, "--models", "primer/exect"), "did you mean 'primer/exact'?"),
        (
            (
                "evaluate",
                PROMPT,
                "--models",
                "primer/exact",
                "--judge",
                "scripted/judge",
                "--metrics",
                "ihala",
            ),
            "did you mean 'ihalla'?",
        ),
        (
            ("evaluate", PROMPT, "--models", "primer/exact", "--count", "many"),
            "Invalid value for '--count'",
        ),
        (
            ("evaluate", PROMPT, "--image", "nowhere.png", "--judge", "scripted/judge"),
            "'nowhere.png' cannot be read",
        ),
        (("evaluate", PROMPT, "--nonsense"), "No such option"),
        (("nonsense",), "No such command"),
        (("benchmark", "load", "nonsense", "."), "There is no benchmark 'nonsense'"),
        (("benchmark", "load", "ihalla", "nowhere"), "nowhere"),
        (("judge-trial", "--benchmark", "nonsense"), "There is no benchmark 'nonsense'"),
        (("judge-trial", "--judge", "primer/exact"), "is no judge"),
    ],
)
def test_a_wrong_request_is_exit_code_2_and_one_sentence_on_standard_error(
    command: Any, arguments: tuple[str, ...], said: str
) -> None:
    ran = command(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert ran.err.count("\n") == 1


def test_the_file_of_asks_goes_before_the_rules(command: Any, tmp_path: Path) -> None:
    file = tmp_path / "asks.yaml"
    file.write_text(f"- {{prompt: {PROMPT}, objects: {{hat: }}}}\n- {{prompt: b}}\n", "utf-8")
    request = ("evaluate", PROMPT, "--models", "primer/exact", "--metrics", "tifa")
    judged = (*request, "--judge", "scripted/judge", "--json")
    by_rule = command(*judged).json
    corrected = command(*judged, "--asks", file).json
    assert corrected["run"] != by_rule["run"]
    printed = command(*request, "--judge", "scripted/judge", "--asks", file).out
    assert "tifa done; the prompt is read as a person corrected it" in printed
    result = command("evaluate", "a dog", "--models", "primer/exact", "--asks", file)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert "does not say what 'a dog' asks for" in result.err
    ihalla = command("evaluate", PROMPT, "--models", "primer/exact", "--asks", file)
    assert ihalla.err.startswith("It is given what the prompt asks for, and no metric depends on")


def test_an_interrupted_command_says_how_to_go_on(
    command: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(services.Services, "models", interrupted)
    ran = command("models")
    assert (ran.code, ran.err) == (130, "Stopped: the same command goes on where it was left.\n")
