"""Sums up reports of T2I-FactualBench: means by level and task, and by domain."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from hallascope.data.concepts import FactualLevel, FactualPrompt
from hallascope.data.records import DOMAINS, Domain, Report
from hallascope.metrics.aggregate import (
    Mean,
    PromptValue,
    mean_over_prompts,
    require_one_version,
)
from hallascope.metrics.base import mean_score
from hallascope.metrics.factualbench.report import shares

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
    return _mean(_value(row, name) for row in rows)


def by_domain(rows: Iterable[FactualRow], name: str = "concept") -> dict[Domain, Mean]:
    """Return the mean of each domain.

    "concept" counts each concept in its own domain, every other score in those of all
    its concepts. Raises MixedVersions.
    """
    values: dict[Domain, list[PromptValue]] = defaultdict(list)
    for row in _of_one_version(rows):
        for domain in row.prompt.domains:
            value = _value_of_domain(row, domain) if name == "concept" else _value(row, name)
            values[domain].append(value)
    return _without_empty({domain: _mean(values[domain]) for domain in DOMAINS if domain in values})


def table(rows: Iterable[FactualRow]) -> dict[LevelScore, Mean]:
    """Return the six numbers of a model in the paper's table 3. Raises MixedVersions."""
    rows = _of_one_version(rows)
    return {
        (level, name): mean([row for row in rows if row.prompt.level == level], name)
        for level, name in CELLS
    }


def _of_one_version(rows: Iterable[FactualRow]) -> list[FactualRow]:
    rows = list(rows)
    require_one_version(row.report for row in rows)
    return rows


def _without_empty(means: dict[K, Mean]) -> dict[K, Mean]:
    return {key: value for key, value in means.items() if value.n + value.left_out}


def _value(row: FactualRow, name: str) -> PromptValue:
    prompt = row.prompt.prompt
    if row.report is None:
        is_of_level = name == "score" or (row.prompt.level, name) in CELLS
        return PromptValue(prompt, None, 0, int(is_of_level))
    score = row.report.scores[name]
    return PromptValue(prompt, score.value, score.counted, score.left_out)


def _value_of_domain(row: FactualRow, domain: Domain) -> PromptValue:
    """Return the value of the concepts of a domain alone."""
    concept_shares = shares(row.report) if row.report else [None] * len(row.prompt.concepts)
    score = mean_score(
        [
            share
            for share, concept in zip(concept_shares, row.prompt.concepts, strict=True)
            if concept.domain == domain
        ]
    )
    return PromptValue(row.prompt.prompt, score.value, score.counted, score.left_out)


def _mean(values: Iterable[PromptValue]) -> Mean:
    """Return the mean over prompts; one whose level has no such score is not counted."""
    return mean_over_prompts(each for each in values if each.answered + each.unanswered)
