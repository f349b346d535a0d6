"""The command line keeps its contract: one JSON document, three exit codes, one sentence for what
is wrong.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends.scripted import Scripted
from hallascope.cli import main
from hallascope.cli.commands import judge_trial, models
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.requests import Ask, Failure
from hallascope.engine import services
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store

PROMPT = "a molecule of methane"


class Ran:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Any:
    """Run a command here with a judge that gives the first choice and one that is down."""

    def first(ask: Ask) -> str:
        return f"A) {ask.choices[0]}" if ask.choices else "I cannot tell."

    def services() -> Services:
        store = Store(folder=tmp_path / "home")
        spec = ModelSpec(
            id="scripted/judge", title="Scripted", roles=("judge",), backend="scripted"
        )
        down = ModelSpec(id="scripted/down", title="Down", roles=("judge",), backend="scripted")
        failing = Scripted(down, lambda ask: Failure("timeout", "It did not answer: ask again."))
        return Services(
            store,
            read_models(),
            {"scripted/judge": Scripted(spec, first), "scripted/down": failing},
        )

    monkeypatch.setattr(main, "create_services", services)
    for commands in (judge_trial, models):
        monkeypatch.setattr(commands, "create_services", services)

    def run(*arguments: str) -> Ran:
        with pytest.raises(SystemExit) as left:
            main.main(arguments)
        out, err = capsys.readouterr()
        return Ran(left.value.code or 0, out, err)  # type: ignore[arg-type]

    return run


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
        assert Path(said["image"]).is_file()
        assert [
            set(v) >= {"question", "choices", "gold", "answer", "state", "coi", "raw"}
            for v in said["verdicts"]
        ] == [True] * 5
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


def test_models_lists_every_model_with_the_reason_why_not(command: Any) -> None:
    listed = {model["id"]: model for model in command("models", "--json").json["models"]}
    assert set(read_models()) <= set(listed)
    assert listed["primer/exact"]["available"]
    assert all(model["available"] == (model["reason"] is None) for model in listed.values())
    assert "primer/careless" in command("models").out


def test_doctor_says_something_of_every_model_and_the_store(command: Any) -> None:
    found = {finding["what"] for finding in command("doctor", "--json").json}
    assert found >= {"python", "gpu", "store", *read_models()}
    assert "store" in command("doctor").out


def test_a_judge_is_tried_on_primer(command: Any) -> None:
    ran = command("judge-trial", "--judge", "scripted/judge", "--images", "4", "--json")
    assert (ran.code, ran.json["judge"], ran.json["pictures"]) == (0, "scripted/judge", 4)
    assert ran.json["kinds"] is None
    assert set(ran.json["overall"]) == {"value", "right", "asked", "low", "high"}
    assert set(ran.json["by_coi"]) >= {"shape", "color"}
    assert "answers" not in ran.json
    assert "overall" in command("judge-trial", "--judge", "scripted/judge", "--images", "2").out


def test_several_judges_are_set_beside_each_other_with_the_questions_on_which_they_part(
    command: Any,
) -> None:
    both = (
        "judge-trial",
        "--judge",
        "scripted/judge,scripted/down",
        "--images",
        "2",
        "--orders",
        "2",
        "--trials",
        "2",
        "--difficulty",
    )
    ran = command(*both, "--json")
    assert ran.code == 1, "one of them answered nothing"
    good, down = ran.json["judges"]
    assert good["reordered"]["questions"] == good["repeated"]["questions"] == 10
    assert down["answered"] == {"value": 0.0, "right": 0, "asked": 30, "low": None, "high": None}
    assert ran.json["pairs"][0]["kappa"]["left_out"] == 10
    assert ran.json["disagreements"] == [], "who says nothing does not disagree"
    out = command(*both).out
    for words in (
        "position bias",
        "the same answer in another order",
        "normal or weird",
        "Cohen's kappa",
        "scripted/down: 2 pictures, 10 questions",
    ):
        assert words in out


def test_several_judges_by_another_benchmark_are_refused(command: Any) -> None:
    ran = command(
        "judge-trial", "--judge", "scripted/judge,scripted/down", "--benchmark", "primer-halo"
    )
    assert (ran.code, "name one for this benchmark" in ran.err) == (2, True)


def test_a_judge_is_tried_on_other_kinds_of_questions_too(command: Any) -> None:
    ran = command("judge-trial", "--judge", "scripted/judge", "--images", "2", "--kinds", "--json")
    assert ran.json["kinds"]["recall"]["right"] == ran.json["kinds"]["recall"]["asked"] > 0
    assert (
        "cannot tell: recall"
        in command("judge-trial", "--judge", "scripted/judge", "--images", "2", "--kinds").out
    )


def test_an_interrupted_command_says_how_to_go_on(
    command: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(services.Services, "models", interrupted)
    ran = command("models")
    assert (ran.code, ran.err) == (130, "Stopped: the same command goes on where it was left.\n")
