"""Reads prompts one by one, from the kept sums of each where those tell, else from the evaluations
that are asked for; it rates nothing.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlmodel import Session, col

from hallascope.engine.leaderboard import queries
from hallascope.engine.leaderboard.filters import Query
from hallascope.engine.storage.leaderboard_sums import EVERY, FACETS, WHOLE
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import PromptStandingRow, SliceRow
from hallascope.metrics.running_sums import ALL
from hallascope.metrics.statistics.intervals import Pair

_OF_PROMPT = ("prompt", "total", "weight", "answered", "unanswered", "evaluation")
_PAIRED = ("prompt", "total", "weight")


class Asked(NamedTuple):
    """What is asked of prompts: the query, the ways of judging that it counts, and of which part of
    the reports.
    """

    query: Query
    instruments: Sequence[str]
    part: str


def worst_first(
    store: Store, asked: Asked, better_high: bool, page: int, size: int
) -> Sequence[Any]:
    """A page of the prompts of one model, those in which nothing was answered last."""
    with store.database.reading() as session:
        if queries.narrowed(asked.query):
            return _sorted(session, asked, better_high, page * size, size)
        return [
            row
            for above in _models(session, asked)
            for row in _listed(session, asked, above, better_high, page * size, size)
        ]


def many(store: Store, asked: Asked) -> int:
    """How many prompts there are of one model: from the sums where they tell, as to count them
    takes as long as to read them.
    """
    if queries.narrowed(asked.query):
        with store.database.reading() as session:
            return int(
                session.execute(
                    sa.select(sa.func.count()).select_from(queries.by_prompt(*asked).subquery())
                ).scalar_one()
            )
    cells = queries.cells(
        store, replace(asked.query, by="coi" if asked.part else "model"), asked.instruments
    )
    return sum(cell.sums.prompts + cell.sums.empty for cell in cells if cell.group == asked.part)


def pairs(store: Store, asked: Asked) -> dict[str, dict[str, Pair]]:
    """By model and prompt (a hash) the sum of the score and its weight (`Cluster.counted`), where
    anything was counted.

    A model of which anything was judged is there, if with no prompt.
    """
    with store.database.reading() as session:
        rows = (
            _sums_read(session, asked)
            if queries.narrowed(asked.query)
            else _sums_kept(session, asked)
        )
    if asked.part == ALL:  # every prompt weighs the same
        return {
            model: {row[0]: (row[1] / row[2], 1.0) for row in own if row[2] > 0}
            for model, own in rows.items()
            if own
        }
    return {
        model: {row[0]: (row[1], row[2]) for row in own if row[2] > 0}
        for model, own in rows.items()
        if own
    }


# --- from the evaluations
# ----------------------------------------------------------------------------------------------------


def _sorted(
    session: Session, asked: Asked, better_high: bool, offset: int, size: int
) -> Sequence[Any]:
    found = queries.by_prompt(*asked).subquery()
    value = found.c.total / sa.func.nullif(found.c.weight, 0.0)
    better_last = value.asc() if better_high else value.desc()
    order = (
        sa.case((found.c.weight > 0, 0), else_=1),
        better_last,
        found.c.unanswered.desc(),
        found.c.evaluation,
    )
    chosen = sa.select(*(found.c[name] for name in _OF_PROMPT)).order_by(*order)
    return session.execute(chosen.limit(size).offset(offset)).all()


def _sums_read(session: Session, asked: Asked) -> Mapping[str, Sequence[Any]]:
    every, found = queries.by_prompt(*asked).subquery(), defaultdict[str, list[Any]](list)
    for model, *sums in (
        session.connection()
        .execute(sa.select(every.c.model, *(every.c[name] for name in _PAIRED)))
        .all()
    ):
        found[model].append(sums)
    return found


# --- from the kept sums
# ------------------------------------------------------------------------------------------------------


def _listed(
    session: Session, asked: Asked, above: int, better_high: bool, offset: int, size: int
) -> list[Any]:
    """The index has them in the order of their values: only those of one value are sorted, and as
    far as the page goes.
    """
    value, chosen = col(PromptStandingRow.value), _kept(asked, above, _OF_PROMPT)
    ties = (col(PromptStandingRow.unanswered).desc(), col(PromptStandingRow.evaluation))
    scored = chosen.where(value.is_not(None))
    rows = list(
        session.execute(
            scored.order_by(value.asc() if better_high else value.desc(), *ties)
            .limit(size)
            .offset(offset)
        )
    )
    if len(rows) < size:
        before = (
            session.execute(sa.select(sa.func.count()).select_from(scored.subquery())).scalar_one()
            if offset
            else 0
        )
        rest = chosen.where(value.is_(None)).order_by(*ties)
        rows += session.execute(rest.limit(size - len(rows)).offset(max(0, offset - before)))
    return rows


def _sums_kept(session: Session, asked: Asked) -> Mapping[str, Sequence[Any]]:
    run = session.connection().execute
    return {
        model: run(_kept(asked, above, _PAIRED)).all()
        for above, model in _models(session, asked).items()
    }


def _kept(asked: Asked, above: int, names: Sequence[str]) -> Any:
    """The statement of what every prompt of a model has, of those of the asked kinds alone."""
    row, filters = PromptStandingRow, asked.query.filters
    trial = EVERY if filters.trial is None else filters.trial
    chosen = sa.select(*(col(getattr(row, name)) for name in names)).where(
        col(row.above) == above, col(row.trial) == trial
    )
    chosen = chosen.where(col(row.score) == asked.query.score, col(row.part) == asked.part)
    if all(getattr(filters, name) is None for name in FACETS):
        return chosen
    like = sa.select(col(SliceRow.id)).where(
        *queries.of_slices(asked.query), col(SliceRow.instrument).in_(asked.instruments)
    )
    return chosen.where(col(row.slice).in_(like.where(col(SliceRow.facet) == "")))


def _models(session: Session, asked: Asked) -> dict[int, str]:
    """The models that are asked for, by the slice of all their prompts."""
    of_any_kind: dict[str, Any] = dict.fromkeys(FACETS)
    every = replace(asked.query, filters=replace(asked.query.filters, **of_any_kind))
    chosen = sa.select(col(SliceRow.id), col(SliceRow.model)).where(
        *queries.of_slices(every), col(SliceRow.facet) == WHOLE
    )
    return {
        row[0]: row[1]
        for row in session.execute(chosen.where(col(SliceRow.instrument).in_(asked.instruments)))
    }
