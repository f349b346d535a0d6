"""What stands behind a bar: its prompts, worst first, and the pictures of one of them with their evidence; it shows nothing."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlmodel import col

from engine.leaderboard import reading
from engine.leaderboard.query import Query
from engine.leaderboard.rows import checked, chosen_ways
from engine.leaderboard.within import within
from engine.storage.store import Store
from engine.storage.tables import EvaluationRow, Generation, ScoredRow, ScorePartRow, SliceRow
from metrics import scores


@dataclass(frozen=True)
class PromptScore:
    """What a model has for one prompt, over its `pictures` and trials; `value` is None where nothing was answered."""

    prompt: str
    value: float | None
    pictures: int
    answered: int
    unanswered: int


@dataclass(frozen=True)
class Page:
    """Some of `total` prompts; `page` counts from 0."""

    items: tuple[PromptScore, ...]
    total: int
    page: int
    size: int


@dataclass(frozen=True)
class Shown:
    """One evaluation of one picture: its number in the store, the run and place (`generation`) it is found under, and its value.

    `image` is the picture's SHA-256, None where the store holds no pictures (that of the demo); `thumbnail` is its file.
    """

    evaluation: int
    run: str
    generation: str
    image: str | None
    seed: int
    trial: int
    value: float | None
    thumbnail: Path | None = None


def behind(store: Store, query: Query, model: str, group: str = "", page: int = 0, size: int = 20) -> Page:
    """The prompts behind the bar of a model in a group, worst first and unanswered last. Raises BadRequest."""
    found = _prompts(store, query, model, group)
    if found is None:
        return Page((), 0, page, size)
    value = found.c.total / sa.func.nullif(found.c.weight, 0.0)
    better_last = value.asc() if scores.of(query.metric, query.score).higher_is_better else value.desc()
    order = (sa.case((found.c.weight > 0, 0), else_=1), better_last, found.c.unanswered.desc(), found.c.evaluation)
    with store.database.reading() as session:
        total = session.execute(sa.select(sa.func.count()).select_from(found)).scalar_one()
        rows = session.execute(sa.select(found).order_by(*order).limit(size).offset(page * size)).all()
        said = sa.select(col(EvaluationRow.id), col(EvaluationRow.prompt)).where(
            col(EvaluationRow.id).in_([row.evaluation for row in rows])
        )
        prompts = {row[0]: row[1] for row in session.execute(said)}
    items = tuple(
        PromptScore(
            prompts[row.evaluation], row.total / row.weight if row.weight else None, row.pictures, int(row.answered), int(row.unanswered)
        )
        for row in rows
    )
    return Page(items, total, page, size)


def pictures(store: Store, query: Query, model: str, prompt: str, group: str = "") -> tuple[Shown, ...]:
    """The evaluations of one prompt behind a bar, worst first. Raises BadRequest."""
    checked(query)
    asked = _of_model(within(query, group), model)
    asked = replace(asked, filters=replace(asked.filters, prompts=(prompt,)))
    keys = [way.key for way in chosen_ways(asked, reading.ways(store, asked))]
    part = group if query.by == "coi" else ""
    chosen: Any = sa.select(ScoredRow, ScorePartRow, col(Generation.image)).join(SliceRow, col(SliceRow.id) == col(ScoredRow.slice))
    chosen = chosen.join(ScorePartRow, col(ScorePartRow.evaluation) == col(ScoredRow.evaluation))
    chosen = chosen.join(Generation, col(Generation.id) == col(ScoredRow.generation))
    chosen = chosen.where(*reading.of_slices(asked), *reading.of_evaluations(asked.filters), col(SliceRow.instrument).in_(keys))
    chosen = chosen.where(col(ScorePartRow.score) == query.score, col(ScorePartRow.part) == part)
    with store.database.reading() as session:
        rows = session.execute(chosen).all()
    found = [_shown(store, *row) for row in rows]
    sign = 1 if scores.of(query.metric, query.score).higher_is_better else -1
    return tuple(sorted(found, key=lambda one: (one.value is None, sign * (one.value or 0.0), one.seed, one.trial)))


def _prompts(store: Store, query: Query, model: str, group: str) -> Any:
    """The statement of the prompts behind a bar; None where nobody judged any."""
    checked(query)
    asked = _of_model(within(query, group), model)
    keys = [way.key for way in chosen_ways(asked, reading.ways(store, asked))]
    return reading.by_prompt(asked, keys, part=group if query.by == "coi" else "").subquery() if keys else None


def _of_model(query: Query, model: str) -> Query:
    return replace(query, filters=replace(query.filters, models=(model,)))


def _shown(store: Store, scored: ScoredRow, part: ScorePartRow, image: str | None) -> Shown:
    value = part.total / part.weight if part.weight else None
    small = store.images.thumbnail(image) if image else None
    return Shown(scored.evaluation, scored.run, scored.generation, image, scored.seed, scored.trial, value, small)
