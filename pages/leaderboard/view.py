"""Turns the store into what the Leaderboard tab shows."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from hallascope import metrics
from hallascope.components.cards import status
from hallascope.components.html.markup import join, tag
from hallascope.components.leaderboard import charts
from hallascope.components.leaderboard import controls as ranking_table
from hallascope.components.leaderboard.charts import Axis, Bar
from hallascope.components.leaderboard.drilldown import DisagreementRow, Pagination
from hallascope.components.leaderboard.drilldown import disagreements as listed
from hallascope.components.theme.model_colors import model_styles
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.judge_eval.expected_reliability import ReliabilityLookup
from hallascope.engine.leaderboard.board import Board, board
from hallascope.engine.leaderboard.comparisons import compare_models, power_sentence
from hallascope.engine.leaderboard.demo import LeaderboardSource, leaderboard_source
from hallascope.engine.leaderboard.differences import difference
from hallascope.engine.leaderboard.disagreements import MethodDisagreement, disagreements, furthest
from hallascope.engine.leaderboard.judges import row_judge, row_reliability
from hallascope.engine.leaderboard.options import LeaderboardOptions, leaderboard_options
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.pages.leaderboard import choice as board_choice
from hallascope.pages.leaderboard import corrections
from hallascope.pages.leaderboard.choice import TITLES, FigureKind, LeaderboardChoice
from hallascope.pages.shared.run_pictures import short_name

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
    "Intervals: Student's t of the differences by prompt, over the prompts that both answered."
    " p: by sign flips, the chance of a difference at least as large where there is none; groups"
    " are not corrected for being many."
)
RANKED = (
    "Apart: how far the highest place that a method gives a picture among all pictures is above the"
    " lowest, from 0 to 1; that one method is stricter than another is no disagreement. A picture"
    " leads to the evidence of the two that are furthest apart."
)
LOOKED_AT = "Looked at: the {:,} pictures that were judged last."
SIZE = 12  # pictures on a page


class LeaderboardView(NamedTuple):
    """Holds what the page shows: HTML, and the figure (None: nothing to draw)."""

    label: Markup
    controls: Markup
    figure: "Figure | None"
    words: Markup
    difference: Markup
    table: Markup


class FigureValues(NamedTuple):
    """Holds what figure and table show."""

    ours: Sequence[Bar]
    published: Sequence[Bar]
    axis: Axis


def leaderboard_view(
    services: Services, choice: LeaderboardChoice, page: int = 0
) -> LeaderboardView:
    """Return all that stands above what is picked; one sentence where there is nothing.

    `page`: of the pictures on which methods disagree.
    """
    try:
        return _leaderboard_view(
            services, leaderboard_source(services.store, shipped=choice.shipped), choice, page
        )
    except HallaScopeError as sentence:
        return _view_without_figure(status.error_message(str(sentence)))


def _leaderboard_view(
    services: Services, ranked: LeaderboardSource, wanted: LeaderboardChoice, page: int
) -> LeaderboardView:
    known = [model.spec.id for model in services.generators()]
    options = in_order(leaderboard_options(ranked.store, wanted.metric), known)
    if not options.metrics:
        return _view_without_figure(status.idle_message(EMPTY))
    choice = board_choice.resolve_choice(wanted, options)
    ranking = board(ranked.store, choice.query)
    label = demo(ranked.title, ranked.both) if ranked.demo else Markup()
    if choice.view == "apart":
        controls = board_choice.controls_html(choice, options, ranking.instruments, ranked.both)
        table = disagreement_table(ranked.store, choice, page)
        return _view_without_figure(label, controls, table)
    corrected = corrections.corrected_rows(ranked, ranking)
    labeled = corrections.have_labels(corrected)
    controls = board_choice.controls_html(
        choice, options, ranking.instruments, ranked.both, labeled
    )
    words_of_people = corrections.correction_words(corrected, ranked, ranking)
    if choice.corrected == "hidden":
        corrected = ()
        words_of_people = Markup()
    comparisons = compare_models(ranked.store, ranking)
    published = ranking.published if choice.published == "shown" else ()
    ours = board_choice.bars(
        ranking.rows,
        known,
        partial(row_judge, ranking),
        row_reliability(ranked.store, ranking, ReliabilityLookup(services).find),
        comparisons.ranks,
    )
    values = FigureValues(
        ours=corrections.with_corrections(ours, corrected),
        published=board_choice.bars(published),
        axis=board_choice.axis(ranking),
    )
    plot = figure(choice.view, values, known)
    words = ranking_table.figure_summary(*values, ranking.higher_is_better)
    if plot is None and choice.view == "radar":
        words = TOO_FEW
    return LeaderboardView(
        label=label,
        controls=controls,
        figure=plot,
        words=join(
            tag("p", words),
            *(tag("p", f" {sentence}", class_="soft") for sentence in comparisons.sentences),
            words_of_people,
        ),
        difference=difference_table(ranked.store, choice, ranking),
        table=ranking_table.table(
            values.ours,
            values.published,
            TITLES[choice.by].lower(),
            values.axis,
            board_choice.board_description(ranking),
        ),
    )


def _view_without_figure(
    label: Markup, controls: Markup = Markup(), table: Markup = Markup()
) -> LeaderboardView:
    return LeaderboardView(
        label=label,
        controls=controls,
        figure=None,
        words=Markup(),
        difference=Markup(),
        table=table,
    )


def in_order(options: LeaderboardOptions, order: Sequence[str]) -> LeaderboardOptions:
    """Return the options with the models in the order of the registry, unknown ones last."""
    models = sorted(options.models, key=lambda model: board_choice.place_in(order, model))
    return replace(options, models=tuple(models))


def demo(title: str, both: bool = False) -> Markup:
    """Return the note above shipped numbers; `both`: there are one's own, too."""
    words = (BESIDE if both else DEMO).format(title=title)
    example = tag("strong", "Example.")
    return tag("p", example, f" {words}", class_="board-label", role="note")


