"""Lists what a store's leaderboard can be asked for, and checks names that a person typed."""

import difflib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import sqlalchemy as sa
from sqlmodel import col

from hallascope import metrics
from hallascope.data.published.numbers import published_scores
from hallascope.data.records import COIS
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import UPLOADED
from hallascope.engine.leaderboard.board import GROUP_ORDER
from hallascope.engine.leaderboard.filters import BYS, Grouping, Query
from hallascope.engine.storage.scores import FACETS, SEVERAL, head_rows
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import Run, ScoreRow, SweepRow
from hallascope.metrics.aggregate import NOT_GIVEN

LATEST = 20  # runs and sweeps that can be chosen
_TITLE_LENGTH = 60  # characters of a prompt in a list
_COLUMNS = ("model", "judge", "trial", *FACETS)
_NAMED = ("judge", *FACETS)  # of these a filter names one
_ALWAYS = {"model": UPLOADED, **dict.fromkeys(FACETS, NOT_GIVEN)}  # can be named in any store


@dataclass(frozen=True, kw_only=True)
class LeaderboardOptions:
    """Holds what there is, in the order it is shown in.

    `groups` are the values by which models can be set apart or filtered, "coi" among them;
    `bys`: what makes more than one group; `runs`: runs and sweeps with their titles.
    """

    metrics: tuple[str, ...] = ()
    scores: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    groups: Mapping[Grouping, tuple[str, ...]] = field(
        default_factory=lambda: dict.fromkeys(BYS[1:], ())
    )
    runs: Mapping[str, str] = field(default_factory=dict)

    @property
    def bys(self) -> tuple[Grouping, ...]:
        """By what models can be set apart here."""
        return ("model", *(by for by, values in self.groups.items() if len(values) > 1))


def leaderboard_options(store: Store, metric: str, run: str = "") -> LeaderboardOptions:
    """Return what a leaderboard of this metric can be asked for.

    They are of the first metric there is, where the store has nothing of this one. A stored `run`
    or sweep can be chosen, however old it is.
    """
    stored = stored_metrics(store)
    if stored and metric not in stored:
        metric = stored[0]
    values = stored_values(store, [metric])
    values["trial"] = tuple(sorted(values["trial"], key=int))
    query = sa.select(col(ScoreRow.score), col(ScoreRow.part)).distinct()
    scored = store.database.read(query.where(col(ScoreRow.metric) == metric))
    values["coi"] = _sort_known_first({part for _, part in scored if part}, COIS)
    declared = metrics.scores(metric)
    stored_scores = {score for score, _ in scored if score}
    stored_scores |= {spec.name for spec in declared if spec.pools in stored_scores}
    return LeaderboardOptions(
        metrics=stored,
        scores=_sort_known_first(stored_scores, [spec.name for spec in declared]),
        models=tuple(model for model in values["model"] if model != UPLOADED),
        groups={by: values[by] for by in BYS[1:]},
        runs=({run: run} if has_run_or_sweep(store, run) else {}) | _newest_runs(store),
    )


def published_options(metric: str) -> LeaderboardOptions:
    """Return what the published numbers can be asked for, as `leaderboard_options` does of a store.

    The groups are those that papers print numbers by. Models are not among them: published numbers
    are not filtered by model.
    """
    numbers = published_scores()
    published = _sort_known_first({number.metric for number in numbers}, metrics.METRICS)
    if metric not in published:
        metric = published[0]
    of_metric = [number for number in numbers if number.metric == metric]
    groups: dict[str, set[str]] = defaultdict(set)
    for number in of_metric:
        groups[number.slice].add(number.group)
    named = {by: _sort_known_first(groups[by], GROUP_ORDER.get(by, ())) for by in BYS[1:]}
    declared = [spec.name for spec in metrics.scores(metric)]
    scores = _sort_known_first({number.score for number in of_metric}, declared)
    return LeaderboardOptions(metrics=published, scores=scores, groups=named)


