"""Makes a leaderboard's rows: models by a score, with counts, interval and left out.

It draws nothing.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from hallascope import metrics
from hallascope.data.concepts import LEVELS, TASKS
from hallascope.data.records import COIS, DOMAINS, Category
from hallascope.data.requests import Role
from hallascope.engine.errors import BadRequest
from hallascope.engine.leaderboard import queries
from hallascope.engine.leaderboard.filters import BYS, Filters, Grouping, Query
from hallascope.engine.leaderboard.published import published_rows
from hallascope.engine.leaderboard.queries import InstrumentRow, LeaderboardCell
from hallascope.engine.leaderboard.row import LeaderboardRow
from hallascope.engine.storage.scores import sorted_lineup
from hallascope.engine.storage.store import Store
from hallascope.metrics.aggregate import Mean
from hallascope.metrics.base import SHARE, Bounds
from hallascope.metrics.running_sums import INTERVAL_METHOD, mean
from hallascope.metrics.statistics.intervals import INTERVAL_METHODS, LEVEL, IntervalMethod

CountUnit = Literal["prompts", "questions"]
# the order in which the papers name groups; the rest follows by name
_ORDER: Mapping[str, Sequence[str]] = {
    "coi": COIS,
    "category": [category.value for category in Category],
    "domain": DOMAINS,
    "level": LEVELS,
    "task": TASKS,
}


@dataclass(frozen=True, kw_only=True)
class Instrument:
    """One way of judging: the metric's version, the judge with its revision, and all models.

    The models are those it asked, by role.

    `prompts`: how many it judged under the filters, those of each model counted.
    """

    key: str
    version: str
    judge: str | None
    revision: str
    lineup: Mapping[Role, str]
    prompts: int


@dataclass(frozen=True, kw_only=True)
class Board:
    """A leaderboard: `rows` by one `instrument` of all `instruments` there are.

    By judge they are by one of each judge.

    `published_rows` are numbers of papers, apart. `unit` says what `n` counts, `interval_method`
    how the 95 % intervals of the rows are computed.
    """

    query: Query
    rows: tuple[LeaderboardRow, ...]
    unit: CountUnit
    title: str
    higher_is_better: bool
    bounds: Bounds
    instrument: Instrument | None
    instruments: tuple[Instrument, ...]
    interval_method: IntervalMethod
    published: tuple[LeaderboardRow, ...] = ()

    @property
    def intervals(self) -> str:
        """What the intervals of the rows are, in words."""
        return (
            f"{LEVEL:.0%} intervals by prompt ({INTERVAL_METHODS[self.interval_method]})".replace(
                "%", " %"
            )
        )


def board(store: Store, query: Query) -> Board:
    """The leaderboard that is asked for. Raises BadRequest where the score has no such groups."""
    check_groups(query)
    ways = queries.ways(store, query)
    kind = metrics.score(query.metric, query.score)
    chosen = chosen_ways(query, ways)
    found = (
        [row(cell, query) for cell in queries.cells(store, query, [way.key for way in chosen])]
        if chosen
        else []
    )
    instruments = tuple(map(_instrument, ways))
    used = None if query.by == "judge" else next(iter(instruments), None)
    unit: CountUnit = "questions" if query.by == "coi" else "prompts"
    own = tuple(sorted(found, key=lambda one: _place(one, query, kind.higher_is_better)))
    return Board(
        query=query,
        rows=own,
        unit=unit,
        title=kind.title,
        higher_is_better=kind.higher_is_better,
        bounds=kind.bounds,
        instrument=used,
        instruments=instruments,
        interval_method=INTERVAL_METHOD,
        published=published_rows(query),
    )


def rows(
    store: Store,
    by: Grouping = "model",
    metric: str = "ihalla",
    score: str = "score",
    filters: Filters | None = None,
) -> list[LeaderboardRow]:
    """The rows of a leaderboard alone. Raises BadRequest."""
    return list(board(store, Query(metric, score, by, filters or Filters())).rows)


def chosen_ways(query: Query, ways: Sequence[InstrumentRow]) -> list[InstrumentRow]:
    """The one way of judging that is shown, by judge one of each; those of most prompts."""
    if query.by != "judge":
        return list(ways[:1])
    return list({way.judge: way for way in reversed(ways)}.values())


def check_groups(query: Query) -> None:
    """Raises BadRequest where the score has no such groups."""
    if query.by not in BYS:
        raise BadRequest(
            f"A leaderboard cannot be made by {query.by!r}: choose of {', '.join(BYS)}."
        )
    if query.by == "coi" and query.score != "score":
        raise BadRequest(
            f"{query.score!r} is of whole pictures, not of questions: by composition of interest"
            " choose the score 'score'."
        )


def row(cell: LeaderboardCell, query: Query) -> LeaderboardRow:
    """The bar of some sums."""
    questions = (
        query.by == "coi"
    )  # the mean over questions is the share that is right, whatever the score of a picture is
    bounds = SHARE if questions else metrics.score(query.metric, query.score).bounds
    found: Mean = mean(cell.sums, bounds, part=questions)
    return LeaderboardRow(
        model=cell.model,
        group=cell.group,
        value=found.value,
        n=found.n,
        low=found.low,
        high=found.high,
        left_out=found.left_out,
        answered=found.answered,
        unanswered=found.unanswered,
    )


def _place(one: LeaderboardRow, query: Query, higher_is_better: bool) -> tuple[object, ...]:
    """By model the best first; else by model, its groups in the papers' order."""
    if query.by == "model":
        value = 0.0 if one.value is None else one.value
        return (one.value is None, -value if higher_is_better else value, one.model)
    known = list(_ORDER.get(query.by, ()))
    return (one.model, known.index(one.group) if one.group in known else len(known), one.group)


def _instrument(way: InstrumentRow) -> Instrument:
    lineup = json.loads(sorted_lineup(way.lineup))
    return Instrument(
        key=way.key,
        version=way.version,
        judge=way.judge or None,
        revision=way.revision,
        lineup=lineup,
        prompts=way.prompts,
    )