def figure(view: FigureKind, values: FigureValues, known: Sequence[str]) -> "Figure | None":
    """Return the figure of the chosen view; None where there is nothing to draw."""
    if not values.ours:
        return None
    styles = model_styles([bar.model for bar in values.ours], known)
    match view:
        case "heat":
            return charts.heat_map(values.ours, values.axis)
        case "radar":
            return charts.radar(values.ours, styles, values.axis)
        case "bars":
            return charts.bars(*values[:2], styles, values.axis)
        case "apart":
            return None


def difference_table(store: Store, choice: LeaderboardChoice, ranking: Board) -> Markup:
    """Return the difference of the two chosen models, over all and group by group.

    "" where none are.
    """
    if not choice.one or not choice.other:
        return Markup()
    groups = dict.fromkeys(
        row.group for row in ranking.rows if row.group and row.model in (choice.one, choice.other)
    )
    try:
        differences = [
            difference(store, choice.query, choice.one, choice.other, group)
            for group in ("", *groups)
        ]
    except HallaScopeError as sentence:
        return tag("section", tag("p", str(sentence), class_="soft"), class_="panel")
    return ranking_table.differences(
        short_name(choice.one),
        short_name(choice.other),
        differences,
        TITLES[choice.by].lower(),
        PAIRED,
        power_sentence(differences[0]),
    )


def disagreement_table(store: Store, choice: LeaderboardChoice, page: int) -> Markup:
    """Return a page of the pictures on which methods disagree."""
    result = disagreements(store, choice.methods, page=max(page, 0), size=SIZE)
    methods = list(
        dict.fromkeys(metrics.title(metric) for row in result.items for metric in row.scores)
    )
    pagination = Pagination(result.page, -(-result.total // SIZE), result.total)
    return listed(
        [_disagreement_row(row) for row in result.items],
        methods,
        pagination,
        f"{RANKED} {LOOKED_AT.format(result.considered)}",
    )


def _disagreement_row(picture: MethodDisagreement) -> DisagreementRow:
    scores = {metrics.title(metric): value for metric, value in picture.scores.items()}
    low, high = furthest(picture.ranks)
    return DisagreementRow(
        key=picture.generation,
        prompt=picture.prompt,
        model=short_name(picture.model),
        path=existing_file(picture.thumbnail),
        scores=scores,
        difference=picture.value,
        ends=(metrics.title(low), metrics.title(high)),
    )


def existing_file(path: Path | None) -> Path | None:
    """Return a file if it is there: pictures judged elsewhere may have come without theirs."""
    return path if path is not None and path.exists() else None
