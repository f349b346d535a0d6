"""Finds what stands behind a bar: its prompts, worst first, and their evaluations."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlmodel import col

from hallascope.engine.leaderboard import queries
from hallascope.engine.leaderboard.filters import Query
from hallascope.engine.leaderboard.queries import PromptQuery
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import EvaluationRow, Generation, ScoreRow


@dataclass(frozen=True)
class PromptScore:
    """Holds what a model has for one prompt, over its `pictures` and trials.

    `value` is None where nothing was answered.
    """

    prompt: str
    value: float | None
    pictures: int
    answered: int
    unanswered: int


@dataclass(frozen=True)
class PromptPage:
    """Holds some of `total` prompts; `page` counts from 0."""

    items: tuple[PromptScore, ...]
    total: int
    page: int
    size: int


@dataclass(frozen=True, kw_only=True)
class DrilldownEvaluation:
    """Holds one evaluation of a picture: its id in the store, run, slot and value.

    `image` is the picture's SHA-256, None where the store holds no pictures (that of the demo);
    `thumbnail` is its file.
    """

    evaluation: int
    run: str
    generation: str
    image: str | None
    seed: int
    trial: int
    value: float | None
    thumbnail: Path | None = None


def prompt_page(
    store: Store, query: Query, model: str, group: str = "", page: int = 0, *, size: int = 20
) -> PromptPage:
    """Return the prompts behind the bar of a model in a group, worst first and unanswered last.

    Raises BadRequest.
    """
    request = queries.prompt_query(store, query, (model,), group)
    higher_is_better = query.spec.higher_is_better
    rows = queries.read_worst_prompts(store, request, higher_is_better, page, size)
    items = _prompt_scores(store, request, rows)
    return PromptPage(items, queries.count_prompts(store, request), page, size)


def _prompt_scores(
    store: Store, request: PromptQuery, rows: Sequence[Any]
) -> tuple[PromptScore, ...]:
    """Return prompts with their words, and how many pictures each has."""
    key = col(ScoreRow.prompt)
    counts = sa.select(key, sa.func.count(sa.distinct(col(ScoreRow.generation))))
    counts = queries.select_counted(counts, *request).where(key.in_([row.prompt for row in rows]))
    texts = sa.select(col(EvaluationRow.id), col(EvaluationRow.prompt)).where(
        col(EvaluationRow.id).in_([row.evaluation for row in rows])
    )
    with store.database.read_transaction() as session:
        pictures: dict[str, int] = dict(session.execute(counts.group_by(key)).all())
        prompts: dict[int, str] = dict(session.execute(texts).all())
    return tuple(
        PromptScore(
            prompt=prompts[row.evaluation],
            value=row.total / row.weight if row.weight else None,
            pictures=pictures[row.prompt],
            answered=int(row.answered),
            unanswered=int(row.unanswered),
        )
        for row in rows
    )


def prompt_evaluations(
    store: Store, query: Query, model: str, prompt: str, group: str = ""
) -> tuple[DrilldownEvaluation, ...]:
    """Return the evaluations of one prompt behind a bar, worst first. Raises BadRequest."""
    of_prompt = replace(query, filters=replace(query.filters, prompts=(prompt,)))
    request = queries.prompt_query(store, of_prompt, (model,), group)
    statement = sa.select(ScoreRow, col(Generation.image)).join(
        Generation, col(Generation.id) == col(ScoreRow.generation)
    )
    with store.database.read_transaction() as session:
        rows = session.execute(queries.select_counted(statement, *request)).all()
    sign = 1 if query.spec.higher_is_better else -1

    def rank(item: DrilldownEvaluation) -> tuple[bool, float, int, int]:
        return item.value is None, sign * (item.value or 0.0), item.seed, item.trial

    items = (
        DrilldownEvaluation(
            evaluation=row.evaluation,
            run=row.run,
            generation=row.generation,
            image=image,
            seed=row.seed,
            trial=row.trial,
            value=row.total / row.weight if row.weight else None,
            thumbnail=store.images.thumbnail(image) if image else None,
        )
        for row, image in rows
    )
    return tuple(sorted(items, key=rank))
