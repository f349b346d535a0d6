"""Finds where methods disagree about a picture: its scores, and its places in their orders."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlmodel import col

from hallascope.engine.leaderboard import queries
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.engine.storage.scores import MAIN
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import EvaluationRow, Generation, ScoreRow
from hallascope.metrics.running_sums import ALL

METHODS = ("ihalla", "fig", "scene-graph", "factualbench")
NEWEST = 500  # pictures that are considered, so that the time is bounded


@dataclass(frozen=True, kw_only=True)
class MethodDisagreement:
    """Holds what several methods make of one picture.

    `scores` are those of the methods, in [0, 1], over the trials of each. `ranks` say how many of
    the pictures each method puts below this one, ties by half, in [0, 1]: methods differ in how
    strict they are, and that alone is no disagreement. `value` is how far the highest rank is above
    the lowest. `run` and `generation` say where the evidence of each method is found, `seed` with
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

    @property
    def run(self) -> str:
        """A run that holds the picture."""
        return next(iter(self.runs.values()), "")


def furthest(ranks: Mapping[str, float]) -> tuple[str, str]:
    """Return the method that puts a picture lowest, and the one that puts it highest."""
    order = sorted(ranks, key=lambda metric: ranks[metric])
    return order[0], order[-1]


@dataclass(frozen=True)
class DisagreementPage:
    """Holds some of `total` pictures that two methods or more judged, of the `considered` newest.

    `page` counts from 0.
    """

    items: tuple[MethodDisagreement, ...]
    total: int
    page: int
    size: int
    considered: int


class _MethodScore(NamedTuple):
    """Holds what one method says of one picture, and where."""

    value: float
    evaluation: int
    run: str
    model: str


_ScoresByPicture = dict[str, dict[str, _MethodScore]]  # by picture and metric


def disagreements(
    store: Store,
    filters: Filters | None = None,
    metrics: Sequence[str] = METHODS,
    page: int = 0,
    size: int = 20,
    newest: int = NEWEST,
) -> DisagreementPage:
    """Return the pictures on which the methods disagree, most of all first.

    For each method, the way of judging that judged most pictures counts.
    """
    scores = _read_scores(store, filters or Filters(), metrics, newest)
    ranks = _rank_pictures(scores, metrics)
    spreads = {
        picture: max(by_metric.values()) - min(by_metric.values())
        for picture, by_metric in ranks.items()
        if len(by_metric) > 1
    }
    order = sorted(spreads, key=lambda picture: (-spreads[picture], picture))
    shown = order[page * size : (page + 1) * size]
    rows = _read_pictures(store, [next(iter(scores[picture].values())) for picture in shown])

    def disagreement(picture: str) -> MethodDisagreement:
        by_metric = scores[picture]
        image = rows[picture].image
        return MethodDisagreement(
            generation=picture,
            image=image,
            model=next(iter(by_metric.values())).model,
            prompt=rows[picture].prompt,
            scores={metric: score.value for metric, score in by_metric.items()},
            ranks=ranks[picture],
            value=spreads[picture],
            seed=rows[picture].seed,
            runs={metric: score.run for metric, score in by_metric.items()},
            thumbnail=store.images.thumbnail(image) if image else None,
        )

    items = tuple(disagreement(picture) for picture in shown)
    return DisagreementPage(items, len(spreads), page, size, len(ranks))


def _rank_pictures(scores: _ScoresByPicture, metrics: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return by picture and metric the share of the other pictures that stand below it."""
    ranks: dict[str, dict[str, float]] = {picture: {} for picture in scores}
    for metric in metrics:
        values = {
            picture: by_metric[metric].value
            for picture, by_metric in scores.items()
            if metric in by_metric
        }
        order = sorted(values.values())
        for picture, value in values.items():
            ranks[picture][metric] = _share_below(order, value)
    return ranks


def _share_below(order: Sequence[float], value: float) -> float:
    """Return the share of the other values below one, ties by half; 0.5 where there is no other."""
    others = len(order) - 1
    if not others:
        return 0.5
    below = bisect_left(order, value)
    tied = bisect_right(order, value) - below - 1
    return (below + tied / 2) / others


def _read_scores(
    store: Store, filters: Filters, metrics: Sequence[str], newest: int
) -> _ScoresByPicture:
    """Return what each method says of the newest pictures, over its trials.

    By picture, the methods are in the order of `metrics`.
    """
    trials: dict[str, dict[str, list[_MethodScore]]] = {
        metric: defaultdict(list) for metric in metrics
    }
    statement = _newest_scores(store, filters, metrics).limit(newest * len(metrics))
    with store.database.read_transaction() as session:
        for row in session.connection().execute(statement):
            score = _MethodScore(row.total, row.evaluation, row.run, row.model)
            trials[row.metric][row.generation].append(score)
    scores: _ScoresByPicture = defaultdict(dict)
    for metric, by_picture in trials.items():
        for picture, of_picture in by_picture.items():
            average = fmean(score.value for score in of_picture)
            scores[picture][metric] = of_picture[0]._replace(value=average)
    return scores


def _newest_scores(
    store: Store, filters: Filters, metrics: Sequence[str]
) -> sa.Select[tuple[Any, ...]]:
    """Return the query of all scores by the way of judging that judged most, the newest first."""
    instruments: list[str] = []
    for metric in metrics:
        rows = queries.read_instruments(store, Query(metric, filters=filters))
        instruments += [row.key for row in rows[:1]]
    names = ("generation", "evaluation", "run", "metric", "model", "total")
    return (
        sa.select(*(col(getattr(ScoreRow, name)) for name in names))
        .where(
            col(ScoreRow.score) == MAIN,
            col(ScoreRow.part) == ALL,
            col(ScoreRow.instrument).in_(instruments),
            col(ScoreRow.weight) > 0,
            *queries.filter_conditions(filters, metrics),
        )
        .order_by(col(ScoreRow.evaluation).desc())
    )


def _read_pictures(store: Store, scores: Sequence[_MethodScore]) -> dict[str, Any]:
    """Return by generation its prompt, image and seed."""
    columns = (
        col(EvaluationRow.generation),
        col(EvaluationRow.prompt),
        col(Generation.image),
        col(Generation.seed),
    )
    statement = (
        sa.select(*columns)
        .join(Generation, col(Generation.id) == col(EvaluationRow.generation))
        .where(col(EvaluationRow.id).in_([score.evaluation for score in scores]))
    )
    with store.database.read_transaction() as session:
        rows = session.execute(statement).all()
    return {row.generation: row for row in rows}
