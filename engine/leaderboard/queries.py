"""Reads from a store what a leaderboard is made of: ways of judging, sums by model and group,
prompts one by one; it makes no rows.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlmodel import col

from hallascope.engine.events import UPLOADED
from hallascope.engine.leaderboard.filters import By, Filters, Query
from hallascope.engine.storage.leaderboard_sums import EVERY, FACETS, SEVERAL, WHOLE, prompt_key
from hallascope.engine.storage.rebuild_sums import sums
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import (
    ScoredRow,
    ScorePartRow,
    SliceRow,
    StandingRow,
    SweepItemRow,
)
from hallascope.metrics.aggregate import NOT_GIVEN
from hallascope.metrics.running_sums import ALL, Sums

NO_JUDGE = "no judge"  # the group of metrics that ask none
_SUMS = Sums._fields


class Cell(NamedTuple):
    """The sums of one model in one group."""

    model: str
    group: str
    sums: Sums


class Way(NamedTuple):
    """A way of judging by its hash, and how many prompts it judged, those of each model counted."""

    key: str
    version: str
    judge: str
    revision: str
    lineup: str
    prompts: int


def narrowed(query: Query) -> bool:
    """Whether single evaluations are asked for, so that the kept sums do not tell."""
    filters = query.filters
    single = (
        filters.runs
        or filters.prompts
        or filters.seeds
        or filters.since is not None
        or filters.until is not None
    )
    return bool(single)


def _kinds(query: Query) -> list[str]:
    """What of the prompts is asked for."""
    return [name for name in FACETS if getattr(query.filters, name) is not None or query.by == name]


def _kept(query: Query) -> Any:
    """The condition on slices for the kept sums: over all prompts, those of one kind, or those of
    which all that is known is told apart.

    Of single trials there are sums of the first and the last.
    """
    kinds, trials = _kinds(query), query.by == "trial" or query.filters.trial is not None
    return col(SliceRow.facet) == (
        WHOLE if not kinds else kinds[0] if len(kinds) == 1 and not trials else ""
    )


# --- ways of judging
# -------------------------------------------------------------------------------------------------------


def ways(store: Store, query: Query) -> list[Way]:
    """All that judged anything that the filters leave, the one of most prompts first."""
    filters, kept = query.filters, not narrowed(query)
    named = [
        col(getattr(SliceRow, name))
        for name in ("instrument", "version", "judge", "judge_revision", "lineup")
    ]
    if not kept:
        count: Any = sa.func.count(sa.distinct(col(SliceRow.model) + " " + col(ScoredRow.prompt)))
        chosen = sa.select(*named, count, sa.func.max(col(ScoredRow.evaluation))).join(
            SliceRow, col(SliceRow.id) == col(ScoredRow.slice)
        )
        chosen = chosen.where(
            col(SliceRow.facet) == "", *of_slices(query), *of_evaluations(filters)
        )
    else:
        count = sa.func.sum(col(StandingRow.prompts) + col(StandingRow.empty))
        chosen = sa.select(*named, count, sa.func.max(col(SliceRow.id))).join(
            SliceRow, col(SliceRow.id) == col(StandingRow.slice)
        )
        trial = EVERY if filters.trial is None else filters.trial
        chosen = chosen.where(
            *of_slices(query),
            _kept(query),
            col(StandingRow.trial) == trial,
            col(StandingRow.part) == ALL,
        )
        chosen = chosen.where(col(StandingRow.score) == "score")
    with store.database.reading() as session:
        rows = session.execute(chosen.group_by(*named)).all()
    found = [
        (Way(row[0], row[1], row[2], row[3], row[4], int(row[5])), row[6]) for row in rows if row[5]
    ]
    return [way for way, _ in sorted(found, key=lambda pair: (-pair[0].prompts, -pair[1]))]


# --- sums by model and group
# ------------------------------------------------------------------------------------------------


def cells(store: Store, query: Query, instruments: Sequence[str]) -> list[Cell]:
    """The sums by model and group, of these ways of judging."""
    if narrowed(query):
        prompts = by_prompt(query, instruments).subquery()
        names = (prompts.c.model, prompts.c.group)
        return _cells(store, query, sa.select(*names, *sums(prompts.c)).group_by(*names))
    trial = query.filters.trial
    group = (
        col(StandingRow.trial)
        if query.by == "trial"
        else col(StandingRow.part)
        if query.by == "coi"
        else _group(query.by)
    )
    chosen = sa.select(
        col(SliceRow.model),
        group,
        *(sa.func.sum(col(getattr(StandingRow, name))) for name in _SUMS),
    )
    chosen = chosen.join(SliceRow, col(SliceRow.id) == col(StandingRow.slice))
    chosen = chosen.where(
        *of_slices(query), _kept(query), col(SliceRow.instrument).in_(instruments)
    )
    chosen = chosen.where(col(StandingRow.score) == query.score)
    chosen = chosen.where(_part(col(StandingRow.part), query.by))
    if trial is None and query.by == "trial":
        chosen = chosen.where(col(StandingRow.trial) != EVERY)
    else:
        chosen = chosen.where(col(StandingRow.trial) == (EVERY if trial is None else trial))
    return _cells(store, query, chosen.group_by(col(SliceRow.model), group))


def _cells(store: Store, query: Query, chosen: Any) -> list[Cell]:
    """The cells of a statement that gives model, group and sums."""
    with store.database.reading() as session:
        rows = session.execute(chosen).all()
    return _together(
        Cell(row[0], name, Sums(*_numbers(row[2:])))
        for row in rows
        for name in groups(query, str(row[1]))
    )


def _numbers(row: Sequence[Any]) -> list[Any]:
    """Sums as they are meant: PostgreSQL gives those of whole numbers as decimals."""
    whole = {"prompts", "empty", "answered", "unanswered"}
    return [
        int(value) if name in whole else float(value)
        for name, value in zip(_SUMS, row, strict=True)
    ]


def _together(found: Iterable[Cell]) -> list[Cell]:
    whole: dict[tuple[str, str], Sums] = {}
    for cell in found:
        known = whole.get((cell.model, cell.group))
        whole[cell.model, cell.group] = cell.sums if known is None else known.plus(cell.sums)
    return [Cell(*key, one) for key, one in whole.items() if one.prompts or one.empty]


def groups(query: Query, said: str) -> list[str]:
    """The groups that a value of the store is counted in: of several domains each, where none is
    filtered out.
    """
    if query.by == "domain":
        wanted = query.filters.domain
        return [name for name in (said or NOT_GIVEN).split(SEVERAL) if wanted in (None, name)]
    if query.by == "judge":
        return [said or NO_JUDGE]
    return [said or NOT_GIVEN] if query.by in FACETS else [said]


# --- prompt by prompt
# ------------------------------------------------------------------------------------------------------


def by_prompt(query: Query, instruments: Sequence[str], part: str = ALL) -> Any:
    """The statement of prompts one by one: model, group, prompt (a hash) and part with their sums,
    and one of the evaluations.
    """
    group = (
        col(ScoredRow.trial)
        if query.by == "trial"
        else col(ScorePartRow.part)
        if query.by == "coi"
        else _group(query.by)
    )
    names: Any = (
        col(SliceRow.model).label("model"),
        group.label("group"),
        col(ScoredRow.prompt).label("prompt"),
        col(ScorePartRow.part),
    )
    # By its slice, of which a prompt has one in each way of judging a model: the database meets
    # them in that order.
    keys = (
        col(SliceRow.id),
        col(ScoredRow.prompt),
        col(ScorePartRow.part),
        *([group] if query.by == "trial" else []),
    )
    added = [
        sa.func.sum(col(getattr(ScorePartRow, name))).label(name)
        for name in ("total", "weight", "answered", "unanswered")
    ]
    one = sa.func.min(col(ScoredRow.evaluation)).label("evaluation")
    return counted(sa.select(*names, *added, one), query, instruments, part).group_by(*keys)


def counted(chosen: Any, query: Query, instruments: Sequence[str], part: str = ALL) -> Any:
    """A statement about evaluations, their slices and parts, of those alone that a query counts."""
    chosen = chosen.select_from(ScoredRow).join(SliceRow, col(SliceRow.id) == col(ScoredRow.slice))
    chosen = chosen.join(ScorePartRow, col(ScorePartRow.evaluation) == col(ScoredRow.evaluation))
    chosen = chosen.where(
        *of_slices(query), *of_evaluations(query.filters), col(SliceRow.instrument).in_(instruments)
    )
    return chosen.where(
        col(ScorePartRow.score) == query.score, _part(col(ScorePartRow.part), query.by, part)
    )


# --- conditions
# ------------------------------------------------------------------------------------------------------------


def of_slices(query: Query) -> list[Any]:
    """What a query says of slices."""
    said = [col(SliceRow.metric) == query.metric, *of_prompts(query.filters)]
    if query.filters.judge is not None:
        said.append(col(SliceRow.judge) == query.filters.judge)
    if query.filters.instrument is not None:
        said.append(col(SliceRow.instrument) == query.filters.instrument)
    return said


def of_prompts(filters: Filters) -> list[Any]:
    """What the filters say of models and prompts.

    Pictures that people brought are of no model: they are there where they are named.
    """
    model = col(SliceRow.model)
    said: list[Any] = [model.in_(filters.models) if filters.models else model != UPLOADED]
    for name in ("category", "level", "task"):
        if (value := getattr(filters, name)) is not None:
            said.append(col(getattr(SliceRow, name)) == ("" if value == NOT_GIVEN else value))
    if filters.domain == NOT_GIVEN:
        said.append(col(SliceRow.domain) == "")
    elif filters.domain is not None:
        around = sa.literal(SEVERAL) + col(SliceRow.domain) + SEVERAL
        said.append(around.contains(f"{SEVERAL}{filters.domain}{SEVERAL}", autoescape=True))
    return said


def of_evaluations(filters: Filters) -> list[Any]:
    """What the filters say of single evaluations.

    Of the same picture, way of judging and trial the newest alone.
    """
    said: list[Any] = []
    if filters.trial is not None:
        said.append(col(ScoredRow.trial) == filters.trial)
    if filters.prompts:
        said.append(col(ScoredRow.prompt).in_([prompt_key(prompt) for prompt in filters.prompts]))
    if filters.seeds:
        said.append(col(ScoredRow.seed).in_(filters.seeds))
    if filters.since is not None:
        said.append(col(ScoredRow.created) >= filters.since)
    if filters.until is not None:
        said.append(col(ScoredRow.created) < filters.until)
    return [*said, _of_runs(filters.runs) if filters.runs else col(ScoredRow.newest)]


def _of_runs(runs: Sequence[str]) -> Any:
    """The newest of those of these runs and sweeps, which need not be the newest of all."""
    swept = sa.select(col(SweepItemRow.run)).where(col(SweepItemRow.sweep).in_(runs))
    place = sa.func.row_number().over(
        partition_by=(col(ScoredRow.generation), col(ScoredRow.trial), col(SliceRow.instrument)),
        order_by=(col(ScoredRow.created).desc(), col(ScoredRow.evaluation).desc()),
    )
    placed = sa.select(col(ScoredRow.evaluation), place.label("place")).join(
        SliceRow, col(SliceRow.id) == col(ScoredRow.slice)
    )
    own = placed.where(
        sa.or_(col(ScoredRow.run).in_(runs), col(ScoredRow.run).in_(swept))
    ).subquery()
    return col(ScoredRow.evaluation).in_(sa.select(own.c.evaluation).where(own.c.place == 1))


def _part(column: Any, by: By, part: str = ALL) -> Any:
    return column != ALL if by == "coi" else column == part


def _group(by: By) -> Any:
    return sa.literal("") if by == "model" else col(getattr(SliceRow, by))
