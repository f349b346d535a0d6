"""Lays out the choice of judged images that all parts of the Errors tab share."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.html.gradio_html import NO_PROGRESS, input_html, static_html
from hallascope.engine.error_analysis.selection import ErrorSelection
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.services import Services
from hallascope.pages.errors import selection_choice
from hallascope.pages.errors.selection_choice import (
    CONTROLS,
    FILTERS,
    MANY,
    OfferedChoice,
    offered_choice,
    parse_choice,
    selection_fields,
)
from hallascope.pages.shared.context import PageContext


class SelectionBar(NamedTuple):
    """Holds the State of the `ErrorSelection` that is chosen.

    `reading` is a State of the choice and what it holds, in words; "" before the first choice is
    read. Another value says that the judged images are to be read again: after a new choice, or
    where the tab is opened and there are other images than before.
    """

    chosen: gr.State
    reading: gr.State


class ErrorsPart(NamedTuple):
    """Describes a part of the tab.

    `to_fill` is a number that changes when the part is opened, or another choice is read while it
    is open.
    """

    to_fill: gr.Number
    bar: SelectionBar

    def fill(
        self, look: Callable[..., Any], outputs: Sequence[Any], more: Sequence[Any] = (), **how: Any
    ) -> None:
        """Have `look` fill the part while it is open: once after each new choice, and with the tab.

        `look` takes the request, the `ErrorSelection` and the values of `more`. A part that is
        opened again with the same choice stays as it is, and a part that is not open costs nothing.
        """
        filled = gr.State("")

        def fill_once(asker: gr.Request, shown: str, reading: str, *values: Any) -> Any:
            if shown == reading:  # a person may have chosen something in the part meanwhile
                return gr.skip()
            return *look(asker, *values), reading

        self.to_fill.change(
            fill_once,
            [filled, self.bar.reading, self.bar.chosen, *more],
            [*outputs, filled],
            trigger_mode="multiple",
            **how,
        )


@dataclass(frozen=True)
class SelectionHandlers:
    """Answers the events of the bar, in the order of its outputs (see `build`)."""

    services: Services

    def choose(self, asker: gr.Request, *values: Any) -> tuple[Any, ...]:
        """Return what is shown for the values of the controls, in their order."""
        return self._show(asker, dict(zip(CONTROLS, values, strict=True)))

    def open_tab(self, asker: gr.Request, held: Any) -> tuple[Any, ...]:
        """Return what the address held, else what it names."""
        named = selection_choice.parse_address(asker.query_params.multi_items())
        return self._show(asker, held or named)

    def _show(self, asker: gr.Request, sent: object) -> tuple[Any, ...]:
        """Return the outputs; where the choice cannot be read, only why."""
        try:
            offered = offered_choice(self.services, asker, parse_choice(sent))
        except HallaScopeError as sentence:
            skipped = [gr.skip()] * (4 + len(CONTROLS))
            return *skipped, status.error_message(sentence)
        updates = [_update(name, offered) for name in CONTROLS]
        held = [
            offered.options[name].get(value, value)
            for name in FILTERS
            for value in (offered.chosen[name] if name in MANY else (offered.chosen[name],))
            if value
        ]
        label = f"Filter: {', '.join(held)}" if held else "Filter"
        return (
            offered.selection,
            f"{offered.selection} {offered.summary}",
            selection_fields(offered.selection),
            *updates,
            gr.update(label=label),
            status.result_message(offered.summary),
        )


def build(services: Services, place: PageContext) -> SelectionBar:
    """Lay the bar out and connect it."""
    handlers = SelectionHandlers(services)
    bar = SelectionBar(gr.State(ErrorSelection()), gr.State(""))
    address = input_html("errors/selection_address", Markup(), None, elem_id="errors-selection")
    with gr.Row(elem_classes=["choice-row"]):
        controls = [_dropdown(name) for name in CONTROLS if name not in FILTERS]
    with gr.Accordion("Filter", open=False, elem_id="errors-filter") as fold:
        controls += [_dropdown(name) for name in FILTERS]
    summary = static_html(Markup(), elem_id="errors-summary")
    shown = [bar.chosen, bar.reading, address, *controls, fold, summary]
    at_once: Any = {"concurrency_limit": 4, "concurrency_id": "errors-selection", **NO_PROGRESS}
    gr.on(
        [control.input for control in controls],
        handlers.choose,
        controls,
        shown,
        preprocess=False,  # what is no longer offered is ignored, and is no error
        **at_once,
    )
    opened = [address.submit, place.shown.change]
    gr.on(opened, handlers.open_tab, address, shown, trigger_mode="always_last", **at_once)
    return bar


def _update(name: str, offered: OfferedChoice) -> Any:
    options, value = offered.options[name], offered.chosen[name]
    if name in MANY:
        value = list(value)
    elif value not in options:
        value = None
    choices = [(words, option) for option, words in options.items()]
    return gr.update(choices=choices, value=value, visible=len(options) > (name not in MANY))


def _dropdown(name: str) -> gr.Dropdown:
    return gr.Dropdown(
        [],
        label=CONTROLS[name],
        multiselect=name in MANY,
        interactive=True,
        elem_id=f"errors-{name}",
        min_width=160,
    )
