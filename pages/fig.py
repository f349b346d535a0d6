"""Builds FiG: what the prompt asks for and what is seen, stage by stage."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import gradio as gr
from markupsafe import Markup

from hallascope.data.files.object_attributes import parse_object_attributes
from hallascope.data.files.tables import BadTable
from hallascope.engine.errors import refuse
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.services import Services
from hallascope.pages.shared.context import PageContext
from hallascope.pages.shared.evidence import tab
from hallascope.pages.shared.evidence.runs import EvidenceTab

TITLE = "FiG"
HELP = Markup("""<div class="lead"><p><strong>FiG</strong> checks whether the image shows what the
prompt says. <em>Stage 1</em>: the objects. <em>Stage 2</em>: their color, number, position and
text. <em>Stage 3</em>: everything else in the image. <em>Strict</em>: the caption must use
the prompt’s words. <em>Soft</em>: a more general word counts, too (“clock” for “watch”). Parts that
could not be checked are left out.</p></div>""")
MOST_TEXT = 20_000  # characters of a list of attributes


def add_attributes(request: EvaluateRequest, values: Sequence[Any]) -> EvaluateRequest:
    """Return the request with the attributes that the field holds. Raises BadRequest."""
    (text,) = values
    with refuse(BadTable):
        listed = parse_object_attributes(text or "", "your attributes")
    return replace(request, fig_attributes=listed)


def _attribute_controls(services: Services) -> Sequence[Any]:
    """Lay out the field for attributes of objects beside what the prompt says of them."""
    with gr.Accordion("Your own attributes", open=False, elem_classes=["lineup"]):
        return (
            gr.Textbox(
                label="One per line: object, attribute, value",
                info="FiG expects these attributes in addition to the prompt. Scores with"
                " different lists are not averaged.",
                placeholder="chair, material, wooden",
                lines=3,
                max_lines=12,
                max_length=MOST_TEXT,
                elem_id="fig-attributes",
            ),
        )


TAB = EvidenceTab(
    metric="fig",
    name="fig",
    title=TITLE,
    help=HELP,
    extra_controls=_attribute_controls,
    adjust_request=add_attributes,
)


def build(services: Services, place: PageContext) -> None:
    """Lay the page out and connect it."""
    tab.build(services, place, TAB)
