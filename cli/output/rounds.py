"""Prints the rounds of T2I-FactualBench as rows, and changes by knowledge injection.

It runs nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from hallascope import metrics
from hallascope.data.records import Report
from hallascope.engine.events import Evaluation, GeneratedPicture
from hallascope.metrics.factualbench.plan import as_json

_SAID = {
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
    """Every round of a report; none where it is of another metric."""
    if metrics.presentation(report.metric) != "rounds":
        return
    said: Any = as_json(report)
    for concept in said["concepts"]:
        yield _criteria_row("concept", concept["concept"], concept)
    if task := said["task"]:
        yield RoundRow(
            "task",
            task["asked"],
            "-" if task["score"] is None else str(task["score"]),
            task["seen"],
            task["reason"],
        )
    if said["composition"]:
        yield _criteria_row("composition", "", said["composition"])


def _criteria_row(name: str, about: str, said: Mapping[str, Any]) -> RoundRow:
    score = "-" if said["score"] is None else f"{said['score']:.2f}"
    criteria = ", ".join(f"{kind} {_SAID[one['state']]}" for kind, one in said["criteria"].items())
    return RoundRow(name, about, score, criteria, said["flag"] or said["failure"] or "")


def changes(
    said: Evaluation, shots: Mapping[str, GeneratedPicture], others: Sequence[Evaluation]
) -> dict[str, Any]:
    """Return by how much every score of a picture with knowledge differs from that without.

    Both have the same model, seed, metric and trial.

    {} for a picture without; a score is None where one of the two has none.
    """
    shot = shots[said.generation]
    if not shot.injected:
        return {}
    plain = next((one for one in others if _is_without_knowledge(one, said, shots)), None)
    values = plain.report.scores if plain else {}
    found = {
        name: _minus(score.value, values[name].value if name in values else None)
        for name, score in said.report.scores.items()
    }
    return {"injected": shot.injected, "change": found}


def _is_without_knowledge(
    one: Evaluation, said: Evaluation, shots: Mapping[str, GeneratedPicture]
) -> bool:
    """Whether the first is of the picture that was made without knowledge."""
    plain = shots[one.generation]
    shot = shots[said.generation]
    alike = (plain.model, plain.seed, one.metric, one.trial) == (
        shot.model,
        shot.seed,
        said.metric,
        said.trial,
    )
    return alike and plain.injected is None


def _minus(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other
