"""Documents of evaluations: stages, evidence, failures, knowledge, reliability of the judge."""

import json
from dataclasses import replace
from typing import Any

import pytest

from hallascope.cli.output.evaluations import score_text
from hallascope.data import masks
from hallascope.data.models.specs import Price
from hallascope.data.records import CANNOT_TELL
from hallascope.data.regions import Box, Detection
from hallascope.data.requests import Answer, Ask, Detect, Detected, Failure, Segment, Segmented
from hallascope.engine.documents.evaluation import (
    evaluation_document,
    graph_document,
    list_failures,
    stages_document,
)
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.run.result import run_result
from hallascope.engine.storage.store import Store
from hallascope.metrics.judge_reliability import ExpectedShare, JudgeReliability
from tests.support import fig_run
from tests.support.fig_run import sees
from tests.support.scripted_models import serve
from tests.support.vision_metric import FIG, answers, evaluate_one, models


def test_fig_has_its_stages_and_pairs_as_json_and_survives_the_store(store: Store) -> None:
    services = serve(store, *models(sees).values())
    said = evaluate_one(services, fig_run.FIG)
    told = stages_document(said.report)
    assert told["stages"]["object"] == {"value": 1.0, "counted": 2, "left_out": 0}
    assert told["stages"]["color"] == {"value": 0.5, "counted": 2, "left_out": 0}
    assert told["stages"]["text"] == {"value": None, "counted": 0, "left_out": 0}
    fates = {(pair["attribute"], pair["state"]) for pair in told["pairs"]}
    assert {("color", "correct"), ("color", "incorrect"), ("number", "incorrect")} <= fates
    assert told["extraneous"] == []
    assert [segment.mask.height for segment in said.report.evidence.segments] == [32, 32]
    (run,) = services.store.runs()
    assert services.view(run.id).evaluations == (said,)
    assert evaluate_one(services, fig_run.FIG).cached


LEFT, RIGHT = Box(0.1, 0.3, 0.4, 0.7), Box(0.6, 0.3, 0.9, 0.7)
GRAPH = EvaluateRequest(
    prompt="a blue square to the left of a yellow circle",
    models=("m/painter",),
    metrics=("scene-graph",),
    judge="m/judge",
    detector="m/detector",
    segmenter="m/segmenter",
)


def sees_graph(request: Any) -> Any:
    """A yellow circle on the left, a red square on the right, and a star."""
    match request:
        case Detect():
            return Detected(
                (
                    Detection("circle", LEFT, 0.9),
                    Detection("square", RIGHT, 0.8),
                    Detection("star", Box(0, 0, 0.1, 0.1), 0.7),
                )
            )
        case Segment():
            return Segmented(
                tuple(masks.encode(masks.box_pixels(box, 32, 32)) for box in request.boxes)
            )
        case Ask(question="What color is this?", region=Box() as region):
            return Answer({LEFT: "Yellow", RIGHT: "Red"}.get(region, "Blue"))
        case Ask(question=question):
            return Answer("Yes" if question.startswith("Is this") else CANNOT_TELL)
        case _:
            raise AssertionError(request)


def test_a_scene_graph_has_its_grade_errors_and_graph_as_json_and_survives_the_store(
    store: Store,
) -> None:
    services = serve(store, *models(sees_graph).values())
    said = evaluate_one(services, GRAPH)
    told = json.loads(json.dumps(graph_document(said.report)))
    assert (told["grade"], told["normalized"]) == (3, pytest.approx(2 / 6))
    assert told["answered"] == {"value": 1.0, "counted": 5, "left_out": 0}
    assert told["errors"] == [
        {"type": "attribute", "subject": "square", "asked": "blue", "seen": "red"},
        {
            "type": "relation",
            "subject": "square",
            "asked": "to the left of the circle",
            "seen": "to the right of",
        },
        {"type": "extraneous", "subject": "star", "asked": "", "seen": "star"},
    ]
    assert [node["label"] for node in told["graph"]["nodes"]] == ["circle", "square", "star"]
    assert {"id": "e1", "source": "n1", "relation": "left of", "target": "n2"} in told["graph"][
        "edges"
    ]
    assert [segment.mask.height for segment in said.report.evidence.segments] == [32, 32, 32]
    (run,) = services.store.runs()
    assert services.view(run.id).evaluations == (said,)
    assert evaluate_one(services, GRAPH).cached


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
        truths=lambda report: (None,) * len(report.verdicts),
        reliability=lambda found: known if found.metric == "ihalla" else None,
    )
    said = {one["metric"]: one["judge_reliability"] for one in document["evaluations"]}
    assert said["ihalla"].sensitivity.value == 0.9
    assert said["tifa"] is None


def test_what_fig_and_scene_graphs_ask_is_estimated_before(store: Store) -> None:
    services = serve(store, *models(sees, Price("2026-01-01", output=100.0)).values())

    def calls(request: EvaluateRequest) -> dict[str, int]:
        found = services.estimate(replace(request, writer="m/writer"))
        return {line.model: line.calls for line in found.lines}

    fig, graph = calls(fig_run.FIG), calls(GRAPH)
    assert fig["m/detector"] == fig["m/segmenter"] == graph["m/detector"] == 1
    assert (fig["m/writer"], fig["m/captioner"] >= 2) == (2, True)
    assert graph["m/judge"] >= 8
    assert graph["m/writer"] >= 1
