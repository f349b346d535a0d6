"""Sums up reports of T2I-FactualBench: means by level, task and domain."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from hallascope.data.concepts import LEVELS, FactualLevel, FactualPrompt
from hallascope.data.records import DOMAINS, Domain, Report
from hallascope.metrics.aggregate import (
    Mean,
    Policy,
    clustered_mean,
    rows_of_one_version,
    value_of,
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
    judge: str = ""
    trial: int = 0


def mean(rows: Iterable[FactualRow], name: str = "score", policy: Policy = "answered") -> Mean:
    """Return the mean over prompts of a score by name, in [0, 1].

    Its 95 % interval is by prompt. Several pictures of one prompt are averaged
    first. A prompt whose level has no such score is not counted at all. One in which nothing was
    answered is left out, and so under every policy is one without a picture. Raises MixedVersions.
    """
    return _mean(
        (row.prompt.prompt, _value(row, name, policy)) for row in rows_of_one_version(rows)
    )


def by_level(
    rows: Iterable[FactualRow], name: str = "score", policy: Policy = "answered"
) -> dict[FactualLevel, Mean]:
    """Return the mean of each level, in the paper's order.

    Levels that have no such score are not listed. Raises MixedVersions.
    """
    rows = rows_of_one_version(rows)
    means = {
        level: mean([row for row in rows if row.prompt.level == level], name, policy)
        for level in LEVELS
    }
    return _without_empty(means)


def by_domain(
    rows: Iterable[FactualRow], name: str = "concept", policy: Policy = "answered"
) -> dict[Domain, Mean]:
    """Return the mean of each domain.

    "concept" counts each concept in its own domain, every other score in those of all
    its concepts. Raises MixedVersions.
    """
    values: dict[Domain, list[tuple[str, _Value]]] = defaultdict(list)
    for row in rows_of_one_version(rows):
        for domain in row.prompt.domains:
            if name == "concept":
                value = _value_of_domain(row, domain, policy)
            else:
                value = _value(row, name, policy)
            values[domain].append((row.prompt.prompt, value))
    return _without_empty({domain: _mean(values[domain]) for domain in DOMAINS if domain in values})


def table(rows: Iterable[FactualRow], policy: Policy = "answered") -> dict[LevelScore, Mean]:
    """Return the six numbers of a model in the paper's table 3. Raises MixedVersions."""
    rows = rows_of_one_version(rows)
    return {
        (level, name): mean([row for row in rows if row.prompt.level == level], name, policy)
        for level, name in CELLS
    }


@dataclass(frozen=True)
class _Value:
    """Holds the value of one picture, and how much beneath it was answered and was not."""

    value: float | None
    answered: int
    unanswered: int


def _without_empty(means: dict[K, Mean]) -> dict[K, Mean]:
    return {key: value for key, value in means.items() if value.n + value.left_out}


def _value(row: FactualRow, name: str, policy: Policy) -> _Value:
    if row.report is None:
        return _Value(None, 0, int(name == "score" or (row.prompt.level, name) in CELLS))
    score = row.report.scores[name]
    return _Value(value_of(row.report, name, policy), score.counted, score.left_out)


def _value_of_domain(row: FactualRow, domain: Domain, policy: Policy) -> _Value:
    """Return the value of the concepts of a domain alone."""
    concept_shares = shares(row.report) if row.report else [None] * len(row.prompt.concepts)
    in_domain = [
        share
        for share, concept in zip(concept_shares, row.prompt.concepts, strict=True)
        if concept.domain == domain
    ]
    answered = [share for share in in_domain if share is not None]
    counted = len(in_domain) if policy == "published" and row.report else len(answered)
    value = sum(answered) / counted if counted else None
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
