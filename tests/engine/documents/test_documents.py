"""Documents of evaluations: stages, evidence, failures, knowledge, reliability of the judge."""

from dataclasses import replace
from typing import Any

from hallascope.cli.output.evaluations import evaluation_tables, score_text
from hallascope.data.records import Report, Score
from hallascope.data.requests import Detect, Failure
from hallascope.engine.documents.evaluation import evaluation_document, list_failures
from hallascope.engine.documents.knowledge import changes
from hallascope.engine.events import EvaluateRequest, Evaluation, GeneratedPicture, jsonable
from hallascope.engine.run.result import run_result
from hallascope.metrics.judge_reliability import ExpectedShare, JudgeReliability
from tests.support.vision_metric import CHOSEN, FIG, answers


def test_what_is_printed_of_fig_are_its_stages_pairs_and_evidence(serve_vision: Any) -> None:
    result = run_result(FIG, serve_vision().evaluate(FIG))
    (said,) = jsonable(evaluation_document(result))["evaluations"]
    nothing = {"value": None, "counted": 0, "left_out": 0}
    one = {"value": 1.0, "counted": 1, "left_out": 0}
    assert said["stages"] == {
        "object": one,
        "color": one,
        "number": nothing,
        "position": nothing,
        "text": nothing,
    }
    assert set(said["stages_soft"]) == set(said["stages"])
    assert (said["extraneous"], said["chair_i"]) == (["dog"], 0.5)
    assert said["pairs"] == [
        {
            "attribute": "color",
            "phrase": "red cat",
            "seen": "red cat",
            "state": "correct",
            "soft": "correct",
            "segment": "s1",
        }
    ]
    assert said["evidence"]["findings"][0]["prompt_spans"] == [[6, 9]]
    assert (said["judge"], said["lineup"]) == (None, CHOSEN)
    table = evaluation_tables(result.evaluations)
    assert {"object", "color", "number"} <= set(table.split())
    assert "1.00 (n 1)" in table
    assert "dog" in table


def test_rows_that_a_failure_left_out_are_listed_among_the_failures_and_shown_in_the_table(
    serve_vision: Any,
) -> None:
    def script(request: Any) -> Any:
        return (
            Failure("timeout", "It did not answer: ask again.")
            if isinstance(request, Detect)
            else answers(request)
        )

    result = run_result(FIG, serve_vision(script).evaluate(FIG))
    assert [(f["question"], f["message"]) for f in list_failures(result)] == [
        ("object: red cat", "It did not answer: ask again."),
        ("color: red cat", "It did not answer: ask again."),
    ]
    (said,) = result.evaluations
    assert score_text(said.report, "object") == "- (1 left out)"
    assert score_text(said.report, "text") == "-"


def test_what_to_expect_of_the_judge_stands_with_each_evaluation_it_was_measured_for(
    services: Any,
) -> None:
    known = JudgeReliability(
        judge="primer/judge",
        sensitivity=ExpectedShare(0.9, 0.8, 0.95, 40),
        specificity=None,
        kinds=("color",),
        not_measured=(),
        source="own trial",
        measured_on="40 Primer drawings",
    )
    request = EvaluateRequest(
        prompt="a molecule of methane", models=("primer/exact",), metrics=("ihalla", "tifa")
    )
    document = evaluation_document(
        run_result(request, services.evaluate(request)),
        reliability=lambda found: known if found.metric == "ihalla" else None,
    )
    said = {one["metric"]: one["judge_reliability"] for one in document["evaluations"]}
    assert said["ihalla"].sensitivity.value == 0.9
    assert said["tifa"] is None


def evaluation(generation: str, value: float | None) -> Evaluation:
    report = Report(
        metric="ihalla",
        version="1",
        prompt="a penguin",
        image=generation,
        scores={"score": Score(value, 1 if value is not None else 0, 0)},
    )
    return Evaluation(
        generation=generation,
        model="primer/exact",
        image=generation,
        metric="ihalla",
        judge="primer/judge",
        trial=0,
        report=report,
    )


WITHOUT = GeneratedPicture(generation="plain", model="primer/exact", seed=0)
WITH_TEXT = replace(WITHOUT, generation="text", injected="text")
PICTURES = {picture.generation: picture for picture in (WITHOUT, WITH_TEXT)}


def test_of_a_picture_without_knowledge_nothing_is_said() -> None:
    without = evaluation("plain", 0.5)
    assert changes(without, PICTURES, [without]) == {}


def test_the_change_is_the_score_with_knowledge_less_that_without() -> None:
    without = evaluation("plain", 0.25)
    within = evaluation("text", 0.75)
    expected = {"injected": "text", "change": {"score": 0.5}}
    assert changes(within, PICTURES, [without, within]) == expected


def test_without_a_score_on_both_sides_there_is_no_change() -> None:
    within = evaluation("text", 0.75)
    unknown = {"injected": "text", "change": {"score": None}}
    assert changes(within, PICTURES, [evaluation("plain", None), within]) == unknown
    other_trial = replace(evaluation("plain", 0.25), trial=1)
    assert changes(within, PICTURES, [other_trial, within]) == unknown
