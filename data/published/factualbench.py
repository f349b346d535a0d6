"""Holds the published numbers of T2I-FactualBench (tables 3 and 4, figure 5), as facts.

None of them is a measurement of ours.
"""

import csv
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from hallascope.data.concepts import FactualLevel
from hallascope.data.records import Domain

FOLDER = Path(__file__).parent
Injection = Literal["text-to-image", "visual-knowledge", "text-knowledge"]


class PublishedFactualScores(NamedTuple):
    """Holds a model's row of table 3: percent by level and score.

    Scores are "concept", "task" and "composition".
    """

    model: str
    injection: Injection
    percent: dict[tuple[FactualLevel, str], float]


class Delta(NamedTuple):
    """Holds what table 3 prints beside a number in percent points above the base model.

    It also holds what the two numbers give.
    """

    model: str
    base: str
    level: FactualLevel
    score: str
    printed: float
    derived: float

    @property
    def misprinted(self) -> bool:
        return abs(self.printed - self.derived) > 0.05


@cache
def table() -> tuple[PublishedFactualScores, ...]:
    """Return table 3, model by model.

    DALLE-3 is incomplete, as its service makes no pictures of persons.
    """
    scores: dict[str, PublishedFactualScores] = {}
    for row in _rows("factualbench_scores.csv"):
        model = scores.setdefault(
            row["model"], PublishedFactualScores(row["model"], row["injection"], {})
        )
        model.percent[row["level"], row["score"]] = float(row["percent"])
    return tuple(scores.values())


@cache
def deltas() -> tuple[Delta, ...]:
    """The arrows of table 3; two of them are misprinted."""
    return tuple(
        Delta(
            model=row["model"],
            base=row["base"],
            level=row["level"],
            score=row["score"],
            printed=float(row["printed"]),
            derived=float(row["derived"]),
        )
        for row in _rows("factualbench_deltas.csv")
    )


@cache
def by_domain() -> dict[str, dict[Domain, float | None]]:
    """Return figure 5: the concept score of the first level in percent, by model and domain.

    None where nothing was made.
    """
    scores: dict[str, dict[Domain, float | None]] = {}
    for row in _rows("factualbench_skcm_by_domain.csv"):
        scores.setdefault(row["model"], {})[row["domain"]] = (
            float(row["concept_percent"]) if row["concept_percent"] else None
        )
    return scores


def _rows(name: str) -> list[dict[str, Any]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
