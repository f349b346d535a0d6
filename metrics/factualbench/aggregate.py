"""Sums up reports of T2I-FactualBench: means by level, task and domain, and differences.

A difference is what one model is above another.

It knows no judge and no picture.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from hallascope.data.concepts import LEVELS, TASKS, FactualLevel, FactualPrompt
from hallascope.data.records import DOMAINS, Domain, Report
from hallascope.metrics.aggregate import Mean, MixedVersions, Policy
from hallascope.metrics.factualbench.report import shares
from hallascope.metrics.statistics.intervals import bootstrap

LevelScore = tuple[FactualLevel, str]
# the columns of table 3
CELLS: tuple[LevelScore, ...] = (
    ("SKCM", "concept"),
    *(("SKCU", "concept"), ("SKCU", "task")),
    *(("MKCC", "concept"), ("MKCC", "task"), ("MKCC", "composition")),
)


@dataclass(frozen=True)
class FactualRow:
    """A report with the prompt it is of, and what else it may be told apart by.

    None where the picture was refused or not made.
    """

    report: Report | None
    prompt: FactualPrompt
    model: str = ""
    judge: str = ""
    trial: int = 0


def mean(rows: Iterable[FactualRow], name: str = "score", policy: Policy = "answered") -> Mean:
    """The mean over prompts of a score by name, with a 95 % bootstrap interval resampled by prompt.

    In [0, 1].

    Several pictures of one prompt are averaged first. A prompt whose level has no such score is not
    counted at all; one in which nothing was answered is left out, and so under every policy is one
    that no picture was made of. Raises MixedVersions.
    """
    return _mean([(row.prompt.prompt, *_value(row, name, policy)) for row in one_version(rows)])


def by_level(
    rows: Iterable[FactualRow], name: str = "score", policy: Policy = "answered"
) -> dict[FactualLevel, Mean]:
    """By level, in the paper's order; levels that have no such score are not listed.

    Raises MixedVersions.
    """
    rows = one_version(rows)
    found = {
        level: mean([row for row in rows if row.prompt.level == level], name, policy)
        for level in LEVELS
    }
    return {level: one for level, one in found.items() if one.n + one.left_out}


def by_task(
    rows: Iterable[FactualRow], name: str = "score", policy: Policy = "answered"
) -> dict[LevelScore, Mean]:
    """By level and task, as a task may be of two levels ("action" of one concept, and of several).

    Raises MixedVersions.
    """
    rows = one_version(rows)
    places = [(level, task) for level in LEVELS for task in TASKS]
    found = {
        (level, task): mean(
            [row for row in rows if (row.prompt.level, row.prompt.task) == (level, task)],
            name,
            policy,
        )
        for level, task in places
    }
    return {place: one for place, one in found.items() if one.n + one.left_out}


def by_domain(
    rows: Iterable[FactualRow], name: str = "concept", policy: Policy = "answered"
) -> dict[Domain, Mean]:
    """By domain.

    Our reading: "concept" counts each concept in its own domain, every other score in those of all
    its concepts.

    Raises MixedVersions.
    """
    rows = one_version(rows)
    values: dict[Domain, list[tuple[str, float | None, int, int]]] = defaultdict(list)
    for row in rows:
        for domain in row.prompt.domains:
            said = (
                _of_domain(row, domain, policy) if name == "concept" else _value(row, name, policy)
            )
            values[domain].append((row.prompt.prompt, *said))
    found = {domain: _mean(values[domain]) for domain in DOMAINS if domain in values}
    return {domain: one for domain, one in found.items() if one.n + one.left_out}


def table(rows: Iterable[FactualRow], policy: Policy = "answered") -> dict[LevelScore, Mean]:
    """The six numbers of a model in the paper's table 3. Raises MixedVersions."""
    rows = one_version(rows)
    return {
        (level, name): mean([row for row in rows if row.prompt.level == level], name, policy)
        for level, name in CELLS
    }


def differences_from_base(
    values: Mapping[LevelScore, float | None], base: Mapping[LevelScore, float | None]
) -> dict[LevelScore, float | None]:
    """By how much a model lies above the one it is based on, as the arrows of table 3 say.

    None where one of the two is.
    """
    return {cell: _minus(values.get(cell), base.get(cell)) for cell in CELLS}


def between_levels(
    values: Mapping[LevelScore, float | None],
) -> dict[tuple[FactualLevel, FactualLevel, str], float | None]:
    """Return how a score changes from one level to the next that has it (paper, section 5.3).

    An example is "64.6 -> 68.9".
    """
    found: dict[tuple[FactualLevel, FactualLevel, str], float | None] = {}
    for name in ("concept", "task"):
        levels = [level for level, score in CELLS if score == name]
        found |= {
            (one, next_, name): _minus(values.get((next_, name)), values.get((one, name)))
            for one, next_ in pairwise(levels)
        }
    return found


def one_version(rows: Iterable[FactualRow]) -> list[FactualRow]:
    """The rows, once it is sure that they are of one metric and version."""
    rows = list(rows)
    found = sorted({f"{row.report.metric} {row.report.version}" for row in rows if row.report})
    if len(found) > 1:
        raise MixedVersions(
            f"these reports are of {' and '.join(found)}, whose numbers do not compare: average"
            " each alone"
        )
    return rows


def _minus(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def _value(row: FactualRow, name: str, policy: Policy) -> tuple[float | None, int, int]:
    """A score's value under a policy, and how much beneath it was answered and was not."""
    if row.report is None:
        return None, 0, int(name == "score" or (row.prompt.level, name) in CELLS)
    score = row.report.scores[name]
    value = row.report.published[name] if policy == "published" else score.value
    return value, score.counted, score.left_out


def _of_domain(row: FactualRow, domain: Domain, policy: Policy) -> tuple[float | None, int, int]:
    """The same of the concepts of a domain alone."""
    several = shares(row.report) if row.report else [None] * len(row.prompt.concepts)
    own = [
        share
        for share, concept in zip(several, row.prompt.concepts, strict=True)
        if concept.domain == domain
    ]
    told = [share for share in own if share is not None]
    counted = len(own) if policy == "published" and row.report else len(told)
    return (sum(told) / counted if counted else None), len(told), len(own) - len(told)


def _mean(values: Iterable[tuple[str, float | None, int, int]]) -> Mean:
    """Over prompts.

    Each entry is a picture with its prompt, value, and counts of what was answered and was not
    beneath.
    """
    of: dict[str, list[float]] = {}
    answered = unanswered = 0
    for prompt, value, told, untold in values:
        if told + untold:
            of.setdefault(prompt, []).extend([] if value is None else [value])
            answered = answered + told
            unanswered = unanswered + untold
    counted = [sum(several) / len(several) for several in of.values() if several]
    interval = bootstrap(counted) if counted else None
    return Mean(
        value=sum(counted) / len(counted) if counted else None,
        n=len(counted),
        left_out=len(of) - len(counted),
        interval_method="bootstrap",
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        answered=answered,
        unanswered=unanswered,
    )
