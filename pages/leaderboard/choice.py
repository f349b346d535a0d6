"""Reads the choice of a leaderboard from controls or an address, and lays out the options."""

import math
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, TypeVar, get_args

from markupsafe import Markup

from hallascope import metrics
from hallascope.components.leaderboard.charts import Axis, Bar
from hallascope.components.leaderboard.controls import Chips, Select, controls
from hallascope.components.models.pickers import Option
from hallascope.engine.leaderboard.board import Board, LeaderboardRow
from hallascope.engine.leaderboard.filters import BYS, Filters, Grouping, Query
from hallascope.engine.leaderboard.judges import RowReliability
from hallascope.engine.leaderboard.options import LeaderboardOptions
from hallascope.engine.leaderboard.queries import Instrument
from hallascope.metrics.statistics.ranking import RankInterval
from hallascope.pages.shared.run_pictures import short_name

PREFIX = "board-"  # of all that the address says of a leaderboard
FigureKind = Literal["bars", "heat", "radar", "apart"]
VIEWS: Mapping[FigureKind, str] = {
    "bars": "Bars",
    "heat": "Heat map",
    "radar": "Radar",
    "apart": "Metric disagreement",
}
TITLES: Mapping[Grouping, str] = {
    "model": "Model",
    "domain": "Domain",
    "field": "Field",
    "category": "Category",
    "difficulty": "Difficulty",
    "coi": "Composition of interest",
    "level": "Level",
    "task": "Task",
    "judge": "Judge",
    "trial": "Trial",
}
REFERENCE = "reference"
MINE = "mine"
PUBLISHED = "published"
RESULTS: Mapping[str, str] = {REFERENCE: "Reference", MINE: "Mine", PUBLISHED: "Published"}
_OLDER_RESULTS = {"own": MINE, "shipped": REFERENCE}  # in addresses of 0.1.0
ALL_LABELS = "all, as a random sample"
_MANY = ("models",)  # of these several can be chosen
# controls of one metric, not of all methods together
_OF_ONE = (
    "metric",
    "by",
    "score",
    "instrument",
    "published",
    "corrected",
    "plan",
    "one",
    "other",
)
# what published numbers can be asked for
_OF_PUBLISHED = ("results", "metric", "by", "score")
_FACETS: tuple[tuple[Grouping, str], ...] = (
    ("domain", "domains"),
    ("field", "fields"),
    ("category", "categories"),
    ("difficulty", "difficulties"),
    ("level", "levels"),
    ("task", "tasks"),
)

_Control = TypeVar("_Control", Chips, Select)


@dataclass(frozen=True, kw_only=True)
class LeaderboardChoice:
    """Holds what a person chose; "" is the default.

    `results` are the reference, one's own or published ones; "" are one's own where there are any,
    else the reference. `plan` is the id of the labeling plan whose labels correct the scores. `one`
    and `other` are the two models that are compared.
    """

    metric: str = "ihalla"
    by: Grouping = "model"
    view: FigureKind = "bars"
    models: tuple[str, ...] = ()
    score: str = "score"
    instrument: str = ""
    domain: str = ""
    field: str = ""
    category: str = ""
    difficulty: str = ""
    level: str = ""
    task: str = ""
    trial: str = ""
    run: str = ""
    published: str = "shown"
    corrected: str = "shown"
    plan: str = ""
    one: str = ""
    other: str = ""
    results: str = ""

    @property
    def query(self) -> Query:
        """Return the query of the store."""
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
        """Return the filters for all methods together: an instrument belongs to one."""
        return replace(self.query.filters, instrument=None)


def parse_choice(sent: object) -> LeaderboardChoice:
    """Return the choice in the controls or an address; impossible values are ignored."""
    given_values = sent if isinstance(sent, Mapping) else {}
    chosen: dict[str, Any] = {}
    for field in fields(LeaderboardChoice):
        values = tuple(map(str, _list(given_values.get(field.name))))
        if values:
            chosen[field.name] = values if field.name in _MANY else values[0]
    choice = LeaderboardChoice(**chosen)
    results = _OLDER_RESULTS.get(choice.results, choice.results)
    return replace(
        choice,
        by=choice.by if choice.by in BYS else "model",
        view=choice.view if choice.view in get_args(FigureKind) else "bars",
        results=results if results in RESULTS else "",
    )


