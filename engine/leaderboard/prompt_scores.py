"""Reads the prompts that a query counts one by one; it rates nothing."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlmodel import col

from hallascope.engine.leaderboard import queries
from hallascope.engine.leaderboard.filters import Query
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import ScoreRow
from hallascope.metrics.running_sums import ALL
from hallascope.metrics.statistics.intervals import FloatPair


class PromptQuery(NamedTuple):
    """Holds what is asked of prompts: the query, ways of judging, and the part of the reports."""

    query: Query
    instruments: Sequence[str]
    part: str


def worst_first(
    store: Store, asked: PromptQuery, better_high: bool, page: int, size: int
) -> Sequence[Any]:
    """Return a page of the prompts of one model, those in which nothing was answered last."""
    first = sa.func.min(col(ScoreRow.evaluation)).label("evaluation")
    prompts = queries.by_prompt(*asked).add_columns(first).subquery()
    value = prompts.c.total / sa.func.nullif(prompts.c.weight, 0.0)
    order = (
        sa.case((prompts.c.weight > 0, 0), else_=1),
        value.asc() if better_high else value.desc(),
        prompts.c.unanswered.desc(),
        prompts.c.evaluation,
    )
    chosen = sa.select(prompts).order_by(*order).limit(size).offset(page * size)
    with store.database.reading() as session:
        return session.execute(chosen).all()


def many(store: Store, asked: PromptQuery) -> int:
    """Return how many prompts there are of one model."""
    chosen = sa.select(sa.func.count()).select_from(queries.by_prompt(*asked).subquery())
    with store.database.reading() as session:
        return int(session.execute(chosen).scalar_one())


def pairs(store: Store, asked: PromptQuery) -> dict[str, dict[str, FloatPair]]:
    """Return by model and prompt (a hash) the sum s of the score and its weight w.

    It is as in `hallascope.metrics.running_sums.Sums`.

    Prompts without an answer are left out. A model of which anything was judged is there, if with
    no prompt.
    """
    prompts = queries.by_prompt(*asked).subquery()
    columns = (prompts.c.model, prompts.c.prompt, prompts.c.total, prompts.c.weight)
    found = defaultdict[str, dict[str, FloatPair]](dict)
    with store.database.reading() as session:
        for model, prompt, total, weight in session.connection().execute(sa.select(*columns)):
            own = found[model]
            if weight > 0:  # every prompt weighs the same, every question of a part does
                own[prompt] = (total / weight, 1.0) if asked.part == ALL else (total, weight)
    return dict(found)
