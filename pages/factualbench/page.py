"""Builds FactualBench: concepts beside references, task and composition, domains, knowledge."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import gradio as gr
from markupsafe import Markup

from hallascope.components.comparison.knowledge import TITLES, changes
from hallascope.components.comparison.slider import sliders
from hallascope.components.evidence.exhibits.factualbench import columns
from hallascope.components.html.gradio_html import (
    CHOICE_EVENT,
    NO_PROGRESS,
    scripted_html,
    static_html,
)
from hallascope.components.html.markup import tag
from hallascope.data.models.specs import KNOWLEDGE
from hallascope.engine.services import Services
from hallascope.pages.factualbench import concepts
from hallascope.pages.shared import run_pictures
from hallascope.pages.shared.context import PageContext
from hallascope.pages.shared.evidence import tab
from hallascope.pages.shared.evidence.runs import (
    EvidenceRuns,
    EvidenceTab,
    services_for_runs,
)
from hallascope.pages.shared.server_functions import one_sentence

TITLE = "FactualBench"
HELP = Markup("""<div class="lead"><p><strong>T2I-FactualBench</strong> compares each concept of the
prompt with a reference image. <em>Concepts</em>: how many of its shape, color, texture and details
match it. <em>Task</em>: does the image show what the prompt asks for? <em>Composition</em>: do
several concepts fit together? Questions without an answer do not count.</p></div>""")


def build(services: Services, place: PageContext) -> None:
    """Lay the page out and connect it."""
    table, runs = tab.build(services, place, TAB)
    slides = scripted_html("comparison/slider", sliders(()), elem_id="factual-slides")
    injected = static_html(Markup(), elem_id="factual-injected")
    static_html(Markup('<h2 class="figure-title">Concepts by domain, first level</h2>'))
    figure = gr.Plot(show_label=False, elem_id="factual-domains", elem_classes=["figure"])
    beneath = static_html(Markup(), elem_id="factual-paper")

    def slide(shown: EvidenceRuns, event: gr.EventData) -> Markup:
        return reference_slider(services, shown, event.key)

    table.select(slide, runs, slides, **CHOICE_EVENT)
    runs.change(partial(knowledge_changes, services), runs, injected, **NO_PROGRESS)
    gr.on(
        [place.shown.change, runs.change],
        partial(concepts.overview, services),
        None,
        [figure, beneath],
        concurrency_limit=2,
        trigger_mode="always_last",
        **NO_PROGRESS,
    )


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
            placeholder="a sentence that defines the concept",
            elem_id="factual-definition",
        )
        reference = gr.File(
            label="Reference image",
            file_types=["image"],
            type="filepath",
            elem_id="factual-reference",
        )
    inject = gr.CheckboxGroup(
        [(TITLES[way], way) for way in KNOWLEDGE],
        label="Help for the image model (knowledge injection)",
        elem_id="factual-inject",
    )
    unable = tag(
        "details",
        tag("summary", "Which models can use it"),
        tag("p", concepts.unable(services)),
        class_="soft",
    )
    static_html(unable, elem_id="factual-unable")
    return concept, definition, reference, inject


TAB = EvidenceTab(
    metric=concepts.METRIC,
    name="factual",
    title=TITLE,
    help=HELP,
    columns=columns,
    companions=concepts.references,
    extra_controls=_concept_controls,
    adjust_request=concepts.add_concept,
)


def reference_slider(services: Services, shown: EvidenceRuns, key: str | None) -> Markup:
    """Return the chosen image over its references."""
    if not shown.runs:
        return sliders(())
    with one_sentence():
        view = services_for_runs(services, shown).view(shown.runs[0])
    image = run_pictures.find_picture(view, key)
    return sliders(concepts.slides(view, image) if image else ())


def knowledge_changes(services: Services, shown: EvidenceRuns) -> Markup:
    """Return what knowledge changes, of the first line-up."""
    if not shown.runs:
        return Markup()
    view = services_for_runs(services, shown).view(shown.runs[0])
    return changes(concepts.knowledge_comparisons(view))
