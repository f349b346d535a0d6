"""Turns the store into what the Leaderboard tab shows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple

from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.html.markup import join, soft_line, tag
from hallascope.components.leaderboard import charts, ranking_table
from hallascope.components.leaderboard.charts import Bar
from hallascope.components.leaderboard.published_tables import published_tables_html
from hallascope.components.leaderboard.ranking_table import TableContext
from hallascope.components.theme.model_colors import model_styles
from hallascope.data.published.numbers import tables_of_metric
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.judge_eval.expected_reliability import ReliabilityLookup
from hallascope.engine.leaderboard.board import Board, board, published_rows
from hallascope.engine.leaderboard.comparisons import (
    compare_models,
    difference,
    power_sentence,
)
from hallascope.engine.leaderboard.demo import LeaderboardSource, leaderboard_source
from hallascope.engine.leaderboard.drilldown import (
    METHODS,
    disagreements,
)
from hallascope.engine.leaderboard.judges import row_judge, row_reliability
from hallascope.engine.leaderboard.label_correction import CorrectedRow
from hallascope.engine.leaderboard.options import (
    LeaderboardOptions,
    leaderboard_options,
    published_options,
)
from hallascope.engine.leaderboard.redraw import redraw_at_once
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.pages.leaderboard import choice as board_choice
from hallascope.pages.leaderboard import corrections, lists
from hallascope.pages.leaderboard.choice import (
    TITLES,
    LeaderboardChoice,
    control_options,
)
from hallascope.pages.shared.known_models import known_models
from hallascope.pages.shared.run_pictures import short_name

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

EMPTY = (
    "No results yet: generate images on the Evaluate tab or run a sweep. Results "
    "that ship with HallaScope are under “Reference”."
)
REFERENCE_NOTE = "These results ship with HallaScope ({title}). Your own are under “Mine”."
PUBLISHED_NOTE = (
    "Numbers from papers, with other prompts and other judges: do not compare "
    "them with those under “Reference” and “Mine”."
)
PAIRED = (
    "Interval: Student's t of the differences by prompt, over the prompts that "
    "both answered. p (sign flips): the chance of a difference at least this "
    "large if there is none. Groups are not corrected for multiple tests."
)
RANKED = (
    "Disagreement: how differently the metrics rank this image, 0 alike, 1 best in one and worst in"
    " another. A metric that is stricter on all images does not disagree. An image leads to the"
    " evidence of the two metrics that are furthest apart."
)
LOOKED_AT = "Compared: the {:,} images that were judged last."
SIZE = 12  # pictures on a page


class LeaderboardView(NamedTuple):
    """Holds what the page shows: HTML, and the figure (None: nothing to draw).

    `options` are what the controls offer, by name. `choice` is what is shown, None where a sentence
    says why nothing is; the controls then stay.
    """

    label: Markup
    options: Mapping[str, Mapping[str, str]] = {}
    choice: LeaderboardChoice | None = None
    figure: "Figure | None" = None
    words: Markup = Markup()
    difference: Markup = Markup()
    table: Markup = Markup()


def leaderboard_view(
    services: Services, choice: LeaderboardChoice, page: int = 0
) -> LeaderboardView:
    """Return all that stands above what is picked; one sentence where there is nothing.

    `page`: of the pictures on which methods disagree.
    """
    try:
        if choice.results == board_choice.PUBLISHED:
            return _published_view(choice)
        return _leaderboard_view(services, board_source(services, choice), choice, page)
    except HallaScopeError as sentence:
        return LeaderboardView(status.error_message(sentence))


def board_source(services: Services, choice: LeaderboardChoice) -> LeaderboardSource:
    """Return the store that the chosen results are read from.

    Where none are chosen it is one's own where anything was evaluated, else the reference.
    """
    shipped = choice.results == board_choice.REFERENCE
    source = leaderboard_source(services.store, shipped=shipped, filters=choice.query.filters)
    if source.demo and choice.results == board_choice.MINE:
        return LeaderboardSource(services.store, demo=False)
    return source


def _published_view(wanted: LeaderboardChoice) -> LeaderboardView:
    options = published_options(wanted.metric)
    choice = board_choice.resolve_choice(wanted, options)
    if choice.score not in options.scores:  # of some metrics papers print the parts alone
        choice = replace(choice, score=options.scores[0])
    published = board_choice.bars(published_rows(choice.query))
    axis = board_choice.axis(choice.query)
    context = TableContext(TITLES[choice.by].lower(), axis)
    return LeaderboardView(
        label=note(PUBLISHED_NOTE),
        options=control_options(choice, options),
        choice=choice,
        figure=charts.bars(published, (), charts.hollow_styles(published), axis)
        if published
        else None,
        words=ranking_table.figure_words((), published, axis),
        table=join(
            ranking_table.table((), published, context),
            published_tables_html(tables_of_metric(choice.metric)),
        ),
    )


def _leaderboard_view(
    services: Services, ranked: LeaderboardSource, wanted: LeaderboardChoice, page: int
) -> LeaderboardView:
    known = known_models(services.registry, ranked.store)
    options = in_order(leaderboard_options(ranked.store, wanted.metric, wanted.run), known)
    choice = board_choice.resolve_choice(wanted, options)
    # the address then names what is shown, which may not be what is shown by default tomorrow
    choice = replace(choice, results=board_choice.REFERENCE if ranked.demo else board_choice.MINE)
    if not options.metrics:
        controls = control_options(choice, options)
        return LeaderboardView(status.result_message(EMPTY), controls, choice)
    ranking = board(ranked.store, choice.query)
    views = board_choice.offered_views(
        groups=len({row.group for row in ranking.rows}),
        metrics_scored=sum(metric in METHODS for metric in options.metrics),
    )
    choice = replace(choice, view=choice.view if choice.view in views else "bars")
    label = reference_note(ranked.title) if ranked.demo else Markup()
    if wanted.run and not choice.run:
        label = join(label, note(board_choice.unknown_run(wanted.run), role="alert"))
    if choice.view == "apart":
        # a list that is hidden here keeps the plan that was chosen
        kept = {choice.plan: choice.plan} if choice.plan else {}
        controls = control_options(choice, options, views, ranking.instruments, kept)
        table = disagreement_table(services, ranked, choice, page)
        return LeaderboardView(label, controls, choice, table=table)
    correction = corrections.correct_scores(services, ranked, ranking, choice.plan)
    plans = correction.plans if correction.can_be_chosen else None
    words_of_people = corrections.correction_words(correction, ranked, ranking)
    corrected = correction.rows
    if choice.corrected == board_choice.HIDDEN:
        corrected = ()
        words_of_people = Markup()
    if correction.complaint:
        label = join(label, note(correction.complaint, role="alert"))
    published = ranking.published if choice.published == board_choice.SHOWN else ()
    ours, context = board_table(services, ranked.store, ranking, corrected)
    beside = board_choice.bars(published, unit=ranking.unit)
    axis, styles = context.axis, context.styles
    figure, words = None, Markup()
    if ours:
        has_bars = choice.view == "bars"
        words = ranking_table.figure_words(ours, beside, axis, has_bars=has_bars)
        match choice.view:
            case "heat":
                figure = charts.heat_map(ours, axis)
            case "radar":
                figure = charts.radar(ours, styles, axis)
            case "bars":
                figure = charts.bars(ours, beside, styles, axis)
    return LeaderboardView(
        label=label,
        options=control_options(choice, options, views, ranking.instruments, plans),
        choice=choice,
        figure=figure,
        words=join(words, words_of_people),
        difference=difference_table(ranked.store, choice, ranking),
        table=ranking_table.table(ours, beside, context),
    )


def board_table(
    services: Services,
    store: Store,
    ranking: Board,
    corrected: Sequence[CorrectedRow],
    *,
    is_site: bool = False,
) -> tuple[list[Bar], TableContext]:
    """Return the rows of a leaderboard as figures and tables show them, and what it says of them.

    `corrected`: what people's labels make of them. On a site nothing leads to what is behind a row,
    and nobody is named who corrected what a prompt asks for.
    """
    known = known_models(services.registry, store)
    comparisons = compare_models(store, ranking)
    ours = board_choice.bars(
        ranking.rows,
        known,
        partial(row_judge, ranking),
        row_reliability(store, ranking, ReliabilityLookup(services).find),
        comparisons.ranks,
        ranking.unit,
    )
    return corrections.with_corrections(ours, corrected), TableContext(
        by=TITLES[ranking.query.by].lower(),
        axis=board_choice.axis(ranking.query),
        styles=model_styles([bar.model for bar in ours], known),
        judged=board_choice.judged_by(ranking),
        method=[
            *board_choice.board_description(ranking, is_anonymous=is_site),
            *comparisons.sentences,
        ],
        leads=not is_site,
    )


def in_order(options: LeaderboardOptions, order: Sequence[str]) -> LeaderboardOptions:
    """Return the options with the models in the order of the registry, unknown ones last."""
    models = sorted(options.models, key=lambda model: board_choice.place_in(order, model))
    return replace(options, models=tuple(models))


def reference_note(title: str) -> Markup:
    """Return the note above the reference results, which says what they are."""
    return note(join(tag("strong", "Reference."), f" {REFERENCE_NOTE.format(title=title)}"))


def note(words: str, role: Literal["note", "alert"] = "note") -> Markup:
    """Return a line above the figure."""
    return tag("p", words, class_="board-label", role=role)


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
        return tag("section", soft_line(str(sentence)), class_="panel")
    return ranking_table.differences(
        short_name(choice.one),
        short_name(choice.other),
        differences,
        TITLES[choice.by].lower(),
        list(filter(None, (power_sentence(differences[0]), PAIRED))),
    )


def disagreement_table(
    services: Services, ranked: LeaderboardSource, choice: LeaderboardChoice, page: int
) -> Markup:
    """Return a page of the pictures on which methods disagree."""
    result = disagreements(ranked.store, choice.methods, page=max(page, 0), size=SIZE)
    if ranked.demo:
        redrawn = (
            replace(each, thumbnail=redraw_at_once(services, each.model, each.prompt, each.seed))
            for each in result.items
        )
        result = result._replace(items=tuple(redrawn))
    return lists.disagreements(result, f"{RANKED} {LOOKED_AT.format(result.considered)}")
