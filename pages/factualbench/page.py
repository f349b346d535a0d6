"""Shows FactualBench: concepts beside references, the task and the composition, by domain.

They are with and without knowledge.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import gradio as gr

from hallascope.components.comparison.knowledge import TITLES, changes
from hallascope.components.comparison.slider import sliders
from hallascope.components.evidence.factualbench import columns
from hallascope.components.html.gradio_html import chosen, live, quiet, still
from hallascope.components.html.markup import text
from hallascope.components.models.pickers import Option, chip_row, chips
from hallascope.data.models.specs import KNOWLEDGE
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.services import Services
from hallascope.pages.factualbench import concepts
from hallascope.pages.shared import evidence_tab, run_progress
from hallascope.pages.shared.context import PageContext
from hallascope.pages.shared.evidence_runs import EvidenceRuns, EvidenceSpec
from hallascope.pages.shared.evidence_tab import EvidenceTab, Page
from hallascope.pages.shared.pipeline_pickers import NOBODY, RolePicker

TITLE = "FactualBench"
HELP = """<div class="lead"><p><strong>T2I-FactualBench</strong> sets each concept of the prompt
beside a reference picture and asks the judge about its shape, colour, texture and details; the
rating is how many of the four are met. <em>Task</em>: is every concept there, and is what the
prompt asks of it done. <em>Composition</em>, of several concepts: seamless, complete, possible, as
the prompt says. What the judge leaves open is left out and counted.</p></div>"""
LOOK = EvidenceSpec(concepts.METRIC, columns, companions=concepts.references)
POSTS = (
    RolePicker("judge"),
    RolePicker(
        "detector",
        Option(
            NOBODY, "Concepts are looked for in the whole picture", called="none: whole picture"
        ),
    ),
)


def build(services: Services, place: PageContext) -> Page:
    """Lay the page out and connect it."""
    page = evidence_tab.build(
        services,
        place,
        EvidenceTab(
            name="factual",
            look=LOOK,
            posts=POSTS,
            help=HELP,
            more=partial(_more, services),
            ask=concepts.add_concept,
        ),
    )
    slides = live("comparison/slider", sliders(()), elem_id="factual-slides")
    injected = still("", elem_id="factual-injected")
    still('<h2 class="figure-title">Concepts by domain, first level</h2>')
    figure = gr.Plot(show_label=False, elem_id="factual-domains", elem_classes=["figure"])
    beneath = still("", elem_id="factual-paper")

    def slide(looked: EvidenceRuns, event: gr.EventData) -> str:
        return reference_slider(services, looked, event.key)

    page.table.select(slide, page.looked, slides, **chosen())
    page.looked.change(partial(knowledge_changes, services), page.looked, injected, **quiet())
    again = [place.tab.select, page.looked.change]
    gr.on(
        again,
        partial(concepts.overview, services),
        None,
        [figure, beneath],
        concurrency_limit=2,
        **quiet(),
    )
    return page


def _more(services: Services) -> Sequence[Any]:
    """A concept of one's own, and what the models are given beside the prompt."""
    with (
        gr.Accordion(
            "A concept and a reference picture of your own", open=False, elem_classes=["lineup"]
        ),
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
            label="Reference picture",
            file_types=["image"],
            type="filepath",
            elem_id="factual-reference",
        )
    options = [Option(way, str(TITLES[way]), called=TITLES[way]) for way in KNOWLEDGE]
    inject = chips(chip_row(options, [], "Also draw"), [], elem_id="factual-inject")
    said = f"<summary>Which models can use it</summary><p>{text(concepts.unable(services))}</p>"
    still(f'<details class="soft">{said}</details>', elem_id="factual-unable")
    return concept, definition, reference, inject


def reference_slider(services: Services, looked: EvidenceRuns, key: str | None) -> str:
    """The chosen picture over its references."""
    if not looked.runs:
        return sliders(())
    try:
        view = services.view(looked.runs[0])
    except HallaScopeError as sentence:
        raise gr.Error(str(sentence)) from sentence
    shot = run_progress.find_picture(view, key)
    return sliders(concepts.slides(view, shot) if shot else ())


def knowledge_changes(services: Services, looked: EvidenceRuns) -> str:
    """What knowledge changes, of the first line-up."""
    return (
        changes(concepts.knowledge_comparisons(services.view(looked.runs[0])))
        if looked.runs
        else ""
    )
