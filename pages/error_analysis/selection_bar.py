"""Lays out the choice of judged images that all parts of the Errors tab share."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, NamedTuple

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.html.gradio_html import holder, quiet
from hallascope.engine.error_analysis.judged_cache import JudgedImagesCache
from hallascope.engine.error_analysis.selection import ErrorSelection
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.image_tags import latest_tags
from hallascope.engine.leaderboard.filters import Filters, Query
from hallascope.engine.leaderboard.options import leaderboard_options
from hallascope.engine.leaderboard.queries import read_instruments
from hallascope.engine.services import Services
from hallascope.pages.error_analysis import selection_choice
from hallascope.pages.error_analysis.selection_choice import SelectionChoice, parse_choice
from hallascope.pages.shared.context import PageContext

EMPTY = (
    "Nothing has been judged here yet: generate images on the Evaluate tab, or run a sweep. The"
    " images are then shown here."
)
MOST_TAGS = 12  # that can be chosen: those given last
_readings = count(1)


class SelectionBar(NamedTuple):
    """Holds the State of the `ErrorSelection` that is chosen.

    `reading` is a State of a number, 0 before the first choice is read: another number says that
    the judged images are to be read again, after a new choice or when the tab is opened. `cache`
    reads the judged images of a selection once for all parts.
    """

    chosen: gr.State
    reading: gr.State
    cache: JudgedImagesCache


class ErrorsPart(NamedTuple):
    """Names a part of the tab.

    `to_fill` is a State that changes when the part is opened, or another choice is read while it
    is open.
    """

    name: str
    to_fill: gr.State
    bar: SelectionBar

    def fill(
        self, look: Callable[..., Any], outputs: Sequence[Any], more: Sequence[Any] = (), **how: Any
    ) -> None:
        """Have `look` fill the part while it is open: once after each new choice, and with the tab.

        `look` takes the request, the `ErrorSelection` and the values of `more`. A part that is
        opened again with the same choice stays as it is, and a part that is not open costs nothing.
        """
        filled = gr.State(0)
        self.to_fill.change(
            fill_once(look, len(outputs)),
            [filled, self.bar.reading, self.bar.chosen, *more],
            [*outputs, filled],
            trigger_mode="multiple",
            **how,
        )


def fill_once(look: Callable[..., Any], outputs: int) -> Callable[..., Any]:
    """Return a handler that has `look` fill so many outputs, and does nothing a second time.

    It takes the request, the reading that is shown, the one that is to be, and what `look` takes;
    it returns what `look` does and the reading. To fill a part twice would take back what a person
    has chosen in it meanwhile.
    """

    def fill(asker: gr.Request, shown: int, reading: int, *values: Any) -> Any:
        if shown == reading:
            return gr.skip()
        found = look(asker, *values)
        return *(found if outputs > 1 else (found,)), reading

    return fill


@dataclass(frozen=True)
class SelectionEvents:
    """Answers the events of the bar; `sent` is what it holds."""

    services: Services
    cache: JudgedImagesCache = field(default_factory=JudgedImagesCache)

    def show_choice(self, before: ErrorSelection, sent: Any) -> tuple[Any, Any, gr.HTML]:
        """Return the selection, whether it is to be read, and the bar that shows it."""
        selection, body = self.read_choice(sent)
        is_new = isinstance(selection, ErrorSelection) and selection != before
        return selection, next(_readings) if is_new else gr.skip(), gr.HTML(body=body)

    def open_tab(self, asker: gr.Request, sent: Any) -> tuple[Any, int, gr.HTML]:
        """Return what the bar holds, else what the address names; it is read again."""
        chosen = sent or selection_choice.parse_address(asker.query_params.multi_items())
        selection, body = self.read_choice(chosen)
        return selection, next(_readings), gr.HTML(chosen, body=body)

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
        instruments = read_instruments(store, Query(choice.metric, filters=Filters(runs=runs)))
        if choice.instrument not in [instrument.key for instrument in instruments]:
            choice = replace(choice, instrument="")
        judged = self.cache.read(store, choice.selection)
        tags = latest_tags(store, MOST_TAGS)
        bar = selection_choice.bar_html(choice, options, instruments, judged, tags)
        return choice.selection, bar


def build(services: Services, place: PageContext) -> SelectionBar:
    """Lay the bar out and connect it."""
    events = SelectionEvents(services)
    bar = SelectionBar(gr.State(ErrorSelection()), gr.State(0), events.cache)
    controls = holder("error_analysis/selection_bar", Markup(), {}, elem_id="errors-selection")
    shown = [bar.chosen, bar.reading, controls]
    at_once: Any = {"concurrency_limit": 4, "concurrency_id": "errors-selection", **quiet()}
    controls.change(events.show_choice, [bar.chosen, controls], shown, **at_once)
    place.tab.select(events.open_tab, controls, shown, **at_once)
    return bar
