"""Lays out the models and the wording that metrics are run with, once for all metrics."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import gradio as gr

from hallascope import metrics
from hallascope.data.models.specs import DEFAULTS
from hallascope.data.requests import Role
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.services import Services
from hallascope.pages.shared.model_picker import PickerSpec, chosen_model, picker, prefer_wanted
from hallascope.pages.shared.spending import SpendingInputs

NO_MODEL = "none"  # the choice that stands for no model
JUDGE = "primer/judge"  # is chosen at first; a run may do without a judge
WORDINGS = (
    "The instructions that models get. “as published”: the papers’ templates; “free”: judges answer"
    " in free text. Scores of different wordings are not averaged."
)
_LABELS: Mapping[Role, str] = {
    "judge": "Judge",
    "writer": "Writer of questions and captions",
    "detector": "Detector",
    "segmenter": "Segmenter",
    "captioner": "Captioner",
    "parser": "Parser of the prompt",
    "reader": "Text reader",
}
ROLES: tuple[Role, ...] = tuple(_LABELS)
_WITHOUT: Mapping[Role, str] = {
    "writer": "none: rules and templates write",
    "parser": "none: rules read the prompt; a judge or writer reads doubtful parts",
    "reader": "none: text is taken from the captions",
}


MetricModels = Mapping[str, Any]
"""A picker for each of `ROLES`, in their order, then the choice of the wording, by its name."""


def build(services: Services, spending: SpendingInputs) -> MetricModels:
    """Lay the judge and the writer out, and what few people change in a fold."""

    def lay_out(role: Role) -> gr.Dropdown:
        return picker(services, spending, _picker_spec(role), role)

    with gr.Row():
        pickers: dict[str, Any] = {role: lay_out(role) for role in ROLES[:2]}
    with gr.Accordion("More models and wording", open=False, elem_id="more-models"):
        with gr.Row():
            pickers |= {role: lay_out(role) for role in ROLES[2:]}
        return pickers | {"wording": wording_picker(services, "wording")}


def wording_picker(services: Services, elem_id: str) -> gr.Radio:
    """Lay out a choice of the wordings that ship or lie in the store; ours is chosen at first."""
    packs = list(services.wordings())
    return gr.Radio(packs, value=packs[0], label="Wording", info=WORDINGS, elem_id=elem_id)


def _picker_spec(role: Role) -> PickerSpec:
    without = _WITHOUT.get(role)
    default = JUDGE if role == "judge" else DEFAULTS.get(role)
    return PickerSpec(
        role=role,
        label=_LABELS[role],
        prefer=prefer_wanted,
        models=(default,) if default else (),
        before=((without, NO_MODEL),) if without else (),
        shared=role in ("judge", "writer"),
    )


def chosen_roles(values: Sequence[Any], names: Iterable[str]) -> dict[Role, str | None]:
    """Return the model of each role that any of the named metrics asks, None for its default.

    `values`: those of the pickers, in the order of `ROLES`; more are not read.
    """
    asked = roles_of(names)
    picked = {role: chosen_model(value) for role, value in zip(ROLES, values, strict=False)}
    return {
        role: model if role in asked and model not in (NO_MODEL, DEFAULTS.get(role)) else None
        for role, model in picked.items()
    }


def roles_of(names: Iterable[str]) -> set[Role]:
    """Return the roles that metrics ask; questions that are missing are written by a writer."""
    known = [metric for each in names if (metric := metrics.find(each))]
    roles = {role for each in known for role in (*each.required_roles, *each.optional_roles)}
    return roles | {"writer"} if any(each.needs_questions for each in known) else roles


def picked_roles(request: EvaluateRequest) -> dict[Role, str | None]:
    """Return what the pickers show of a request, by role."""
    return {
        role: getattr(request, role) or (NO_MODEL if role in _WITHOUT else DEFAULTS.get(role))
        for role in ROLES
    }
