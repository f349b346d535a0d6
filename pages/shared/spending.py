"""Lays out keys and spending: what a person allows for all runs of this session.

A key is sent once, held in the memory of the server for its session (`KeyVault`), and the field is
emptied.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.html.gradio_html import NO_PROGRESS, static_html
from hallascope.components.html.markup import join
from hallascope.data.models.specs import CURRENCY
from hallascope.data.requests import Role
from hallascope.engine.deployment.hosting import logs_in, public
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.models.key_check import KeyCheck
from hallascope.engine.money.budget import DAY_CAP, RUN_CAP, ApiKeys, SpendingPolicy
from hallascope.engine.money.spending import spending_text, starters_sentence
from hallascope.engine.services import Services
from hallascope.engine.storage.ledger import NANO
from hallascope.pages.shared.key_vault import KeyVault
from hallascope.pages.shared.visitor import visitor_of

EMPTY = "Kept in this tab only, never stored"
HELD = "Set; type another to replace it"
LOGIN = "HF_TOKEN"  # the key in whose place a visitor of a Space logs in


class ModelPicker(NamedTuple):
    """Names a picker of models.

    `fill` returns its choices anew for the session that asks, with these ids chosen. `shared`: a
    model of a newly accepted key is chosen in it.
    """

    role: Role
    dropdown: gr.Dropdown
    fill: Callable[[Sequence[str] | str | None, gr.Request], gr.Dropdown]
    shared: bool = False


class SpendingInputs(NamedTuple):
    """Holds the controls of spending, and the keys.

    `changed` is a State that counts up whenever other models are available than before: a key was
    typed, a model was added. `checked` show what services say of newly typed keys. `login`, on a
    Space whose visitors log in, has the button and one of these; a page renders it. `pickers` takes
    up the pickers of models as they are laid out, for `connect`.
    """

    run: gr.Number
    day: gr.Number
    unpriced: gr.Checkbox
    vault: KeyVault
    changed: gr.State
    checked: list[gr.HTML]
    login: gr.Column | None
    pickers: list[ModelPicker]
    services: Services

    @property
    def all(self) -> list[Any]:
        """Return the controls whose values `read_policy` takes, in its order."""
        return [self.run, self.day, self.unpriced]

    def keys(self, asker: gr.Request) -> ApiKeys:
        """Return the keys of the session that asks, by the name of their environment variable."""
        return typed_keys(self.vault.get(asker.session_hash))

    def read_policy(
        self, asker: gr.Request, run: float | None, day: float | None, unpriced: bool
    ) -> SpendingPolicy:
        """Return what the session that asks allows, with the visitor for whom it is counted."""
        policy = spending_policy(self.keys(asker), run, day, unpriced)
        return replace(policy, visitor=visitor_of(self.services, asker))

    def show_estimate(
        self,
        listeners: Sequence[Any],
        make: Callable[..., str],
        inputs: Sequence[Any],
        output: gr.HTML,
        *,
        says_why: bool = False,
    ) -> None:
        """Show what work is likely to cost, in the words of `make`, after each of these events.

        `make` gets the services and the policy of the session that asks, then the values of the
        inputs. `says_why`: of what cannot be done it is said why, elsewhere nothing.
        """

        def estimate(asker: gr.Request, *values: Any) -> Markup:
            try:
                terms = self.read_policy(asker, *values[len(inputs) :])
                services = self.services.acting_for(terms.visitor)
                words = make(services, terms, *values[: len(inputs)])
            except HallaScopeError as sentence:
                return status.error_message(sentence) if says_why else Markup()
            return status.result_message(words) if words else Markup()

        gr.on(
            listeners,
            estimate,
            [*inputs, *self.all],
            output,
            trigger_mode="always_last",
            **NO_PROGRESS,
        )


def spending_policy(
    keys: ApiKeys, run: float | None, day: float | None, unpriced: bool
) -> SpendingPolicy:
    """Return what the controls allow.

    Empty ones leave it to the environment, whose caps a visitor of a public app can only lower.
    """
    if public():
        run_cap, day_cap = SpendingPolicy().caps()
        run = run_cap if run is None else min(run, run_cap)
        day = day_cap if day is None else min(day, day_cap)
    return SpendingPolicy(keys, run, day, bool(unpriced))


def typed_keys(typed: Mapping[str, str]) -> ApiKeys:
    """Return the typed keys, by the name of their environment variable."""
    return ApiKeys(typed, own=(LOGIN,) if logs_in() else ())


def build(services: Services, demo: gr.Blocks) -> SpendingInputs:
    """Lay the controls out, folded together; the app has them once, for all pages.

    `demo`: the app, whose loading and closing are events.
    """
    most, most_a_day = _caps()
    vault = KeyVault()
    changed = gr.State(0)
    with gr.Accordion("API keys and budget", open=False, elem_id="terms") as panel:
        names = services.registry.key_names()
        boxes = {name: _key_box(name) for name in names if not (name == LOGIN and logs_in())}
        checked = [static_html(Markup(), elem_id="key-check")]
        forget = gr.Button("Forget typed keys", scale=0, min_width=160, elem_id="forget-keys")
        caps = (
            ("cap-run", "Budget per run", most),
            ("cap-day", "Budget per day", most_a_day),
        )
        run, day = (
            gr.Number(value, label=_cap_label(label, value), step=0.01, elem_id=elem_id)
            for elem_id, label, value in caps
        )
        unpriced = gr.Checkbox(
            False,
            label="Allow models with unknown prices",
            container=False,
            elem_id="unpriced",
        )
        today = static_html(Markup(), elem_id="spent-today")
    login = None
    if LOGIN in names and logs_in():
        with gr.Column(render=False) as login:
            # the Inference Providers are then paid by the visitor's account of the Hub
            gr.LoginButton(
                "Log in with Hugging Face to use Inference Providers",
                size="md",
                scale=0,
                elem_id="login",
            )
            checked.append(static_html(Markup(), elem_id="login-check"))
        demo.load(login_handler(vault), changed, changed, **NO_PROGRESS)
    panel.expand(partial(spent_today_html, services), None, today, **NO_PROGRESS)
    _connect_keys(boxes, forget, vault, changed)
    demo.unload(close_handler(vault))
    return SpendingInputs(run, day, unpriced, vault, changed, checked, login, [], services)


def connect(services: Services, inputs: SpendingInputs) -> None:
    """Check every newly typed key, and show its models in all pickers.

    One event does both: what is said to be chosen is chosen when it is read. For the end of the
    layout, when all pickers are there.
    """
    dropdowns = [picker.dropdown for picker in inputs.pickers]
    inputs.changed.change(
        check_handler(services, inputs.vault, inputs.pickers, len(inputs.checked)),
        dropdowns,
        [*inputs.checked, inputs.unpriced, *dropdowns],
        **NO_PROGRESS,
    )


def _connect_keys(
    boxes: Mapping[str, gr.Textbox], forget: gr.Button, vault: KeyVault, changed: gr.State
) -> None:
    """Keep what is typed into each box in the vault, until a click forgets all of them."""
    for name, box in boxes.items():
        gr.on(
            [box.blur, box.submit],
            key_handler(vault, name),
            [box, changed],
            [box, changed],
            concurrency_limit=1,
            concurrency_id="keys",
            **NO_PROGRESS,
        )
    if boxes:
        forget.click(
            forget_handler(vault, len(boxes)),
            changed,
            [*boxes.values(), changed],
            concurrency_limit=1,
            concurrency_id="keys",
            **NO_PROGRESS,
        )


def key_handler(vault: KeyVault, name: str) -> Callable[..., tuple[Any, Any]]:
    """Return the handler of a field, which takes the typed key out of the page.

    An empty field changes nothing.
    """

    def take(key: str | None, changed: int, asker: gr.Request) -> tuple[Any, Any]:
        if not key or not key.strip():
            return gr.skip(), gr.skip()
        if not vault.set_key(asker.session_hash or "", name, key):
            return gr.Textbox("", placeholder=EMPTY), gr.skip()
        return gr.Textbox("", placeholder=HELD), changed + 1

    return take


def check_handler(
    services: Services, vault: KeyVault, pickers: Sequence[ModelPicker], lines: int = 1
) -> Callable[..., Iterator[tuple[Any, ...]]]:
    """Return the handler of a change of the models that are available.

    It fills the pickers again, asks services about newly typed keys, and shows what they say, on so
    many lines, together with the shared pickers, in which the models to begin with are chosen then.
    """

    def check(asker: gr.Request, *picked: list[str] | str | None) -> Iterator[tuple[Any, ...]]:
        names = vault.take_unchecked(asker.session_hash)
        line: Any = gr.skip()
        if names:
            line = status.progress(0, 1, f"checking {', '.join(names)}")
        elif not vault.get(asker.session_hash):
            line = Markup()
        filled = (one.fill(ids, asker) for one, ids in zip(pickers, picked, strict=True))
        yield *[line] * lines, gr.skip(), *filled
        if not names:
            return
        keys = typed_keys(vault.get(asker.session_hash))
        checks = [services.registry.check_key(name, keys) for name in names]
        starters = {role: model for each in checks for role, model in each.starters.items()}
        chosen = (
            one.fill([starters[one.role].id], asker)
            if one.shared and one.role in starters
            else gr.skip()
            for one in pickers
        )
        # a key of one's own pays it, and the line says so
        unknown = any(model.cost is None for model in starters.values())
        yield (
            *[join(*map(key_check_html, checks))] * lines,
            gr.Checkbox(True) if unknown else gr.skip(),
            *chosen,
        )

    return check


def key_check_html(check: KeyCheck) -> Markup:
    """Return what a service says of a key, and which of its models are chosen now at what price."""
    if check.state == "rejected":
        return status.error_message(check.sentence)
    unknown = any(model.cost is None for model in check.starters.values())
    allowed = "Models with unknown prices are allowed now." if unknown else ""
    words = " ".join(filter(None, (check.sentence, starters_sentence(check), allowed)))
    return status.result_message(words)


def forget_handler(vault: KeyVault, boxes: int) -> Callable[..., tuple[Any, ...]]:
    """Return the handler of the button that forgets the typed keys."""

    def forget(changed: int, asker: gr.Request) -> tuple[Any, ...]:
        vault.clear(asker.session_hash)
        return *(gr.Textbox("", placeholder=EMPTY) for _ in range(boxes)), changed + 1

    return forget


def close_handler(vault: KeyVault) -> Callable[[gr.Request], None]:
    """Return the handler of a page that was closed."""

    def close(asker: gr.Request) -> None:
        vault.close(asker.session_hash)

    return close


def spent_today_html(services: Services) -> str:
    """Return what all runs of the day have cost, as HTML."""
    try:
        today = services.store.ledger.account("")
        amount, unconfirmed = today.day_spent / NANO, today.day_unconfirmed / NANO
        spent = spending_text(amount, unconfirmed, "spent today by all runs on this server")
        return status.result_message(f"{spent}.")
    except HallaScopeError as sentence:
        return status.error_message(sentence)


def _cap_label(label: str, most: float) -> str:
    """Return the label of a cap, with its bound on a public app."""
    return f"{label} ({CURRENCY}, at most {most:g})" if public() else f"{label} ({CURRENCY})"


def _caps() -> tuple[float, float]:
    """Return the caps of the environment, or ours where it has none."""
    try:
        return SpendingPolicy().caps()
    except HallaScopeError:
        return RUN_CAP, DAY_CAP


def login_handler(vault: KeyVault) -> Callable[..., Any]:
    """Return the handler of an opened app, which keeps the visitor's login token in a session."""

    def take(changed: int, asker: gr.Request, token: gr.OAuthToken | None) -> Any:
        if token is None:
            return gr.skip()
        vault.set_key(asker.session_hash or "", LOGIN, token.token)
        return changed + 1

    return take


def _key_box(name: str) -> gr.Textbox:
    return gr.Textbox(
        label=name,
        type="password",
        placeholder=EMPTY,
        lines=1,
        max_lines=1,
        min_width=200,
        html_attributes=gr.InputHTMLAttributes(autocomplete="off"),
    )
