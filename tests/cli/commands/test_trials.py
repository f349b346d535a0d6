"""Trials from the command line: judges where the truth is known, and trials that become scripts."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from hallascope.cli.commands.trials import judge_trial, metric_trial
from hallascope.cli.commands.trials.bounds import exit_code, read_bounds
from hallascope.cli.terminal import DONE, FAILURES
from hallascope.engine.error_analysis.remedies import simulation
from hallascope.engine.errors import BadRequest
from hallascope.engine.judge_eval.haloquest import BY_RULE
from hallascope.engine.judge_eval.parsers.parser_eval import PromptShare
from hallascope.primer.concepts import concepts
from tests.cli.conftest import assert_refused
from tests.support import pair_judge
from tests.support.halo_trials import services_on, write_table
from tests.support.lenient_judge import label_items

TRIAL = ("judge-trial", "--judge", "scripted/judge")


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
    kinds = command(*TRIAL, "--images", "2", "--kinds")
    assert "cannot tell: recall" in kinds.out
    kinds = command(*TRIAL, "--images", "2", "--kinds", "--json").json["kinds"]
    assert kinds["recall"]["right"] == kinds["recall"]["asked"] > 0


@pytest.mark.full
def test_every_concept_is_tried_on_images_of_its_own(command: Any) -> None:
    ran = command(*TRIAL, "--images", "2", "--each-concept", "1", "--json").json
    assert ran["pictures"] == 2, "the images of single concepts count by concept alone"
    assert ran["overall"]["asked"] == 10
    assert len(ran["by_concept"]) == len(concepts())
    assert len(ran["by_fact"]) == sum(len(concept.facts) for concept in concepts())
    one = ran["by_concept"]["ladybug"]
    assert one["sensitivity"]["asked"] + one["specificity"]["asked"] == 5


def test_several_judges_are_set_beside_each_other_with_the_questions_on_which_they_part(
    command: Any,
) -> None:
    judges = ("judge-trial", "--judge", "scripted/judge,scripted/down", "--images", "2")
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


def test_a_trial_on_labels_says_how_well_samples_of_them_correct_the_judges_scores(
    command: Any, tmp_path: Path
) -> None:
    label_items(tmp_path, 25, untold=1)
    tried = (*TRIAL, "--labelled", tmp_path)
    ran = command(*tried, "--corrected", "--json").json
    assert ran["pictures"] == 25
    (model,) = ran["corrected"]["models"]
    assert (model["prompts"], model["questions"], model["untold"]) == (25, 100, 25)
    (size,) = model["sizes"]
    assert (size["labeled"], size["draws"]) == (20, 500)
    assert 0 <= size["corrected"]["covered"] <= 1
    assert size["first"]["low"] <= size["first"]["value"] <= size["first"]["high"]
    assert "corrected" not in command(*tried, "--json").json


# --- HaloQuest ---


@pytest.fixture
def halo(command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A trial by HaloQuest's released questions, of which one has no image."""
    monkeypatch.setattr(judge_trial, "create_services", lambda: services_on(tmp_path))
    table = write_table(tmp_path)
    given = ("--benchmark", "haloquest", "--path", table, "--pictures", tmp_path / "pictures")
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


def test_a_judge_that_is_down_has_no_score(halo: Any) -> None:
    ran = halo("--json", "--judge", "scripted/down")
    overall = ran.json["answered"]["overall"]
    assert (ran.code, overall["value"], overall["left_out"]) == (1, None, 3)


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


def test_a_sample_is_drawn_by_the_seed(halo: Any) -> None:
    first, again = (halo("--sample", "2", "--json") for _ in range(2))
    assert first.out == again.out
    assert len(first.json["questions"]) == 2


def test_the_judge_is_tried_on_primer_s_own_questions(command: Any) -> None:
    ran = command(*TRIAL, "--benchmark", "primer-halo", "--sample", "9", "--json")
    document = ran.json
    assert (ran.code, document["grader"]) == (0, BY_RULE)
    assert document["answered"]["overall"]["n"] == 9
    types = {"false premises", "visual challenge", "insufficient context"}
    assert set(document["answered"]["by_hallucination_type"]) == types


def test_a_wrong_request_for_haloquest_is_one_sentence(command: Any) -> None:
    haloquest, primer = ((*TRIAL, "--benchmark", name) for name in ("haloquest", "primer-halo"))
    assert_refused(
        command,
        (haloquest, "name its file or folder with --path"),
        ((*haloquest, "--path", "nowhere.csv"), "cannot be opened"),
        ((*haloquest, "--path", "x.csv", "--pictures", "nowhere"), "no folder 'nowhere'"),
        ((*haloquest, "--auto-eval", "guess"), "choose reasoned, schema, text"),
        ((*primer, "--judge", "scripted/judg"), "did you mean 'scripted/judge'?"),
        ((*primer, "--grader", "scripted/judge"), "is no writer"),
    )


# --- trials that become scripts ---


