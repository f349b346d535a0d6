"""The command line keeps its contract: one JSON document, three exit codes, one sentence for what
is wrong.
"""

import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from hallascope.cli import main
from hallascope.cli.commands import evaluate, questions
from hallascope.cli.options import make_command
from hallascope.cli.terminal import Progress, rewrite
from hallascope.data.models.specs import read_models
from hallascope.data.records import Question
from hallascope.engine.errors import BadRequest
from hallascope.engine.models.registry import ModelRegistry
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.cli.conftest import assert_refused
from tests.support.image_folders import write_drawbench
from tests.support.vision_metric import metric, models

EXAMPLES = Path(__file__).parents[2] / "examples"
PROMPT = "a molecule of methane"
EVALUATE = ("evaluate", PROMPT, "--model", "primer/exact")
REPAIR = ("errors", "remedies", "--model", "primer/careless", "--judge", "scripted/judge")
REPRODUCE = ("reproduce", "fig", "1")
TRIAL = ("trial", "--judge")
JUDGED = (*EVALUATE, "--judge", "scripted/judge")
ROLES = ("detector", "segmenter", "captioner", "reader", "writer")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a few files."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "prompts.txt").write_text("two red circles\n", encoding="utf-8")
    (tmp_path / "s.csv").write_text("item,metric,value\na,m,1\n", encoding="utf-8")
    (tmp_path / "r.csv").write_text("item,value\na,1\n", encoding="utf-8")
    (tmp_path / "p.csv").write_text("item_a,item_b,choice\nx,y,a\n", encoding="utf-8")
    (tmp_path / "a.csv").write_text("item,question,rater,answer\ni,1,ann,yes\n", encoding="utf-8")
    (tmp_path / "asks.yaml").write_text("- {prompt: b}\n", encoding="utf-8")
    Image.new("RGB", (8, 8)).save(tmp_path / "mine.png")
    return tmp_path


def test_evaluate_prints_the_promised_document_and_a_second_call_is_cached(command: Any) -> None:
    words = ("evaluate", PROMPT, "--model", "primer/exact,primer/hasty", "--metric", "ihalla")
    first, second = (command(*words, "--judge", "scripted/judge", "--json") for _ in range(2))
    assert (first.code, first.err) == (0, "")
    assert set(first.json) >= {"run", "evaluations", "failures"}
    assert [e["model"] for e in first.json["evaluations"]] == ["primer/exact", "primer/hasty"]
    keys = {"image", "metric", "judge", "strict", "verdicts"}
    facts = {"question", "choices", "gold", "state", "coi", "raw"}
    for said in first.json["evaluations"]:
        assert set(said) >= keys
        assert set(said["score"]) == {"value", "counted", "left_out"}
        assert said["judge_reliability"] is None, "the scripted judge was not tried"
        assert Path(said["image"]).is_file()
        assert [set(verdict) >= facts for verdict in said["verdicts"]] == [True] * 5
        for verdict in said["verdicts"]:
            truth = verdict["truth"]
            assert truth["source"] == "drawn"
            assert verdict["judge_is_wrong"] == (verdict["answer"] != truth["letter"])
    assert first.json["judge_errors"]["known"] == 10
    assert (first.json["cached"], second.json["cached"]) == (False, True)
    assert second.json["run"] == first.json["run"]
    assert second.json["evaluations"] == [
        entry | {"cached": True} for entry in first.json["evaluations"]
    ]
    printed = command(*JUDGED)
    assert printed.code == 0
    assert re.search(r"The judge is wrong on \d of 5 answers that can be checked\.", printed.out)


def test_what_fails_is_exit_code_1_with_every_failure_listed(command: Any) -> None:
    down = command(*EVALUATE, "--judge", "scripted/down", "--json")
    assert down.code == 1
    assert down.json["evaluations"][0]["score"] == {"value": None, "counted": 0, "left_out": 5}
    assert [f["message"] for f in down.json["failures"]] == ["It did not answer: ask again."] * 5
    drawn = command("evaluate", "quantum marmalade", *JUDGED[2:], "--json")
    assert drawn.code == 1
    assert {f["kind"] for f in drawn.json["failures"]} == {"no_questions", "cannot_draw"}
    assert command(*EVALUATE, "--judge", "none", "--json").code == 0, "images alone"


@pytest.mark.parametrize("judge, words", [("shy", "refused"), ("vague", "`max_tokens`")])
def test_where_no_reply_can_be_read_the_reason_and_the_way_out_are_said(
    command: Any, folder: Path, judge: str, words: str
) -> None:
    images = write_drawbench(folder / "images")
    for request in (EVALUATE, ("judge", images, "--as", "dalle-3")):
        ran = command(*request, "--judge", f"scripted/{judge}")
        assert ran.code == 1
        assert words in ran.out
        assert "--judge" in ran.out


