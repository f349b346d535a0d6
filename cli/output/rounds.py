"""Formats the rounds of T2I-FactualBench as rows of a table."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from hallascope import metrics
from hallascope.data.records import Report
from hallascope.metrics.factualbench.plan import as_json

_STATE_WORDS = {
    "correct": "met",
    "incorrect": "not met",
    "abstained": "cannot tell",
    "unreadable": "unreadable",
    "failed": "failed",
}


class RoundRow(NamedTuple):
    """Holds one round of a picture: its subject, its score in words, its criteria and notes."""

    round: str
    about: str
    score: str
    criteria: str
    note: str


def rows(report: Report) -> Iterator[RoundRow]:
    """Return every round of a report; none where it is of another metric."""
    if metrics.presentation(report.metric) != "rounds":
        return
    document: Any = as_json(report)
    for concept in document["concepts"]:
        yield _criteria_row("concept", concept["concept"], concept)
    if task := document["task"]:
        yield RoundRow(
            "task",
            task["asked"],
            "-" if task["score"] is None else str(task["score"]),
            task["seen"],
            task["reason"],
        )
    if document["composition"]:
        yield _criteria_row("composition", "", document["composition"])


def _criteria_row(name: str, about: str, round_: Mapping[str, Any]) -> RoundRow:
    score = "-" if round_["score"] is None else f"{round_['score']:.2f}"
    criteria = ", ".join(
        f"{kind} {_STATE_WORDS[verdict['state']]}" for kind, verdict in round_["criteria"].items()
    )
    return RoundRow(name, about, score, criteria, round_["flag"] or round_["failure"] or "")
