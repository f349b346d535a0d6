"""Reads the choice of a leaderboard from controls or an address, and lists what they offer."""

import math
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args

from hallascope import metrics
from hallascope.components.leaderboard.charts import MIN_RADAR_GROUPS, Axis, Bar
from hallascope.components.leaderboard.ranking_table import COLUMNS
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
SHOWN, HIDDEN = "shown", "hidden"
SWITCHES = ("published", "corrected")  # are shown or hidden
# the controls in sight, those behind "Filter", and the two models that are compared
IN_SIGHT: Mapping[str, str] = {
    "results": "Results",
    "metric": "Metric",
    "by": "Group by",
    "view": "Show",
    "models": "Models (empty: all)",
}
FILTERS: Mapping[str, str] = {
    "score": "Score",
    "instrument": "Judged by",
    "domain": "Domain",
    "field": "Field",
    "category": "Category",
    "difficulty": "Difficulty",
    "level": "Level",
    "task": "Task",
    "trial": "Trial",
    "run": "Run",
    "plan": "Labels",
    "published": "Published numbers",
    "corrected": "Scores corrected by people",
}
PAIR: Mapping[str, str] = {"one": "Compare", "other": "with"}
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
_FACETS: tuple[Grouping, ...] = ("domain", "field", "category", "difficulty", "level", "task")


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
    published: str = HIDDEN
    corrected: str = SHOWN
    plan: str = ""
    one: str = ""
    other: str = ""
    results: str = ""

    @property
    def query(self) -> Query:
        """Return the query of the store."""
        trial = int(self.trial) if self.trial.isdecimal() else None
        facets: dict[str, Any] = {name: getattr(self, name) or None for name in _FACETS}
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
    if isinstance(value, bool):  # of a switch
        return (SHOWN if value else HIDDEN,)
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


def address_values(choice: LeaderboardChoice) -> dict[str, list[str]]:
    """Return the choice as the address names it: values by name, without the defaults."""
    default = vars(LeaderboardChoice())
    return {
        name: list(value) if isinstance(value, tuple) else [value]
        for name, value in vars(choice).items()
        if value != default[name]
    }


def resolve_choice(choice: LeaderboardChoice, offered: LeaderboardOptions) -> LeaderboardChoice:
    """Return the choice with defaults in place of what the store does not have.

    Grouped by composition of interest, the score is always "score".
    """
    metric = choice.metric
    if metric not in offered.metrics:
        metric = next(iter(offered.metrics), choice.metric)
    has_score = choice.by != "coi" and choice.score in offered.scores
    facets: dict[str, Any] = {
        name: _if_offered(getattr(choice, name), offered.groups[name])
        for name in (*_FACETS, "trial")
    }
    return replace(
        choice,
        metric=metric,
        score=choice.score if has_score else "score",
        models=tuple(model for model in choice.models if model in offered.models),
        run=_if_offered(choice.run, offered.runs),
        one=_if_offered(choice.one, offered.models),
        other=_if_offered(choice.other, offered.models),
        **facets,
    )


def unknown_run(run: str) -> str:
    """Return the sentence on a run that an address names and no store has."""
    return f"No run or sweep “{run}” is stored here: results of all runs are shown."


def _if_offered(value: str, offered: Container[str]) -> str:
    return value if value in offered else ""


# --- what can be chosen ---------------------------------------------------------------------------


