"""Counts all evaluations of a store anew for its leaderboards, from their reports.

Needed where a version before did not count them.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import sqlalchemy as sa
from pydantic import TypeAdapter
from sqlmodel import Session, col, select

from hallascope.data.records import Report
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.storage import leaderboard_sums, prompt_sums
from hallascope.engine.storage.database import Database
from hallascope.engine.storage.leaderboard_sums import Counted, Facets, Standings
from hallascope.engine.storage.tables import (
    EvaluationRow,
    Generation,
    PromptStandingRow,
    RollupRow,
    Run,
    ScoredRow,
    ScorePartRow,
    SliceRow,
    StandingRow,
)
from hallascope.metrics.running_sums import ALL, Sums, parts

_CHUNK = 200  # evaluations at once in memory, with their reports
_REPORT = TypeAdapter(Report)
_REQUEST = TypeAdapter(EvaluateRequest)
_SETTINGS = TypeAdapter(dict[str, Any])


class _Known(NamedTuple):
    """What only the counting knows of an evaluation: when it was written, and what its prompt is
    sorted by.

    What was said of a prompt last holds, also where the evaluation with which it was said has been
    replaced since.
    """

    created: float
    facets: Facets


def recount(database: Database, own: Standings, *, missing: bool = False) -> bool:
    """Count all evaluations anew, whole or not at all; `missing`: only what is not there yet.

    Tells whether anything was done.
    """
    if missing:
        with database.reading() as session:
            if not any(_lacking(session)):
                return False
    with database.writing() as session:
        if database.engine.dialect.name == "postgresql":
            session.execute(sa.select(sa.func.pg_advisory_xact_lock(leaderboard_sums.TURN)))
        uncounted, unsummed = (
            _lacking(session) if missing else (True, True)
        )  # looked at again: another process may have come first
        if uncounted:
            _count(session, own)
        if uncounted or unsummed:
            fill(session)
    return uncounted or unsummed


def _lacking(session: Session) -> tuple[bool, bool]:
    """Whether evaluations are there and none is counted, and whether some are counted that were not
    summed up by prompt.
    """
    columns = (
        EvaluationRow.id,
        ScoredRow.evaluation,
        ScorePartRow.evaluation,
        PromptStandingRow.evaluation,
    )
    said, counted, added, summed = (
        session.exec(select(column).limit(1)).first() is not None for column in columns
    )
    return said and not counted, added and not summed


def _count(session: Session, own: Standings) -> None:
    """What each evaluation adds, in place of what was there; without any sums."""
    known = _known(session)
    for table in (PromptStandingRow, StandingRow, ScorePartRow, ScoredRow):
        session.execute(sa.delete(table))
    runs: dict[str, _Known] = {}
    for rows in _chunks(session):
        _enter(session, own, rows, known, runs)


def _known(session: Session) -> dict[int, _Known]:
    said = (col(getattr(SliceRow, name)) for name in Facets._fields)
    chosen = sa.select(col(ScoredRow.evaluation), col(ScoredRow.created), *said)
    rows = session.execute(chosen.join(SliceRow, col(SliceRow.id) == col(ScoredRow.slice))).all()
    return {row[0]: _Known(row[1], Facets(*row[2:])) for row in rows}


def _chunks(session: Session) -> Iterator[list[tuple[EvaluationRow, Generation]]]:
    last = 0
    chosen = select(EvaluationRow, Generation).join(
        Generation, col(Generation.id) == col(EvaluationRow.generation)
    )
    while rows := session.exec(
        chosen.where(col(EvaluationRow.id) > last).order_by(col(EvaluationRow.id)).limit(_CHUNK)
    ).all():
        yield list(rows)
        last = rows[-1][0].id or 0
        session.expunge_all()


def _enter(
    session: Session,
    own: Standings,
    rows: list[tuple[EvaluationRow, Generation]],
    known: Mapping[int, _Known],
    runs: dict[str, _Known],
) -> None:
    scored: list[dict[str, Any]] = []
    adds: list[dict[str, Any]] = []
    for row, generation in rows:
        number = row.id or 0
        told = known.get(number) or _of_run(session, row, runs)
        injected = _SETTINGS.validate_json(generation.settings).get(leaderboard_sums.INJECTED)
        counted = Counted(number, row, told.facets, generation.seed, injected, told.created)
        place = own.slice(session, leaderboard_sums.slice_values(row, told.facets, injected))
        scored.append(leaderboard_sums.scored_values(counted, place))
        adds += leaderboard_sums.part_values(number, parts(_REPORT.validate_json(row.report)))
    session.execute(sa.insert(ScoredRow), scored)
    if adds:
        session.execute(sa.insert(ScorePartRow), adds)


def _of_run(session: Session, one: EvaluationRow, runs: dict[str, _Known]) -> _Known:
    """What can be known of an evaluation from its run, and from its row."""
    if one.run not in runs:
        from hallascope.engine.run import (
            # here, as it loads Primer's grammar, which opening a store does not need
            prompt_facets as facets,
        )

        row = session.get_one(Run, one.run)
        runs[one.run] = _Known(row.created, facets.of(_REQUEST.validate_json(row.request)))
    told = runs[one.run]
    return told._replace(
        facets=told.facets._replace(category=one.category or "", domain=one.domain or "")
    )


# --- sums
# -------------------------------------------------------------------------------------------------------------------


def fill(session: Session) -> None:
    """All sums anew from what the evaluations add: which of them are the newest, and what their
    prompts sum up to.
    """
    for table in (PromptStandingRow, StandingRow):
        session.execute(sa.delete(table))
    _settle(session)
    session.execute(sa.update(ScoredRow).values(newest=True))
    place = sa.func.row_number().over(
        partition_by=(col(ScoredRow.generation), col(ScoredRow.trial), col(SliceRow.instrument)),
        order_by=(col(ScoredRow.created).desc(), col(ScoredRow.evaluation).desc()),
    )
    placed = (
        sa.select(col(ScoredRow.evaluation), place.label("place"))
        .join(SliceRow, col(SliceRow.id) == col(ScoredRow.slice))
        .subquery()
    )
    older = sa.select(placed.c.evaluation).where(placed.c.place > 1)
    session.execute(
        sa.update(ScoredRow).where(col(ScoredRow.evaluation).in_(older)).values(newest=False)
    )
    for each_trial in (False, True):
        session.execute(
            sa.insert(PromptStandingRow).from_select(prompt_sums.COLUMNS, _of_prompts(each_trial))
        )
    session.execute(
        sa.insert(StandingRow).from_select([*leaderboard_sums.KEY, *Sums._fields], _summed())
    )


def _settle(session: Session) -> None:
    """Let every prompt of a model and an instrument be in one slice, the one it came to last."""
    last = sa.func.first_value(col(ScoredRow.slice)).over(
        partition_by=(col(SliceRow.instrument), col(SliceRow.model), col(ScoredRow.prompt)),
        order_by=(col(ScoredRow.created).desc(), col(ScoredRow.evaluation).desc()),
    )
    placed = sa.select(col(ScoredRow.evaluation), col(ScoredRow.slice), last.label("last")).join(
        SliceRow, col(SliceRow.id) == col(ScoredRow.slice)
    )
    found = placed.subquery()
    for evaluation, slice_ in session.execute(
        sa.select(found.c.evaluation, found.c.last).where(found.c.slice != found.c.last)
    ).all():
        session.execute(
            sa.update(ScoredRow).where(col(ScoredRow.evaluation) == evaluation).values(slice=slice_)
        )


def sums(clusters: Any) -> tuple[Any, ...]:
    """The columns of `Sums` over prompts, of columns named as the fields of `Cluster`: in SQL what
    `Cluster.sums` is for one prompt.
    """
    c, whole = clusters, clusters.part == ALL
    s = sa.case(
        (c.weight <= 0, 0.0), (whole, c.total / sa.func.nullif(c.weight, 0.0)), else_=c.total
    )
    w = sa.case((c.weight <= 0, 0.0), (whole, 1.0), else_=c.weight)
    counted, empty = sa.case((c.weight > 0, 1), else_=0), sa.case((c.weight > 0, 0), else_=1)
    return tuple(
        sa.func.sum(each)
        for each in (counted, empty, s, w, s * s, s * w, w * w, c.answered, c.unanswered)
    )


def _of_prompts(each_trial: bool) -> Any:
    """What every prompt of a model has over all trials, or in each."""
    trial: Any = col(ScoredRow.trial) if each_trial else sa.literal(leaderboard_sums.EVERY)
    total, weight, *counts = (
        sa.func.sum(col(getattr(ScorePartRow, name)))
        for name in ("total", "weight", "answered", "unanswered")
    )
    key = (
        col(ScoredRow.prompt),
        col(RollupRow.above),
        col(ScorePartRow.score),
        col(ScorePartRow.part),
        *([trial] if each_trial else []),
    )
    told = (
        sa.func.min(col(ScoredRow.slice)),
        sa.func.min(col(ScoredRow.evaluation)),
        total,
        weight,
        *counts,
    )
    value = sa.case((weight > 0, total / sa.func.nullif(weight, 0.0)))
    chosen = sa.select(*key[:2], trial, *key[2:4], *told, value).join(
        ScorePartRow, col(ScorePartRow.evaluation) == col(ScoredRow.evaluation)
    )
    chosen = chosen.join(RollupRow, col(RollupRow.slice) == col(ScoredRow.slice)).join(
        SliceRow, col(SliceRow.id) == col(RollupRow.above)
    )
    return (
        chosen.where(col(ScoredRow.newest), col(SliceRow.facet) == leaderboard_sums.WHOLE)
        .group_by(*key)
        .order_by(*key[:2])
    )


def _summed() -> Any:
    """The sums of rolled up slices over all trials, and in each those of all prompts and of those
    of which the same is known.
    """
    row: Any = sa.inspect(PromptStandingRow).c
    names = (row.slice, row.trial, row.score, row.part)
    columns = [one.label(name) for name, one in zip(Sums._fields, sums(row), strict=True)]
    own = sa.select(*names, *columns).group_by(*names).subquery()
    above = sa.select(col(RollupRow.slice), col(RollupRow.above), col(SliceRow.facet)).join(
        SliceRow, col(SliceRow.id) == col(RollupRow.above)
    )
    rolled = above.subquery()
    key = (rolled.c.above, own.c.trial, own.c.score, own.c.part)
    chosen = sa.select(*key, *(sa.func.sum(own.c[name]) for name in Sums._fields)).join(
        rolled, rolled.c.slice == own.c.slice
    )
    return chosen.where(
        sa.or_(
            own.c.trial == leaderboard_sums.EVERY, rolled.c.facet.in_((leaderboard_sums.WHOLE, ""))
        )
    ).group_by(*key)
