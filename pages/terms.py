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
from engine.hosting import logs_in, public
from engine.services import Services

LOGIN = "HF_TOKEN"  # the key in whose place a visitor of a Space logs in


class Inputs(NamedTuple):
    """The controls, in the order that `terms` takes their values: caps, whether models without a price may be asked, keys by name.

    `changed`: a State that counts up whenever there are other models than before.
    """

    run: gr.Number
    day: gr.Number
    unpriced: gr.Checkbox
    keys: tuple[gr.Textbox | gr.State, ...]
    changed: gr.State

    @property
    def all(self) -> list[Any]:
        return [self.run, self.day, self.unpriced, *self.keys]

    @property
    def typed(self) -> list[Any]:
        """The events after which other models may be able to run: a key has been typed, a model has come."""
        return [self.changed.change, *(event for key in self.keys for event in _typed(key))]


def _typed(key: gr.Textbox | gr.State) -> list[Any]:
    return [key.change] if isinstance(key, gr.State) else [key.blur, key.submit]


def terms(names: Sequence[str], run: float | None, day: float | None, unpriced: bool, *keys: str | None) -> Terms:
    """What the controls allow; empty ones leave it to the environment, whose caps a visitor of a public app only lowers."""
    if public():
        run, day = (_at_most(wanted, cap) for wanted, cap in zip((run, day), Terms().caps(), strict=True))
    return Terms(given(names, keys), run, day, bool(unpriced))


def _at_most(wanted: float | None, cap: float) -> float:
    return cap if wanted is None else min(wanted, cap)


def given(names: Sequence[str], keys: Sequence[str | None]) -> Keys:
    """The keys that are typed in, by the name of their environment variable."""
    return Keys({name: key or "" for name, key in zip(names, keys, strict=True)}, own=(LOGIN,) if logs_in() else ())


def logged_in(token: gr.OAuthToken | None) -> str:
    """The token of the visitor's login, "" where nobody is logged in; it stays on the server, with the session."""
    return token.token if token else ""


def build(services: Services, demo: gr.Blocks) -> Inputs:
    """Lay the controls out, folded together; the app has them once, for all pages. `demo`: the app, for what happens when it is opened."""
    most, most_a_day = _caps(services)
    with gr.Accordion("Keys and spending", open=False, elem_id="terms") as panel:
        keys = tuple(_login(demo) if name == LOGIN and logs_in() else _key(name) for name in services.key_names())
        tops = (most, most_a_day) if public() else (None, None)
        run = gr.Number(most, label=f"A run may cost at most ({CURRENCY})", minimum=0, maximum=tops[0], elem_id="cap-run")
        day = gr.Number(most_a_day, label=f"A day may cost at most ({CURRENCY})", minimum=0, maximum=tops[1], elem_id="cap-day")
        unpriced = gr.Checkbox(False, label="Ask models whose price nobody here knows", container=False, elem_id="unpriced")
        today = still("", elem_id="spent-today")
    panel.expand(partial(spent, services), None, today, **quiet())
    return Inputs(run, day, unpriced, keys, gr.State(0))


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


def _login(demo: gr.Blocks) -> gr.State:
    """A button to log in with the visitor's account of the Hub, whose Inference Providers are then paid by that account."""
    gr.LoginButton("Log in with Hugging Face to use Inference Providers", elem_id="login")
    token = gr.State("")
    demo.load(logged_in, None, token, **quiet())
    return token


def _key(name: str) -> gr.Textbox:
    return gr.Textbox(
        label=name, type="password", placeholder="for this session only", lines=1, max_lines=1, min_width=200,
        html_attributes=gr.InputHTMLAttributes(autocomplete="off"),
    )  # fmt: skip
