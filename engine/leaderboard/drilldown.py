"""Finds what stands behind a bar: its prompts, worst first, and their pictures.

Pictures have their evidence; it shows nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlmodel import col

from hallascope import metrics
from hallascope.engine.leaderboard import queries
from hallascope.engine.leaderboard.board import check_groups, chosen_ways
from hallascope.engine.leaderboard.filters import Query
from hallascope.engine.leaderboard.group_filter import filter_group
from hallascope.engine.leaderboard.prompt_scores import PromptQuery, many, worst_first
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import EvaluationRow, Generation, ScoreRow


@dataclass(frozen=True)
class PromptScore:
    """What a model has for one prompt, over its `pictures` and trials.

    `value` is None where nothing was answered.
    """

    prompt: str
    value: float | None
    pictures: int
    answered: int
    unanswered: int


@dataclass(frozen=True)
class PromptPage:
    """Some of `total` prompts; `page` counts from 0."""

    items: tuple[PromptScore, ...]
    total: int
    page: int
    size: int


@dataclass(frozen=True, kw_only=True)
class DrilldownEvaluation:
    """Holds one evaluation of a picture: its number, run, place (`generation`) and value.

    The number is that in the store.

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
    """The prompts behind the bar of a model in a group, worst first and unanswered last.

    Raises BadRequest.
    """
    asked = _prompt_query(store, query, model, group)
    rows = worst_first(
        store, asked, metrics.score(query.metric, query.score).higher_is_better, page, size
    )
    return PromptPage(_scores(store, asked, rows), many(store, asked), page, size)


def _scores(store: Store, asked: PromptQuery, rows: Sequence[Any]) -> tuple[PromptScore, ...]:
    """Prompts with their words, and how many pictures each has."""
    prompt = col(ScoreRow.prompt)
    shown = sa.select(prompt, sa.func.count(sa.distinct(col(ScoreRow.generation))))
    shown = queries.select_counted(shown, *asked).where(prompt.in_([row.prompt for row in rows]))
    shown = shown.group_by(prompt)
    said = sa.select(col(EvaluationRow.id), col(EvaluationRow.prompt)).where(
        col(EvaluationRow.id).in_([row.evaluation for row in rows])
    )
    with store.database.reading() as session:
        pictures, words = (
            {row[0]: row[1] for row in session.execute(chosen)} for chosen in (shown, said)
        )
        return tuple(
            PromptScore(
                words[row.evaluation],
                row.total / row.weight if row.weight else None,
                pictures[row.prompt],
                int(row.answered),
                int(row.unanswered),
            )
            for row in rows
        )


def pictures(
    store: Store, query: Query, model: str, prompt: str, group: str = ""
) -> tuple[DrilldownEvaluation, ...]:
    """The evaluations of one prompt behind a bar, worst first. Raises BadRequest."""
    asked = _prompt_query(
        store, replace(query, filters=replace(query.filters, prompts=(prompt,))), model, group
    )
    chosen = sa.select(ScoreRow, col(Generation.image))
    chosen = chosen.join(Generation, col(Generation.id) == col(ScoreRow.generation))
    chosen = queries.select_counted(chosen, *asked)
    with store.database.reading() as session:
        rows = session.execute(chosen).all()
    found = [_drilldown_evaluation(store, *row) for row in rows]
    sign = 1 if metrics.score(query.metric, query.score).higher_is_better else -1
    return tuple(
        sorted(
            found,
            key=lambda one: (one.value is None, sign * (one.value or 0.0), one.seed, one.trial),
        )
    )


def _prompt_query(store: Store, query: Query, model: str, group: str) -> PromptQuery:
    """Raises BadRequest."""
    check_groups(query)
    one = filter_group(query, group)
    one = replace(one, filters=replace(one.filters, models=(model,)))
    return PromptQuery(
        one,
        [way.key for way in chosen_ways(one, queries.ways(store, one))],
        group if query.by == "coi" else "",
    )


def _drilldown_evaluation(store: Store, row: ScoreRow, image: str | None) -> DrilldownEvaluation:
    value = row.total / row.weight if row.weight else None
    small = store.images.thumbnail(image) if image else None
    return DrilldownEvaluation(
        evaluation=row.evaluation,
        run=row.run,
        generation=row.generation,
        image=image,
        seed=row.seed,
        trial=row.trial,
        value=value,
        thumbnail=small,
    )
