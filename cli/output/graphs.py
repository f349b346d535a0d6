"""Prints scene graphs: a part of a JSON document, and cells of a table. It runs nothing."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from hallascope.data.graphs import (
    ERROR_TYPES,
    Edge,
    Graph,
    GraphError,
    GraphQuestion,
    Node,
    SceneGraphs,
)
from hallascope.data.records import Report, Score

_NOTHING = Score(None, 0, 0)


class PictureGraphRow(NamedTuple):
    """One picture in words."""

    grade: str
    correct: str
    answered: str
    attribute: str
    omission: str
    relation: str
    extraneous: str


def as_json(report: Report) -> dict[str, Any]:
    """Return the grade, the shares, every error, and the graphs of the picture and the prompt.

    The grade has its sentence; the shares are those of the questions.
    """
    graphs = _graphs(report)
    return {
        "grade": graphs.grade,
        "sentence": graphs.sentence,
        "normalised": report.score.value,
        "answered": _score(report, "answered"),
        "correct": _score(report, "correct"),
        "errors": [_error(error) for error in graphs.errors],
        "graph": _graph(graphs.seen),
        "prompt_graph": _graph(graphs.asked),
        "matches": [list(pair) for pair in graphs.matches],
        "questions": [_question(question) for question in graphs.questions],
    }


def row(report: Report) -> PictureGraphRow:
    """Grade, shares and errors by type as people read them.

    What is wrong in words, "-" where nothing is.
    """
    errors = _graphs(report).errors
    grade = _graphs(report).grade
    correct, answered = (_share(report, name) for name in ("correct", "answered"))
    told = {
        each: ", ".join(_describe_error(error) for error in errors if error.type == each) or "-"
        for each in ERROR_TYPES
    }
    return PictureGraphRow(
        grade="-" if grade is None else str(grade), correct=correct, answered=answered, **told
    )


def _graphs(report: Report) -> SceneGraphs:
    graphs = report.evidence.graphs if report.evidence else None
    return graphs or SceneGraphs(asked=Graph(), seen=Graph())


def _share(report: Report, name: str) -> str:
    score = report.scores.get(name, _NOTHING)
    value = "-" if score.value is None else f"{score.value:.2f}"
    return f"{value} ({score.left_out} left out)" if score.left_out else value


def _describe_error(error: GraphError) -> str:
    return (
        error.subject
        if not error.asked or error.type == "omission"
        else f"{error.asked} -> {error.seen or 'nothing seen'}"
    )


def _score(report: Report, name: str) -> dict[str, Any]:
    score = report.scores.get(name, _NOTHING)
    return {"value": score.value, "counted": score.counted, "left_out": score.left_out}


def _error(error: GraphError) -> dict[str, Any]:
    return {"type": error.type, "subject": error.subject, "asked": error.asked, "seen": error.seen}


def _graph(graph: Graph) -> dict[str, Any]:
    return {
        "nodes": [_node(node) for node in graph.nodes],
        "edges": [_edge(edge) for edge in graph.edges],
    }


def _node(node: Node) -> dict[str, Any]:
    said = [{"kind": attribute.kind, "value": attribute.value} for attribute in node.attributes]
    about = {"id": node.name, "label": node.label, "attributes": said}
    return (
        about
        | ({"segment": node.segment} if node.segment else {})
        | ({"absent": True} if node.absent else {})
    )


def _edge(edge: Edge) -> dict[str, Any]:
    return {
        "id": edge.name,
        "source": edge.source,
        "relation": edge.relation,
        "target": edge.target,
    }


def _question(question: GraphQuestion) -> dict[str, Any]:
    memory: Sequence[list[str]] = [list(triple[:3]) for triple in question.memory]
    about = {
        "question": question.text,
        "kind": question.kind,
        "wanted": question.wanted,
        "answer": question.answer,
    }
    return about | {"asked": question.asked_value, "seen": question.seen_value, "memory": memory}
