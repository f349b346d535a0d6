"""Builds the part of a document that has the scene graphs of a picture and its prompt."""

from typing import Any

from hallascope.data.graphs import (
    Graph,
    Node,
    SceneGraphs,
)
from hallascope.data.records import Report, Score

_NO_SCORE = Score(None, 0, 0)


def as_json(report: Report) -> dict[str, Any]:
    """Return the grade, the shares, every error, and the graphs of the picture and the prompt.

    The grade has its sentence; the shares are those of the questions.
    """
    graphs = graphs_of(report)
    return {
        "grade": graphs.grade,
        "sentence": graphs.sentence,
        "normalised": report.score.value,
        "answered": _score(report, "answered"),
        "correct": _score(report, "correct"),
        "errors": [
            {"type": error.type, "subject": error.subject, "asked": error.asked, "seen": error.seen}
            for error in graphs.errors
        ],
        "graph": _graph(graphs.seen),
        "prompt_graph": _graph(graphs.asked),
        "matches": [list(pair) for pair in graphs.matches],
        "questions": [
            {
                "question": question.text,
                "kind": question.kind,
                "wanted": question.wanted,
                "answer": question.answer,
                "asked": question.asked_value,
                "seen": question.seen_value,
                "memory": [list(triple[:3]) for triple in question.memory],
            }
            for question in graphs.questions
        ],
    }


def graphs_of(report: Report) -> SceneGraphs:
    """Return the graphs of a report; empty ones where it has none."""
    graphs = report.evidence.graphs if report.evidence else None
    return graphs or SceneGraphs(asked=Graph(), seen=Graph())


def _score(report: Report, name: str) -> dict[str, Any]:
    score = report.scores.get(name, _NO_SCORE)
    return {"value": score.value, "counted": score.counted, "left_out": score.left_out}


def _graph(graph: Graph) -> dict[str, Any]:
    return {
        "nodes": [_node(node) for node in graph.nodes],
        "edges": [
            {
                "id": edge.name,
                "source": edge.source,
                "relation": edge.relation,
                "target": edge.target,
            }
            for edge in graph.edges
        ],
    }


def _node(node: Node) -> dict[str, Any]:
    document: dict[str, Any] = {
        "id": node.name,
        "label": node.label,
        "attributes": [{"kind": each.kind, "value": each.value} for each in node.attributes],
    }
    if node.segment:
        document["segment"] = node.segment
    if node.absent:
        document["absent"] = True
    return document