def test_gold_replies_are_read_right_none_is_misread_and_no_answer_is_read_less(
    command: Any,
) -> None:
    for part, share in (("all", 0.95), ("test", 0.98), ("work", 0.97), ("work-3", 0.97)):
        result = command("reply-eval", "--part", part, "--at-least", share, "--json")
        assert (result.code, result.json["misread"]) == (0, [])
        of_yes_no, of_letters = result.json["by_answer"]
        assert set(of_yes_no["read"]) == {"Yes", "No"}
        assert set(of_letters["read"]) == set("ABCDE")
    assert_refused(command, (("reply-eval", "--part", "none"), "choose development, "))


def test_a_reader_of_yes_alone_fails_fishers_test_though_most_is_read(
    command: Any, tmp_path: Path
) -> None:
    """The p-value is the hypergeometric one: 1 / C(20, 10) twice."""
    row = {"question": "Is it so?", "choices": ["Yes", "No"], "habit": "x"}
    rows = [row | {"reply": "A", "expected": "A"}] * 10 + [
        row | {"reply": "?", "expected": "B"}
    ] * 10
    file = tmp_path / "gold.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    result = command("reply-eval", "--file", file, "--at-least", 0.4, "--json")
    p_value = result.json["by_answer"][0]["p_value"]
    assert (result.code, p_value) == (1, pytest.approx(2 / math.comb(20, 10)))


@pytest.mark.full
def test_parsers_are_held_against_gold_readings(command: Any, tmp_path: Path) -> None:
    (tmp_path / "development").mkdir()
    gold = "- {prompt: a red car, objects: {car: {attributes: [red]}}}\n"
    gold += "- {prompt: two dogs, objects: {dog: {count: 3}}}\n"
    (tmp_path / "development" / "coco.yaml").write_text(gold, encoding="utf-8")
    evaluation = ("parser-eval", "--folder", tmp_path)
    shown = command(*evaluation, "--json").json
    assert (
        shown["right"]["fig"]["all"] | {"value": 0.5, "part": 1, "of": 2}
        == (shown["right"]["fig"]["all"])
    )
    assert [wrong["prompt"] for wrong in shown["mistakes"]] == ["two dogs"]
    assert "count missing: 3 dog" in command(*evaluation, "--mistakes").out
    assert command(*evaluation, "--at-least", "fig=0.5").code == 0
    assert command(*evaluation, "--at-least", "fig=0.6").code == 1
    by_model = command(*evaluation, "--parser", "scripted/parser", "--json").json
    assert by_model["withheld"] == ["a red car"]
    assert_refused(command, ((*evaluation, "--part", "dev"), "choose development or test"))


def test_a_bound_is_a_share_for_a_system_and_a_command_fails_below_it() -> None:
    assert read_bounds(["fig=0.92", "scene-graph=1"]) == {"fig": 0.92, "scene-graph": 1.0}
    for text in ("fig", "fig=", "fig=1.2", "fig=-1", "tifa=0.5", ""):
        with pytest.raises(BadRequest, match="is no bound"):
            read_bounds([text])
    shares = {"fig": PromptShare(9, 10, None), "scene-graph": PromptShare(0, 0, None)}
    assert exit_code({"fig": 0.9}, shares.__getitem__) == DONE
    assert exit_code({"fig": 0.91}, shares.__getitem__) == FAILURES
    assert exit_code({"scene-graph": 0.1}, shares.__getitem__) == FAILURES


@pytest.mark.full
def test_trials_of_metrics_and_generators_print_their_documents(
    command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    metric = command("metric-trial", "fig", "--count", 2, "--eyes", "perfect", "--json").json
    assert metric["pictures"] == 2
    sheet = tmp_path / "sheet.png"
    models = ("--models", "primer/exact,primer/careless")
    assert command("contact-sheet", sheet, *models, "--prompts", 2).code == 0
    with Image.open(sheet) as drawn:
        assert drawn.width > 2 * 128
    slices = ("errors", "slice-trial", "--repetitions", "1", "--prompts", "120", "--json")
    assert 0 <= command(*slices).json["planted_first"]["share"] <= 1
    monkeypatch.setattr(simulation, "_REFERENCE_PROMPTS", 500)
    repair = ("errors", "repair-trial", "--experiments", "10", "--prompts", "10", "--json")
    cells = command(*repair).json["cells"]
    assert [cell["remedy"] for cell in cells] == list(simulation.SIMULATED)
    assert_refused(
        command,
        (("metric-trial", "fig", "--eyes", "weary"), "choose models or perfect"),
        (("metric-trial", "clipscore", "--count", 2), "needs a embedder"),
    )


@pytest.mark.full
def test_the_trial_by_factualbench_prints_both_ways_and_the_drop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    services = pair_judge.build(tmp_path)
    monkeypatch.setattr(metric_trial, "create_services", lambda: services)
    metric_trial.metric_trial("factualbench", count=4, eyes="perfect", as_json=True)
    document = json.loads(capsys.readouterr().out)
    assert set(document) >= {"judge", "seen", "unseen", "drop", "pictures"}
    criteria = {row["criterion"] for row in document["seen"]["agreements"]}
    assert criteria == {"shape", "color", "texture", "details"}
    services.store.close()
