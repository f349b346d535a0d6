"""Builds FiG: what the prompt asks for and what is seen, stage by stage."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import gradio as gr
from markupsafe import Markup

from hallascope.components.models.pickers import Option
from hallascope.data.files.object_attributes import parse_object_attributes
from hallascope.data.files.tables import BadTable
from hallascope.engine.errors import refuse
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.services import Services
from hallascope.pages.shared.context import PageContext
from hallascope.pages.shared.evidence import tab
from hallascope.pages.shared.evidence.pipeline_pickers import NOBODY, RolePicker
from hallascope.pages.shared.evidence.runs import EvidenceSpec
from hallascope.pages.shared.evidence.tab import EvidenceTab, Page

TITLE = "FiG"
HELP = Markup("""<div class="lead"><p><strong>FiG</strong> looks for everything the prompt names,
describes each part it finds, writes one caption of all it saw, and compares that caption with the
prompt. <em>Stage 1</em>: how many of the objects asked for are there. <em>Stage 2</em>: of the
pairs of an object and its color, number, position or text, how many hold. <em>Stage 3</em>: what
not in the prompt. <em>Strict</em> wants the same words; <em>soft</em> also takes a more general
one. What could not be looked at is left out and counted. Numbers published in papers are of other
prompts and are not set beside these.</p></div>""")
SPEC = EvidenceSpec("fig")
MOST_TEXT = 20_000  # characters of a list of attributes
ROLES = (
    RolePicker("detector"),
    RolePicker("segmenter"),
    RolePicker("captioner"),
    RolePicker(
        "writer",
        Option(NOBODY, "The caption of the whole is put together by rule", called="none: by rule"),
    ),
    RolePicker(
        "parser",
        Option(
            NOBODY,
            "Rules read the prompt; a judge or writer that can, what they are not sure of",
            called="none: by rule",
        ),
    ),
    RolePicker(
        "reader",
        Option(NOBODY, "What is written is taken from the captions", called="none: from captions"),
    ),
)


def build(services: Services, place: PageContext) -> Page:
    """Lay the page out and connect it."""
    return tab.build(
        services,
        place,
        EvidenceTab(
            name="fig",
            title=TITLE,
            spec=SPEC,
            roles=ROLES,
            help=HELP,
            describing=frozenset,
            extra_controls=_attribute_controls,
            adjust_request=add_attributes,
        ),
    )


def add_attributes(request: EvaluateRequest, values: Sequence[Any]) -> EvaluateRequest:
    """Return the request with the attributes that the field holds. Raises BadRequest."""
    (text,) = values
    with refuse(BadTable):
        listed = parse_object_attributes(text or "", "your attributes")
    return replace(request, fig_attributes=listed)


def _attribute_controls() -> Sequence[Any]:
    """Lay out the field for attributes of objects beside what the prompt says of them."""
    with gr.Accordion("Your own attributes", open=False, elem_classes=["lineup"]):
        return (
            gr.Textbox(
                label="Object, attribute, value: one a line",
                info="FiG expects them of the objects beside what the prompt says. Scores of"
                " different lists are kept apart.",
                placeholder="chair, material, wooden",
                lines=3,
                max_lines=12,
                max_length=MOST_TEXT,
                elem_id="fig-attributes",
            ),
        )
