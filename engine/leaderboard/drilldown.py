"""Finds the prompts behind a bar of a leaderboard, and images on which metrics disagree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import sqlalchemy as sa
from sqlmodel import col

from hallascope.engine.errors import BadRequest
from hallascope.engine.events import UPLOADED
from hallascope.engine.leaderboard import queries
from hallascope.engine.leaderboard.filters import Filters, Query, filter_group
from hallascope.engine.storage.scores import MAIN
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import EvaluationRow, Generation, ScoreRow
from hallascope.metrics.running_sums import ALL

METHODS = ("ihalla", "fig", "scene-graph", "factualbench")
NEWEST = 500  # pictures that are considered, so that the time is bounded

_Item = TypeVar("_Item")


class Page(NamedTuple, Generic[_Item]):
    """Holds some of `total` items; `page` counts from 0.

    Of disagreements `considered` counts the newest pictures that were looked at.
    """

    items: tuple[_Item, ...]
    total: int
    page: int
    size: int
    considered: int = 0


# --- behind a bar ---


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


def _select_group(store: Store, query: Query, model: str, group: str) -> tuple[Any, ...]:
    """Return the arguments of `queries.select_counted` that leave what is behind a bar.

    The ways of judging are those of the whole leaderboard, which may have others than the bar.
    Raises BadRequest for images that people brought, where neither they nor their run are named.
    """
    if model == UPLOADED and not (query.filters.runs or UPLOADED in query.filters.models):
        raise BadRequest("Images that people uploaded are shown by their run: name it.")
    narrow = filter_group(query, group, (model,))
    instruments = queries.select_instruments(query, queries.read_instruments(store, query))
    return narrow, instruments, group if query.by == "coi" else ALL


def prompt_page(
    store: Store, query: Query, model: str, group: str = "", page: int = 0, *, size: int = 20
) -> Page[PromptScore]:
    """Return the prompts behind the bar of a model in a group, worst first and unanswered last.

    Raises BadRequest.
    """
    behind = _select_group(store, query, model, group)
    sums = queries.prompt_sums(*behind)
    first = sa.func.min(col(ScoreRow.evaluation)).label("evaluation")
    prompts = sums.add_columns(first).subquery()
    value = prompts.c.total / sa.func.nullif(prompts.c.weight, 0.0)
    statement = sa.select(prompts).order_by(
        sa.case((prompts.c.weight > 0, 0), else_=1),
        value.asc() if query.spec.higher_is_better else value.desc(),
        prompts.c.unanswered.desc(),
        prompts.c.evaluation,
    )
    rows = store.database.read(statement.limit(size).offset(page * size))
    key = col(ScoreRow.prompt)
    counts = sa.select(key, sa.func.count(sa.distinct(col(ScoreRow.generation)))).group_by(key)
    counts = queries.select_counted(counts, *behind).where(key.in_([row.prompt for row in rows]))
    pictures: dict[str, int] = dict(store.database.read(counts))
    texts = sa.select(col(EvaluationRow.id), col(EvaluationRow.prompt))
    texts = texts.where(col(EvaluationRow.id).in_([row.evaluation for row in rows]))
    words: dict[int, str] = dict(store.database.read(texts))
    items = tuple(
        PromptScore(
            prompt=words[row.evaluation],
            value=row.total / row.weight if row.weight else None,
            pictures=pictures[row.prompt],
            answered=int(row.answered),
            unanswered=int(row.unanswered),
        )
        for row in rows
    )
    total = sa.select(sa.func.count()).select_from(sums.subquery())
    return Page(items, int(store.database.read(total)[0][0]), page, size)


def prompt_evaluations(
    store: Store, query: Query, model: str, prompt: str, group: str = ""
) -> tuple[DrilldownEvaluation, ...]:
    """Return the evaluations of one prompt behind a bar, worst first. Raises BadRequest."""
    narrow, *behind = _select_group(store, query, model, group)
    narrow = replace(narrow, filters=replace(narrow.filters, prompts=(prompt,)))
    statement = sa.select(ScoreRow, col(Generation.image)).join(
        Generation, col(Generation.id) == col(ScoreRow.generation)
    )
    statement = queries.select_counted(statement, narrow, *behind)
    items = [
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
        for row, image in store.database.read(statement)
    ]
    sign = 1 if query.spec.higher_is_better else -1

    def rank(item: DrilldownEvaluation) -> tuple[bool, float, int, int]:
        return item.value is None, sign * (item.value or 0.0), item.seed, item.trial

    return tuple(sorted(items, key=rank))


# --- where metrics disagree ---


@dataclass(frozen=True, kw_only=True)
class MethodDisagreement:
    """Holds what several metrics make of one picture.

    `scores` are those of the metrics, in [0, 1], over the trials of each. `ranks` say how many of
    the pictures each metric puts below this one, ties by half, in [0, 1]: metrics differ in how
    strict they are, and that alone is no disagreement. `value` is how far the highest rank is above
    the lowest. `runs` and `generation` say where the evidence of each metric is found, `seed` with
    which seed the picture was made.
    """

    generation: str
    image: str | None
    model: str
    prompt: str
    scores: Mapping[str, float]
    ranks: Mapping[str, float]
    value: float
    seed: int = 0
    runs: Mapping[str, str] = field(default_factory=dict)
    thumbnail: Path | None = None


def furthest(ranks: Mapping[str, float]) -> tuple[str, str]:
    """Return the method that puts a picture lowest, and the one that puts it highest."""
    order = sorted(ranks, key=lambda metric: ranks[metric])
    return order[0], order[-1]


def disagreements(
    store: Store,
    filters: Filters | None = None,
    metrics: Sequence[str] = METHODS,
    page: int = 0,
    size: int = 20,
    newest: int = NEWEST,
) -> Page[MethodDisagreement]:
    """Return the pictures on which the metrics disagree, most of all first.

    For each metric, the way of judging that judged most pictures counts.
    """
    statement = _select_newest(store, filters or Filters(), metrics)
    found = queries.read_frame(store, statement.limit(newest * len(metrics)))
    means = found.pivot_table(index="generation", columns="metric", values="total")
    means = means.reindex(columns=list(metrics))
    others = means.count() - 1
    below = (means.rank() - 1) / others.where(others > 0)
    ranks = below.fillna(0.5).where(means.notna())
    spread = (ranks.max(axis=1) - ranks.min(axis=1))[ranks.count(axis=1) > 1]
    spreads = {str(name): float(value) for name, value in spread.items()}
    order = sorted(spreads, key=lambda name: (-spreads[name], name))
    shown = order[page * size : (page + 1) * size]
    of_scores, of_ranks = (frame.to_dict("index") for frame in (means, ranks))
    newest_of: dict[Any, Any] = {
        (row.generation, row.metric): row for row in found[::-1].itertuples()
    }
    generations = sa.select(Generation).where(col(Generation.id).in_(shown))
    pictures = {row.id: row for (row,) in store.database.read(generations)}

    def disagreement(name: str) -> MethodDisagreement:
        judged = {
            metric: row for metric in metrics if (row := newest_of.get((name, metric))) is not None
        }
        picture = pictures[name]
        return MethodDisagreement(
            generation=name,
            image=picture.image,
            model=next(iter(judged.values())).model,
            prompt=picture.prompt,
            scores={metric: of_scores[name][metric] for metric in judged},
            ranks={metric: of_ranks[name][metric] for metric in judged},
            value=spreads[name],
            seed=picture.seed,
            runs={metric: row.run for metric, row in judged.items()},
            thumbnail=store.images.thumbnail(picture.image) if picture.image else None,
        )

    return Page(tuple(map(disagreement, shown)), len(spreads), page, size, len(means))


def _select_newest(store: Store, filters: Filters, metrics: Sequence[str]) -> Any:
    """Return the statement of all scores by the way of judging that judged most, newest first."""
    instruments: list[str] = []
    for metric in metrics:
        read = queries.read_instruments(store, Query(metric, filters=filters))
        instruments += [each.key for each in read[:1]]
    return (
        sa.select(
            col(ScoreRow.generation),
            col(ScoreRow.metric),
            col(ScoreRow.total),
            col(ScoreRow.run),
            col(ScoreRow.model),
        )
        .where(
            col(ScoreRow.score) == MAIN,
            col(ScoreRow.part) == ALL,
            col(ScoreRow.instrument).in_(instruments),
            col(ScoreRow.weight) > 0,
            *queries.filter_conditions(filters, metrics),
        )
        .order_by(col(ScoreRow.evaluation).desc())
    )
