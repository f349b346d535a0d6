"""Builds the Learn tab: find an error, make one, give a lesson, see how methods work, make sets."""

from typing import NamedTuple

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.html.gradio_html import still
from hallascope.components.teach import exercise, lesson_editor
from hallascope.components.teach.break_it import break_it_panel
from hallascope.components.teach.live.cards import lesson_cards
from hallascope.data.teaching.class_lesson import BadClassLessons, read_class_lessons
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
    "lessons": "Lessons",
    "how": "How it works",
    "sets": "For teachers",
}
HELP = Markup("""<div class="lead"><p><strong>What is wrong in this image?</strong> Mark the
place, choose the fact, and see the truth: the part lit up, the image as it should be, and what a
judge says. The drawings are made with one fault that is known exactly.</p></div>""")

BREAK_IT = Markup("""<div class="lead"><p><strong>Can you fool the judge?</strong> Make a fact
wrong: the drawing changes at once, and the judge answers its questions. Hunt for an error that the
judge does not see.</p></div>""")

LESSONS = Markup("""<div class="lead"><p><strong>Three lessons of 15 minutes.</strong> Project a
lesson step by step, or start a class: pupils join by a code with their phones, without a name, and
you reveal what the class says, what the judge says, and the truth.
<a href="class" target="_blank" rel="noopener">Join a class</a></p></div>""")

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
        with gr.Tab(PARTS["lessons"], id="lessons"):
            still(LESSONS)
            still(ready_lessons(), elem_id="ready-lessons")
        with gr.Tab(PARTS["how"], id="how") as tab:
            walkthrough.build(services, tab)
        with gr.Tab(PARTS["sets"], id="sets"):
            still(FOR_TEACHERS)
            bench = lesson_editor.editor_panel(
                sets.functions(services), scenes.prompts(), "sets-bench"
            )
    return Page(parts, desk, breaking, bench)


def ready_lessons() -> Markup:
    """Return the cards of the lessons that ship; one sentence where the files are missing."""
    try:
        return lesson_cards(read_class_lessons())
    except BadClassLessons as error:
        return status.error_message(str(error))
