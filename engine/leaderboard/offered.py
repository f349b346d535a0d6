"""What a leaderboard of a store can be asked for: the metrics, scores, models, groups, trials and runs that it holds; it counts nothing."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import sqlalchemy as sa
from sqlmodel import col

from data.factualbench import LEVELS, TASKS
from data.records import COIS, DOMAINS, Category
from engine.events import UPLOADED
from engine.leaderboard.query import By
from engine.storage.standings import EVERY, SEVERAL, WHOLE
from engine.storage.store import Store
from engine.storage.tables import SliceRow, StandingRow, SweepRow
from metrics import METRICS, scores
from metrics.sums import ALL

LATEST = 20  # runs and sweeps that can be chosen
_LONG = 60  # characters of a prompt in a list


@dataclass(frozen=True)
class Offered:
    """What there is, in the order it is shown in. `bys`: what makes more than one group; `runs`: runs and sweeps with their titles."""

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
    """What a leaderboard of this metric can be asked for; of the first metric there is, where the store has nothing of this one."""
    with store.database.reading() as session:
        there = set(session.execute(sa.select(col(SliceRow.metric)).distinct()).scalars())
        metrics = _ordered(there, METRICS)
        wanted = metric if metric in there or not metrics else metrics[0]
        names = ("model", "category", "domain", "level", "task", "judge")
        rows = session.execute(
            sa.select(*(col(getattr(SliceRow, one)) for one in names))
            .where(col(SliceRow.metric) == wanted, col(SliceRow.facet) != "")
            .distinct()
        ).all()
        ids = sa.select(col(SliceRow.id)).where(col(SliceRow.metric) == wanted, col(SliceRow.facet) == WHOLE)
        of = (
            sa.select(col(StandingRow.score), col(StandingRow.part), col(StandingRow.trial))
            .where(col(StandingRow.slice).in_(ids))
            .distinct()
        )
        counted = session.execute(of).all()
        sweeps = session.execute(
            sa.select(col(SweepRow.id), col(SweepRow.title)).order_by(col(SweepRow.created).desc()).limit(LATEST)
        ).all()
    models, categories, domains, levels, tasks, judges = ({row[i] for row in rows if row[i]} for i in range(len(names)))
    single = {name for said in domains for name in said.split(SEVERAL)}
    return Offered(
        metrics,
        _ordered((row[0] for row in counted), [kind.name for kind in scores.SCORES.get(wanted, ())]),
        tuple(sorted(models - {UPLOADED})),
        _ordered(categories, [category.value for category in Category]),
        _ordered(single, DOMAINS),
        _ordered(levels, LEVELS),
        _ordered(tasks, TASKS),
        tuple(sorted(judges)),
        tuple(sorted({row[2] for row in counted} - {EVERY})),
        _ordered((row[1] for row in counted if row[1] != ALL), COIS),
        {name: f"sweep {said or name}" for name, said in sweeps} | {run.id: _short(run.request.prompt) for run in store.runs(LATEST)},
    )


def _ordered(found: Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
    there, order = set(found), list(known)
    return (*(name for name in order if name in there), *sorted(there - set(order)))


def _short(prompt: str) -> str:
    return prompt if len(prompt) <= _LONG else f"{prompt[: _LONG - 1]}…"
