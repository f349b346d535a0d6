"""Makes a leaderboard: models by a score, with counts, interval, what is left out, and papers."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from hallascope.data.concepts import LEVELS, TASKS
from hallascope.data.published.numbers import published_scores
from hallascope.data.records import COIS, DIFFICULTIES, DOMAINS, FIELDS, Category
from hallascope.engine.leaderboard import queries
from hallascope.engine.leaderboard.filters import Query, check_groups
from hallascope.engine.leaderboard.queries import Instrument
from hallascope.engine.storage.store import Store
from hallascope.metrics.aggregate import interval_method
from hallascope.metrics.base import SHARE, Bounds
from hallascope.metrics.running_sums import Sums, mean
from hallascope.metrics.statistics.intervals import INTERVAL_METHODS, LEVEL, IntervalMethod

# what a row takes from the mean of its sums
_NUMBERS = ("value", "n", "low", "high", "left_out", "answered", "unanswered")
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
    low: float | None = None
    high: float | None = None
    left_out: int = 0
    answered: int = 0
    unanswered: int = 0
    source: str = ""

    @property
    def left_out_share(self) -> float | None:
        """The share of questions without an answer, in [0, 1]; None where there are none."""
        questions = self.answered + self.unanswered
        return self.unanswered / questions if questions else None


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
    instruments = queries.read_instruments(store, query)
    keys = queries.select_instruments(query, instruments)
    sums = queries.read_sums(store, query, keys) if keys else {}
    rows = [_leaderboard_row(*key, own, query) for key, own in sums.items()]
    shown = None
    if query.by != "judge":
        shown = next((each for each in instruments if each.key in keys[:1]), None)
    unit: CountUnit = "questions" if query.by == "coi" else "prompts"
    return Board(
        query=query,
        rows=tuple(_sorted_rows(rows, query, spec.higher_is_better)),
        unit="items" if spec.pools else unit,
        title=spec.title,
        higher_is_better=spec.higher_is_better,
        bounds=spec.bounds,
        instrument=shown,
        instruments=tuple(instruments),
        interval_method=interval_method(mean_bounds(query)),
        instrument_keys=tuple(keys),
        published=published_rows(query),
        corrections=_corrections(store, query, keys) if keys else None,
    )


def _corrections(store: Store, query: Query, keys: Sequence[str]) -> Corrections | None:
    """Return how many of the prompts that count have a corrected reading; None without any."""
    readings: dict[str, set[str]] = defaultdict(set)
    authors = set[str]()
    for prompt, reading, author in queries.read_reading_uses(store, query, keys):
        readings[prompt].add(reading)
        authors.add(author)
    corrected = [used for used in readings.values() if used != {""}]
    if not corrected:
        return None
    return Corrections(
        prompts=len(corrected),
        authors=tuple(sorted(authors - {""})),
        mixed=sum(len(used) > 1 for used in corrected),
    )


def mean_bounds(query: Query) -> Bounds:
    """Return the bounds of the means of a leaderboard.

    By composition of interest a mean is the share of questions with the right answer, whatever the
    score of a picture is.
    """
    return SHARE if query.by == "coi" else query.spec.bounds


def _leaderboard_row(model: str, group: str, sums: Sums, query: Query) -> LeaderboardRow:
    average = mean(sums, mean_bounds(query), over_questions=query.by == "coi")
    numbers = {name: getattr(average, name) for name in _NUMBERS}
    return LeaderboardRow(model=model, group=group, **numbers)


def _sorted_rows(
    rows: Sequence[LeaderboardRow], query: Query, higher_is_better: bool
) -> list[LeaderboardRow]:
    """Return rows by model the best first; else by model, its groups in the papers' order."""
    sign = -1 if higher_is_better else 1
    order = GROUP_ORDER.get(query.by, ())
    places = {group: place for place, group in enumerate(order)}

    def rank(row: LeaderboardRow) -> tuple[Any, ...]:
        if query.by == "model":
            return row.value is None, sign * (row.value or 0.0), row.model
        return row.model, places.get(row.group, len(places)), row.group

    return sorted(rows, key=rank)


def published_rows(query: Query) -> tuple[LeaderboardRow, ...]:
    """Return what papers print of this score by the same thing.

    Where a group is filtered for, it is that group's alone. Of all models `group` is the part of
    the benchmark that the paper gives the number of. There is no interval: the papers print none.
    """
    group = getattr(query.filters, query.by, None)
    return tuple(
        LeaderboardRow(
            model=score.model,
            group=score.group,
            value=score.value,
            n=score.n,
            source=f"{score.source}; {score.note}" if score.note else score.source,
        )
        for score in published_scores()
        if (score.metric, score.score, score.slice) == (query.metric, query.score, query.by)
        and group in (None, score.group)
    )
