"""Scene-graph QA runs through the engine as every metric does: line-up, store, JSON, table.

The models follow a script.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from hallascope.cli.output.evaluations import graph_row
from hallascope.data import masks
from hallascope.data.models.specs import Price, read_models
from hallascope.data.records import CANNOT_TELL
from hallascope.data.regions import Box, Detection
from hallascope.data.requests import Answer, Ask, Detect, Detected, Failure, Segment, Segmented
from hallascope.engine.documents import scene_graph
from hallascope.engine.events import Evaluated, EvaluateRequest
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.vision_metric import models

PROMPT = "a blue square to the left of a yellow circle"
LEFT, RIGHT = Box(0.1, 0.3, 0.4, 0.7), Box(0.6, 0.3, 0.9, 0.7)
CHOSEN = {"detector": "m/detector", "segmenter": "m/segmenter"}
ASKED = EvaluateRequest(
    prompt=PROMPT,
    models=("m/painter",),
    metrics=("scene-graph",),
    judge="m/judge",
    **CHOSEN,  # type: ignore[arg-type]
)


def sees(request: Any) -> Any:
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


@pytest.fixture
def serve(store: Store) -> Callable[..., Services]:
    return lambda script=sees, price=None: Services(store, read_models(), models(script, price))


def evaluated(services: Services, request: EvaluateRequest = ASKED) -> Any:
    (said,) = [
        event.evaluation for event in services.evaluate(request) if isinstance(event, Evaluated)
    ]
    return said


def test_the_document_has_the_grade_the_errors_and_the_graph_and_survives_the_store(
    serve: Any,
) -> None:
    services = serve()
    said = evaluated(services)
    told = json.loads(json.dumps(scene_graph.as_json(said.report)))
    assert (told["grade"], told["normalised"]) == (3, pytest.approx(2 / 6))
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
    (run,) = services.runs()
    assert services.view(run.id).evaluations == (said,)
    assert evaluated(services).cached


def test_of_a_picture_that_could_not_be_seen_everything_is_left_out_and_printed_so(
    serve: Any,
) -> None:
    down = serve(
        lambda request: (
            Failure("timeout", "Late: ask again.") if isinstance(request, Detect) else sees(request)
        )
    )
    said = evaluated(down)
    told = scene_graph.as_json(said.report)
    assert (told["grade"], told["normalised"], told["errors"]) == (None, None, [])
    assert told["answered"] == {"value": None, "counted": 0, "left_out": 5}
    row = graph_row(said.report)
    assert (row["grade"], row["correct"]) == (None, "- (5 left out)")
    assert row["answered"] == "- (5 left out)"


def test_what_it_asks_is_estimated_before(serve: Any) -> None:
    services = serve(price=Price("2026-01-01", output=10_000.0))
    found = {
        line.model: line.calls
        for line in services.estimate(replace(ASKED, writer="m/writer")).lines
    }
    assert found["m/detector"] == 1
    assert found["m/judge"] >= 8
    assert found["m/writer"] >= 1
