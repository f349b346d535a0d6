"""Builds the Learn tab: find errors, make one, give a lesson, see how methods work, make sets."""

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.html.gradio_html import static_html
from hallascope.components.learn import exercise
from hallascope.components.learn.break_it import break_it_panel
from hallascope.components.learn.live.cards import lesson_cards
from hallascope.data.teaching.class_lesson import read_class_lessons
from hallascope.data.teaching.judged_image import BadTeachingData
from hallascope.engine.services import Services
from hallascope.engine.teaching.exercises import JUDGE
from hallascope.pages.learn import break_it, learner, odd_one_out, teacher, walkthrough
from hallascope.pages.shared.context import PageContext

TITLE = "Learn"
PARTS = {
    "rounds": "Odd one out",
    "find": "Find it",
    "break": "Break it yourself",
    "lessons": "Lessons",
    "how": "How it works",
    "sets": "For teachers",
}
HELP = Markup("""<div class="lead"><p><strong>What is wrong in this image?</strong> Each
drawing has one mistake. Click it, choose the question that the image gets wrong, and press Check.
Then you see the wrong part, the correct image, and what the judge (an AI) answered.</p></div>""")

BREAK_IT = Markup("""<div class="lead"><p><strong>Can you fool the judge?</strong> Make a fact
wrong: the drawing changes, and the judge answers its questions. Look for a mistake that the judge
does not see.</p></div>""")

LESSONS = Markup("""<div class="lead"><p><strong>Three lessons of 15 minutes.</strong> Show a
lesson step by step, or start a class: pupils join with a code on their phones, without a name. You
reveal what the class says, what the judge says, and the truth.
<a href="class" target="_blank" rel="noopener">Join a class</a></p></div>""")

FOR_TEACHERS = Markup("""<div class="lead"><p><strong>Make a set for your class.</strong> Give it
a title, add exercises, and copy the link: it holds the whole set. Pupils need no account. A second
link, for you alone, shows the answers.</p></div>""")


def build(services: Services, place: PageContext) -> None:
    """Lay the page out. The panels read the address themselves, when they are first seen."""
    draft = teacher.browser_draft()
    with gr.Tabs(elem_id="learn-parts", elem_classes=["parts"]):
        with gr.Tab(PARTS["rounds"], id="rounds"):
            odd_one_out.build()
        with gr.Tab(PARTS["find"], id="find"):
            static_html(HELP)
            exercise.exercise_panel(learner.functions(services), "teach-desk")
        with gr.Tab(PARTS["break"], id="break") as breaking_tab:
            static_html(BREAK_IT)
            breaking = break_it_panel(break_it.functions(services), JUDGE, "break-it")
        with gr.Tab(PARTS["lessons"], id="lessons"):
            static_html(LESSONS)
            static_html(ready_lessons(), elem_id="ready-lessons")
        with gr.Tab(PARTS["how"], id="how") as tab:
            walkthrough.build(services, tab)
        with gr.Tab(PARTS["sets"], id="sets") as sets_tab:
            static_html(FOR_TEACHERS)
            with gr.Column(elem_id="sets-bench"):
                teacher.build(services, place._replace(tab=sets_tab), draft, breaking, breaking_tab)


def ready_lessons() -> Markup:
    """Return the cards of the lessons that ship; one sentence where the files are missing."""
    try:
        return lesson_cards(read_class_lessons())
    except BadTeachingData as error:
        return status.error_message(error)
