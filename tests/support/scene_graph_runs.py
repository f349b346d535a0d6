"""Runs scene-graph QA on pictures whose things are known, and reads its reports."""

from hallascope import metrics
from hallascope.data.graphs import SceneGraphs
from hallascope.data.records import Report
from hallascope.data.requests import Failure
from tests.support.scripted_vision import Scene, box, evidence_of, look, thing

METRIC = metrics.get("scene-graph")
TIMEOUT = Failure("timeout", "The model did not answer in 30 s.")


LEFT, RIGHT, LOW, CORNER = box(0.05, 0.3), box(0.7, 0.3), box(0.4, 0.7), box(0.75, 0.75)


PROMPT = "a blue square to the left of a yellow circle"
CORRECT_SCENE = Scene(
    (
        thing("square", LEFT, color="blue", shape="square"),
        thing("circle", RIGHT, color="yellow", shape="round"),
    )
)


def report_on(prompt: str, *things: object, **doing: object) -> Report:
    return look(METRIC, prompt, Scene(tuple(things), **doing).reply)  # type: ignore[arg-type]


def graphs_of(report: Report) -> SceneGraphs:
    found = evidence_of(report).graphs
    assert found is not None
    return found


def errors_of(report: Report) -> list[tuple[str, str, str]]:
    return [(error.type, error.asked, error.seen) for error in graphs_of(report).errors]


def answers_of(report: Report) -> dict[str, tuple[str, str]]:
    states = [one.state for one in evidence_of(report).findings]
    return {one.text: (one.answer, states[one.finding]) for one in graphs_of(report).questions}