def _list(value: object) -> Sequence[object]:
    if isinstance(value, list | tuple):
        return value
    if value is None or value == "":
        return ()
    return (value,)


def parse_address(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the values of the parameters of an address that are about the leaderboard."""
    names = {field.name for field in fields(LeaderboardChoice)}
    values = dict[str, list[str]]()
    for name, value in pairs:
        if name.startswith(PREFIX) and name.removeprefix(PREFIX) in names:
            values.setdefault(name.removeprefix(PREFIX), []).append(value)
    return values


def resolve_choice(choice: LeaderboardChoice, offered: LeaderboardOptions) -> LeaderboardChoice:
    """Return the choice with defaults in place of what the store does not have.

    Grouped by composition of interest, the score is always "score".
    """
    metric = choice.metric
    if metric not in offered.metrics:
        metric = next(iter(offered.metrics), choice.metric)
    has_score = choice.by != "coi" and choice.score in offered.scores
    facets: dict[str, Any] = {
        name: _if_offered(getattr(choice, name), getattr(offered, many)) for name, many in _FACETS
    }
    return replace(
        choice,
        metric=metric,
        score=choice.score if has_score else "score",
        models=tuple(model for model in choice.models if model in offered.models),
        trial=_if_offered(choice.trial, [str(trial) for trial in offered.trials]),
        run=_if_offered(choice.run, offered.runs),
        one=_if_offered(choice.one, offered.models),
        other=_if_offered(choice.other, offered.models),
        **facets,
    )


def _if_offered(value: str, offered: Container[str]) -> str:
    return value if value in offered else ""


def controls_html(
    choice: LeaderboardChoice,
    offered: LeaderboardOptions,
    instruments: Sequence[Instrument] = (),
    labeled: bool = False,
    plans: Mapping[str, str] | None = None,
) -> Markup:
    """Return the controls as HTML.

    `labeled`: people's labels correct scores. `plans` are the names, by id, of the labeling plans
    whose labels can be chosen.
    """
    selects = lists(choice, offered, instruments, plans)
    return controls(
        [_with_idle(row, choice, labeled) for row in chips(choice, offered)],
        [_with_idle(select, choice, labeled) for select in selects],
        [_with_idle(select, choice, labeled) for select in pair(choice, offered)],
    )


def _with_idle(control: _Control, choice: LeaderboardChoice, labeled: bool) -> _Control:
    return control._replace(idle=is_idle(choice, control.name, labeled))


def is_idle(choice: LeaderboardChoice, name: str, labeled: bool = True) -> bool:
    """Return whether a control changes nothing: disagreements are of all metrics together.

    Without labels of people no score is corrected, and hidden corrections are by no plan.
    """
    if choice.results == PUBLISHED and name not in _OF_PUBLISHED:
        return True
    if name == "corrected" and not labeled:
        return True
    if name == "plan" and (not labeled or choice.corrected == "hidden"):
        return True
    return choice.view == "apart" and name in _OF_ONE


# --- what can be chosen ---------------------------------------------------------------------------


def chips(choice: LeaderboardChoice, offered: LeaderboardOptions) -> list[Chips]:
    """Return the rows of chips: results, metric, groups, view, models.

    The results are all that there are to choose where nothing has been judged.
    """
    results = _chips("results", "Results", RESULTS, choice.results)._replace(kept=True)
    if not offered.metrics:
        return [results]
    titles = {name: metrics.title(name) for name in offered.metrics}
    groupings = {by: TITLES[by] for by in BYS if by in ("model", choice.by) or by in offered.bys}
    models = tuple(Option(name, name, called=short_name(name)) for name in offered.models)
    rows = [
        results,
        _chips("metric", "Metric", titles, choice.metric),
        _chips("by", "By", groupings, choice.by),
        _chips("view", "Show", VIEWS, choice.view),
        Chips(name="models", label="Models", options=models, chosen=choice.models, sort="checkbox"),
    ]
    return [row for row in rows if row.options]


def _chips(name: str, label: str, words: Mapping[Any, str], chosen: str) -> Chips:
    """Return a row of which one is chosen; `words` stand on the chips, by id."""
    options = tuple(Option(value, title, called=title) for value, title in words.items())
    return Chips(name=name, label=label, options=options, chosen=[chosen])


def lists(
    choice: LeaderboardChoice,
    offered: LeaderboardOptions,
    instruments: Sequence[Instrument],
    plans: Mapping[str, str] | None = None,
) -> list[Select]:
    """Return the drop-down lists; `controls` leaves out one with a single entry."""
    judges = {instrument.key: instrument_text(instrument) for instrument in instruments}
    scores: dict[str, str] = {}
    if choice.by != "coi":
        scores = {name: metrics.score(choice.metric, name).title for name in offered.scores}
    trials = {str(trial): f"trial {trial + 1}" for trial in offered.trials}
    beside = {"shown": "shown beside", "hidden": "hidden"}
    return [
        Select("score", "Score", scores, choice.score),
        Select(
            "instrument", "Judged by", _with_default("who judged most", judges), choice.instrument
        ),
        *(_facet_list(name, getattr(offered, many), choice) for name, many in _FACETS),
        Select("trial", "Trial", _with_default("all", trials), choice.trial),
        Select("run", "Run", _with_default("all", offered.runs), choice.run),
        Select("published", "Published", beside, choice.published),
        Select("corrected", "Corrected by people", beside, choice.corrected),
        Select("plan", "Labels", {"": ALL_LABELS, **(plans or {})}, choice.plan),
    ]


def _facet_list(name: Grouping, values: Sequence[str], choice: LeaderboardChoice) -> Select:
    entries = _with_default("all", {value: value for value in values})
    return Select(name, TITLES[name], entries, getattr(choice, name))


def _with_default(words: str, entries: Mapping[str, str]) -> dict[str, str]:
    """Return the entries after one that chooses none of them; none where there is no choice."""
    return {"": words, **entries} if len(entries) > 1 else {}


def pair(choice: LeaderboardChoice, offered: LeaderboardOptions) -> list[Select]:
    """Return the two lists of models that are compared."""
    models = {"": "nobody", **{name: short_name(name) for name in offered.models}}
    return [
        Select("one", "Compare", models, choice.one),
        Select("other", "with", models, choice.other),
    ]


def instrument_text(instrument: Instrument) -> str:
    """Return an instrument in words: the judge, else its models, and how much it judged."""
    who = instrument.judge or ", ".join(dict.fromkeys(instrument.lineup.values())) or "no model"
    return f"{who}, version {instrument.version} ({instrument.prompts:,} pairs of prompt and model)"


# --- numbers --------------------------------------------------------------------------------------


def bars(
    rows: Sequence[LeaderboardRow],
    order: Sequence[str] = (),
    judge: Callable[[LeaderboardRow], str | None] = lambda row: None,
    reliability: RowReliability = lambda row: None,
    ranks: Mapping[tuple[str, str], RankInterval] | None = None,
) -> list[Bar]:
    """Return rows as figures and tables show them.

    In groups the models stand in the given order, those that it does not name last. `judge` says
    who judged a row, `reliability` what to expect of that judge, `ranks` which ranks a model may
    have in a group.
    """
    unordered = [
        Bar(
            model=row.model,
            name=short_name(row.model),
            group=row.group,
            value=row.value,
            low=row.low,
            high=row.high,
            n=row.n,
            left_out=row.left_out,
            source=row.source,
            judge=judge(row),
            reliability=reliability(row),
            rank=(ranks or {}).get((row.model, row.group)),
        )
        for row in rows
    ]
    if not any(row.group for row in unordered):
        return unordered
    return sorted(unordered, key=lambda row: place_in(order, row.model))


def place_in(order: Sequence[str], model: str) -> int:
    """Return where a model stands in an order; one that it does not name stands last."""
    return order.index(model) if model in order else len(order)


def axis(query: Query) -> Axis:
    """Return the title of the values and their bounds; counts have no upper one."""
    spec = query.spec
    low, high = spec.bounds
    direction = "" if spec.higher_is_better else ", lower is better"
    words = f"{metrics.title(query.metric)}: {spec.title}{direction}"
    return Axis(words, None if math.isinf(low) else low, None if math.isinf(high) else high)


def board_description(board: Board) -> str:
    """Return who judged, and what the numbers count."""
    if not board.rows:
        return ""
    who = "by one way of judging of each judge"
    if board.instrument:
        who = f"judged by {instrument_text(board.instrument)}"
    description = f"{who}; {board.intervals}; counted: {board.unit}"
    return f"{description}. {board.corrections.sentence}" if board.corrections else description
