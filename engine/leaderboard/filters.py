"""Defines what a leaderboard is asked for: a metric's score, by groups, over which evaluations."""

from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from hallascope import metrics
from hallascope.engine.errors import BadRequest
from hallascope.metrics.base import ScoreSpec

Grouping = Literal[
    "model",
    "domain",
    "field",
    "category",
    "difficulty",
    "coi",
    "level",
    "task",
    "judge",
    "trial",
]
BYS: tuple[Grouping, ...] = get_args(Grouping)
NO_JUDGE = "no judge"  # the group of metrics without a judge


@dataclass(frozen=True, kw_only=True)
class Filters:
    """Says which evaluations are counted: by default all of them.

    `runs` are runs or sweeps, and times are seconds since 1970, `until` not included. `instrument`:
    one of `Board.instruments` by its key. Without it, of several ways of judging the one that
    judged most prompts is shown, among those of `judge` where one is named: numbers of two judges,
    line-ups or versions are never averaged.
    """

    models: tuple[str, ...] = ()
    judge: str | None = None
    category: str | None = None
    field: str | None = None
    difficulty: str | None = None
    domain: str | None = None
    level: str | None = None
    task: str | None = None
    trial: int | None = None
    runs: tuple[str, ...] = ()
    prompts: tuple[str, ...] = ()
    seeds: tuple[int, ...] = ()
    since: float | None = None
    until: float | None = None
    instrument: str | None = None


@dataclass(frozen=True)
class Query:
    """Names one leaderboard: the score of a metric, by something, of what the filters leave."""

    metric: str = "ihalla"
    score: str = "score"
    by: Grouping = "model"
    filters: Filters = field(default_factory=Filters)

    @property
    def spec(self) -> ScoreSpec:
        """Return the declaration of the score."""
        return metrics.score(self.metric, self.score)

    @property
    def is_over_items(self) -> bool:
        """Return whether the mean is over questions, or over what else is pooled, not prompts."""
        return self.by == "coi" or bool(self.spec.pools)


def filter_group(query: Query, group: str, models: tuple[str, ...] = ()) -> Query:
    """Return the query of one group alone, by model; "" is all of it. `models`: of these alone.

    The group is among its filters, except a composition of interest, which stays to be chosen as
    the part of reports. Raises BadRequest where the score has no such groups, or the group cannot
    be one.
    """
    check_groups(query)
    filters = replace(query.filters, models=models or query.filters.models)
    if not group or query.by in ("model", "coi"):
        return replace(query, by="model", filters=filters)
    value: Any = group
    if query.by == "trial":
        if not group.isdecimal():
            raise BadRequest(f"{group!r} is no trial: give its number, 0 is the first.")
        value = int(group)
    if query.by == "judge" and group == NO_JUDGE:
        value = ""
    return replace(query, by="model", filters=replace(filters, **{query.by: value}))


def check_groups(query: Query) -> None:
    """Raise BadRequest where the score has no such groups."""
    if query.by not in BYS:
        raise BadRequest(
            f"A leaderboard cannot be made by {query.by!r}: choose one of {', '.join(BYS)}."
        )
    if query.by == "coi" and query.score != "score":
        raise BadRequest(
            f"{query.score!r} is of whole images, not of questions: by composition of interest"
            " choose the score 'score'."
        )
