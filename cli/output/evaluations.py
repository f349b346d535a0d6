"""Formats evaluations for people: scores, and what FiG, FactualBench and scene graphs say more."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hallascope import metrics
from hallascope.cli.output import printing
from hallascope.data.graphs import ERROR_TYPES, GraphError
from hallascope.data.records import Report, Score
from hallascope.engine.documents.evaluation import STAGES, extraneous, graphs_of, has_stages
from hallascope.engine.events import Evaluation
from hallascope.metrics.factualbench.report import as_json

_STATE_WORDS = {
    "correct": "met",
    "incorrect": "not met",
    "abstained": "cannot tell",
    "unreadable": "unreadable",
    "failed": "failed",
}


def evaluation_tables(evaluations: Sequence[Evaluation]) -> str:
    """Return the scores of all evaluations, and beneath them what some metrics say more."""
    scores = (
        {
            "model": item.model,
            "metric": item.metric,
            "trial": item.trial,
            "score": _hundredths(item.report.score.value),
            "counted": item.report.score.counted,
            "left out": item.report.score.left_out,
            "answers": " ".join(verdict.state for verdict in item.report.verdicts),
            "cached": item.cached,
        }
        for item in evaluations
    )
    stages = (
        {
            "model": item.model,
            "trial": item.trial,
            **{name: score_text(item.report, name) for name in (*STAGES, "chair_i")},
            "not in the prompt": extraneous(item.report),
        }
        for item in evaluations
        if has_stages(item.report)
    )
    rounds = ({"model": item.model, **row} for item in evaluations for row in _rounds(item.report))
    graphs = (
        {"model": item.model, **graph_row(item.report)}
        for item in evaluations
        if metrics.presentation(item.metric) == "graph"
    )
    return printing.join_parts(*map(printing.table, (scores, stages, rounds, graphs)))


def score_text(report: Report, name: str) -> str:
    """Return a score in words: "0.50 (n 4)", "0.50 (n 4, 1 left out)", "-" where there is none."""
    score = report.scores.get(name, Score(None, 0, 0))
    counts = [f"n {score.counted}"] if score.value is not None else []
    counts += [f"{score.left_out} left out"] if score.left_out else []
    return _hundredths(score.value) + (f" ({', '.join(counts)})" if counts else "")


def graph_row(report: Report) -> dict[str, object]:
    """Return grade, shares and errors by type of an image's scene graph."""
    graphs = graphs_of(report)
    return {
        "grade": graphs.grade,
        "correct": score_text(report, "correct"),
        "answered": score_text(report, "answered"),
        **{
            kind: [describe_error(error) for error in graphs.errors if error.type == kind]
            for kind in ERROR_TYPES
        },
    }


def describe_error(error: GraphError) -> str:
    """Return what was asked beside what is seen."""
    if not error.asked or error.type == "omission":
        return error.subject
    return f"{error.asked} -> {error.seen or 'nothing seen'}"


def _rounds(report: Report) -> Iterator[dict[str, object]]:
    """Yield every round of a report of T2I-FactualBench; none where it is of another metric."""
    if metrics.presentation(report.metric) != "rounds":
        return
    document: Any = as_json(report)
    for concept in document["concepts"]:
        yield _criteria_row("concept", concept["concept"], concept)
    if task := document["task"]:
        yield {
            "round": "task",
            "about": task["asked"],
            "score": task["score"] and str(task["score"]),
            "criteria": task["seen"],
            "note": task["reason"],
        }
    if document["composition"]:
        yield _criteria_row("composition", "", document["composition"])


def _criteria_row(name: str, about: str, round_: Mapping[str, Any]) -> dict[str, object]:
    return {
        "round": name,
        "about": about,
        "score": _hundredths(round_["score"]),
        "criteria": [
            f"{kind} {_STATE_WORDS[verdict['state']]}"
            for kind, verdict in round_["criteria"].items()
        ],
        "note": round_["flag"] or round_["failure"],
    }


def _hundredths(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
