"""Reads a leaderboard from the scores of a store: ways of judging, and sums.

Sums are by model and group, or of prompts one by one.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlmodel import col

from hallascope.engine.events import UPLOADED
from hallascope.engine.leaderboard.filters import Filters, Grouping, Query
from hallascope.engine.storage.scores import FACETS, MAIN, SEVERAL, head_rows, prompt_key
from hallascope.engine.storage.store import Store
from hallascope.engine.storage.tables import EvaluationRow, ScoreRow, SweepItemRow
from hallascope.metrics.aggregate import NOT_GIVEN
from hallascope.metrics.running_sums import ALL, Sums

NO_JUDGE = "no judge"  # the group of metrics that ask none
_SUMS = Sums._fields


class LeaderboardCell(NamedTuple):
    """The sums of one model in one group."""

    model: str
    group: str
    sums: Sums


class InstrumentRow(NamedTuple):
    """A way of judging by its hash, and how many prompts it judged, those of each model counted."""

    key: str
    version: str
    judge: str
    revision: str
    lineup: str
    prompts: int


# --- ways of judging
# --------------------------------------------------------------------------------------------------


def ways(store: Store, query: Query) -> list[InstrumentRow]:
    """Return all ways of judging under the filters, the one of most prompts first."""
    key = (col(ScoreRow.instrument), col(ScoreRow.model), col(ScoreRow.prompt))
    last = sa.func.max(col(ScoreRow.evaluation)).label("last")
    main = (col(ScoreRow.score) == MAIN, col(ScoreRow.part) == ALL)
    prompts = sa.select(key[0], last).where(*conditions(query), *main).group_by(*key).subquery()
    found = (
        sa.select(
            prompts.c.instrument,
            sa.func.count().label("prompts"),
            sa.func.max(prompts.c.last).label("last"),
        )
        .group_by(prompts.c.instrument)
        .subquery()
    )
    columns = ("version", "judge", "judge_revision", "lineup")
    chosen = sa.select(
        found.c.instrument,
        *(col(getattr(EvaluationRow, name)) for name in columns),
        found.c.prompts,
    )
    chosen = chosen.join(EvaluationRow, col(EvaluationRow.id) == found.c.last)
    with store.database.reading() as session:
        rows = session.execute(chosen.order_by(found.c.prompts.desc(), found.c.last.desc())).all()
    return [InstrumentRow(*row) for row in rows]


# --- sums by model and group
# ------------------------------------------------------------------------------------------------


def cells(store: Store, query: Query, instruments: Sequence[str]) -> list[LeaderboardCell]:
    """Return the sums by model and group, of these ways of judging."""
    prompts = by_prompt(query, instruments).subquery()
    names = (prompts.c.model, prompts.c.group)
    with store.database.reading() as session:
        rows = session.execute(
            sa.select(*names, *_sums(prompts.c, questions=query.by == "coi")).group_by(*names)
        ).all()
    return _together(
        LeaderboardCell(row[0], name, Sums(*_numbers(row[2:])))
        for row in rows
        for name in groups(query, str(row[1]))
    )


def _sums(prompts: Any, questions: bool) -> list[Any]:
    """Return the columns of `Sums` over the prompts of a statement of `by_prompt`."""
    weight = sa.func.nullif(
        prompts.weight, 0.0
    )  # NULL where nothing was answered, which no sum counts
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
    return [columns[name] for name in _SUMS]


def _numbers(row: Sequence[Any]) -> list[Any]:
    """Return sums as numbers of Python: PostgreSQL gives those of integers as decimals."""
    whole = {"prompts", "empty", "answered", "unanswered"}
    return [
        int(value) if name in whole else float(value or 0.0)
        for name, value in zip(_SUMS, row, strict=True)
    ]


def _together(found: Iterable[LeaderboardCell]) -> list[LeaderboardCell]:
    whole: dict[tuple[str, str], Sums] = {}
    for cell in found:
        known = whole.get((cell.model, cell.group))
        whole[cell.model, cell.group] = cell.sums if known is None else known.plus(cell.sums)
    return [LeaderboardCell(*key, one) for key, one in whole.items() if one.prompts or one.empty]


def groups(query: Query, said: str) -> list[str]:
    """Return the groups in which a value counts: for several domains each that is not filtered."""
    if query.by == "domain":
        wanted = query.filters.domain
        return [name for name in (said or NOT_GIVEN).split(SEVERAL) if wanted in (None, name)]
    if query.by == "judge":
        return [said or NO_JUDGE]
    return [said or NOT_GIVEN] if query.by in FACETS else [said]


# --- prompt by prompt
# --------------------------------------------------------------------------------------------------


def by_prompt(query: Query, instruments: Sequence[str], part: str = ALL) -> Any:
    """Return the statement of prompts one by one with their sums.

    Its columns are model, group, prompt (a hash) and part.
    """
    # In the order of the table's key, in which SQLite needs no sorting.
    names = ("part", "instrument", "model", "prompt")
    key: list[Any] = [col(getattr(ScoreRow, name)) for name in names]
    group = _group(query.by)
    if query.by == "trial":
        key.append(group)
    elif query.by not in ("model", "coi"):
        group = sa.func.min(group)  # a prompt has one
    columns = ("total", "weight", "answered", "unanswered")
    sums = [sa.func.sum(col(getattr(ScoreRow, name))).label(name) for name in columns]
    chosen = sa.select(*key[:4], group.label("group"), *sums)
    return select_counted(chosen, query, instruments, part).group_by(*key)


def select_counted(chosen: Any, query: Query, instruments: Sequence[str], part: str = ALL) -> Any:
    """Return a statement of those scores alone that a query counts."""
    chosen = chosen.where(*conditions(query), col(ScoreRow.score) == query.score)
    instrument: Any = col(ScoreRow.instrument)
    if query.by != "coi":
        return chosen.where(col(ScoreRow.part) == part, instrument.in_(instruments))
    # As an expression, or SQLite takes the one instrument for a constant and sorts all rows anew.
    instrument = sa.func.coalesce(instrument, "")
    return chosen.where(col(ScoreRow.part) > ALL, instrument.in_(instruments))


# --- conditions
# --------------------------------------------------------------------------------------------------


def conditions(query: Query) -> list[Any]:
    """Return the conditions of a query on the rows of scores, without that on the score."""
    filters = query.filters
    found = of_filters(filters, [query.metric])
    if filters.judge is not None:
        found.append(col(ScoreRow.judge) == filters.judge)
    if filters.instrument is not None:
        found.append(col(ScoreRow.instrument) == filters.instrument)
    return found


def of_filters(filters: Filters, metrics: Sequence[str]) -> list[Any]:
    """Return the conditions of metrics and of filters without judge and instrument.

    Of the same picture, way of judging and trial only the newest evaluation is left.
    Pictures that people brought are of no model: they are there where they are named.
    """
    model = col(ScoreRow.model)
    found: list[Any] = [col(ScoreRow.metric).in_(metrics)]
    found.append(model.in_(filters.models) if filters.models else model != UPLOADED)
    for name in ("category", "level", "task"):
        if (value := getattr(filters, name)) is not None:
            found.append(col(getattr(ScoreRow, name)) == ("" if value == NOT_GIVEN else value))
    if filters.domain == NOT_GIVEN:
        found.append(col(ScoreRow.domain) == "")
    elif filters.domain is not None:
        around = sa.literal(SEVERAL) + col(ScoreRow.domain) + SEVERAL
        domain = f"{SEVERAL}{filters.domain}{SEVERAL}"
        found.append(around.contains(domain, autoescape=True))
    if filters.trial is not None:
        found.append(col(ScoreRow.trial) == filters.trial)
    if filters.prompts:
        keys = [prompt_key(prompt) for prompt in filters.prompts]
        found.append(col(ScoreRow.prompt).in_(keys))
    if filters.seeds:
        found.append(col(ScoreRow.seed).in_(filters.seeds))
    if filters.since is not None:
        found.append(col(ScoreRow.created) >= filters.since)
    if filters.until is not None:
        found.append(col(ScoreRow.created) < filters.until)
    return [*found, newest(filters.runs, metrics)]


def newest(runs: Sequence[str], metrics: Sequence[str] = ()) -> Any:
    """Return the condition on the newest evaluations: of all, or of these runs and sweeps.

    `metrics`: those that are asked for anyway, so that no others are read.
    """
    if not runs:
        return col(ScoreRow.newest)
    swept = sa.select(col(SweepItemRow.run)).where(col(SweepItemRow.sweep).in_(runs))
    place = sa.func.row_number().over(
        partition_by=(col(ScoreRow.generation), col(ScoreRow.trial), col(ScoreRow.instrument)),
        order_by=(col(ScoreRow.created).desc(), col(ScoreRow.evaluation).desc()),
    )
    own = sa.or_(col(ScoreRow.run).in_(runs), col(ScoreRow.run).in_(swept))
    placed = sa.select(col(ScoreRow.evaluation), place.label("place")).where(own, head_rows())
    found = (placed.where(col(ScoreRow.metric).in_(metrics)) if metrics else placed).subquery()
    return col(ScoreRow.evaluation).in_(sa.select(found.c.evaluation).where(found.c.place == 1))


def _group(by: Grouping) -> Any:
    if by == "model":
        return sa.literal("")
    return col(ScoreRow.part if by == "coi" else getattr(ScoreRow, by))
