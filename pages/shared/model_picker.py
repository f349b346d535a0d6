"""Lays out pickers of models: the listed ones as chips, any other of a service by its name.

Typing a key makes its models available.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import gradio as gr
from markupsafe import Markup

from hallascope.components.html.fields.text_field import line_field
from hallascope.components.html.gradio_html import quiet
from hallascope.components.models.pickers import InputKind, Option, chip_row, chips
from hallascope.data.requests import Role
from hallascope.engine.services import ModelAvailability, Services
from hallascope.pages.shared.spending import SharedPicker, SpendingInputs

Prefer = Callable[[Sequence[ModelAvailability], Sequence[str]], list[str]]
"""Which models are to be chosen, of those that there are and those that were wanted."""


@dataclass(frozen=True, kw_only=True)
class PickerSpec:
    """Describes a picker: models of a role, one or several.

    `before` are choices that are no models, e.g. none at all. `shared`: what is chosen holds in the
    other shared pickers of the role, on every tab; the models of a newly accepted key, too.
    """

    role: Role
    label: str
    sort: InputKind
    prefer: Prefer
    models: Sequence[str] = ()
    before: Sequence[Option] = field(default_factory=tuple)
    shared: bool = False


@dataclass(frozen=True)
class Picker:
    """Holds the components of a picker.

    The value of `chips` is the list of chosen ids; `other` has names of models, separated by
    commas.
    """

    chips: gr.HTML
    other: gr.Textbox


# --- pure functions -------------------------------------------------------------------------------


def options(models: Sequence[ModelAvailability]) -> tuple[Option, ...]:
    """Return models as options, each with its note and why it cannot run here."""
    return tuple(Option(m.spec.id, m.spec.title, m.spec.note, m.reason) for m in models)


def prefer_wanted(models: Sequence[ModelAvailability], wanted: Sequence[str]) -> list[str]:
    """Return which of the wanted models can run here; where none can, the first that does."""
    able = [m.spec.id for m in models if m.reason is None]
    return [m for m in wanted if m in able] or able[:1]


def reasoning(models: Sequence[ModelAvailability], wanted: Sequence[str]) -> list[str]:
    """Return the first model that can run and is wanted, else the first that can.

    Embedded ones come last: they choose among answers and cannot reason.
    """
    able = sorted((m for m in models if m.reason is None), key=lambda m: m.spec.kind == "trained")
    return [m.spec.id for m in able if m.spec.id in wanted][:1] or [m.spec.id for m in able][:1]


def names(picked: Sequence[str] | None, other: str | None) -> tuple[str, ...]:
    """Return all chosen models, the chips first, each once."""
    typed = [name.strip() for name in (other or "").split(",")]
    return tuple(dict.fromkeys(name for name in (*(picked or ()), *typed) if name))


def name(picked: Sequence[str] | None, other: str | None) -> str | None:
    """Return the chosen model; one that is typed goes before the chip."""
    return (other or "").strip() or next(iter(picked or ()), None)


def split_names(
    chosen: Sequence[str], models: Sequence[ModelAvailability]
) -> tuple[list[str], str]:
    """Split chosen names into the two parts of a picker: chips, and other names as text."""
    listed = {m.spec.id for m in models if not m.spec.family}
    return [name for name in chosen if name in listed], ", ".join(
        name for name in chosen if name not in listed
    )


def row(
    spec: PickerSpec, models: Sequence[ModelAvailability], picked: Sequence[str], group: str = ""
) -> tuple[Markup, list[str]]:
    """Return the chips as HTML, and which are chosen: those that still can be, else defaults.

    `group` tells this picker from all others on the page.
    """
    able = {m.spec.id for m in models if m.reason is None}
    able.update(option.id for option in spec.before)
    listed = [m for m in models if not m.spec.family]
    chosen = [model for model in picked if model in able]
    if not chosen:
        chosen = [spec.before[0].id] if spec.before else spec.prefer(listed, spec.models)
    return chip_row(
        options=(*spec.before, *options(listed)),
        chosen=chosen,
        label=spec.label,
        sort=spec.sort,
        hint=services_of(models),
        group=group,
        shared=spec.role if spec.shared else "",
    ), chosen


def services_of(models: Sequence[ModelAvailability]) -> str:
    """Return a sentence that names the services of which any model can be typed; "" without one."""
    services = ", ".join(m.spec.id.removesuffix("/*") for m in models if m.spec.family)
    if not services:
        return ""
    return f"Any other model of {services} can be typed in the field beside, as provider/model."


# --- layout ---------------------------------------------------------------------------------------


def picker(services: Services, spending: SpendingInputs, spec: PickerSpec, elem_id: str) -> Picker:
    """Lay a picker out; it is filled again when a key is typed."""
    models = services.models(spec.role)
    body, chosen = row(spec, models, [], elem_id)
    service = next((m.spec.id.removesuffix("/*") for m in models if m.spec.family), "openai")
    with gr.Row(elem_classes=["models-row"]):
        chip_html = chips(body, chosen, elem_id=elem_id)
        other = line_field(
            f"Other {spec.label.lower()}",
            f"other model, e.g. {service}/NAME",
            f"{elem_id}-other",
            scale=0,
            min_width=210,
            elem_classes=["other"],
        )

    def fill(picked: Sequence[str] | None, asker: gr.Request) -> gr.HTML:
        body, chosen = row(
            spec, services.models(spec.role, spending.keys(asker)), picked or [], elem_id
        )
        return gr.HTML(chosen, body=body)

    if spec.shared:
        spending.shared.append(SharedPicker(spec.role, chip_html, fill))
    else:
        spending.changed.change(fill, chip_html, chip_html, **quiet())
    return Picker(chip_html, other)
