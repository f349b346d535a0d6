"""What a leaderboard is asked: which metric and score, by what, over which evaluations.

It reads no store.
"""

from dataclasses import dataclass, field
from typing import Literal, get_args

Grouping = Literal["model", "domain", "category", "coi", "level", "task", "judge", "trial"]
BYS: tuple[Grouping, ...] = get_args(Grouping)


@dataclass(frozen=True, kw_only=True)
class Filters:
    """Which evaluations are counted; all of them where nothing is said.

    `runs` are runs or sweeps, and times are seconds since 1970, `until` not included. `instrument`:
    one of `Board.instruments` by its key. Without it, of several ways of judging the one that
    judged most prompts is shown, among those of `judge` where one is named: numbers of two judges,
    line-ups or versions are never averaged.
    """

    models: tuple[str, ...] = ()
    judge: str | None = None
    category: str | None = None
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
    """One leaderboard: the score of a metric, by something, of what the filters leave."""

    metric: str = "ihalla"
    score: str = "score"
    by: Grouping = "model"
    filters: Filters = field(default_factory=Filters)