def stored_metrics(store: Store) -> tuple[str, ...]:
    """Return the metrics that the store has evaluations of, in the papers' order."""
    metric = col(ScoreRow.metric)
    names: list[str] = []
    following: str | None = ""
    with store.database.read_transaction() as session:
        # one after another by the key: fast on any store
        while following := session.execute(
            sa.select(sa.func.min(metric)).where(metric > following)
        ).scalar():
            names.append(following)
    return _sort_known_first(names, metrics.METRICS)


def stored_values(store: Store, of: Sequence[str] = ()) -> dict[str, tuple[str, ...]]:
    """Return by column, such as "model", what the store has of these metrics, else of all.

    It is in the papers' order or by name.
    """
    columns = [col(getattr(ScoreRow, name)) for name in _COLUMNS]
    values: dict[str, set[str]] = {name: set() for name in _COLUMNS}
    for metric in of or stored_metrics(store):
        query = sa.select(*columns).distinct().where(col(ScoreRow.metric) == metric, head_rows())
        for row in store.database.read(query):
            for name, value in zip(_COLUMNS, row, strict=True):
                values[name].update(str(value).split(SEVERAL) if name == "domain" else [str(value)])
    return {
        name: _sort_known_first(own - {""}, GROUP_ORDER.get(name, ()))
        for name, own in values.items()
    }


def _newest_runs(store: Store) -> dict[str, str]:
    """Return the newest sweeps and runs by id, with their titles."""
    query = (
        sa.select(col(SweepRow.id), col(SweepRow.title))
        .order_by(col(SweepRow.created).desc())
        .limit(LATEST)
    )
    titles = {name: f"sweep {title or name}" for name, title in store.database.read(query)}
    for run in store.runs(LATEST):
        prompt = run.request.prompt
        shown = prompt if len(prompt) <= _TITLE_LENGTH else f"{prompt[: _TITLE_LENGTH - 1]}…"
        titles[run.id] = shown
    return titles


def _sort_known_first(names: Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
    """Return the known names in their order, then the others by name."""
    places = {name: place for place, name in enumerate(known)}
    return tuple(sorted(set(names), key=lambda name: (places.get(name, len(places)), name)))


# --- names that a person typed ---


def require_known_names(store: Store, query: Query) -> None:
    """Raise BadRequest where the store has nothing of a name in the query; name the nearest.

    A name that only this metric lacks is no mistake: its leaderboard is empty.
    """
    stored = stored_metrics(store)
    if query.metric not in metrics.names() and query.metric not in stored:
        raise BadRequest(_unknown_name("metric", query.metric, metrics.names()))
    # the listed scores, then what else its reports have
    scores = [spec.name for spec in metrics.scores(query.metric)]
    if query.metric in stored:
        scores += leaderboard_options(store, query.metric).scores
    scores = list(dict.fromkeys(scores)) or ["score"]
    if query.score not in scores:
        raise BadRequest(_unknown_name(f"score of {query.metric}", query.score, scores))
    filters = query.filters
    named = {"model": filters.models, **{name: (getattr(filters, name),) for name in _NAMED}}
    if any(name for names in named.values() for name in names):
        values = stored_values(store)
        for column, names in named.items():
            known = values[column]
            what = f"evaluation of the {column}" if known else f"evaluation with any {column}"
            for name in names:
                if name and name not in (*known, _ALWAYS.get(column)):
                    raise BadRequest(_unknown_name(what, name, known))
    for run in filters.runs:
        if not has_run_or_sweep(store, run):
            raise BadRequest(
                f"No run or sweep {run!r} is stored here: name one that is, or look whether"
                " HALLASCOPE_HOME names the right folder."
            )


def has_run_or_sweep(store: Store, name: str) -> bool:
    """Say whether the store has a run or a sweep of this id."""
    with store.database.read_transaction() as session:
        return bool(session.get(Run, name) or session.get(SweepRow, name))


def _unknown_name(what: str, name: str, known: Iterable[str]) -> str:
    names = list(known)
    near = difflib.get_close_matches(name.casefold(), names, n=1, cutoff=0.5)
    if near:
        remedy = f"did you mean {near[0]!r}?"
    elif names:
        remedy = f"choose one of {', '.join(names[:30])}."
    else:
        remedy = "evaluate something first."
    return f"There is no {what} {name!r} here; {remedy}"
