"""Choosing models: the listed ones as chips, any other of a service in words.

Typing a key makes its models choosable.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import gradio as gr

from hallascope.components.html.gradio_html import quiet
from hallascope.components.models.pickers import InputKind, Option, chip_row, chips
from hallascope.data.requests import Role
from hallascope.engine.services import ModelAvailability, Services
from hallascope.pages.shared.spending import SpendingInputs

Prefer = Callable[[Sequence[ModelAvailability], Sequence[str]], list[str]]
"""Which models are to be chosen, of those that there are and those that were wanted."""


@dataclass(frozen=True, kw_only=True)
class PickerSpec:
    """What is to be chosen: models of a role, one or several.

    `before` are choices that are no models, e.g. none at all.
    """

    role: Role
    label: str
    sort: InputKind
    prefer: Prefer
    models: Sequence[str] = ()
    before: Sequence[Option] = field(default_factory=tuple)


@dataclass(frozen=True)
class Picker:
    """`chips`: its value is the list of chosen ids.

    `other`: models named in words, with commas between them.
    """

    chips: gr.HTML
    other: gr.Textbox


# --- pure functions
# -------------------------------------------------------------------------------------------------


def options(models: Sequence[ModelAvailability]) -> tuple[Option, ...]:
    """Models as things to choose, each with what is to be known of it."""
    return tuple(Option(m.spec.id, m.spec.title, m.spec.note, m.reason) for m in models)


def preferred(models: Sequence[ModelAvailability], wanted: Sequence[str]) -> list[str]:
    """Which of the wanted models can run here; where none can, the first that does."""
    able = [m.spec.id for m in models if m.reason is None]
    return [m for m in wanted if m in able] or able[:1]


def reasoning(models: Sequence[ModelAvailability], wanted: Sequence[str]) -> list[str]:
    """The one that can run and is wanted, else the first that can.

    Embedded ones last: they choose among answers and cannot reason.
    """
    able = sorted((m for m in models if m.reason is None), key=lambda m: m.spec.kind == "trained")
    return [m.spec.id for m in able if m.spec.id in wanted][:1] or [m.spec.id for m in able][:1]


def names(picked: Sequence[str] | None, other: str | None) -> tuple[str, ...]:
    """All that is chosen, the chips first, each once."""
    said = [name.strip() for name in (other or "").split(",")]
    return tuple(dict.fromkeys(name for name in (*(picked or ()), *said) if name))


def name(picked: Sequence[str] | None, other: str | None) -> str | None:
    """The one that is chosen; one that is named in words goes before the chip."""
    return (other or "").strip() or next(iter(picked or ()), None)


def split_names(
    chosen: Sequence[str], models: Sequence[ModelAvailability]
) -> tuple[list[str], str]:
    """Split chosen names into the two parts of a picker: chips, and others in words."""
    listed = {m.spec.id for m in models if not m.spec.family}
    return [one for one in chosen if one in listed], ", ".join(
        one for one in chosen if one not in listed
    )


def row(
    wanted: PickerSpec, models: Sequence[ModelAvailability], picked: Sequence[str], group: str = ""
) -> tuple[str, list[str]]:
    """Return the chips as HTML, and which are chosen: those that still can be, else defaults.

    `group` tells this picker from all others on the page.
    """
    able = {one.spec.id for one in models if one.reason is None} | {one.id for one in wanted.before}
    kept = [one for one in picked if one in able]
    chosen = kept or (
        [wanted.before[0].id]
        if wanted.before
        else wanted.prefer([m for m in models if not m.spec.family], wanted.models)
    )
    listed = (*wanted.before, *options([m for m in models if not m.spec.family]))
    return chip_row(
        options=listed,
        chosen=chosen,
        label=wanted.label,
        sort=wanted.sort,
        hint=services_of(models),
        group=group,
    ), chosen


def services_of(models: Sequence[ModelAvailability]) -> str:
    """A sentence that names the services of which any model can be named in words.

    "" where there is none.
    """
    found = [m.spec.id.removesuffix("/*") for m in models if m.spec.family]
    return (
        f"Any other model of {', '.join(found)} can be named in the field beside, as service/NAME."
        if found
        else ""
    )


# --- layout
# --------------------------------------------------------------------------------------------------


def picker(services: Services, terms: SpendingInputs, wanted: PickerSpec, elem_id: str) -> Picker:
    """Lay a picker out; typing a key looks anew at what can run."""
    models = services.models(wanted.role)
    body, chosen = row(wanted, models, [], elem_id)
    with gr.Row(elem_classes=["models-row"]):
        shown = chips(body, chosen, elem_id=elem_id)
        other = gr.Textbox(
            label=f"Another {wanted.label.lower()}",
            placeholder=_example(models),
            lines=1,
            max_lines=1,
            container=False,
            scale=0,
            min_width=210,
            elem_id=f"{elem_id}-other",
            elem_classes=["other"],
        )

    def again(picked: list[str] | None, asker: gr.Request) -> gr.HTML:
        body, chosen = row(
            wanted, services.models(wanted.role, terms.keys(asker)), picked or [], elem_id
        )
        return gr.HTML(chosen, body=body)

    terms.changed.change(again, shown, shown, **quiet())
    return Picker(shown, other)


def _example(models: Sequence[ModelAvailability]) -> str:
    family = next((m.spec.id.removesuffix("/*") for m in models if m.spec.family), "openai")
    return f"another, e.g. {family}/NAME"
