"""Keys and spending: what a person allows for all runs of this session; nothing that is typed here is kept anywhere."""

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import gradio as gr

from components import status
from components.live import quiet, still
from data.models import CURRENCY
from engine.budget import DAY_CAP, RUN_CAP, Keys, Terms, money
from engine.errors import HallaScopeError
from engine.services import Services


class Inputs(NamedTuple):
    """The controls, in the order that `terms` takes their values: caps, whether models without a price may be asked, keys by name."""

    run: gr.Number
    day: gr.Number
    unpriced: gr.Checkbox
    keys: tuple[gr.Textbox, ...]

    @property
    def all(self) -> list[Any]:
        return [self.run, self.day, self.unpriced, *self.keys]

    @property
    def typed(self) -> list[Any]:
        """The events at which a key has been typed."""
        return [event for key in self.keys for event in (key.blur, key.submit)]


def terms(names: Sequence[str], run: float | None, day: float | None, unpriced: bool, *keys: str | None) -> Terms:
    """What the controls allow; empty ones leave it to the environment."""
    return Terms(given(names, keys), run, day, bool(unpriced))


def given(names: Sequence[str], keys: Sequence[str | None]) -> Keys:
    """The keys that are typed in, by the name of their environment variable."""
    return Keys({name: key or "" for name, key in zip(names, keys, strict=True)})


def build(services: Services) -> Inputs:
    """Lay the controls out, folded together; the app has them once, for all pages."""
    most, most_a_day = _caps(services)
    with gr.Accordion("Keys and spending", open=False, elem_id="terms") as panel:
        keys = tuple(_key(name) for name in services.key_names())
        run = gr.Number(most, label=f"A run may cost at most ({CURRENCY})", minimum=0, elem_id="cap-run")
        day = gr.Number(most_a_day, label=f"A day may cost at most ({CURRENCY})", minimum=0, elem_id="cap-day")
        unpriced = gr.Checkbox(False, label="Ask models whose price nobody here knows", container=False, elem_id="unpriced")
        today = still("", elem_id="spent-today")
    panel.expand(partial(spent, services), None, today, **quiet())
    return Inputs(run, day, unpriced, keys)


def spent(services: Services) -> str:
    """What all runs of the day have cost, in words."""
    try:
        return status.idle(f"Spent today, by all runs here: {money(services.spent_today())}. A typed key is kept for this page only.")
    except HallaScopeError as sentence:
        return status.wrong(str(sentence))


def _caps(services: Services) -> tuple[float, float]:
    """The caps as the environment says; where it says nothing that is an amount, ours, so that a person can set others."""
    try:
        return services.caps()
    except HallaScopeError:
        return RUN_CAP, DAY_CAP


def _key(name: str) -> gr.Textbox:
    return gr.Textbox(
        label=name, type="password", placeholder="for this session only", lines=1, max_lines=1, min_width=200,
        html_attributes=gr.InputHTMLAttributes(autocomplete="off"),
    )  # fmt: skip
