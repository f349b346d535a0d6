"""What a person chose of a leaderboard, from controls or an address, and what can be chosen.

Pure, tested without Gradio.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, TypeVar, get_args

from hallascope import metrics
from hallascope.components.leaderboard.charts import Axis, Bar
from hallascope.components.leaderboard.controls import Chips, Select, controls
from hallascope.components.models.pickers import Option
from hallascope.engine.leaderboard.board import Board, Instrument
from hallascope.engine.leaderboard.filters import BYS, Filters, Grouping, Query
from hallascope.engine.leaderboard.options import LeaderboardOptions
from hallascope.engine.leaderboard.row import LeaderboardRow
from hallascope.pages.shared.run_progress import short_name

PREFIX = "board-"  # of all that the address says of a leaderboard
FigureKind = Literal["bars", "heat", "radar", "apart"]
VIEWS: Mapping[FigureKind, str] = {
    "bars": "Bars",
    "heat": "Heat map",
    "radar": "Radar",
    "apart": "Where methods disagree",
}
TITLES: Mapping[Grouping, str] = {
    "model": "Model",
    "domain": "Domain",
    "category": "Category",
    "coi": "Composition of interest",
    "level": "Level",
    "task": "Task",
    "judge": "Judge",
    "trial": "Trial",
}
OWN = "own"
SHIPPED = "shipped"
RESULTS: Mapping[str, str] = {OWN: "My runs", SHIPPED: "Shipped results"}
_MANY = ("models",)  # of these several can be chosen
_OF_ONE = (
    "metric",
    "by",
    "score",
    "instrument",
    "published",
    "one",
    "other",
)  # what is said of one metric, not of all methods together
_FACETS: tuple[tuple[Grouping, str], ...] = (
    ("domain", "domains"),
    ("category", "categories"),
    ("level", "levels"),
    ("task", "tasks"),
)

_Control = TypeVar("_Control", Chips, Select)


@dataclass(frozen=True, kw_only=True)
class LeaderboardChoice:
    """What a person chose; "" where they left it as it is.

    `one` and `other`: the two models whose difference is told.
    """

    metric: str = "ihalla"
    by: Grouping = "model"
    view: FigureKind = "bars"
    models: tuple[str, ...] = ()
    score: str = "score"
    instrument: str = ""
    domain: str = ""
    category: str = ""
    level: str = ""
    task: str = ""
    trial: str = ""
    run: str = ""
    published: str = "shown"
    one: str = ""
    other: str = ""
    results: str = OWN

    @property
    def shipped(self) -> bool:
        """Whether the numbers that ship are wanted, also where there are own ones."""
        return self.results == SHIPPED

    @property
    def query(self) -> Query:
        """What the store is asked for."""
        trial = int(self.trial) if self.trial.isdecimal() else None
        facets: dict[str, Any] = {name: getattr(self, name) or None for name, _ in _FACETS}
        runs = (self.run,) if self.run else ()
        return Query(
            self.metric,
            self.score,
            self.by,
            Filters(
                models=self.models,
                trial=trial,
                runs=runs,
                instrument=self.instrument or None,
                **facets,
            ),
        )

    @property
    def methods(self) -> Filters:
        """What the store is asked for of all methods together: a way of judging is of one."""
        return replace(self.query.filters, instrument=None)


def parse_choice(said: object) -> LeaderboardChoice:
    """What the controls, or an address, say; what cannot be is as if it had not been said."""
    told = said if isinstance(said, Mapping) else {}
    found: dict[str, Any] = {}
    for one in fields(LeaderboardChoice):
        values = tuple(map(str, _list(told.get(one.name))))
        if values:
            found[one.name] = values if one.name in _MANY else values[0]
    choice = LeaderboardChoice(**found)
    return replace(
        choice,
        by=choice.by if choice.by in BYS else "model",
        view=choice.view if choice.view in get_args(FigureKind) else "bars",
        results=choice.results if choice.results in RESULTS else OWN,
    )


def _list(value: object) -> Sequence[object]:
    if isinstance(value, list | tuple):
        return value
    if value is None or value == "":
        return ()
    return (value,)


def choice_fields(choice: LeaderboardChoice) -> dict[str, list[str]]:
    """The choice as the controls hold it: lists by name, without what is as it is at first."""
    plain = LeaderboardChoice()
    told = (
        (one.name, getattr(choice, one.name))
        for one in fields(LeaderboardChoice)
        if getattr(choice, one.name) != getattr(plain, one.name)
    )
    return {name: list(value) if isinstance(value, tuple) else [value] for name, value in told}


def parse_address(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return what an address says of a leaderboard, of its parameters with repeats.

    These are the parameters that are about it.
    """
    names = {one.name for one in fields(LeaderboardChoice)}
    found = dict[str, list[str]]()
    for name, value in pairs:
        if name.startswith(PREFIX) and name.removeprefix(PREFIX) in names:
            found.setdefault(name.removeprefix(PREFIX), []).append(value)
    return found


