"""Reads a leaderboard from the scores of a store: ways of judging, sums by group, and prompts."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlmodel import col

from hallascope.data.records import without_conditions
from hallascope.engine.events import UPLOADED, Evaluation
from hallascope.engine.leaderboard.filters import (
    NO_JUDGE,
    Filters,
    Query,
    check_groups,
    filter_group,
)
from hallascope.engine.storage.database import chunked
from hallascope.engine.storage.scores import FACETS, MAIN, SEVERAL, head_rows, prompt_key
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

# by group, model and prompt: the sum of a score and its weight
GroupScores = Mapping[str, Mapping[str, Mapping[str, FloatPair]]]
_INTEGER_SUMS = frozenset({"prompts", "empty", "answered", "unanswered"})
_ROWS_AT_ONCE = 10_000


class LeaderboardCell(NamedTuple):
    """Holds the sums of one model in one group."""

    model: str
    group: str
    sums: Sums


class InstrumentRow(NamedTuple):
    """Holds a way of judging by its hash, and how many prompts it judged.

    A prompt counts once for each model.
    """

    key: str
    version: str
    judge: str
    revision: str
    lineup: str
    prompts: int


class PromptQuery(NamedTuple):
    """Holds what is asked of prompts: the query, ways of judging, and the part of the reports."""

    query: Query
    instruments: Sequence[str]
    part: str


# --- ways of judging ---


def read_instruments(store: Store, query: Query) -> list[InstrumentRow]:
    """Return all ways of judging under the filters, the one of most prompts first."""
    counted = _count_prompts(query).subquery()
    statement = (
        sa.select(
            counted.c.instrument,
            col(EvaluationRow.version),
            col(EvaluationRow.judge),
            col(EvaluationRow.judge_revision),
            col(EvaluationRow.lineup),
            counted.c.prompts,
        )
        .join(EvaluationRow, col(EvaluationRow.id) == counted.c.last)
        .order_by(counted.c.prompts.desc(), counted.c.last.desc())
    )
    with store.database.read_transaction() as session:
        rows = session.execute(statement).all()
    return [InstrumentRow(*row) for row in rows]


def _count_prompts(query: Query) -> Any:
    """Return the statement that gives the prompts of each way of judging, a prompt a model.

    `last` is its newest evaluation.
    """
    instrument = col(ScoreRow.instrument)
    judged = (
        sa.select(instrument, sa.func.max(col(ScoreRow.evaluation)).label("last"))
        .where(*_query_conditions(query), col(ScoreRow.score) == MAIN, col(ScoreRow.part) == ALL)
        .group_by(instrument, col(ScoreRow.model), col(ScoreRow.prompt))
        .subquery()
    )
    return sa.select(
        judged.c.instrument,
        sa.func.count().label("prompts"),
        sa.func.max(judged.c.last).label("last"),
    ).group_by(judged.c.instrument)


def select_instruments(query: Query, instruments: Sequence[InstrumentRow]) -> list[str]:
    """Return the keys of the ways of judging that are shown: that of most prompts.

    By judge it is that of most prompts of each judge. Each stands with the same way of judging
    without a protocol: no reply of that could be read, so that it only counts what was left out.
    """
    firsts = instruments[:1]
    if query.by == "judge":
        firsts = list({row.judge: row for row in reversed(instruments)}.values())
    keys = []
    for first in firsts:
        same = [row for row in instruments if _without_protocol(row) == _without_protocol(first)]
        mute = [row for row in same if row.version == without_conditions(row.version)]
        keys += [row.key for row in same if row not in mute][:1] + [row.key for row in mute]
    return keys


def _without_protocol(row: InstrumentRow) -> InstrumentRow:
    return row._replace(key="", prompts=0, version=without_conditions(row.version))


# --- corrections of what prompts ask for ---


class ReadingUse(NamedTuple):
    """Says that a prompt (a hash) was evaluated with a reading: "" is that of the parser.

    Else it is the start of a hash of what a person says, and `author` is that person.
    """

    prompt: str
    reading: str
    author: str


def read_reading_uses(store: Store, query: Query, instruments: Sequence[str]) -> list[ReadingUse]:
    """Return the uses of readings of prompts with a correction, by any model."""
    corrected = sa.select(col(CorrectedEvaluationRow.prompt))
    columns = [
        col(ScoreRow.prompt),
        sa.func.coalesce(col(CorrectedEvaluationRow.reading), ""),
        sa.func.coalesce(col(CorrectedEvaluationRow.author), ""),
    ]
    statement = (
        sa.select(*columns)
        .join(
            CorrectedEvaluationRow,
            col(CorrectedEvaluationRow.evaluation) == col(ScoreRow.evaluation),
            isouter=True,
        )
        .where(col(ScoreRow.prompt).in_(corrected))
        .distinct()
    )
    with store.database.read_transaction() as session:
        if session.execute(corrected.limit(1)).first() is None:
            return []
        rows = session.execute(select_counted(statement, query, instruments)).all()
    return [ReadingUse(*row) for row in rows]


# --- sums by model and group ---


def read_cells(store: Store, query: Query, instruments: Sequence[str]) -> list[LeaderboardCell]:
    """Return the sums by model and group, of these ways of judging.

    A prompt of several groups is in each of them.
    """
    prompts = prompt_sums(query, instruments).subquery()
    names = (prompts.c.model, prompts.c.group)
    columns = _sum_columns(prompts.c, questions=query.is_over_items)
    with store.database.read_transaction() as session:
        rows = session.execute(sa.select(*names, *columns).group_by(*names)).all()
    cells: dict[tuple[str, str], Sums] = {}
    for model, value, *numbers in rows:
        # PostgreSQL gives sums of integers as decimals
        numbers_by_name: dict[str, Any] = {
            name: int(number) if name in _INTEGER_SUMS else float(number or 0.0)
            for name, number in zip(Sums._fields, numbers, strict=True)
        }
        sums = Sums(**numbers_by_name)
        for group in groups_of(query, str(value)):
            known = cells.get((model, group))
            cells[model, group] = sums if known is None else known.plus(sums)
    return [
        LeaderboardCell(model, group, sums)
        for (model, group), sums in cells.items()
        if sums.prompts or sums.empty
    ]


def _sum_columns(prompts: Any, questions: bool) -> list[Any]:
    """Return the columns of `Sums` over the prompts of a statement of `prompt_sums`."""
    # NULL where nothing was answered, which no sum counts
    weight = sa.func.nullif(prompts.weight, 0.0)
    s = prompts.total if questions else prompts.total / weight
    w = weight if questions else sa.case((weight.is_not(None), 1.0))
    counted = sa.func.count(weight)
    columns = {
        "prompts": counted,
        "empty": sa.func.count() - counted,
        "total": sa.func.sum(s),
        "weight": sa.func.sum(w),
        "squares": sa.func.sum(s * s),
        "products": sa.func.sum(s * w),
        "weights": sa.func.sum(w * w),
        "answered": sa.func.sum(prompts.answered),
        "unanswered": sa.func.sum(prompts.unanswered),
    }
    return [columns[name] for name in Sums._fields]


def groups_of(query: Query, value: str) -> list[str]:
    """Return the groups in which a value counts: for several domains each that is not filtered."""
    if query.by == "domain":
        domains = (value or NOT_GIVEN).split(SEVERAL)
        return [domain for domain in domains if query.filters.domain in (None, domain)]
    if query.by == "judge":
        return [value or NO_JUDGE]
    return [value or NOT_GIVEN] if query.by in FACETS else [value]


# --- prompt by prompt ---


def prompt_query(store: Store, query: Query, models: tuple[str, ...], group: str) -> PromptQuery:
    """Return the query of the prompts of these models in a group; "" is all of them.

    Raises BadRequest where the score has no such groups.
    """
    check_groups(query)
    narrow = filter_group(query, group)
    narrow = replace(narrow, filters=replace(narrow.filters, models=models))
    instruments = select_instruments(narrow, read_instruments(store, narrow))
    return PromptQuery(narrow, instruments, group if query.by == "coi" else ALL)


def prompt_sums(query: Query, instruments: Sequence[str], part: str = ALL) -> Any:
    """Return the statement of prompts one by one with their sums.

    Its columns are part, instrument, model, prompt (a hash), group and the sums.
    """
    # In the order of the table's key, in which SQLite needs no sorting.
    names = ("part", "instrument", "model", "prompt")
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
        group = sa.func.min(col(getattr(ScoreRow, query.by)))  # a prompt has one
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
    instrument: Any = col(ScoreRow.instrument)
    if query.by != "coi":
        return statement.where(col(ScoreRow.part) == part, instrument.in_(instruments))
    # As an expression, or SQLite takes the one instrument for a constant and sorts all rows anew.
    instrument = sa.func.coalesce(instrument, "")
    return statement.where(col(ScoreRow.part) > ALL, instrument.in_(instruments))


def read_worst_prompts(
    store: Store, request: PromptQuery, higher_is_better: bool, page: int, size: int
) -> Sequence[Any]:
    """Return a page of the prompts of one model, those in which nothing was answered last."""
    first = sa.func.min(col(ScoreRow.evaluation)).label("evaluation")
    prompts = prompt_sums(*request).add_columns(first).subquery()
    value = prompts.c.total / sa.func.nullif(prompts.c.weight, 0.0)
    statement = sa.select(prompts).order_by(
        sa.case((prompts.c.weight > 0, 0), else_=1),
        value.asc() if higher_is_better else value.desc(),
        prompts.c.unanswered.desc(),
        prompts.c.evaluation,
    )
    with store.database.read_transaction() as session:
        return session.execute(statement.limit(size).offset(page * size)).all()


def count_prompts(store: Store, request: PromptQuery) -> int:
    """Return how many prompts there are of one model."""
    statement = sa.select(sa.func.count()).select_from(prompt_sums(*request).subquery())
    with store.database.read_transaction() as session:
        return int(session.execute(statement).scalar_one())


def read_group_scores(store: Store, query: Query, instruments: Sequence[str]) -> GroupScores:
    """Return by group, model and prompt (a hash) the sum s of the score and its weight w.

    They are the prompts behind the sums of `read_cells`, those without an answer left out. By judge
    a prompt counts for each.
    """
    prompts = prompt_sums(query, instruments).subquery()
    names = (prompts.c.group, prompts.c.model, prompts.c.prompt)
    statement = sa.select(*names, prompts.c.total, prompts.c.weight).where(prompts.c.weight > 0)
    groups = defaultdict[str, defaultdict[str, dict[str, FloatPair]]](lambda: defaultdict(dict))
    over_items = query.is_over_items
    groups_by_value: dict[Any, list[str]] = {}  # a value has many prompts
    with store.database.read_transaction() as session:
        rows = session.connection().execute(statement).yield_per(_ROWS_AT_ONCE)
        for value, model, prompt, total, weight in rows:
            if value not in groups_by_value:
                groups_by_value[value] = groups_of(query, str(value))
            pair = (total, weight) if over_items else (total / weight, 1.0)
            for group in groups_by_value[value]:
                groups[group][model][prompt] = pair
    return groups


def read_score_pairs(store: Store, request: PromptQuery) -> dict[str, dict[str, FloatPair]]:
    """Return by model and prompt (a hash) the sum s of the score and its weight w.

    It is as in `hallascope.metrics.running_sums.Sums`: every prompt weighs the same, and so does
    every question of a part and everything that is pooled.

    Prompts without an answer are left out. A model of which anything was judged is there, if with
    no prompt.
    """
    prompts = prompt_sums(*request).subquery()
    columns = (prompts.c.model, prompts.c.prompt, prompts.c.total, prompts.c.weight)
    pairs = defaultdict[str, dict[str, FloatPair]](dict)
    with store.database.read_transaction() as session:
        for model, prompt, total, weight in session.connection().execute(sa.select(*columns)):
            of_model = pairs[model]
            if weight > 0:
                of_parts = request.part != ALL or request.query.is_over_items
                of_model[prompt] = (total, weight) if of_parts else (total / weight, 1.0)
    return dict(pairs)


# --- evaluations ---


class CountedEvaluation(NamedTuple):
    """Holds an evaluation that a leaderboard counts, and the model as which it is ranked there."""

    model: str
    evaluation: Evaluation


def read_counted_evaluations(
    store: Store, query: Query, instruments: Sequence[str], prompts: Iterable[str]
) -> list[CountedEvaluation]:
    """Return the evaluations of these prompts that the leaderboard counts, the oldest first."""
    prompt = col(ScoreRow.prompt)
    statement = sa.select(col(ScoreRow.evaluation), col(ScoreRow.model)).distinct()
    statement = select_counted(statement, query, instruments)
    models: dict[int, str] = {}
    with store.database.read_transaction() as session:
        for chunk in chunked(sorted({prompt_key(text) for text in prompts})):
            models.update(session.execute(statement.where(prompt.in_(chunk))).all())
    evaluations = store.evaluations_by_id(models)
    return [
        CountedEvaluation(models[number], evaluation) for number, evaluation in evaluations.items()
    ]


# --- conditions ---


def _query_conditions(query: Query) -> list[Any]:
    """Return the conditions of a query on the rows of scores, without that on the score."""
    filters = query.filters
    conditions = filter_conditions(filters, [query.metric])
    if filters.judge is not None:
        conditions.append(col(ScoreRow.judge) == filters.judge)
    if filters.instrument is not None:
        conditions.append(col(ScoreRow.instrument) == filters.instrument)
    return conditions


def filter_conditions(filters: Filters, metrics: Sequence[str]) -> list[Any]:
    """Return the conditions of metrics and of filters without judge and instrument.

    Of the same picture, way of judging and trial only the newest evaluation is left.
    Pictures that people brought are of no model: they are there where they are named.
    """
    model = col(ScoreRow.model)
    conditions: list[Any] = [
        col(ScoreRow.metric).in_(metrics),
        model.in_(filters.models) if filters.models else model != UPLOADED,
        *_facet_conditions(filters),
    ]
    if filters.trial is not None:
        conditions.append(col(ScoreRow.trial) == filters.trial)
    if filters.prompts:
        keys = [prompt_key(prompt) for prompt in filters.prompts]
        conditions.append(col(ScoreRow.prompt).in_(keys))
    if filters.seeds:
        conditions.append(col(ScoreRow.seed).in_(filters.seeds))
    if filters.since is not None:
        conditions.append(col(ScoreRow.created) >= filters.since)
    if filters.until is not None:
        conditions.append(col(ScoreRow.created) < filters.until)
    conditions.append(newest_evaluations(filters.runs, metrics))
    return conditions


def _facet_conditions(filters: Filters) -> list[Any]:
    conditions: list[Any] = []
    for name in ("field", "category", "difficulty", "level", "task"):
        value = getattr(filters, name)
        if value is not None:
            conditions.append(col(getattr(ScoreRow, name)) == ("" if value == NOT_GIVEN else value))
    if filters.domain == NOT_GIVEN:
        conditions.append(col(ScoreRow.domain) == "")
    elif filters.domain is not None:
        around = sa.literal(SEVERAL) + col(ScoreRow.domain) + SEVERAL
        domain = f"{SEVERAL}{filters.domain}{SEVERAL}"
        conditions.append(around.contains(domain, autoescape=True))
    return conditions


def newest_evaluations(runs: Sequence[str], metrics: Sequence[str] = ()) -> Any:
    """Return the condition on the newest evaluations: of all, or of these runs and sweeps.

    `metrics`: those that are asked for anyway, so that no others are read.
    """
    if not runs:
        return col(ScoreRow.newest)
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
    return col(ScoreRow.evaluation).in_(newest)
