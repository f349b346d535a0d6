"""Builds Leaderboard: models by their mean scores, what is behind a number, and disagreements."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import gradio as gr
from markupsafe import Markup

from hallascope.components.html.gradio_html import (
    CHOICE_EVENT,
    NO_PROGRESS,
    input_html,
    scripted_html,
    static_html,
)
from hallascope.components.html.markup import tag
from hallascope.engine.services import Services
from hallascope.pages.leaderboard import choice as board_choice
from hallascope.pages.leaderboard import drilldown, view
from hallascope.pages.leaderboard.choice import (
    FILTERS,
    IN_SIGHT,
    PAIR,
    SWITCHES,
    LeaderboardChoice,
    parse_choice,
)
from hallascope.pages.leaderboard.drilldown import Pick
from hallascope.pages.leaderboard.view import LeaderboardView
from hallascope.pages.shared.context import PageContext
from hallascope.pages.shared.evidence.people_labels import evidence_viewer
from hallascope.pages.shared.server_functions import one_sentence
from hallascope.pages.shared.visitor import services_of

TITLE = "Leaderboard"
HELP = Markup("""<div class="lead"><p>Average score of each <strong>model</strong> with its 95 %
interval. Questions without an answer do not count; the column <em>left out</em> counts the
prompts without any answer. Click a row or a bar to see its prompts and images.</p></div>""")
NAMES = (*IN_SIGHT, *FILTERS, *PAIR)  # of the controls, in their order
COMPUTING = tag("section", tag("p", "Computing the table …", class_="soft", role="status"))


def build(services: Services, place: PageContext) -> None:
    """Lay the page out and connect it."""
    static_html(HELP)
    label = static_html(Markup(), elem_id="board-label")
    address = input_html("leaderboard/board_address", Markup(), {}, elem_id="board")
    with gr.Row(elem_id="board-choice", elem_classes=["board-fields"]):
        controls = [_control(name, title) for name, title in IN_SIGHT.items()]
    with gr.Row():
        filters, behind_filter = _fold("Filter", FILTERS, "board-filters")
        pair, behind_pair = _fold("Compare", PAIR, "board-pair")
    controls += behind_filter + behind_pair
    difference = static_html(Markup(), elem_id="board-difference")
    table = scripted_html("leaderboard/drilldown", COMPUTING, elem_id="board-table")
    behind = scripted_html("leaderboard/drilldown", Markup(), elem_id="board-behind")
    evidence = evidence_viewer(services, "board-evidence")
    figure = gr.Plot(show_label=False, container=False, elem_id="board-figure")
    words = scripted_html("leaderboard/figure_clicks", Markup(), elem_id="board-words")

    handlers = LeaderboardHandlers(services)
    content = [label, difference, table, figure, words]
    outputs: Any = [address, *controls, filters, pair, *content]
    shown: Any = {**NO_PROGRESS, "show_progress": "minimal", "show_progress_on": table}
    in_order: Any = {
        "trigger_mode": "always_last",  # a browser asks for one choice after another
        "concurrency_limit": 4,
        "concurrency_id": "board",
        "preprocess": False,  # what is no longer offered is ignored, and is no error
    }
    changes = [control.input for control in controls]
    gr.on(changes, handlers.choose, controls, outputs, **shown, **in_order)
    address.submit(handlers.open_tab, address, outputs, **shown, **in_order)
    place.shown.change(handlers.open_tab, address, outputs, concurrency_limit=4, **shown)
    with_bar: Any = {"inputs": address, **CHOICE_EVENT}
    table.select(handlers.show_prompts, outputs=behind, **with_bar)
    table.select(handlers.show_evidence, outputs=evidence, **with_bar)
    table.submit(handlers.turn_page, outputs=table, **with_bar)
    behind.submit(handlers.show_prompts, outputs=behind, **with_bar)
    behind.select(handlers.show_evidence, outputs=evidence, **with_bar)


def _fold(title: str, names: Mapping[str, str], elem_id: str) -> tuple[gr.Accordion, list[Any]]:
    with (
        gr.Accordion(title, open=False, elem_id=elem_id) as fold,
        gr.Row(elem_classes=["board-fields"]),
    ):
        return fold, [_control(name, words) for name, words in names.items()]


def _control(name: str, title: str) -> Any:
    options: dict[str, Any] = {"label": title, "elem_id": f"board-{name}", "interactive": True}
    if name == "results":
        return gr.Radio([], **options)
    if name in SWITCHES:
        return gr.Checkbox(**options)
    return gr.Dropdown([], multiselect=name == "models", **options)


# --- events ---


@dataclass(frozen=True)
class LeaderboardHandlers:
    """Answers the events of the page; `held` is what the address says of the choice."""

    services: Services

    def choose(self, asker: gr.Request, *values: Any) -> tuple[Any, ...]:
        """Return what is shown for the values of the controls, in their order."""
        sent = dict(zip(NAMES, values, strict=True))
        services = services_of(self.services, asker)
        return _outputs(view.leaderboard_view(services, parse_choice(sent)))

    def open_tab(self, asker: gr.Request, held: Any) -> tuple[Any, ...]:
        """Return what is held, else what the address names now.

        An app that is opened at this tab selects it, too. Nothing else answers then: a second
        answer might arrive after a person has chosen something, and would undo the choice.
        """
        services = services_of(self.services, asker)
        return open_address(services, asker.query_params.multi_items(), held)

    def show_prompts(self, held: Any, event: gr.EventData) -> str:
        return _sentence_or(drilldown.prompts, self.services, _choice_of(event, held), event)

    def show_evidence(self, held: Any, event: gr.EventData) -> str:
        return _sentence_or(drilldown.evidence, self.services, _choice_of(event, held), event)

    def turn_page(self, asker: gr.Request, held: Any, event: gr.EventData) -> str:
        page = drilldown.event_pick(event).page
        services = services_of(self.services, asker)
        return view.leaderboard_view(services, _choice_of(event, held), page).table


def _outputs(shown: LeaderboardView) -> tuple[Any, ...]:
    """Return what is shown in the order of the outputs; without a choice the controls stay."""
    content = (shown.label, shown.difference, shown.table, shown.figure, shown.words)
    choice, options = shown.choice, shown.options
    if choice is None:
        return (*[gr.skip()] * (3 + len(NAMES)), *content)
    return (
        board_choice.address_values(choice),
        *(_control_update(name, options[name], getattr(choice, name)) for name in NAMES),
        _fold_update("Filter", FILTERS, shown),
        _fold_update("Compare", PAIR, shown),
        *content,
    )


def _control_update(name: str, options: Mapping[str, str], value: Any) -> dict[str, Any]:
    visible = len(options) > 1
    if name in SWITCHES:
        return gr.update(value=value == board_choice.SHOWN, visible=visible)
    if name == "models":
        value = list(value)
    elif value not in options:
        value = next(iter(options), None)
    choices = [(words, option) for option, words in options.items()]
    return gr.update(choices=choices, value=value, visible=visible)


def _fold_update(title: str, names: Iterable[str], shown: LeaderboardView) -> dict[str, Any]:
    """Return a fold whose title names what is chosen in it; hidden where nothing can be chosen."""
    options = [(shown.options[name], getattr(shown.choice, name)) for name in names]
    chosen = [words[value] for words, value in options if value in list(words)[1:]]
    label = f"{title}: {', '.join(chosen)}" if chosen else title
    return gr.update(label=label, visible=any(len(words) > 1 for words, _ in options))


def open_address(
    services: Services, address: Iterable[tuple[str, str]], held: object = None
) -> tuple[Any, ...]:
    """Return what is shown for the choice that is held, else for that in the address."""
    pairs = list(address)
    sent = held or board_choice.parse_address(pairs)
    page = drilldown.pick({"page": dict(pairs).get(f"{board_choice.PREFIX}page")}).page
    return _outputs(view.leaderboard_view(services, parse_choice(sent), page))


def _choice_of(event: gr.EventData, held: object) -> LeaderboardChoice:
    """Return the choice that the address names, else the one that is held.

    When the page opens, a pick may be told before what the address names is held.
    """
    return parse_choice(drilldown.event_choices(event) or held)


def _sentence_or(
    look: Callable[[Services, LeaderboardChoice, Pick], str],
    services: Services,
    choice: LeaderboardChoice,
    event: gr.EventData,
) -> str:
    with one_sentence():
        return look(services, choice, drilldown.event_pick(event))
