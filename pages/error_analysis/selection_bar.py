"""Lays out the choice of judged images that all parts of the Errors tab share."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.html.gradio_html import holder, quiet
from hallascope.engine.error_analysis.judged_cache import JudgedImagesCache
from hallascope.engine.error_analysis.selection import ErrorSelection
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.image_tags import latest_tags
from hallascope.engine.leaderboard.board import list_instruments
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.engine.leaderboard.options import leaderboard_options
from hallascope.engine.services import Services
from hallascope.pages.error_analysis import selection_choice
from hallascope.pages.error_analysis.selection_choice import SelectionChoice, parse_choice
from hallascope.pages.shared.context import PageContext

EMPTY = (
    "Nothing has been judged here yet: generate images on the Evaluate tab, or run a sweep. The"
    " images are then shown here."
)
MOST_TAGS = 12  # that can be chosen: those given last


class SelectionBar(NamedTuple):
    """Holds the State of the `ErrorSelection` that is chosen; every part follows its changes.

    `cache` reads the judged images of a selection once for all parts. `opened` is a State of the
    name of the part that is open.
    """

    chosen: gr.State
    cache: JudgedImagesCache
    opened: gr.State


class ErrorsPart(NamedTuple):
    """Names a part of the tab; `tab` is the part's own tab, `page` the tab of the whole."""

    name: str
    tab: gr.Tab
    page: gr.Tab
    bar: SelectionBar

    def fill(
        self, look: Callable[..., Any], outputs: Sequence[Any], more: Sequence[Any] = (), **how: Any
    ) -> None:
        """Have `look` fill the part while it is open: after each new choice, and with the tab.

        `look` takes the request, the `ErrorSelection` and the values of `more`. A part that is
        opened again with the same choice stays as it is, and a part that is not open costs nothing.
        """
        shown: gr.State = gr.State(None)

        def fill(asker: gr.Request, selection: ErrorSelection, values: Sequence[Any]) -> Any:
            found = look(asker, selection, *values)
            return *(found if len(outputs) > 1 else (found,)), selection

        def fill_new(
            asker: gr.Request, before: Any, selection: ErrorSelection, *values: Any
        ) -> Any:
            return gr.skip() if before == selection else fill(asker, selection, values)

        def fill_open(
            asker: gr.Request, opened: str, selection: ErrorSelection, *values: Any
        ) -> Any:
            return fill(asker, selection, values) if opened == self.name else gr.skip()

        inputs = [self.bar.chosen, *more]
        filled = [*outputs, shown]
        self.tab.select(fill_new, [shown, *inputs], filled, **how)
        for changed in (self.page.select, self.bar.chosen.change):
            changed(fill_open, [self.bar.opened, *inputs], filled, **how)


@dataclass(frozen=True)
class SelectionEvents:
    """Answers the events of the bar; `sent` is what it holds."""

    services: Services
    cache: JudgedImagesCache = field(default_factory=JudgedImagesCache)

    def show_choice(self, sent: Any) -> tuple[Any, gr.HTML]:
        """Return the selection, and the bar that shows it."""
        selection, body = self.read_choice(sent)
        return selection, gr.HTML(body=body)

    def open_tab(self, asker: gr.Request, sent: Any) -> tuple[Any, gr.HTML]:
        """Return what the bar holds, else what the address names."""
        chosen = sent or selection_choice.parse_address(asker.query_params.multi_items())
        selection, body = self.read_choice(chosen)
        return selection, gr.HTML(chosen, body=body)

    def read_choice(self, sent: Any) -> tuple[Any, Markup]:
        """Return the selection and the bar; where it cannot be read, the one before and why."""
        try:
            return self._selection_and_bar(parse_choice(sent))
        except HallaScopeError as sentence:
            return gr.skip(), status.error_message(str(sentence))

    def _selection_and_bar(self, wanted: SelectionChoice) -> tuple[ErrorSelection, Markup]:
        store = self.services.store
        options = leaderboard_options(store, wanted.metric)
        choice = selection_choice.resolve_choice(wanted, options)
        if not options.metrics:
            return choice.selection, status.idle_message(EMPTY)
        runs = choice.selection.filters.runs
        instruments = list_instruments(store, Query(choice.metric, filters=Filters(runs=runs)))
        if choice.instrument not in [instrument.key for instrument in instruments]:
            choice = replace(choice, instrument="")
        judged = self.cache.read(store, choice.selection)
        tags = latest_tags(store, MOST_TAGS)
        bar = selection_choice.bar_html(choice, options, instruments, judged, tags)
        return choice.selection, bar


def build(services: Services, place: PageContext, first: str) -> SelectionBar:
    """Lay the bar out and connect it; `first` is the part that is open at first."""
    events = SelectionEvents(services)
    chosen = gr.State(ErrorSelection())
    controls = holder("error_analysis/selection_bar", Markup(), {}, elem_id="errors-selection")
    at_once: Any = {"concurrency_limit": 4, "concurrency_id": "errors-selection", **quiet()}
    controls.change(events.show_choice, controls, [chosen, controls], **at_once)
    place.tab.select(events.open_tab, controls, [chosen, controls], **at_once)
    return SelectionBar(chosen, events.cache, gr.State(first))
