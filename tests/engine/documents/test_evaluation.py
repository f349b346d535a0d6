"""The document of an evaluation, and what is printed of it: stages, evidence and failures."""

from typing import Any

from hallascope.cli.output import stages
from hallascope.cli.output.printing import evaluation_tables
from hallascope.data.requests import Detect, Failure
from hallascope.engine.documents.evaluation import EvaluationSummary
from hallascope.engine.events import EvaluateRequest, jsonable
from hallascope.metrics.judge_reliability import ExpectedShare, JudgeReliability
from tests.support.vision_metric import ASKS, CHOSEN, FIG, PLAIN, answers


def test_what_is_printed_of_fig_are_its_stages_pairs_and_evidence(serve_vision: Any) -> None:
    outcome = EvaluationSummary(judged=False)
    for event in serve_vision().evaluate(FIG):
        outcome.add(event)
    (said,) = jsonable(outcome.json())["evaluations"]
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
    table = evaluation_tables(outcome.evaluations)
    assert "object  color  number" in table
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

    outcome = EvaluationSummary(judged=False)
    for event in serve_vision(script).evaluate(FIG):
        outcome.add(event)
    assert [(f["question"], f["message"]) for f in outcome.failures] == [
        ("object: red cat", "It did not answer: ask again."),
        ("color: red cat", "It did not answer: ask again."),
    ]
    (said,) = outcome.evaluations
    assert stages.cell(said.report, "object") == "- (1 left out)"
    assert stages.cell(said.report, "text") == "-"


def test_reports_without_findings_are_printed_as_they_were(serve_vision: Any) -> None:
    outcome = EvaluationSummary()
    for event in serve_vision().evaluate(PLAIN):
        outcome.add(event)
    (said,) = outcome.json()["evaluations"]
    assert not {"stages", "evidence", "pairs"} & set(said)
    assert "position" not in evaluation_tables(outcome.evaluations)
    assert ASKS.optional_roles == ()


def test_each_evaluation_says_what_to_expect_of_its_judge_and_null_where_nobody_measured_it(
    services: Any,
) -> None:
    known = JudgeReliability(
        judge="primer/judge",
        sensitivity=ExpectedShare(0.9, 0.8, 0.95, 40),
        specificity=None,
        kinds=("counting",),
        not_measured=(),
        source="own trial",
        measured_on="Primer images",
        images=40,
        same_images=True,
    )
    request = EvaluateRequest(prompt="a molecule of methane", models=("primer/exact",))
    measured = EvaluationSummary(reliability=lambda evaluation: known)
    unmeasured = EvaluationSummary()
    for event in services.evaluate(request):
        measured.add(event)
        unmeasured.add(event)
    (said,) = jsonable(measured.json())["evaluations"]
    assert said["judge_reliability"] == {
        "judge": "primer/judge",
        "sensitivity": {"value": 0.9, "low": 0.8, "high": 0.95, "n": 40},
        "specificity": None,
        "kinds": ["counting"],
        "not_measured": [],
        "source": "own trial",
        "measured_on": "Primer images",
        "images": 40,
        "same_images": True,
        "balanced_accuracy": None,
        "kappa": None,
        "baseline": None,
    }
    (said,) = jsonable(unmeasured.json())["evaluations"]
    assert said["judge_reliability"] is None