def control_options(
    choice: LeaderboardChoice,
    offered: LeaderboardOptions,
    views: Container[FigureKind] = (),
    instruments: Sequence[Instrument] = (),
    plans: Mapping[str, str] | None = None,
) -> dict[str, Mapping[str, str]]:
    """Return by control the values that it offers with the words that stand for them.

    A control that changes nothing offers none. `views` are those that have something to show.

    `plans` are the names, by id, of the labeling plans whose labels can be chosen, None where no
    labels of people correct scores.
    """
    models = {name: short_name(name) for name in offered.models}
    judges = {instrument.key: instrument_text(instrument) for instrument in instruments}
    scores = {name: metrics.score(choice.metric, name).title for name in offered.scores}
    trials = {trial: f"trial {int(trial) + 1}" for trial in offered.groups["trial"]}
    named = choice.by if choice.by in TITLES else "model"
    options: dict[str, Mapping[str, str]] = {
        "results": RESULTS,
        "metric": {name: metrics.title(name) for name in offered.metrics},
        "by": {by: TITLES[by] for by in BYS if by in ("model", named) or by in offered.bys},
        "view": {view: title for view, title in VIEWS.items() if view in views},
        "models": models,
        "score": scores if choice.by != "coi" else {},
        "instrument": _with_default("the judge with the most images", judges),
        **{
            name: _with_default("all", {value: value for value in offered.groups[name]})
            for name in _FACETS
        },
        "trial": _with_default("all", trials),
        "run": _with_default("all", offered.runs),
        "plan": {"": ALL_LABELS, **(plans or {})},
        "published": {HIDDEN: "", SHOWN: "published numbers"},
        "corrected": {SHOWN: "", HIDDEN: "without corrections"},
        "one": {"": "choose a model", **models} if len(models) > 1 else {},
        "other": {"": "choose a model", **models} if len(models) > 1 else {},
    }
    kept = options if offered.metrics else {"results": RESULTS}
    labeled = plans is not None
    return {name: {} if is_idle(choice, name, labeled) else kept.get(name, {}) for name in options}


def offered_views(groups: int, metrics_scored: int) -> list[FigureKind]:
    """Return the views that have something to show of so many groups and metrics."""
    works: Mapping[FigureKind, bool] = {
        "bars": True,
        "heat": groups > 1,
        "radar": groups >= MIN_RADAR_GROUPS,
        "apart": metrics_scored > 1,
    }
    return [view for view, has_content in works.items() if has_content]


def is_idle(choice: LeaderboardChoice, name: str, labeled: bool = True) -> bool:
    """Return whether a control changes nothing: disagreements are of all metrics together.

    Without labels of people no score is corrected, and hidden corrections are by no plan.
    """
    if choice.results == PUBLISHED and name not in _OF_PUBLISHED:
        return True
    if name == "corrected" and not labeled:
        return True
    if name == "plan" and (not labeled or choice.corrected == HIDDEN):
        return True
    return choice.view == "apart" and name in _OF_ONE


def _with_default(words: str, entries: Mapping[str, str]) -> dict[str, str]:
    """Return the entries after one that chooses none of them; none where there is no choice."""
    return {"": words, **entries} if len(entries) > 1 else {}


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
    unit: str = "prompts",
) -> list[Bar]:
    """Return rows as figures and tables show them.

    In groups the models stand in the given order, those that it does not name last. `judge` says
    who judged a row, `reliability` what to expect of that judge, `ranks` which ranks a model may
    have in a group, `unit` what the rows count.
    """
    short = Counter(map(short_name, {row.model for row in rows}))
    unordered = [
        Bar(
            **{name: getattr(row, name) for name in COLUMNS},
            name=name if short[name := short_name(row.model)] == 1 else row.model,
            unit=unit,
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
    return Axis(
        words,
        None if math.isinf(low) else low,
        None if math.isinf(high) else high,
        spec.higher_is_better,
    )


def judged_by(board: Board) -> str:
    """Return who judged, in words; "" where no single judge did."""
    judge = board.instrument.judge if board.instrument else None
    return f"judged by {judge}" if judge else ""


def board_description(board: Board, *, is_anonymous: bool = False) -> list[str]:
    """Return how the numbers were made, a sentence each: by which judge, interval and count.

    `is_anonymous`: who corrected what prompts ask for is not named.
    """
    if not board.rows:
        return []
    who = "Each judge counts in the version it judged most with."
    if board.instrument:
        who = f"Judged by {instrument_text(board.instrument)}."
    sentences = [who, f"{board.intervals}; counted: {board.unit}."]
    if board.corrections and is_anonymous:
        sentences.append(board.corrections.describe("people"))
    elif board.corrections:
        sentences.append(board.corrections.sentence)
    return sentences
