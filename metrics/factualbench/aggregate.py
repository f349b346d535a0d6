"""Sums up reports of T2I-FactualBench: means by level and task, and by domain."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from hallascope.data.concepts import FactualLevel, FactualPrompt
from hallascope.data.records import DOMAINS, Domain, Report
from hallascope.metrics.aggregate import (
    Mean,
    clustered_mean,
    require_one_version,
)
from hallascope.metrics.factualbench.report import shares
from hallascope.metrics.statistics.intervals import sum_clusters

K = TypeVar("K")
LevelScore = tuple[FactualLevel, str]
# The columns of table 3.
CELLS: tuple[LevelScore, ...] = (
    ("SKCM", "concept"),
    ("SKCU", "concept"),
    ("SKCU", "task"),
    ("MKCC", "concept"),
    ("MKCC", "task"),
    ("MKCC", "composition"),
)


@dataclass(frozen=True)
class FactualRow:
    """Holds a report with its prompt, and what else tells it apart from others.

    `report` is None where the picture was refused or not made.
    """

    report: Report | None
    prompt: FactualPrompt
    model: str = ""


def mean(rows: Iterable[FactualRow], name: str = "score") -> Mean:
    """Return the mean over prompts of a score by name, in [0, 1].

    Its 95 % interval is by prompt. Several pictures of one prompt are averaged
    first. A prompt whose level has no such score is not counted at all. One in which nothing was
    answered is left out, and so is one without a picture. Raises MixedVersions.
    """
    rows = _of_one_version(rows)
    return _mean((row.prompt.prompt, _value(row, name)) for row in rows)


def by_domain(rows: Iterable[FactualRow], name: str = "concept") -> dict[Domain, Mean]:
    """Return the mean of each domain.

    "concept" counts each concept in its own domain, every other score in those of all
    its concepts. Raises MixedVersions.
    """
    values: dict[Domain, list[tuple[str, _Value]]] = defaultdict(list)
    for row in _of_one_version(rows):
        for domain in row.prompt.domains:
            value = _value_of_domain(row, domain) if name == "concept" else _value(row, name)
            values[domain].append((row.prompt.prompt, value))
    return _without_empty({domain: _mean(values[domain]) for domain in DOMAINS if domain in values})


def table(rows: Iterable[FactualRow]) -> dict[LevelScore, Mean]:
    """Return the six numbers of a model in the paper's table 3. Raises MixedVersions."""
    rows = _of_one_version(rows)
    return {
        (level, name): mean([row for row in rows if row.prompt.level == level], name)
        for level, name in CELLS
    }


@dataclass(frozen=True)
class _Value:
    """Holds the value of one picture, and how much beneath it was answered and was not."""

    value: float | None
    answered: int
    unanswered: int


def _of_one_version(rows: Iterable[FactualRow]) -> list[FactualRow]:
    rows = list(rows)
    require_one_version(row.report for row in rows)
    return rows


def _without_empty(means: dict[K, Mean]) -> dict[K, Mean]:
    return {key: value for key, value in means.items() if value.n + value.left_out}


def _value(row: FactualRow, name: str) -> _Value:
    if row.report is None:
        return _Value(None, 0, int(name == "score" or (row.prompt.level, name) in CELLS))
    score = row.report.scores[name]
    return _Value(score.value, score.counted, score.left_out)


def _value_of_domain(row: FactualRow, domain: Domain) -> _Value:
    """Return the value of the concepts of a domain alone."""
    concept_shares = shares(row.report) if row.report else [None] * len(row.prompt.concepts)
    in_domain = [
        share
        for share, concept in zip(concept_shares, row.prompt.concepts, strict=True)
        if concept.domain == domain
    ]
    answered = [share for share in in_domain if share is not None]
    value = sum(answered) / len(answered) if answered else None
    return _Value(value, len(answered), len(in_domain) - len(answered))


def _mean(values: Iterable[tuple[str, _Value]]) -> Mean:
    """Return the mean over prompts of pictures, each given as its prompt and its value."""
    by_prompt: dict[str, list[float]] = {}
    answered = 0
    unanswered = 0
    for prompt, picture in values:
        if picture.answered + picture.unanswered:
            values_of_prompt = by_prompt.setdefault(prompt, [])
            if picture.value is not None:
                values_of_prompt.append(picture.value)
            answered += picture.answered
            unanswered += picture.unanswered
    counted = [sum(pictures) / len(pictures) for pictures in by_prompt.values() if pictures]
    return clustered_mean(
        sum_clusters(counted),
        left_out=len(by_prompt) - len(counted),
        answered=answered,
        unanswered=unanswered,
    )
