"""Counts all evaluations of a store anew for its leaderboards, from their reports; needed where a version before did not count them."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import sqlalchemy as sa
from pydantic import TypeAdapter
from sqlmodel import Session, col, select

from data.records import Report
from engine.events import EvaluateRequest
from engine.storage import standings
from engine.storage.database import Database
from engine.storage.standings import Counted, Facets, Standings
from engine.storage.tables import EvaluationRow, Generation, RollupRow, Run, ScoredRow, ScorePartRow, SliceRow, StandingRow
from metrics.sums import ALL, Sums, parts

_CHUNK = 200  # evaluations at once in memory, with their reports
_REPORT = TypeAdapter(Report)
_REQUEST = TypeAdapter(EvaluateRequest)
_SETTINGS = TypeAdapter(dict[str, Any])


class _Known(NamedTuple):
    """What only the counting knows of an evaluation: when it was written, and what its prompt is sorted by.

    What was said of a prompt last holds, also where the evaluation with which it was said has been replaced since.
    """

    created: float
    facets: Facets


def recount(database: Database, own: Standings, *, missing: bool = False) -> bool:
    """Count all evaluations anew, whole or not at all; `missing`: only where none is counted yet. Tells whether it was done."""
    if missing and not _uncounted(database):
        return False
    with database.writing() as session:
        if database.engine.dialect.name == "postgresql":
            session.execute(sa.select(sa.func.pg_advisory_xact_lock(standings.TURN)))
        if missing and session.exec(select(ScoredRow.evaluation).limit(1)).first() is not None:
            return False  # another process came first
        known = _known(session)
        for table in (StandingRow, ScorePartRow, ScoredRow):
            session.execute(sa.delete(table))
        runs: dict[str, _Known] = {}
        for rows in _chunks(session):
            _enter(session, own, rows, known, runs)
        fill(session)
    return True


def _uncounted(database: Database) -> bool:
    with database.reading() as session:
        counted = session.exec(select(ScoredRow.evaluation).limit(1)).first()
        return counted is None and session.exec(select(EvaluationRow.id).limit(1)).first() is not None


def _known(session: Session) -> dict[int, _Known]:
    said = (col(getattr(SliceRow, name)) for name in Facets._fields)
    chosen = sa.select(col(ScoredRow.evaluation), col(ScoredRow.created), *said)
    rows = session.execute(chosen.join(SliceRow, col(SliceRow.id) == col(ScoredRow.slice))).all()
    return {row[0]: _Known(row[1], Facets(*row[2:])) for row in rows}


def _chunks(session: Session) -> Iterator[list[tuple[EvaluationRow, Generation]]]:
    last = 0
    chosen = select(EvaluationRow, Generation).join(Generation, col(Generation.id) == col(EvaluationRow.generation))
    while rows := session.exec(chosen.where(col(EvaluationRow.id) > last).order_by(col(EvaluationRow.id)).limit(_CHUNK)).all():
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
        injected = _SETTINGS.validate_json(generation.settings).get(standings.INJECTED)
        counted = Counted(number, row, told.facets, generation.seed, injected, told.created)
        place = own.slice(session, standings.slice_values(row, told.facets, injected))
        scored.append(standings.scored_values(counted, place))
        adds += standings.part_values(number, parts(_REPORT.validate_json(row.report)))
    session.execute(sa.insert(ScoredRow), scored)
    if adds:
        session.execute(sa.insert(ScorePartRow), adds)


def _of_run(session: Session, one: EvaluationRow, runs: dict[str, _Known]) -> _Known:
    """What can be known of an evaluation from its run, and from its row."""
    if one.run not in runs:
        from engine import facets  # here, as it loads Primer's grammar, which opening a store does not need

        row = session.get_one(Run, one.run)
        runs[one.run] = _Known(row.created, facets.of(_REQUEST.validate_json(row.request)))
    told = runs[one.run]
    return told._replace(facets=told.facets._replace(category=one.category or "", domain=one.domain or ""))


# --- sums -------------------------------------------------------------------------------------------------------------------


def fill(session: Session) -> None:
    """All sums anew from what the evaluations add: which of them are the newest, and what their prompts sum up to."""
    session.execute(sa.delete(StandingRow))
    _settle(session)
    session.execute(sa.update(ScoredRow).values(newest=True))
    place = sa.func.row_number().over(
        partition_by=(col(ScoredRow.generation), col(ScoredRow.trial), col(SliceRow.instrument)),
        order_by=(col(ScoredRow.created).desc(), col(ScoredRow.evaluation).desc()),
    )
    placed = sa.select(col(ScoredRow.evaluation), place.label("place")).join(SliceRow, col(SliceRow.id) == col(ScoredRow.slice)).subquery()
    older = sa.select(placed.c.evaluation).where(placed.c.place > 1)
    session.execute(sa.update(ScoredRow).where(col(ScoredRow.evaluation).in_(older)).values(newest=False))
    for each_trial in (False, True):
        session.execute(sa.insert(StandingRow).from_select([*standings.KEY, *Sums._fields], _summed(each_trial)))


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
    for evaluation, slice_ in session.execute(sa.select(found.c.evaluation, found.c.last).where(found.c.slice != found.c.last)).all():
        session.execute(sa.update(ScoredRow).where(col(ScoredRow.evaluation) == evaluation).values(slice=slice_))


def sums(clusters: Any) -> tuple[Any, ...]:
    """The columns of `Sums` over prompts, of columns named as the fields of `Cluster`: in SQL what `Cluster.sums` is for one prompt."""
    c, whole = clusters, clusters.part == ALL
    s = sa.case((c.weight <= 0, 0.0), (whole, c.total / sa.func.nullif(c.weight, 0.0)), else_=c.total)
    w = sa.case((c.weight <= 0, 0.0), (whole, 1.0), else_=c.weight)
    counted, empty = sa.case((c.weight > 0, 1), else_=0), sa.case((c.weight > 0, 0), else_=1)
    return tuple(sa.func.sum(each) for each in (counted, empty, s, w, s * s, s * w, w * w, c.answered, c.unanswered))


def _summed(each_trial: bool) -> Any:
    """The sums of rolled up slices over all trials, or in each those of all prompts."""
    trial: Any = col(ScoredRow.trial) if each_trial else sa.literal(standings.EVERY)
    names = (col(ScoredRow.slice), trial.label("trial"), col(ScorePartRow.score), col(ScorePartRow.part))
    added = (sa.func.sum(col(getattr(ScorePartRow, name))).label(name) for name in ("total", "weight", "answered", "unanswered"))
    prompts = (
        sa.select(*names, *added)
        .join(ScorePartRow, col(ScorePartRow.evaluation) == col(ScoredRow.evaluation))
        .where(col(ScoredRow.newest))
        .group_by(names[0], *([trial] if each_trial else []), names[2], names[3], col(ScoredRow.prompt))
    ).subquery()
    c = prompts.c
    above = sa.select(col(RollupRow.slice), col(RollupRow.above), col(SliceRow.facet))
    rolled = above.join(SliceRow, col(SliceRow.id) == col(RollupRow.above)).subquery()
    key = (rolled.c.above, c.trial, c.score, c.part)
    chosen = sa.select(*key, *sums(c)).join(rolled, rolled.c.slice == c.slice).group_by(*key)
    return chosen.where(rolled.c.facet == standings.WHOLE) if each_trial else chosen
