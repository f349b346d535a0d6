"""Builds the Learn tab: find an error, make one, see how methods work, make sets for a class."""

from typing import Any, NamedTuple

import gradio as gr
from markupsafe import Markup

from hallascope.components.html.gradio_html import quiet, still
from hallascope.components.teach import exercise, lesson_editor
from hallascope.components.teach.break_it import break_it_panel
from hallascope.engine.services import Services
from hallascope.engine.teaching.exercises import JUDGE
from hallascope.pages.shared.context import PageContext
from hallascope.pages.teach import break_it, learner, walkthrough
from hallascope.pages.teach import teacher as sets
from hallascope.primer import scenes

NAME = "teach"
TITLE = "Learn"
PARTS = {
    "find": "Find it",
    "break": "Break it yourself",
    "how": "How it works",
    "sets": "For teachers",
}
HELP = Markup("""<div class="lead"><p><strong>What is wrong in this image?</strong> Mark the
place, choose the fact, and see the truth: the part lit up, the image as it should be, and what a
judge says. The drawings are made with one fault that is known exactly.</p></div>""")

BREAK_IT = Markup("""<div class="lead"><p><strong>Can you fool the judge?</strong> Make a fact
wrong: the drawing changes at once, and the judge answers its questions. Hunt for an error that the
judge does not see.</p></div>""")

FOR_TEACHERS = Markup("""<div class="lead"><p><strong>Make a set for your class.</strong> Add
drawings with the fault you choose, some by chance, or images of a run. The link holds the whole
set; no account is needed. A second link, for you alone, shows the answers.</p></div>""")


class Page(NamedTuple):
    """Holds the components of the page."""

    parts: gr.Tabs
    desk: gr.HTML
    break_it: gr.HTML
    bench: gr.HTML


def build(services: Services, place: PageContext) -> Page:
    """Lay the page out. The panels read the address themselves, when they are first seen."""
    with gr.Tabs(elem_id="teach-parts") as parts:
        with gr.Tab(PARTS["find"], id="find"):
            still(HELP)
            desk = exercise.exercise_panel(learner.functions(services), "teach-desk")
        with gr.Tab(PARTS["break"], id="break"):
            still(BREAK_IT)
            breaking = break_it_panel(break_it.functions(services), JUDGE, "break-it")
        with gr.Tab(PARTS["how"], id="how") as tab:
            walkthrough.build(services, tab)
        with gr.Tab(PARTS["sets"], id="sets"):
            still(FOR_TEACHERS)
            bench = lesson_editor.editor_panel(
                sets.functions(services), scenes.prompts(), "sets-bench"
            )
    place.demo.load(part, None, parts, **quiet())
    return Page(parts, desk, breaking, bench)


def part(asker: gr.Request) -> Any:
    """Select the part of the tab that the address names, else the first.

    Older addresses name it in place of the tab.
    """
    tab = asker.query_params.get("tab")
    part_name = asker.query_params.get("part")
    named = part_name if tab == NAME else tab
    return gr.Tabs(selected=named) if named in PARTS else gr.skip()
