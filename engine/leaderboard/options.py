"""What a leaderboard of a store can be asked for: the metrics, scores, models, groups, trials and
runs that it holds; it counts nothing.
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
from hallascope.engine.leaderboard.filters import By
from hallascope.engine.storage.leaderboard_sums import EVERY, FACETS, WHOLE
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import SliceRow, StandingRow, SweepRow
from hallascope.metrics.running_sums import ALL

LATEST = 20  # runs and sweeps that can be chosen
_LONG = 60  # characters of a prompt in a list
_NAMED = ("model", "judge", *FACETS)
_ORDERS: Mapping[str, Iterable[str]] = {  # the papers'; what has none here goes by name
    "metric": tuple(metrics.METRICS),
    "category": tuple(category.value for category in Category),
    "domain": DOMAINS,
    "level": LEVELS,
    "task": TASKS,
    "part": COIS,
}


@dataclass(frozen=True)
class Offered:
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
    def bys(self) -> tuple[By, ...]:
        """By what models can be set apart here."""
        parts: tuple[tuple[By, Iterable[object]], ...] = (
            ("domain", self.domains), ("category", self.categories), ("coi", self.compositions), ("level", self.levels),
            ("task", self.tasks), ("judge", self.judges), ("trial", self.trials),
        )  # fmt: skip
        return ("model", *(by for by, found in parts if len(tuple(found)) > 1))


def offered(store: Store, metric: str) -> Offered:
    """What a leaderboard of this metric can be asked for.

    Of the first metric there is, where the store has nothing of this one.
    """
    stored = values(store, "metric")
    wanted = metric if metric in stored or not stored else stored[0]
    named = {name: values(store, name, wanted) for name in _NAMED}
    counted = _counted(store, wanted)
    return Offered(
        stored,
        _ordered((row.score for row in counted), [spec.name for spec in metrics.scores(wanted)]),
        tuple(model for model in named["model"] if model != UPLOADED),
        named["category"],
        named["domain"],
        named["level"],
        named["task"],
        named["judge"],
        tuple(sorted({row.trial for row in counted} - {EVERY})),
        _ordered((row.part for row in counted if row.part != ALL), _ORDERS["part"]),
        _runs(store),
    )


def values(store: Store, name: str, metric: str | None = None) -> tuple[str, ...]:
    """What the store has of a column of slices, of a metric or (None) of all, in the papers' order
    or by name.

    It reads slices that are rolled up, of which there are few however large the store is.
    """
    chosen = (
        sa.select(col(getattr(SliceRow, name)))
        .where(col(SliceRow.facet) == (name if name in FACETS else WHOLE))
        .distinct()
    )
    with store.database.reading() as session:
        found = (
            session.execute(
                chosen if metric is None else chosen.where(col(SliceRow.metric) == metric)
            )
            .scalars()
            .all()
        )
    return _ordered(filter(None, found), _ORDERS.get(name, ()))


def _counted(store: Store, metric: str) -> Sequence[Any]:
    """The scores, parts and trials that there are sums of."""
    of = sa.select(col(SliceRow.id)).where(
        col(SliceRow.metric) == metric, col(SliceRow.facet) == WHOLE
    )
    chosen = sa.select(col(StandingRow.score), col(StandingRow.part), col(StandingRow.trial)).where(
        col(StandingRow.slice).in_(of)
    )
    with store.database.reading() as session:
        return session.execute(chosen.distinct()).all()


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


def _ordered(found: Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
    there, order = set(found), list(known)
    return (*(name for name in order if name in there), *sorted(there - set(order)))


def _short(prompt: str) -> str:
    return prompt if len(prompt) <= _LONG else f"{prompt[: _LONG - 1]}…"