def resolve_choice(choice: LeaderboardChoice, offered: LeaderboardOptions) -> LeaderboardChoice:
    """The choice, as far as the store has what it names: else as it is at first.

    By compositions the score is that of questions.
    """
    metric = (
        choice.metric
        if choice.metric in offered.metrics
        else next(iter(offered.metrics), choice.metric)
    )
    score = choice.score if choice.score in offered.scores and choice.by != "coi" else "score"
    models = tuple(model for model in choice.models if model in offered.models)
    facets: dict[str, Any] = {
        name: value if (value := getattr(choice, name)) in getattr(offered, many) else ""
        for name, many in _FACETS
    }
    trial = choice.trial if choice.trial in map(str, offered.trials) else ""
    run = choice.run if choice.run in offered.runs else ""
    changed = replace(
        choice,
        metric=metric,
        score=score,
        models=models,
        trial=trial,
        run=run,
        one=choice.one if choice.one in offered.models else "",
        other=choice.other if choice.other in offered.models else "",
    )
    return replace(changed, **facets)


def controls_html(
    choice: LeaderboardChoice,
    offered: LeaderboardOptions,
    instruments: Sequence[Instrument],
    both: bool = False,
) -> str:
    """The controls as HTML. `both`: one's own numbers are there and those that ship."""
    return controls(
        [_with_idle(row, choice) for row in chips(choice, offered, both)],
        [_with_idle(select, choice) for select in lists(choice, offered, instruments)],
        [_with_idle(select, choice) for select in pair(choice, offered)],
    )


def _with_idle(control: _Control, choice: LeaderboardChoice) -> _Control:
    return control._replace(idle=is_idle(choice, control.name))


def is_idle(choice: LeaderboardChoice, name: str) -> bool:
    """Return whether a control changes nothing, as disagreements are of all metrics.

    They are of the pictures on which methods disagree.
    """
    return choice.view == "apart" and name in _OF_ONE


# --- what can be chosen
# --------------------------------------------------------------------------------------------------


def chips(
    choice: LeaderboardChoice, offered: LeaderboardOptions, both: bool = False
) -> list[Chips]:
    """The rows of chips: whose numbers (where there are `both`), metric, groups, view, models."""
    whose = (
        tuple(Option(name, words, called=words) for name, words in RESULTS.items()) if both else ()
    )
    by_metric = tuple(
        Option(name, metrics.title(name), called=metrics.title(name)) for name in offered.metrics
    )
    bys = tuple(
        Option(by, TITLES[by], called=TITLES[by])
        for by in BYS
        if by in ("model", choice.by) or by in offered.bys
    )
    views = tuple(Option(name, words, called=words) for name, words in VIEWS.items())
    models = tuple(Option(name, name, called=short_name(name)) for name in offered.models)
    found = [
        Chips(name="results", label="Results", options=whose, chosen=[choice.results]),
        Chips(name="metric", label="Metric", options=by_metric, chosen=[choice.metric]),
        Chips(name="by", label="By", options=bys, chosen=[choice.by]),
        Chips(name="view", label="Show", options=views, chosen=[choice.view]),
        Chips(name="models", label="Models", options=models, chosen=choice.models, sort="checkbox"),
    ]
    return [one for one in found if one.options]


