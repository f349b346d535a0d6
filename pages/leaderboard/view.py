"""Turns the store into what the Leaderboard tab shows; tested without Gradio.

This is label, controls, figure, words, difference and table.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hallascope import metrics
from hallascope.components.cards import status
from hallascope.components.html.markup import text
from hallascope.components.leaderboard import charts
from hallascope.components.leaderboard import controls as ranking
from hallascope.components.leaderboard.charts import Axis, Bar
from hallascope.components.leaderboard.drilldown import DisagreementRow, Pagination
from hallascope.components.leaderboard.drilldown import disagreements as listed
from hallascope.components.leaderboard.model_colors import model_styles
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.leaderboard.board import Board, board
from hallascope.engine.leaderboard.demo import LeaderboardSource, source
from hallascope.engine.leaderboard.differences import difference
from hallascope.engine.leaderboard.disagreements import MethodDisagreement, disagreements, furthest
from hallascope.engine.leaderboard.options import LeaderboardOptions, leaderboard_options
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.pages.leaderboard import choice as board_choice
from hallascope.pages.leaderboard.choice import TITLES, FigureKind, LeaderboardChoice
from hallascope.pages.shared.run_progress import short_name

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

EMPTY = "Nothing has been judged here yet: generate pictures on the Explore tab, or run a sweep."
DEMO = (
    "Nothing has been judged here yet, so these are the numbers of a run that ships with HallaScope"
    " ({title}). Your own runs are shown as soon as there are any; these stay under “Shipped"
    " results”."
)
BESIDE = (
    "These are the numbers of a run that ships with HallaScope ({title}). Choose “My runs” for your"
    " own."
)
TOO_FEW = "A radar needs three groups or more: choose another thing to go by, or show bars."
PAIRED = (
    "By paired bootstrap over the prompts that both answered. p: the chance of a difference at"
    " least as large where there is none; groups are not corrected for being many."
)
RANKED = (
    "Apart: how far the highest place that a method gives a picture among all pictures is above the"
    " lowest, from 0 to 1; that one method is stricter than another is no disagreement. A picture"
    " leads to the evidence of the two that are furthest apart."
)
LOOKED_AT = "Looked at: the {:,} pictures that were judged last."
SIZE = 12  # pictures on a page


class LeaderboardView(NamedTuple):
    """What the page shows: HTML, and the figure (None: nothing to draw)."""

    label: str
    controls: str
    figure: "Figure | None"
    words: str
    difference: str
    table: str


class FigureValues(NamedTuple):
    """What figure and table show."""

    ours: Sequence[Bar]
    published: Sequence[Bar]
    axis: Axis


def leaderboard_view(
    services: Services, wanted: LeaderboardChoice, page: int = 0
) -> LeaderboardView:
    """All that stands above what is picked; one sentence where there can be nothing.

    `page`: of the pictures on which methods disagree.
    """
    try:
        return _leaderboard_view(
            services, source(services.store, shipped=wanted.shipped), wanted, page
        )
    except HallaScopeError as sentence:
        return LeaderboardView(
            label=status.error_message(str(sentence)),
            controls="",
            figure=None,
            words="",
            difference="",
            table="",
        )


def _leaderboard_view(
    services: Services, of: LeaderboardSource, wanted: LeaderboardChoice, page: int
) -> LeaderboardView:
    known = [model.spec.id for model in services.generators()]
    there = in_order(leaderboard_options(of.store, wanted.metric), known)
    if not there.metrics:
        return LeaderboardView(
            label=status.idle_message(EMPTY),
            controls="",
            figure=None,
            words="",
            difference="",
            table="",
        )
    choice = board_choice.resolve_choice(wanted, there)
    found = board(of.store, choice.query)
    label = demo(of.title, of.both) if of.demo else ""
    laid = board_choice.controls_html(choice, there, found.instruments, of.both)
    if choice.view == "apart":
        return LeaderboardView(
            label=label,
            controls=laid,
            figure=None,
            words="",
            difference="",
            table=disagreement_table(of.store, choice, page),
        )
    values = _values(found, choice, known)
    drawn = figure(choice.view, values, known)
    words = (
        TOO_FEW
        if drawn is None and choice.view == "radar"
        else ranking.figure_summary(*values, found.higher_is_better)
    )
    told = ranking.table(
        *values[:2], TITLES[choice.by].lower(), values.axis, board_choice.board_description(found)
    )
    return LeaderboardView(
        label=label,
        controls=laid,
        figure=drawn,
        words=f"<p>{text(words)}</p>",
        difference=difference_table(of.store, choice, found),
        table=told,
    )


def in_order(there: LeaderboardOptions, known: Sequence[str]) -> LeaderboardOptions:
    """The same with the models as they stand elsewhere, then those that nobody knows."""
    return replace(
        there,
        models=tuple(
            sorted(
                there.models, key=lambda model: known.index(model) if model in known else len(known)
            )
        ),
    )


def demo(title: str, both: bool = False) -> str:
    """What stands above numbers that are not of this store. `both`: there are own ones, too."""
    said = (BESIDE if both else DEMO).format(title=title)
    return f'<p class="board-label" role="note"><strong>Example.</strong> {text(said)}</p>'


def _values(found: Board, choice: LeaderboardChoice, known: Sequence[str]) -> FigureValues:
    published = board_choice.bars(found.published) if choice.published == "shown" else []
    return FigureValues(board_choice.bars(found.rows, known), published, board_choice.axis(found))


def figure(view: FigureKind, values: FigureValues, known: Sequence[str]) -> "Figure | None":
    """The figure of the chosen sort; None where there is nothing to draw."""
    if not values.ours:
        return None
    of = model_styles([one.model for one in values.ours], known)
    match view:
        case "heat":
            return charts.heat_map(values.ours, values.axis)
        case "radar":
            return charts.radar(values.ours, of, values.axis)
        case "bars":
            return charts.bars(*values[:2], of, values.axis)
        case "apart":
            return None


def difference_table(store: Store, choice: LeaderboardChoice, found: Board) -> str:
    """The difference of the two models that are chosen, over all and group by group.

    "" where none are.
    """
    if not choice.one or not choice.other:
        return ""
    groups = dict.fromkeys(
        one.group for one in found.rows if one.group and one.model in (choice.one, choice.other)
    )
    try:
        told = [
            difference(store, choice.query, choice.one, choice.other, group)
            for group in ("", *groups)
        ]
    except HallaScopeError as sentence:
        return f'<section class="panel"><p class="soft">{text(str(sentence))}</p></section>'
    return ranking.differences(
        short_name(choice.one), short_name(choice.other), told, TITLES[choice.by].lower(), PAIRED
    )


def disagreement_table(store: Store, choice: LeaderboardChoice, page: int) -> str:
    """A page of the pictures on which methods disagree."""
    found = disagreements(store, choice.methods, page=max(page, 0), size=SIZE)
    methods = list(
        dict.fromkeys(metrics.title(metric) for one in found.items for metric in one.scores)
    )
    sheet = Pagination(found.page, -(-found.total // SIZE), found.total)
    return listed(
        [_disagreement_row(one) for one in found.items],
        methods,
        sheet,
        f"{RANKED} {LOOKED_AT.format(found.considered)}",
    )


def _disagreement_row(one: MethodDisagreement) -> DisagreementRow:
    scores = {metrics.title(metric): value for metric, value in one.scores.items()}
    low, high = furthest(one.ranks)
    return DisagreementRow(
        key=one.generation,
        prompt=one.prompt,
        model=short_name(one.model),
        path=existing_file(one.thumbnail),
        scores=scores,
        difference=one.value,
        ends=(metrics.title(low), metrics.title(high)),
    )


def existing_file(path: Path | None) -> Path | None:
    """Return a file if it is there: pictures judged elsewhere may have come without theirs."""
    return path if path is not None and path.exists() else None
