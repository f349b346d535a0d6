"""Reads a leaderboard from the scores of a store: ways of judging, sums by group, and prompts."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.orm import aliased
from sqlmodel import col

from hallascope.data.records import without_conditions
from hallascope.data.requests import Role
from hallascope.engine.events import UPLOADED, Evaluation
from hallascope.engine.leaderboard.filters import (
    NO_JUDGE,
    Filters,
    Query,
    filter_group,
)
from hallascope.engine.storage.scores import (
    FACETS,
    MAIN,
    SEVERAL,
    head_rows,
    prompt_key,
    sorted_lineup,
)
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import (
    CorrectedEvaluationRow,
    EvaluationRow,
    ScoreRow,
    SweepItemRow,
)
from hallascope.metrics.aggregate import NOT_GIVEN
from hallascope.metrics.running_sums import ALL, Sums
from hallascope.metrics.statistics.intervals import FloatPair

if TYPE_CHECKING:
    import pandas as pd

# by group, model and prompt (a hash): the sum of a score and its weight
GroupScores = Mapping[str, Mapping[str, Mapping[str, FloatPair]]]
_ROWS_AT_ONCE = 10_000


@dataclass(frozen=True, kw_only=True)
class Instrument:
    """Holds one way of judging: the metric's version, the judge with its revision, and all models.

    `key` is its hash, `lineup` the models by role. `prompts` is how many it judged under the
    filters, a prompt once for each model.
    """

    key: str
    version: str
    judge: str | None
    revision: str
    lineup: Mapping[Role, str]
    prompts: int


def read_frame(store: Store, statement: Any) -> "pd.DataFrame":
    """Return all rows of a statement as a table with the names of its columns."""
    import pandas as pd

    with store.database.read_transaction() as session:
        return pd.read_sql(statement, session.connection())


# --- ways of judging ---


def read_instruments(store: Store, query: Query) -> list[Instrument]:
    """Return all ways of judging under the filters, the one of most prompts first."""
    instrument = col(ScoreRow.instrument)
    judged = (
        sa.select(instrument, sa.func.max(col(ScoreRow.evaluation)).label("last"))
        .where(*_query_conditions(query), col(ScoreRow.score) == MAIN, col(ScoreRow.part) == ALL)
        .group_by(instrument, col(ScoreRow.model), col(ScoreRow.prompt))
        .subquery()
    )
    counted = (
        sa.select(
            judged.c.instrument,
            sa.func.count().label("prompts"),
            sa.func.max(judged.c.last).label("last"),
        )
        .group_by(judged.c.instrument)
        .subquery()
    )
    columns = ("version", "judge", "judge_revision", "lineup")
    statement = (
        sa.select(counted, *(col(getattr(EvaluationRow, name)) for name in columns))
        .join(EvaluationRow, col(EvaluationRow.id) == counted.c.last)
        .order_by(counted.c.prompts.desc(), counted.c.last.desc())
    )
    return [
        Instrument(
            key=row.instrument,
            version=row.version,
            judge=row.judge or None,
            revision=row.judge_revision,
            lineup=json.loads(sorted_lineup(row.lineup)),
            prompts=row.prompts,
        )
        for row in store.database.read(statement)
    ]


def select_instruments(query: Query, instruments: Sequence[Instrument]) -> list[str]:
    """Return the keys of the ways of judging that are shown: that of most prompts.

    By judge it is that of most prompts of each judge. Each stands with the same way of judging
    without a protocol: no reply of that could be read, so that it only counts what was left out.
    """
    firsts = instruments[:1]
    if query.by == "judge":
        firsts = list({each.judge: each for each in reversed(instruments)}.values())
    keys = []
    for first in firsts:
        same = [
            each
            for each in instruments
            if replace(first, key=each.key, version=each.version, prompts=each.prompts) == each
            and without_conditions(each.version) == without_conditions(first.version)
        ]
        mute = [each.key for each in same if each.version == without_conditions(each.version)]
        keys += [each.key for each in same if each.key not in mute][:1] + mute
    return keys


def read_reading_uses(
    store: Store, query: Query, instruments: Sequence[str]
) -> Sequence[tuple[str, str, str]]:
    """Return with which readings the prompts (hashes) that have a correction were evaluated.

    A reading is "" for that of the parser, else the start of a hash of what a person says, with
    that person as the author.
    """
    corrected = sa.select(col(CorrectedEvaluationRow.prompt))
    if not store.database.read(corrected.limit(1)):
        return []
    evaluation = col(CorrectedEvaluationRow.evaluation)
    statement = (
        sa.select(
            col(ScoreRow.prompt),
            sa.func.coalesce(col(CorrectedEvaluationRow.reading), ""),
            sa.func.coalesce(col(CorrectedEvaluationRow.author), ""),
        )
        .outerjoin(CorrectedEvaluationRow, evaluation == col(ScoreRow.evaluation))
        .where(col(ScoreRow.prompt).in_(corrected))
        .distinct()
    )
    return store.database.read(select_counted(statement, query, instruments))


# --- sums by model and group ---


def read_sums(
    store: Store, query: Query, instruments: Sequence[str]
) -> dict[tuple[str, str], Sums]:
    """Return the sums by model and group, of these ways of judging.

    A prompt of several groups is in each of them.
    """
    prompts = prompt_sums(query, instruments).subquery()
    names = (prompts.c.model, prompts.c.group)
    # NULL where nothing was answered, which no sum counts
    weight = sa.func.nullif(prompts.c.weight, 0.0)
    over_items = query.is_over_items
    s = prompts.c.total if over_items else prompts.c.total / weight
    w = weight if over_items else sa.case((weight.is_not(None), 1.0))
    counted = sa.func.count(weight)
    columns: list[Any] = [
        counted,
        sa.func.count() - counted,
        *(sa.func.coalesce(sa.func.sum(x), 0.0) for x in (s, w, s * s, s * w, w * w)),
        *(sa.func.sum(prompts.c[name]) for name in ("answered", "unanswered")),
    ]
    found: dict[tuple[str, str], Sums] = defaultdict(Sums)
    for model, value, *numbers in store.database.read(sa.select(*names, *columns).group_by(*names)):
        # PostgreSQL gives sums of integers as decimals
        typed: list[Any] = [type(zero)(x) for zero, x in zip(Sums(), numbers, strict=True)]
        own = Sums(*typed)
        for group in groups_of(query, str(value)):
            found[model, group] = found[model, group].plus(own)
    return {key: sums for key, sums in found.items() if sums.prompts or sums.empty}


def groups_of(query: Query, value: str) -> list[str]:
    """Return the groups in which a value counts: for several domains each that is not filtered."""
    if query.by == "domain":
        domains = (value or NOT_GIVEN).split(SEVERAL)
        return [domain for domain in domains if query.filters.domain in (None, domain)]
    missing = {"judge": NO_JUDGE, **dict.fromkeys(FACETS, NOT_GIVEN)}
    return [value or missing.get(query.by, "")]


# --- prompt by prompt ---


def prompt_sums(query: Query, instruments: Sequence[str], part: str = ALL) -> Any:
    """Return the statement of prompts one by one with their sums.

    Its columns are part, model, prompt (a hash), group, the sums, and the way of judging, or of
    several the judge: who answered one image and not another has two ways of judging a prompt.
    """
    # Of one way of judging in the order of the table's key, in which SQLite needs no sorting.
    names = ("part", "judge" if len(instruments) > 1 else "instrument", "model", "prompt")
    key: list[Any] = [col(getattr(ScoreRow, name)) for name in names]
    group_by = list(key)
    group: Any
    if query.by == "model":
        group = sa.literal("")
    elif query.by == "coi":
        group = col(ScoreRow.part)
    elif query.by == "trial":
        group = col(ScoreRow.trial)
        group_by.append(group)
    else:
        group = sa.func.max(col(getattr(ScoreRow, query.by)))  # a prompt has one, or "" too
    columns: dict[str, Any] = {
        name: col(getattr(ScoreRow, name)) for name in ("total", "weight", "answered", "unanswered")
    }
    if query.spec.pools:  # each report weighs by all that it counted
        columns["total"] = columns["total"] * columns["answered"]
        columns["weight"] = columns["weight"] * columns["answered"]
    sums = [sa.func.sum(column).label(name) for name, column in columns.items()]
    statement = sa.select(*key, group.label("group"), *sums)
    return select_counted(statement, query, instruments, part).group_by(*group_by)


def select_counted(
    statement: Any, query: Query, instruments: Sequence[str], part: str = ALL
) -> Any:
    """Return the statement, limited to the scores that a query counts."""
    score = query.spec.pools or query.score
    statement = statement.where(*_query_conditions(query), col(ScoreRow.score) == score)
    if len(instruments) > 1:
        statement = statement.where(_unless_answered(query.filters, instruments))
    instrument: Any = col(ScoreRow.instrument)
    if query.by != "coi":
        return statement.where(col(ScoreRow.part) == part, instrument.in_(instruments))
    # As an expression, or SQLite takes the one instrument for a constant and sorts all rows anew.
    instrument = sa.func.coalesce(instrument, "")
    return statement.where(col(ScoreRow.part) > ALL, instrument.in_(instruments))


def _unless_answered(filters: Filters, instruments: Sequence[str]) -> Any:
    """Return the condition without failures of a judge that answered in another run.

    They have no protocol, so that they are of another way of judging than the answers.
    """
    other: Any = aliased(ScoreRow)
    names = ("metric", "score", "part", "model", "prompt", "generation", "trial", "judge")
    answered = sa.exists().where(
        *(getattr(other, name) == getattr(ScoreRow, name) for name in names),
        other.instrument.in_(instruments),
        other.answered > 0,
        *_time_conditions(other, filters),
        newest_evaluations(filters.runs, row=other),
    )
    return sa.or_(col(ScoreRow.answered) > 0, ~answered)


def read_group_scores(store: Store, query: Query, instruments: Sequence[str]) -> GroupScores:
    """Return by group, model and prompt (a hash) the sum s of the score and its weight w.

    They are the prompts behind `read_sums`: every prompt weighs the same, and so does every
    question of a composition of interest and everything that is pooled. Prompts without an answer
    are left out; a model of which anything was judged is there, if with no prompt. By judge a
    prompt counts for each.
    """
    prompts = prompt_sums(query, instruments).subquery()
    names = ("group", "model", "prompt", "total", "weight")
    statement = sa.select(*(prompts.c[name] for name in names))
    groups = defaultdict[str, defaultdict[str, dict[str, FloatPair]]](lambda: defaultdict(dict))
    over_items = query.is_over_items
    groups_by_value: dict[Any, list[str]] = {}  # a value has many prompts
    with store.database.read_transaction() as session:
        rows = session.connection().execute(statement).yield_per(_ROWS_AT_ONCE)
        for value, model, prompt, total, weight in rows:
            if value not in groups_by_value:
                groups_by_value[value] = groups_of(query, str(value))
            for group in groups_by_value[value]:
                of_model = groups[group][model]
                if weight > 0:
                    of_model[prompt] = (total, weight) if over_items else (total / weight, 1.0)
    return groups


def read_model_scores(
    store: Store,
    query: Query,
    models: tuple[str, ...],
    group: str = "",
    instruments: Sequence[str] = (),
) -> Mapping[str, Mapping[str, FloatPair]]:
    """Return the scores of `read_group_scores` of these models in a group; "" is over all.

    Without `instruments`, the way of judging that judged most of them counts. Raises BadRequest
    where the score has no such groups.
    """
    narrow = filter_group(query, group, models)
    instruments = instruments or select_instruments(narrow, read_instruments(store, narrow))
    if query.by == "coi" and group:
        narrow = replace(narrow, by="coi")
    return read_group_scores(store, narrow, instruments).get(
        group if narrow.by == "coi" else "", {}
    )


def read_counted_evaluations(
    store: Store, query: Query, instruments: Sequence[str], prompts: Iterable[str]
) -> list[tuple[str, Evaluation]]:
    """Return the evaluations of these prompts that the leaderboard counts, the oldest first.

    Each stands with the model as which it is ranked.
    """
    statement = sa.select(col(ScoreRow.evaluation), col(ScoreRow.model)).distinct()
    statement = select_counted(statement, query, instruments)
    rows = store.database.read(statement, col(ScoreRow.prompt), set(map(prompt_key, prompts)))
    models: dict[int, str] = dict(map(tuple, rows))
    evaluations = store.evaluations_by_id(models)
    return [(models[number], evaluation) for number, evaluation in evaluations.items()]


# --- conditions ---


def _query_conditions(query: Query) -> list[Any]:
    """Return the conditions of a query on the rows of scores, without that on the score."""
    conditions = filter_conditions(query.filters, [query.metric])
    for name in ("judge", "instrument"):
        value = getattr(query.filters, name)
        if value is not None:
            conditions.append(col(getattr(ScoreRow, name)) == value)
    return conditions


def filter_conditions(filters: Filters, metrics: Sequence[str]) -> list[Any]:
    """Return the conditions of metrics and of filters without judge and instrument.

    Of the same picture, way of judging and trial only the newest evaluation is left.
    Pictures that people brought are of no model: they are there where they or runs are named.
    """
    model = col(ScoreRow.model)
    conditions: list[Any] = [col(ScoreRow.metric).in_(metrics)]
    if filters.models:
        conditions.append(model.in_(filters.models))
    elif not filters.runs:
        conditions.append(model != UPLOADED)
    for name in ("field", "category", "difficulty", "level", "task", "trial"):
        value = getattr(filters, name)
        if value is not None:
            conditions.append(col(getattr(ScoreRow, name)) == ("" if value == NOT_GIVEN else value))
    if filters.domain == NOT_GIVEN:
        conditions.append(col(ScoreRow.domain) == "")
    elif filters.domain is not None:
        around = sa.literal(SEVERAL) + col(ScoreRow.domain) + SEVERAL
        domain = f"{SEVERAL}{filters.domain}{SEVERAL}"
        conditions.append(around.contains(domain, autoescape=True))
    if filters.prompts:
        conditions.append(col(ScoreRow.prompt).in_(map(prompt_key, filters.prompts)))
    if filters.seeds:
        conditions.append(col(ScoreRow.seed).in_(filters.seeds))
    conditions += _time_conditions(ScoreRow, filters)
    return [*conditions, newest_evaluations(filters.runs, metrics)]


def _time_conditions(row: Any, filters: Filters) -> Iterator[Any]:
    if filters.since is not None:
        yield row.created >= filters.since
    if filters.until is not None:
        yield row.created < filters.until


def newest_evaluations(
    runs: Sequence[str], metrics: Sequence[str] = (), row: Any = ScoreRow
) -> Any:
    """Return the condition on the newest evaluations: of all, or of these runs and sweeps.

    `metrics`: those that are asked for anyway, so that no others are read.
    """
    if not runs:
        return row.newest
    swept = sa.select(col(SweepItemRow.run)).where(col(SweepItemRow.sweep).in_(runs))
    rank = sa.func.row_number().over(
        partition_by=(col(ScoreRow.generation), col(ScoreRow.trial), col(ScoreRow.instrument)),
        order_by=(col(ScoreRow.created).desc(), col(ScoreRow.evaluation).desc()),
    )
    of_runs = sa.or_(col(ScoreRow.run).in_(runs), col(ScoreRow.run).in_(swept))
    statement = sa.select(col(ScoreRow.evaluation), rank.label("rank")).where(of_runs, head_rows())
    if metrics:
        statement = statement.where(col(ScoreRow.metric).in_(metrics))
    ranked = statement.subquery()
    newest = sa.select(ranked.c.evaluation).where(ranked.c.rank == 1)
    return row.evaluation.in_(newest)
