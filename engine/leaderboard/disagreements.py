"""Finds where methods disagree about a picture: its scores, and its places in their orders."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
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
NEWEST = 500  # pictures that are looked at, so that it takes no longer where there are many


@dataclass(frozen=True, kw_only=True)
class MethodDisagreement:
    """One picture as several methods see it.

    `scores` are those of the methods, in [0, 1], over the trials of each. `ranks` say how many of
    the pictures each method puts below this one, ties by half, in [0, 1]: methods differ in how
    strict they are, and that alone is no disagreement. `value` is how far the highest rank is above
    the lowest. `run` and `generation` say where the evidence of each method is found.
    """

    generation: str
    image: str | None
    model: str
    prompt: str
    scores: Mapping[str, float]
    ranks: Mapping[str, float]
    value: float
    runs: Mapping[str, str] = field(default_factory=dict)
    thumbnail: Path | None = None

    @property
    def run(self) -> str:
        """A run that holds the picture."""
        return next(iter(self.runs.values()), "")


def furthest(ranks: Mapping[str, float]) -> tuple[str, str]:
    """The method that puts a picture lowest, and the one that puts it highest."""
    order = sorted(ranks, key=lambda metric: ranks[metric])
    return order[0], order[-1]


@dataclass(frozen=True)
class DisagreementPage:
    """Some of `total` pictures that two methods or more judged, of the `considered` newest.

    `page` counts from 0.
    """

    items: tuple[MethodDisagreement, ...]
    total: int
    page: int
    size: int
    considered: int


class _MethodScore(NamedTuple):
    """What one method says of one picture, and where."""

    value: float
    evaluation: int
    run: str
    model: str


def disagreements(
    store: Store,
    filters: Filters | None = None,
    metrics: Sequence[str] = METHODS,
    page: int = 0,
    size: int = 20,
    newest: int = NEWEST,
) -> DisagreementPage:
    """The pictures on which the methods disagree, most of all first.

    Of each method the way of judging counts that judged most.
    """
    filters = filters or Filters()
    seen = _method_scores(store, filters, metrics, newest)
    ranks = {
        metric: _ranks({picture: one.value for picture, one in found.items()})
        for metric, found in seen.items()
    }
    by_picture: dict[str, dict[str, float]] = defaultdict(dict)
    for metric, found in ranks.items():
        for picture, rank in found.items():
            by_picture[picture][metric] = rank
    several = {picture: found for picture, found in by_picture.items() if len(found) > 1}
    order = sorted(several, key=lambda picture: (-_rank_spread(several[picture]), picture))
    items = _disagreement_items(store, order[page * size : (page + 1) * size], several, seen)
    return DisagreementPage(items, len(several), page, size, len(by_picture))


def _rank_spread(ranks: Mapping[str, float]) -> float:
    return max(ranks.values()) - min(ranks.values())


def _ranks(values: Mapping[str, float]) -> dict[str, float]:
    """The share of the other pictures that stand below each, ties by half.

    A half where there is no other.
    """
    order = sorted(values.values())
    others = len(values) - 1
    if not others:
        return dict.fromkeys(values, 0.5)
    return {
        name: (
            bisect_left(order, value)
            + (bisect_right(order, value) - bisect_left(order, value) - 1) / 2
        )
        / others
        for name, value in values.items()
    }


def _method_scores(
    store: Store, filters: Filters, metrics: Sequence[str], newest: int
) -> dict[str, dict[str, _MethodScore]]:
    """What each method says of the newest pictures, by method and picture."""
    asked = {metric: Query(metric, filters=filters) for metric in metrics}
    ways = {
        metric: several[0].key
        for metric, query in asked.items()
        if (several := queries.ways(store, query))
    }
    columns = ("generation", "evaluation", "run", "metric", "model", "total")
    chosen: Any = sa.select(*(col(getattr(ScoreRow, name)) for name in columns))
    chosen = chosen.where(
        col(ScoreRow.score) == MAIN,
        col(ScoreRow.part) == ALL,
        col(ScoreRow.instrument).in_(ways.values()),
        col(ScoreRow.weight) > 0,
        *queries.of_filters(filters, metrics),
    )
    chosen = chosen.order_by(col(ScoreRow.evaluation).desc()).limit(newest * len(metrics))
    with store.database.reading() as session:
        rows = session.connection().execute(chosen).all()
    found: dict[str, dict[str, list[_MethodScore]]] = {
        metric: defaultdict(list) for metric in metrics
    }
    for picture, evaluation, run, metric, model, value in rows:
        found[metric][picture].append(_MethodScore(value, evaluation, run, model))
    return {
        metric: {picture: _mean(several) for picture, several in own.items()}
        for metric, own in found.items()
    }


def _mean(several: Sequence[_MethodScore]) -> _MethodScore:
    return (
        several[0]
        if len(several) == 1
        else several[0]._replace(value=sum(one.value for one in several) / len(several))
    )


def _disagreement_items(
    store: Store,
    pictures: Sequence[str],
    ranks: Mapping[str, Mapping[str, float]],
    seen: Mapping[str, Mapping[str, _MethodScore]],
) -> tuple[MethodDisagreement, ...]:
    places = _places(
        store,
        [
            next(found[picture].evaluation for found in seen.values() if picture in found)
            for picture in pictures
        ],
    )
    return tuple(
        _disagreement(store, places[picture], ranks[picture], seen) for picture in pictures
    )


def _places(store: Store, evaluations: Iterable[int]) -> dict[str, Any]:
    columns = (col(EvaluationRow.generation), col(EvaluationRow.prompt), col(Generation.image))
    chosen = sa.select(*columns)
    chosen = chosen.join(Generation, col(Generation.id) == col(EvaluationRow.generation))
    with store.database.reading() as session:
        rows = session.execute(chosen.where(col(EvaluationRow.id).in_(list(evaluations)))).all()
    return {row.generation: row for row in rows}


def _disagreement(
    store: Store,
    place: Any,
    ranks: Mapping[str, float],
    seen: Mapping[str, Mapping[str, _MethodScore]],
) -> MethodDisagreement:
    own = {
        metric: found[place.generation]
        for metric, found in seen.items()
        if place.generation in found
    }
    scores = {metric: one.value for metric, one in own.items()}
    runs = {metric: one.run for metric, one in own.items()}
    model = next(one.model for one in own.values())
    small = store.images.thumbnail(place.image) if place.image else None
    return MethodDisagreement(
        generation=place.generation,
        image=place.image,
        model=model,
        prompt=place.prompt,
        scores=scores,
        ranks=dict(ranks),
        value=_rank_spread(ranks),
        runs=runs,
        thumbnail=small,
    )
