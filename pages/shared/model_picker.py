"""Lays out pickers of models: a list of those that can run here, which takes other names, too.

Typing a key makes its models available.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr
from markupsafe import Markup

from hallascope.components.html.gradio_html import NO_PROGRESS, static_html
from hallascope.components.models.unavailable import unavailable_list
from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Role
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.models.registry import NO_KEYS, ModelAvailability
from hallascope.engine.money.budget import ApiKeys
from hallascope.engine.services import Services
from hallascope.pages.shared.spending import ModelPicker, SpendingInputs

Prefer = Callable[[Sequence[ModelAvailability], Sequence[str]], list[str]]
"""Which models are to be chosen, of those that there are and those that were wanted."""

Choice = tuple[str, str]
"""What a choice says, and its value."""


@dataclass(frozen=True, kw_only=True)
class PickerSpec:
    """Describes a picker: models of a role, one or several.

    `before` are choices that are no models, e.g. none at all. `shared`: a model of a newly accepted
    key is chosen in it.
    """

    role: Role
    label: str
    prefer: Prefer
    models: Sequence[str] = ()
    before: Sequence[Choice] = ()
    several: bool = False
    shared: bool = False


# --- pure functions -------------------------------------------------------------------------------


def prefer_wanted(models: Sequence[ModelAvailability], wanted: Sequence[str]) -> list[str]:
    """Return which of the wanted models can run here; where none can, the first that does."""
    able = [m.spec.id for m in models if m.reason is None]
    return [m for m in wanted if m in able] or able[:1]


def prefer_reasoning(models: Sequence[ModelAvailability], wanted: Sequence[str]) -> list[str]:
    """Return the first model that can run and is wanted, else the first that can.

    Embedded ones come last: they choose among answers and cannot reason.
    """
    able = sorted((m for m in models if m.reason is None), key=lambda m: m.spec.kind == "trained")
    return [m.spec.id for m in able if m.spec.id in wanted][:1] or [m.spec.id for m in able][:1]


def chosen_models(picked: Iterable[str] | None) -> tuple[str, ...]:
    """Return all chosen models, each once; several names may be typed with commas between them."""
    typed = (name.strip() for text in picked or () for name in text.split(","))
    return tuple(dict.fromkeys(filter(None, typed)))


def chosen_model(picked: str | None) -> str | None:
    """Return the chosen model, None where the field is empty."""
    return (picked or "").strip() or None


def choice_of(spec: ModelSpec) -> Choice:
    """Return a model as a choice that says what it is."""
    return f"{spec.id}: {spec.note or spec.title}", spec.id


def unavailable_html(models: Iterable[ModelAvailability]) -> Markup:
    """Return the models that cannot run here, each with why, and how others are named."""
    models = {m.spec.id: m for m in models}.values()  # most have several roles
    listed = [m for m in models if not m.spec.family]
    unavailable = {m.spec.id: m.reason for m in listed if m.reason is not None}
    families = ", ".join(m.spec.id.removesuffix("/*") for m in models if m.spec.family)
    hint = f"Any other model of {families} can be typed, as provider/model." if families else ""
    return unavailable_list(unavailable, len(unavailable) < len(listed), hint)


# --- layout ---------------------------------------------------------------------------------------


def picker(
    services: Services, spending: SpendingInputs, spec: PickerSpec, elem_id: str
) -> gr.Dropdown:
    """Lay a picker out, which `spending.connect` fills again when a key is typed."""

    def offer(picked: Sequence[str], keys: ApiKeys = NO_KEYS) -> dict[str, Any]:
        models = [m for m in services.registry.models(spec.role, keys) if not m.spec.family]
        others = [value for _, value in spec.before]
        kept = [name for name in picked if name in others or can_run(services, name, spec, keys)]
        chosen = kept or others[:1] or spec.prefer(models, spec.models)
        return {
            "choices": [*spec.before, *(choice_of(m.spec) for m in models if m.reason is None)],
            "value": chosen if spec.several else next(iter(chosen), None),
        }

    def fill(picked: Sequence[str] | str | None, asker: gr.Request) -> gr.Dropdown:
        wanted = [picked] if isinstance(picked, str) else picked or ()
        return gr.Dropdown(**offer(wanted, spending.keys(asker)))

    dropdown = gr.Dropdown(
        **offer(()),
        label=spec.label,
        multiselect=spec.several,
        allow_custom_value=True,
        min_width=260,
        elem_id=elem_id,
    )
    spending.pickers.append(ModelPicker(spec.role, dropdown, fill, spec.shared))
    return dropdown


def unavailable_models(services: Services, spending: SpendingInputs) -> None:
    """List the models that cannot run here, with what each needs, for all pickers above."""
    roles = tuple(dict.fromkeys(each.role for each in spending.pickers))

    def list_models(keys: ApiKeys = NO_KEYS) -> Markup:
        return unavailable_html(m for role in roles for m in services.registry.models(role, keys))

    def update(asker: gr.Request) -> Markup:
        return list_models(spending.keys(asker))

    shown = static_html(list_models(), elem_id="models-unavailable")
    spending.changed.change(update, None, shown, **NO_PROGRESS)


def can_run(services: Services, name: str, spec: PickerSpec, keys: ApiKeys) -> bool:
    """Return whether a model can fill the role of a picker here."""
    try:
        services.registry.require(name, spec.role, keys)
    except HallaScopeError:
        return False
    return True