def lists(
    choice: LeaderboardChoice, offered: LeaderboardOptions, instruments: Sequence[Instrument]
) -> list[Select]:
    """What else can be chosen; a list with one entry is left out where it is laid out."""
    judged = (
        {"": "who judged most", **{one.key: instrument_text(one) for one in instruments}}
        if len(instruments) > 1
        else {}
    )
    named = (
        {name: metrics.score(choice.metric, name).title for name in offered.scores}
        if choice.by != "coi"
        else {}
    )
    facets = [
        Select(name, TITLES[name], _all(getattr(offered, many)), getattr(choice, name))
        for name, many in _FACETS
    ]
    trials = {str(trial): f"trial {trial + 1}" for trial in offered.trials}
    return [
        Select("score", "Score", named, choice.score),
        Select("instrument", "Judged by", judged, choice.instrument),
        *facets,
        Select("trial", "Trial", {"": "all", **trials} if len(trials) > 1 else {}, choice.trial),
        Select(
            "run", "Run", {"": "all", **offered.runs} if len(offered.runs) > 1 else {}, choice.run
        ),
        Select(
            "published",
            "Published",
            {"shown": "shown beside", "hidden": "hidden"},
            choice.published,
        ),
    ]


def _all(names: Sequence[str]) -> dict[str, str]:
    return {"": "all", **{name: name for name in names}} if len(names) > 1 else {}


def pair(choice: LeaderboardChoice, offered: LeaderboardOptions) -> list[Select]:
    """The two lists of models whose difference is told."""
    models = {"": "nobody", **{name: short_name(name) for name in offered.models}}
    return [
        Select("one", "Compare", models, choice.one),
        Select("other", "with", models, choice.other),
    ]


def instrument_text(one: Instrument) -> str:
    """A way of judging in words: the judge, else who looked, and how much."""
    who = one.judge or ", ".join(dict.fromkeys(one.lineup.values())) or "no model"
    return f"{who}, version {one.version} ({one.prompts:,} pairs of prompt and model)"


# --- numbers
# --------------------------------------------------------------------------------------------------


def bars(rows: Sequence[LeaderboardRow], known: Sequence[str] = ()) -> list[Bar]:
    """Rows as figures and tables show them.

    In groups the models stand in the order in which they are `known`, then by name.
    """
    found = [_bar(one) for one in rows]
    if not any(one.group for one in found):
        return found
    return sorted(
        found, key=lambda one: known.index(one.model) if one.model in known else len(known)
    )


def _bar(one: LeaderboardRow) -> Bar:
    return Bar(
        model=one.model,
        name=short_name(one.model),
        group=one.group,
        value=one.value,
        low=one.low,
        high=one.high,
        n=one.n,
        left_out=one.left_out,
        source=one.source,
    )


def axis(board: Board) -> Axis:
    """What the values are, in words, and where they lie; counts have no upper end."""
    low, high = board.bounds
    way = "" if board.higher_is_better else ", lower is better"
    words = f"{metrics.title(board.query.metric)}: {board.title}{way}"
    return Axis(words, None if math.isinf(low) else low, None if math.isinf(high) else high)


def board_description(board: Board) -> str:
    """Who judged, and what the numbers count."""
    who = (
        f"judged by {instrument_text(board.instrument)}"
        if board.instrument
        else "by one way of judging of each judge"
    )
    return f"{who}; {board.intervals}; counted: {board.unit}" if board.rows else ""
