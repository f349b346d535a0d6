"""Makes a leaderboard: models by a score, with counts, interval, what is left out, and papers."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from hallascope.data.concepts import LEVELS, TASKS
from hallascope.data.published.numbers import published_scores
from hallascope.data.records import COIS, DIFFICULTIES, DOMAINS, FIELDS, Category
from hallascope.data.requests import Role
from hallascope.engine.leaderboard import queries
from hallascope.engine.leaderboard.filters import Filters, Grouping, Query, check_groups
from hallascope.engine.leaderboard.queries import LeaderboardCell
from hallascope.engine.storage.scores import sorted_lineup
from hallascope.engine.storage.store import Store
from hallascope.metrics.aggregate import interval_method
from hallascope.metrics.base import SHARE, Bounds
from hallascope.metrics.running_sums import mean
from hallascope.metrics.statistics.intervals import INTERVAL_METHODS, LEVEL, IntervalMethod

CountUnit = Literal["prompts", "questions", "items"]
# the order in which the papers name groups; the rest follows by name
GROUP_ORDER: Mapping[str, Sequence[str]] = {
    "coi": COIS,
    "field": FIELDS,
    "category": [category.value for category in Category],
    "difficulty": DIFFICULTIES,
    "domain": DOMAINS,
    "level": LEVELS,
    "task": TASKS,
}


@dataclass(frozen=True, kw_only=True)
class LeaderboardRow:
    """Holds one bar: a model in a group ("" by model, "not given" where nobody knows).

    `value` is the mean over the `n` prompts (by composition of interest: questions) in which
    anything was answered, None where that is none; every prompt weighs the same, over its pictures
    and trials. `low` and `high` are its 95 % interval by prompt, None under two. `left_out` prompts
    (questions) had no answer at all; `answered` and `unanswered` count the questions beneath.
    `source`: where the value was published, "" for ours; `n` is 0 where the paper does not say it.
    """

    model: str
    group: str
    value: float | None
    n: int
    low: float | None
    high: float | None
    left_out: int
    answered: int = 0
    unanswered: int = 0
    source: str = ""

    @property
    def left_out_share(self) -> float | None:
        """The share of questions without an answer, in [0, 1]; None where there are none."""
        questions = self.answered + self.unanswered
        return self.unanswered / questions if questions else None

    @property
    def published(self) -> bool:
        return bool(self.source)


@dataclass(frozen=True, kw_only=True)
class Instrument:
    """Holds one way of judging: the metric's version, the judge with its revision, and all models.

    `lineup` is the models by role. `prompts` is how many it judged under the filters, a prompt once
    for each model.
    """

    key: str
    version: str
    judge: str | None
    revision: str
    lineup: Mapping[Role, str]
    prompts: int


@dataclass(frozen=True, kw_only=True)
class Corrections:
    """Counts the prompts of a leaderboard whose reading a person corrected.

    `authors` are their names, without those who gave none. `mixed`: how many of these prompts have
    evaluations that rest on another reading, too.
    """

    prompts: int
    authors: tuple[str, ...]
    mixed: int

    @property
    def sentence(self) -> str:
        """What the numbers rest on, in words that name the authors."""
        return self.describe(" and ".join(self.authors) or "people")

    def describe(self, who: str) -> str:
        """Return what the numbers rest on, in words, and what to do where readings differ."""
        prompts = f"{self.prompts:,} prompt{'s' if self.prompts > 1 else ''}"
        verb = "ask" if self.prompts > 1 else "asks"
        sentence = f"What {prompts} {verb} for was corrected by {who}."
        if self.mixed:
            sentence += (
                f" For {self.mixed:,} of them evaluations with another reading count, too:"
                " evaluate them again to compare alike."
            )
        return sentence


@dataclass(frozen=True, kw_only=True)
class Board:
    """Holds a leaderboard: `rows` by one `instrument` of all `instruments` there are.

    By judge they are by one of each judge.

    `published` are numbers of papers, apart. `unit` says what `n` counts, `interval_method` how the
    95 % intervals of the rows are computed. `instrument_keys` are of the instruments that the rows
    are by. `corrections` is None where no reading was corrected.
    """

    query: Query
    rows: tuple[LeaderboardRow, ...]
    unit: CountUnit
    title: str
    higher_is_better: bool
    bounds: Bounds
    instrument: Instrument | None
    instruments: tuple[Instrument, ...]
    interval_method: IntervalMethod
    instrument_keys: tuple[str, ...] = ()
    published: tuple[LeaderboardRow, ...] = ()
    corrections: Corrections | None = None

    @property
    def intervals(self) -> str:
        """What the intervals of the rows are, in words."""
        level = f"{LEVEL:.0%}".replace("%", " %")
        return f"{level} intervals by prompt ({INTERVAL_METHODS[self.interval_method]})"


def board(store: Store, query: Query) -> Board:
    """Return a leaderboard. Raises BadRequest where the score has no such groups."""
    check_groups(query)
    spec = query.spec
    read = queries.read_instruments(store, query)
    keys = queries.select_instruments(query, read)
    cells = queries.read_cells(store, query, keys) if keys else []
    rows = [_leaderboard_row(cell, query) for cell in cells]
    instruments = tuple(map(_instrument, read))
    shown = None
    if query.by != "judge":
        shown = next((each for each in instruments if each.key in keys[:1]), None)
    return Board(
        query=query,
        rows=tuple(_sorted_rows(rows, query, spec.higher_is_better)),
        unit=_count_unit(query),
        title=spec.title,
        higher_is_better=spec.higher_is_better,
        bounds=spec.bounds,
        instrument=shown,
        instruments=instruments,
        interval_method=interval_method(mean_bounds(query)),
        instrument_keys=tuple(keys),
        published=published_rows(query),
        corrections=_corrections(store, query, keys) if keys else None,
    )


def list_instruments(store: Store, query: Query) -> list[Instrument]:
    """Return all ways of judging under the filters, the one that judged most prompts first."""
    return [_instrument(row) for row in queries.read_instruments(store, query)]


def _instrument(row: queries.InstrumentRow) -> Instrument:
    return Instrument(
        key=row.key,
        version=row.version,
        judge=row.judge or None,
        revision=row.revision,
        lineup=json.loads(sorted_lineup(row.lineup)),
        prompts=row.prompts,
    )


def _count_unit(query: Query) -> CountUnit:
    """Return what `n` counts: what a report counts of a pooled score, such as objects, as items."""
    if query.spec.pools:
        return "items"
    return "questions" if query.by == "coi" else "prompts"


def _corrections(store: Store, query: Query, instruments: Sequence[str]) -> Corrections | None:
    """Return how many of the prompts that count have a corrected reading; None without any."""
    readings: dict[str, set[str]] = defaultdict(set)
    authors = set[str]()
    for use in queries.read_reading_uses(store, query, instruments):
        readings[use.prompt].add(use.reading)
        authors.add(use.author)
    corrected = [used for used in readings.values() if used != {""}]
    if not corrected:
        return None
    return Corrections(
        prompts=len(corrected),
        authors=tuple(sorted(authors - {""})),
        mixed=sum(len(used) > 1 for used in corrected),
    )


def leaderboard_rows(
    store: Store,
    by: Grouping = "model",
    metric: str = "ihalla",
    score: str = "score",
    filters: Filters | None = None,
) -> list[LeaderboardRow]:
    """Return the rows of a leaderboard alone. Raises BadRequest."""
    return list(board(store, Query(metric, score, by, filters or Filters())).rows)


def mean_bounds(query: Query) -> Bounds:
    """Return the bounds of the means of a leaderboard.

    By composition of interest a mean is the share of questions with the right answer, whatever the
    score of a picture is.
    """
    return SHARE if query.by == "coi" else query.spec.bounds


def _leaderboard_row(cell: LeaderboardCell, query: Query) -> LeaderboardRow:
    average = mean(cell.sums, mean_bounds(query), over_questions=query.by == "coi")
    return LeaderboardRow(
        model=cell.model,
        group=cell.group,
        value=average.value,
        n=average.n,
        low=average.low,
        high=average.high,
        left_out=average.left_out,
        answered=average.answered,
        unanswered=average.unanswered,
    )


def _sorted_rows(
    rows: Sequence[LeaderboardRow], query: Query, higher_is_better: bool
) -> list[LeaderboardRow]:
    """Return rows by model the best first; else by model, its groups in the papers' order."""
    sign = -1 if higher_is_better else 1
    known = list(GROUP_ORDER.get(query.by, ()))

    def rank(row: LeaderboardRow) -> tuple[bool, float, str]:
        return row.value is None, sign * (row.value or 0.0), row.model

    def place(row: LeaderboardRow) -> tuple[str, int, str]:
        position = known.index(row.group) if row.group in known else len(known)
        return row.model, position, row.group

    return sorted(rows, key=rank) if query.by == "model" else sorted(rows, key=place)


def published_rows(query: Query) -> tuple[LeaderboardRow, ...]:
    """Return what papers print of this score by the same thing.

    Where a group is filtered for, it is that group's alone. Of all models `group` is the part of
    the benchmark that the paper gives the number of. There is no interval: the papers print none.
    """
    group = None
    if query.by in ("field", "category", "domain", "level", "task", "judge"):
        group = getattr(query.filters, query.by)
    return tuple(
        LeaderboardRow(
            model=score.model,
            group=score.group,
            value=score.value,
            n=score.n,
            low=None,
            high=None,
            left_out=0,
            source=f"{score.source}; {score.note}" if score.note else score.source,
        )
        for score in published_scores()
        if (score.metric, score.score, score.slice) == (query.metric, query.score, query.by)
        and group in (None, score.group)
    )