def test_each_role_of_a_metric_is_filled_by_name_and_what_it_found_is_printed(
    command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def create() -> Services:
        return Services(Store(folder=tmp_path / "home"), read_models(), models(), metric)

    monkeypatch.setattr(evaluate, "create_services", create)
    roles = (word for role in ROLES for word in (f"--{role}", f"m/{role}"))
    words = ("evaluate", "a red cat", "--model", "m/painter", "--metric", "fig", *roles)
    ran = command(*words, "--judge", "none", "--json")
    assert (ran.code, ran.err) == (0, "")
    (said,) = ran.json["evaluations"]
    assert (said["judge"], said["lineup"]) == (None, {role: f"m/{role}" for role in ROLES})
    assert said["stages"]["color"] == {"value": 1.0, "counted": 1, "left_out": 0}
    assert said["pairs"][0]["attribute"] == "color"
    assert said["evidence"]["segments"][0]["written"] == "STOP"
    assert said["extraneous"] == ["dog"]
    printed = command(*words).out.split()
    assert {"object", "color", "number", "position", "text"} <= set(printed)


def test_an_interrupted_command_says_how_to_go_on(
    command: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ModelRegistry, "models", interrupted)
    ran = command("models", "list")
    assert (ran.code, ran.err) == (130, "Stopped. Run the same command to continue.\n")


def test_models_and_doctor_say_of_every_model_whether_it_can_run(command: Any) -> None:
    listed = {model["id"]: model for model in command("models", "list", "--json").json["models"]}
    assert set(read_models()) <= set(listed)
    assert listed["primer/exact"]["available"]
    assert all(model["available"] == (model["reason"] is None) for model in listed.values())
    assert "primer/careless" in command("models", "list").out
    found = {finding["check"] for finding in command("doctor", "--json").json}
    assert found >= {"python", "gpu", "store", *read_models()}


# --- wrong requests ---


def test_a_wrong_request_is_exit_code_2_and_one_sentence_on_standard_error(
    command: Any, folder: Path
) -> None:
    assert_refused(
        command,
        (("nonsense",), "No such command"),
        (("evaluate",), "Missing argument"),
        (
            ("errors", "probe", PROMPT, "--model", "primer/exact"),
            "`hallascope errors probe --help`",
        ),
        (("evaluate", "", "--model", "primer/exact"), "The prompt is empty"),
        (("evaluate", PROMPT, "--nonsense"), "No such option"),
        (("evaluate", PROMPT, "--model", "primer/exect"), "did you mean 'primer/exact'?"),
        ((*EVALUATE, "--judge", "scripted/judge", "--metric", "ihala"), "mean 'ihalla'?"),
        ((*EVALUATE, "--count", "many"), "Invalid value for '--count'"),
        (("evaluate", PROMPT, "--image", "nowhere.png"), "'nowhere.png' cannot be read"),
        ((*EVALUATE, "--metric", "fig", "--detector", "m/nobody"), "no model 'm/nobody'"),
        ((*EVALUATE, "--judge", "scripted/judge", "--wording", "nowhere"), "no pack of wordings"),
        ((*EVALUATE, "--metric", "tifa", "--asks", "asks.yaml"), f"what '{PROMPT}' asks for"),
        (("repair", PROMPT, "--model", "primer/exact", "--rounds", "0"), "from 1 to 10"),
        (("runs", "show", "none"), "No run 'none'"),
        (("export", "nothing", "--to", "methods"), "nothing"),
        (("sweep", "missing.yaml", "--dry-run"), "missing.yaml"),
        (("import", "missing"), "missing"),
        (("asks",), "No prompt is given"),
        (("asks", "a cat", "--forget"), "give --author NAME"),
        (("asks", "a cat", "--parser", "scripted/judge"), "'scripted/judge' is no parser"),
        (("teach", "link", "nothing"), "The link to this set is damaged"),
        (("teach", "page", "any", "page.txt"), "ends in .html"),
        (("spaces", "nowhere", "--out", "out"), "There is no Space 'nowhere': choose one of "),
        (("questions", "make", "a hamburger on a plate", "--category"), "hamburger"),
    )
    assert not (folder / "out").exists()


def test_old_names_are_answered_with_the_new_one(command: Any) -> None:
    for old, new in main.RENAMED_COMMANDS.items():
        shown = new if new.startswith("python") else f"hallascope {new}"
        assert_refused(command, (tuple(old.split()), f"`hallascope {old}` is now `{shown}`."))
        known = next((name for name in main.COMMANDS if f"{new} ".startswith(f"{name} ")), None)
        assert known or new.startswith("python -m bench."), new
    for option, new in main.RENAMED_OPTIONS.items():
        assert_refused(command, (("doctor", option, "x"), f"The option {option} is now {new}."))


def test_every_argument_and_option_says_what_it_is_for() -> None:
    silent = []
    for path, (function, _) in main.COMMANDS.items():
        if function and path != "app":
            module, _, name = function.partition(":")
            found = getattr(import_module(f"hallascope.cli.commands.{module}"), name)
            parameters = make_command(found, path).params
            silent += [(path, one.name) for one in parameters if not getattr(one, "help", "")]
    assert silent == []


def test_requests_about_data_people_and_errors_are_refused(command: Any, folder: Path) -> None:
    ratings, scores = ("agreement", "--ratings", "r.csv"), ("agreement", "--scores", "s.csv")
    load = ("benchmark", "load")
    assert_refused(
        command,
        ((*ratings, "--scores", "nowhere.csv"), "'nowhere.csv' cannot be opened"),
        ((*ratings, "--scores", "r.csv"), "has no column 'metric'"),
        ((*ratings, "--scores", "s.csv", "--scale", "5"), "The scale '5' is none"),
        (scores, "name one table with --ratings, --preferences or --answers"),
        (ratings, "give it, too (--scores)"),
        ((*ratings, "--answers", "r.csv"), "is --ratings and --answers: name one"),
        ((*scores, "--preferences", "r.csv"), "has no column 'item a'"),
        ((*scores, "--ratings", "p.csv"), "name it with --preferences"),
        ((*scores, "--preferences", "a.csv"), "name it with --answers"),
        (("agreement", "--answers", "r.csv"), "neither a column 'rater' nor a column 'metric'"),
        (("agreement", "--answers", "a.csv"), "no usable answer of a metric"),
        ((*load, "nonsense", "."), "There is no benchmark 'nonsense'"),
        ((*load, "ihalla", "nowhere"), "nowhere"),
        ((*load, "factualbench", "nowhere"), "no prompts of T2I-FactualBench"),
        ((*load, "factualbench", ".", "--sample", "3"), "does not go with 'factualbench'"),
        (("label", "make", "out", "--model", " , "), "name at least one with --model"),
        (("label", "page", "out", "--typed", "typed.txt"), "out"),
        (("label", "export", "out"), "No image is rated"),
        (("errors", "probe", "a cat", "--vary", "mood", "--model", "m"), "is not one of 'number'"),
        (("errors", "slices", "--where", "number"), "is not a condition on images"),
        ((*REPAIR, "--evaluate-by", "scripted/down"), "Name what is repaired"),
        (
            (*REPAIR, "--evaluate-by", "scripted/judge", "--prompts", "prompts.txt"),
            "choose another judge to evaluate",
        ),
        (("reproduce", "nobody", "1"), "no paper 'nobody': choose factualbench, fig,"),
        (("reproduce", "fig", "9"), "no table '9' here: choose 1, 2, 3, 4."),
        ((*REPRODUCE, "--world", "mars"), "is not one of 'paper', 'primer'"),
        ((*REPRODUCE, "--data", "coco"), "write it as ihalla=FOLDER"),
        ((*REPRODUCE, "--data", "ihalla=x"), "this table uses coco, drawbench"),
        ((*TRIAL, "primer/exact"), "is no judge"),
        ((*TRIAL, "scripted/judge", "--benchmark", "nonsense"), "no benchmark 'nonsense'"),
        ((*TRIAL, "scripted/judge,scripted/down", "--benchmark", "primer-halo"), "name one for"),
    )
    assert not (folder / "out").exists()


# --- what commands share ---


def test_a_file_that_cannot_be_changed_stays_as_it_is(tmp_path: Path) -> None:
    def refuse(text: str) -> str:
        raise ValueError("no marks")

    file = tmp_path / "README.md"
    file.write_text("text", encoding="utf-8")
    with pytest.raises(BadRequest, match=r"table cannot be written into .*no marks.*add the marks"):
        rewrite(file, refuse, "table", "add the marks")
    assert file.read_text(encoding="utf-8") == "text"


@pytest.mark.parametrize(
    "words",
    [
        "models list --format markdown",
        "wording ours --copy mine",
        "spaces hallascope --out space",
        "spaces hallascope --owner me --dry-run",
        "teach link exercises.yaml",
        "teach page exercises.yaml page.html",
    ],
)
def test_json_is_one_document_whatever_is_printed_to_people(
    command: Any, folder: Path, words: str
) -> None:
    example = next(EXAMPLES.rglob("*exercise*.yaml"))
    (folder / "exercises.yaml").write_text(example.read_text("utf-8"), "utf-8")
    result = command(*words.split(), "--json")
    assert (result.code, bool(result.json)) == (0, True), result


def test_progress_says_how_much_is_done_and_how_long_the_rest_takes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for show in (Progress("images", in_lines=True), Progress("images")):
        for done in range(1, 41):
            show(done, 40, seconds_left=3.0 * (40 - done))
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 10, "each tenth once, and nothing where no lines are wanted"
    assert (lines[0], lines[-1]) == ("4 of 40 images, about 2 min left", "40 of 40 images")


def test_a_count_without_an_end_names_none_and_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    show = Progress("images")
    for done in (100, 200):
        show.count(done)
    show.close()
    show.close()
    assert capsys.readouterr().err == "\r\033[K100 images\r\033[K200 images\n"


def test_the_right_answer_of_a_question_is_marked() -> None:
    question = Question(coi="counting", text="How many?", choices=("One", "Two"), gold="B")
    assert questions.questions_text([question]).splitlines() == [
        "1. How many? [counting]",
        "     A) One",
        "   * B) Two",
    ]


@pytest.mark.parametrize("name", [name for name, (made, _) in main.COMMANDS.items() if made])
def test_the_help_of_a_command_names_the_type_of_every_option(command: Any, name: str) -> None:
    assert "typing." not in command(*name.split(), "--help").out
