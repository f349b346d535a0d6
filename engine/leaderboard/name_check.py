"""Whether a store has something of each name that a person typed.

One sentence where it has not, which names the nearest.
"""

import difflib
from collections.abc import Iterable

from hallascope import metrics
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import UPLOADED
from hallascope.engine.leaderboard.filters import Query
from hallascope.engine.leaderboard.options import leaderboard_options, metrics_stored, values
from hallascope.engine.storage.scores import FACETS
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import Run, SweepRow
from hallascope.metrics.aggregate import NOT_GIVEN


def require_known_names(store: Store, query: Query) -> Query:
    """The same query, once it is sure that the store has something of each name in it.

    Raises BadRequest, which names the nearest.
    """
    there = metrics_stored(store)
    if query.metric not in metrics.METRICS and query.metric not in there:
        raise BadRequest(_unknown("metric", query.metric, metrics.METRICS))
    kinds = _scores(store, query.metric, query.metric in there)
    if query.score not in kinds:
        raise BadRequest(_unknown(f"score of {query.metric}", query.score, kinds))
    _known_names(store, query)
    _known_runs(store, query.filters.runs)
    return query


def _scores(store: Store, metric: str, there: bool) -> list[str]:
    """The scores of a metric: the listed ones, then what else its reports have."""
    listed = [spec.name for spec in metrics.scores(metric)]
    found = leaderboard_options(store, metric).scores if there else ()
    return list(dict.fromkeys((*listed, *found))) or ["score"]


def _known_names(store: Store, query: Query) -> None:
    """Raise BadRequest where a filter names what the evaluations of no metric have.

    A name that only this metric lacks is no mistake: its leaderboard is empty.
    """
    filters = query.filters
    said = {
        "model": filters.models,
        "judge": (filters.judge,),
        **{name: (getattr(filters, name),) for name in FACETS},
    }
    more = {"model": UPLOADED, **dict.fromkeys(FACETS, NOT_GIVEN)}
    if not any(name for names in said.values() for name in names):
        return
    stored = values(store)
    for what, names in said.items():
        there = stored[what]
        for name in filter(None, names):
            if name not in (*there, more.get(what)):
                raise BadRequest(
                    _unknown(
                        f"evaluation of the {what}" if there else f"evaluation with any {what}",
                        name,
                        there,
                    )
                )


def _known_runs(store: Store, runs: tuple[str, ...]) -> None:
    with store.database.reading() as session:
        for run in runs:
            if session.get(Run, run) is None and session.get(SweepRow, run) is None:
                raise BadRequest(
                    f"No run or sweep {run!r} is stored here: name one that is, or look whether"
                    " HALLASCOPE_HOME names the right folder."
                )


def _unknown(what: str, name: str, of: Iterable[str]) -> str:
    names = list(of)
    near = difflib.get_close_matches(name.casefold(), names, n=1, cutoff=0.5)
    if near:
        remedy = f"did you mean {near[0]!r}?"
    elif names:
        remedy = f"choose of {', '.join(names[:30])}."
    else:
        remedy = "evaluate something first."
    return f"There is no {what} {name!r} here; {remedy}"
