"""Builds Leaderboard: models by their mean scores, what is behind a number, and disagreements."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import gradio as gr
from markupsafe import Markup

from hallascope.components.evidence.viewer import viewer
from hallascope.components.html.gradio_html import chosen, holder, live, quiet, still
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.services import Services
from hallascope.pages.leaderboard import choice as board_choice
from hallascope.pages.leaderboard import drilldown, view
from hallascope.pages.leaderboard.choice import LeaderboardChoice, parse_choice
from hallascope.pages.leaderboard.drilldown import Pick
from hallascope.pages.shared.context import PageContext
from hallascope.pages.shared.evidence.handlers import verdict_handler

NAME = "leaderboard"
TITLE = "Leaderboard"
HELP = Markup("""<div class="lead"><p>The mean score of each <strong>model</strong> over prompts (by
composition of interest: over questions) of what was answered, with its 95 % interval; what was left
out is counted beside it. Numbers of two judges or versions are never averaged. <em>Dots</em> in
place of bars say that a value counts fewer than 20 prompts. <em>Hollow marks</em> are numbers that
papers print, of other prompts and other judges. <em>Filled diamonds</em> are scores as people's
labels correct them. Click a bar or a dot, or its row, for its prompts and images.</p></div>""")


class Page(NamedTuple):
    """Holds the components that events listen to or write to."""

    label: gr.HTML
    controls: gr.HTML
    figure: gr.Plot
    words: gr.HTML
    table: gr.HTML
    difference: gr.HTML
    behind: gr.HTML
    evidence: gr.HTML


def build(services: Services, place: PageContext) -> Page:
    """Lay the page out and connect it."""
    page = _layout()
    _connect(services, place, page)
    return page


def _layout() -> Page:
    still(HELP)
    label = still(Markup(), elem_id="board-label")
    controls = holder("leaderboard/leaderboard_controls", Markup(), {}, elem_id="board")
    figure = gr.Plot(show_label=False, container=False, elem_id="board-figure")
    words = live("leaderboard/figure_clicks", Markup(), elem_id="board-words")
    difference = still(Markup(), elem_id="board-difference")
    table = live("leaderboard/drilldown", Markup(), elem_id="board-table")
    behind = live("leaderboard/drilldown", Markup(), elem_id="board-behind")
    evidence = live("evidence/viewer", viewer(()), elem_id="board-evidence")
    return Page(
        label=label,
        controls=controls,
        figure=figure,
        words=words,
        table=table,
        difference=difference,
        behind=behind,
        evidence=evidence,
    )


# --- events ---


@dataclass(frozen=True)
class LeaderboardEvents:
    """Answers the events of the page; `sent` is what the controls hold."""

    services: Services

    def show_choice(self, sent: Any) -> tuple[Any, ...]:
        shown = view.leaderboard_view(self.services, parse_choice(sent))
        return _outputs(shown, gr.HTML(body=shown.controls))

    def open_tab(self, asker: gr.Request, sent: Any) -> tuple[Any, ...]:
        """Return what the controls hold, else what the address names.

        An app that is opened at this tab selects it, too. Nothing else answers then: a second
        answer might arrive after a person has chosen something, and would undo the choice.
        """
        return open_address(self.services, asker.query_params.multi_items(), sent)

    def show_prompts(self, sent: Any, event: gr.EventData) -> str:
        return _sentence_or(drilldown.prompts, self.services, _choice_of(event, sent), event)

    def show_evidence(self, sent: Any, event: gr.EventData) -> str:
        return _sentence_or(drilldown.evidence, self.services, _choice_of(event, sent), event)

    def turn_page(self, sent: Any, event: gr.EventData) -> str:
        page = drilldown.event_pick(event).page
        return view.leaderboard_view(self.services, _choice_of(event, sent), page).table


def _connect(services: Services, place: PageContext, page: Page) -> None:
    events = LeaderboardEvents(services)
    outputs = [page.label, page.controls, page.figure, page.words, page.difference, page.table]
    at_once: Any = {"concurrency_limit": 4, "concurrency_id": "board", **quiet()}
    with_bar: Any = {"inputs": page.controls, **chosen()}
    page.controls.change(events.show_choice, page.controls, outputs, **at_once)
    place.tab.select(events.open_tab, page.controls, outputs, **at_once)
    page.table.select(events.show_prompts, outputs=page.behind, **with_bar)
    page.table.select(events.show_evidence, outputs=page.evidence, **with_bar)
    page.table.submit(events.turn_page, outputs=page.table, **with_bar)
    page.behind.submit(events.show_prompts, outputs=page.behind, **with_bar)
    page.behind.select(events.show_evidence, outputs=page.evidence, **with_bar)
    page.evidence.submit(verdict_handler(services), None, None, **chosen())


def _outputs(shown: view.LeaderboardView, controls: gr.HTML) -> tuple[Any, ...]:
    return shown.label, controls, shown.figure, shown.words, shown.difference, shown.table


def open_address(
    services: Services, address: Iterable[tuple[str, str]], held: Any = None
) -> tuple[Any, ...]:
    """Return what is shown for the choice in the controls, else for that in the address.

    The tab may be opened before its controls have read the address: both ways lead to the same.
    """
    pairs = list(address)
    sent = held or board_choice.parse_address(pairs)
    page = drilldown.pick({"page": dict(pairs).get(f"{board_choice.PREFIX}page")}).page
    shown = view.leaderboard_view(services, parse_choice(sent), page)
    return _outputs(shown, gr.HTML(sent, body=shown.controls))


def _choice_of(event: gr.EventData, sent: Any) -> LeaderboardChoice:
    """Return the choice that the address names, else that of the controls.

    When the page opens, a pick may be told before the controls hold what the address names.
    """
    return parse_choice(drilldown.event_choices(event) or sent)


def _sentence_or(
    look: Callable[[Services, LeaderboardChoice, Pick], str],
    services: Services,
    choice: LeaderboardChoice,
    event: gr.EventData,
) -> str:
    try:
        return look(services, choice, drilldown.event_pick(event))
    except HallaScopeError as sentence:
        raise gr.Error(str(sentence)) from sentence
