"""What a leaderboard can be asked for: the names that a store has evaluations of; and one sentence where a name is none of them."""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlmodel import col

from data.factualbench import LEVELS, TASKS
from data.records import DOMAINS, Category
from engine.errors import BadRequest
from engine.events import UPLOADED
from engine.leaderboard.query import Query
from engine.storage.standings import FACETS, WHOLE
from engine.storage.store import Store
from engine.storage.tables import Run, SliceRow, StandingRow, SweepRow
from metrics import METRICS, scores
from metrics.scores import ScoreKind
from metrics.slices import NOT_GIVEN

_ORDERS: Mapping[str, tuple[str, ...]] = {
    "metric": tuple(METRICS),
    "category": tuple(category.value for category in Category),
    "domain": DOMAINS,
    "level": LEVELS,
    "task": TASKS,
}
_LOOKED_AT = 50  # slices of a metric in which scores are looked for that are not listed


@dataclass(frozen=True)
class Choices:
    """By name what there is, in the papers' order or by name. `metrics`: each with the scores it can be ranked by."""

    metrics: Mapping[str, tuple[ScoreKind, ...]]
    models: tuple[str, ...]
    judges: tuple[str, ...]
    categories: tuple[str, ...]
    domains: tuple[str, ...]
    levels: tuple[str, ...]
    tasks: tuple[str, ...]

    @property
    def empty(self) -> bool:
        return not self.metrics


def choices(store: Store) -> Choices:
    """What the store has evaluations of."""
    named = ("metric", "model", "judge", "category", "domain", "level", "task")
    with store.database.reading() as session:
        found = {name: session.execute(_named(name)).scalars().all() for name in named}
    values = {name: _ordered(name, said) for name, said in found.items()}
    values["model"] = tuple(sorted(found["model"]))
    return Choices(
        {metric: _kinds(store, metric) for metric in values["metric"]},
        *(values[name] for name in ("model", "judge", "category", "domain", "level", "task")),
    )


def _named(name: str) -> Any:
    """The statement for the values of a column of rolled up slices, of which there are few."""
    return sa.select(col(getattr(SliceRow, name))).where(col(SliceRow.facet) == (name if name in FACETS else WHOLE)).distinct()


def _ordered(name: str, said: Iterable[str]) -> tuple[str, ...]:
    known, values = list(_ORDERS.get(name, ())), {one for one in said if one}
    return tuple(sorted(values, key=lambda one: (known.index(one) if one in known else len(known), one)))


def _kinds(store: Store, metric: str) -> tuple[ScoreKind, ...]:
    """The scores of a metric: the listed ones, then what else its newest reports have."""
    listed = scores.SCORES.get(metric, ())
    some = (
        sa.select(col(SliceRow.id))
        .where(col(SliceRow.metric) == metric, col(SliceRow.facet) == WHOLE)
        .order_by(col(SliceRow.id).desc())
        .limit(_LOOKED_AT)
    )
    chosen = sa.select(col(StandingRow.score)).where(col(StandingRow.slice).in_(some)).distinct()
    with store.database.reading() as session:
        found = sorted(session.execute(chosen).scalars().all())
    return (*listed, *(scores.of(metric, name) for name in found if name not in {one.name for one in listed}))


# --- names that people type ------------------------------------------------------------------------------------------------


def known(store: Store, query: Query) -> Query:
    """The same query, once it is sure that the store has something of each name in it. Raises BadRequest, which names the nearest."""
    there, filters = choices(store), query.filters
    if query.metric not in METRICS and query.metric not in there.metrics:
        raise BadRequest(_unknown("metric", query.metric, METRICS))
    kinds = [one.name for one in there.metrics.get(query.metric, scores.SCORES.get(query.metric, (scores.of(query.metric, "score"),)))]
    if query.score not in kinds:
        raise BadRequest(_unknown(f"score of {query.metric}", query.score, kinds))
    said = {
        "model": (filters.models, (*there.models, UPLOADED)),
        "judge": ([filters.judge] if filters.judge else [], there.judges),
        "category": ([filters.category] if filters.category else [], (*there.categories, NOT_GIVEN)),
        "domain": ([filters.domain] if filters.domain else [], (*there.domains, NOT_GIVEN)),
        "level": ([filters.level] if filters.level else [], (*there.levels, NOT_GIVEN)),
        "task": ([filters.task] if filters.task else [], (*there.tasks, NOT_GIVEN)),
    }
    for what, (names, of) in said.items():
        for name in names:
            if name not in of:
                raise BadRequest(_unknown(f"evaluation of the {what}" if of else f"evaluation with any {what}", name, of))
    _known_runs(store, filters.runs)
    return query


def _known_runs(store: Store, runs: tuple[str, ...]) -> None:
    with store.database.reading() as session:
        for run in runs:
            if session.get(Run, run) is None and session.get(SweepRow, run) is None:
                raise BadRequest(
                    f"No run or sweep {run!r} is stored here: name one that is, or look whether HALLASCOPE_HOME names the right folder."
                )


def _unknown(what: str, name: str, of: Iterable[str]) -> str:
    names = list(of)
    near = difflib.get_close_matches(name.casefold(), names, n=1, cutoff=0.5)
    remedy = f"did you mean {near[0]!r}?" if near else f"choose of {', '.join(names[:30])}." if names else "evaluate something first."
    return f"There is no {what} {name!r} here; {remedy}"
