"""Builds FactualBench: concepts beside references, task and composition, domains, knowledge."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import gradio as gr
from markupsafe import Markup

from hallascope.components.comparison.knowledge import TITLES, changes
from hallascope.components.comparison.slider import sliders
from hallascope.components.evidence.exhibits.factualbench import columns
from hallascope.components.html.gradio_html import chosen, live, quiet, still
from hallascope.components.html.markup import tag
from hallascope.components.models.pickers import Option, chip_row, chips
from hallascope.data.models.specs import KNOWLEDGE
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.services import Services
from hallascope.pages.factualbench import concepts
from hallascope.pages.shared import run_pictures
from hallascope.pages.shared.context import PageContext
from hallascope.pages.shared.evidence import tab
from hallascope.pages.shared.evidence.pipeline_pickers import NOBODY, RolePicker
from hallascope.pages.shared.evidence.runs import EvidenceRuns, EvidenceSpec, services_of
from hallascope.pages.shared.evidence.tab import EvidenceTab, Page

TITLE = "FactualBench"
HELP = Markup("""<div class="lead"><p><strong>T2I-FactualBench</strong> sets each concept of the
prompt beside a reference image and asks the judge about its shape, color, texture and details;
the rating is how many of the four are met. <em>Task</em>: is every concept there, and is what the
prompt asks of it done. <em>Composition</em>, of several concepts: seamless, complete, possible, as
the prompt says. What the judge leaves open is left out and counted.</p></div>""")
SPEC = EvidenceSpec(concepts.METRIC, columns, companions=concepts.references)
ROLES = (
    RolePicker("judge"),
    RolePicker(
        "detector",
        Option(NOBODY, "Concepts are looked for in the whole image", called="none: whole image"),
    ),
)


def build(services: Services, place: PageContext) -> Page:
    """Lay the page out and connect it."""
    page = tab.build(
        services,
        place,
        EvidenceTab(
            name="factual",
            title=TITLE,
            spec=SPEC,
            roles=ROLES,
            help=HELP,
            extra_controls=partial(_concept_controls, services),
            adjust_request=concepts.add_concept,
        ),
    )
    slides = live("comparison/slider", sliders(()), elem_id="factual-slides")
    injected = still(Markup(), elem_id="factual-injected")
    still(Markup('<h2 class="figure-title">Concepts by domain, first level</h2>'))
    figure = gr.Plot(show_label=False, elem_id="factual-domains", elem_classes=["figure"])
    beneath = still(Markup(), elem_id="factual-paper")

    def slide(shown: EvidenceRuns, event: gr.EventData) -> Markup:
        return reference_slider(services, shown, event.key)

    page.table.select(slide, page.shown, slides, **chosen())
    page.shown.change(partial(knowledge_changes, services), page.shown, injected, **quiet())
    gr.on(
        [place.tab.select, page.shown.change],
        partial(concepts.overview, services),
        None,
        [figure, beneath],
        concurrency_limit=2,
        trigger_mode="always_last",
        **quiet(),
    )
    return page


def _concept_controls(services: Services) -> Sequence[Any]:
    """Lay out a concept of one's own, and the knowledge to draw with."""
    with (
        gr.Accordion("Custom concept and reference image", open=False, elem_classes=["lineup"]),
        gr.Row(),
    ):
        concept = gr.Textbox(
            label="Concept",
            placeholder="as the prompt names it, e.g. ladybug",
            max_lines=1,
            elem_id="factual-concept",
        )
        definition = gr.Textbox(
            label="Definition",
            placeholder="what it is, for definitions in the prompt",
            elem_id="factual-definition",
        )
        reference = gr.File(
            label="Reference image",
            file_types=["image"],
            type="filepath",
            elem_id="factual-reference",
        )
    options = [Option(way, str(TITLES[way]), called=TITLES[way]) for way in KNOWLEDGE]
    inject = chips(chip_row(options, [], "Knowledge injection"), [], elem_id="factual-inject")
    unable = tag(
        "details",
        tag("summary", "Which models can use it"),
        tag("p", concepts.unable(services)),
        class_="soft",
    )
    still(unable, elem_id="factual-unable")
    return concept, definition, reference, inject


def reference_slider(services: Services, shown: EvidenceRuns, key: str | None) -> Markup:
    """Return the chosen picture over its references."""
    if not shown.runs:
        return sliders(())
    try:
        view = services_of(services, shown).view(shown.runs[0])
    except HallaScopeError as sentence:
        raise gr.Error(str(sentence)) from sentence
    shot = run_pictures.find_picture(view, key)
    return sliders(concepts.slides(view, shot) if shot else ())


def knowledge_changes(services: Services, shown: EvidenceRuns) -> Markup:
    """Return what knowledge changes, of the first line-up."""
    if not shown.runs:
        return Markup()
    view = services_of(services, shown).view(shown.runs[0])
    return changes(concepts.knowledge_comparisons(view))
