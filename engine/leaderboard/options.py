"""Lists what a store's leaderboard can be asked for: metrics, scores, models, groups.

Trials and runs are among them; it counts nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa
from sqlmodel import col

from hallascope import metrics
from hallascope.data.concepts import LEVELS, TASKS
from hallascope.data.records import COIS, DOMAINS, Category
from hallascope.engine.events import UPLOADED
from hallascope.engine.leaderboard.filters import Grouping
from hallascope.engine.storage.scores import FACETS, SEVERAL, head_rows
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import ScoreRow, SweepRow

LATEST = 20  # runs and sweeps that can be chosen
_LONG = 60  # characters of a prompt in a list
_NAMED = ("model", "judge", "trial", *FACETS)
_ORDERS: Mapping[str, Iterable[str]] = {  # the papers'; what has none here goes by name
    "category": tuple(category.value for category in Category),
    "domain": DOMAINS,
    "level": LEVELS,
    "task": TASKS,
}


@dataclass(frozen=True, kw_only=True)
class LeaderboardOptions:
    """What there is, in the order it is shown in.

    `bys`: what makes more than one group; `runs`: runs and sweeps with their titles.
    """

    metrics: tuple[str, ...] = ()
    scores: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    trials: tuple[int, ...] = ()
    compositions: tuple[str, ...] = ()
    runs: Mapping[str, str] = field(default_factory=dict)

    @property
    def bys(self) -> tuple[Grouping, ...]:
        """By what models can be set apart here."""
        parts: tuple[tuple[Grouping, Iterable[object]], ...] = (
            ("domain", self.domains),
            ("category", self.categories),
            ("coi", self.compositions),
            ("level", self.levels),
            ("task", self.tasks),
            ("judge", self.judges),
            ("trial", self.trials),
        )
        return ("model", *(by for by, found in parts if len(tuple(found)) > 1))


def leaderboard_options(store: Store, metric: str) -> LeaderboardOptions:
    """What a leaderboard of this metric can be asked for.

    Of the first metric there is, where the store has nothing of this one.
    """
    stored = metrics_stored(store)
    wanted = metric if metric in stored or not stored else stored[0]
    named = _values(store, wanted)
    counted = _scores_and_parts(store, wanted)
    return LeaderboardOptions(
        metrics=stored,
        scores=_sort_known_first(
            {score for score, _ in counted if score}, [spec.name for spec in metrics.scores(wanted)]
        ),
        models=tuple(model for model in named["model"] if model != UPLOADED),
        categories=named["category"],
        domains=named["domain"],
        levels=named["level"],
        tasks=named["task"],
        judges=named["judge"],
        trials=tuple(sorted(map(int, named["trial"]))),
        compositions=_sort_known_first({part for _, part in counted if part}, COIS),
        runs=_runs(store),
    )


def metrics_stored(store: Store) -> tuple[str, ...]:
    """Return the metrics that the store has evaluations of, in the papers' order."""
    metric = col(ScoreRow.metric)
    found: list[str] = []
    with store.database.reading() as session:  # one after another by the key: fast on any store
        while following := session.execute(
            sa.select(sa.func.min(metric)).where(metric > (found[-1] if found else ""))
        ).scalar():
            found.append(following)
    return _sort_known_first(found, tuple(metrics.METRICS))


def values(store: Store) -> dict[str, tuple[str, ...]]:
    """Return by column, such as "model", what the store has of all metrics.

    It is in the papers' order or by name.
    """
    found: dict[str, set[str]] = {name: set() for name in _NAMED}
    for metric in metrics_stored(store):
        for name, several in _values(store, metric).items():
            found[name].update(several)
    return {
        name: _sort_known_first(several, _ORDERS.get(name, ())) for name, several in found.items()
    }


def _values(store: Store, metric: str) -> dict[str, tuple[str, ...]]:
    """Return by column what the store has of a metric."""
    chosen = sa.select(*(col(getattr(ScoreRow, name)) for name in _NAMED)).distinct()
    with store.database.reading() as session:
        rows = session.execute(chosen.where(col(ScoreRow.metric) == metric, head_rows())).all()
    found = {name: {str(getattr(row, name)) for row in rows} for name in _NAMED}
    found["domain"] = {one for several in found["domain"] for one in several.split(SEVERAL)}
    return {
        name: _sort_known_first(filter(None, found[name]), _ORDERS.get(name, ())) for name in _NAMED
    }


def _scores_and_parts(store: Store, metric: str) -> Sequence[Any]:
    chosen = sa.select(col(ScoreRow.score), col(ScoreRow.part)).distinct()
    with store.database.reading() as session:
        return session.execute(chosen.where(col(ScoreRow.metric) == metric)).all()


def _runs(store: Store) -> dict[str, str]:
    """The newest sweeps and runs by id, with their titles."""
    newest = (
        sa.select(col(SweepRow.id), col(SweepRow.title))
        .order_by(col(SweepRow.created).desc())
        .limit(LATEST)
    )
    with store.database.reading() as session:
        sweeps = {name: f"sweep {said or name}" for name, said in session.execute(newest)}
    return sweeps | {run.id: _short(run.request.prompt) for run in store.runs(LATEST)}


def _sort_known_first(found: Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
    there = set(found)
    order = list(known)
    return (*(name for name in order if name in there), *sorted(there - set(order)))


def _short(prompt: str) -> str:
    return prompt if len(prompt) <= _LONG else f"{prompt[: _LONG - 1]}…"
