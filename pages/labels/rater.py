"""Builds the page of raters: their name and the images of one plan, and nothing else.

Its address is `label?plan=ID&key=KEY`, beside the dashboard. No score, prompt, model or judge is
on it. The key is a signature of the plan: on a public app only who has it labels the plan.
"""

from typing import Any, NamedTuple

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.html.fields.text_field import line_field
from hallascope.components.html.gradio_html import NO_PROGRESS, static_html
from hallascope.components.html.markup import soft_line, tag
from hallascope.components.labels import labeling
from hallascope.engine.deployment.hosting import public
from hallascope.engine.errors import BadRequest, HallaScopeError
from hallascope.engine.labeling.plans import find_plan
from hallascope.engine.services import Services
from hallascope.pages.labels import queue_state
from hallascope.pages.shared.visitor import as_visitor

TITLE = "Label images"
ROUTE = "label"
HELP = (
    "Answer the questions about each image: say what it shows. Keys 1 to 6 answer, S skips an"
    " image, U undoes, ? shows all keys."
)
UNKNOWN = "There is no such labeling plan: ask whoever sent you the link for a new one."


class PlanLink(NamedTuple):
    """Holds what a link for raters names: the id of a plan, and its key."""

    plan: str = ""
    key: str = ""


def open_plan(services: Services, name: str, key: str) -> tuple[PlanLink, Any, Any]:
    """Return the link to a plan, whether its raters can type their name, and the line below it."""
    try:
        plan = find_plan(services, name).id
        if public() and not services.signer.has_signed(key, "plan", plan):
            raise BadRequest(UNKNOWN)
    except HallaScopeError:
        return PlanLink(), gr.Row(visible=False), status.error_message(UNKNOWN)
    return PlanLink(plan, key), gr.Row(visible=True), status.result_message()


def start(services: Services, link: PlanLink, name: str | None) -> tuple[Any, Markup, Any]:
    """Return the row of the name, the line below it, and the desk of a rater.

    The row goes once the rater has started; the line says why there is no desk.
    """
    try:
        work = queue_state.start_queue(services, *link, name, with_reasons=False)
    except HallaScopeError as sentence:
        return gr.Row(visible=True), status.error_message(sentence), {"items": []}
    rater = work["who"]["rater"]
    if not work["items"]:
        words = f"Thank you, {rater}: no image is left for you."
    else:
        words = f"You label as {rater}. Every image is kept once you have answered its questions."
    return gr.Row(visible=False), status.result_message(words), work


def build(services: Services, demo: gr.Blocks) -> None:
    """Add the page beside the dashboard."""
    with demo.route(TITLE, ROUTE, show_in_navbar=False):
        static_html(
            tag(
                "header",
                tag("h1", TITLE, class_="wordmark"),
                soft_line(HELP),
                class_="masthead labels",
            ),
            elem_id="rater-header",
        )
        plan = gr.State(PlanLink())
        with gr.Row(elem_classes=["ask"], elem_id="rater-row", visible=False) as row:
            name = line_field("Your name", "Your name", "rater-name", scale=1)
            begin = gr.Button(
                "Start", variant="primary", scale=0, min_width=132, elem_id="rater-go"
            )
        line = static_html(status.result_message(), elem_id="rater-status")
        functions = queue_state.queue_functions(services, with_reasons=False)
        desk = labeling.queue_panel(functions, "rater-desk")

        def opened(asker: gr.Request) -> tuple[PlanLink, Any, Any]:
            sent = asker.query_params
            return open_plan(services, str(sent.get("plan") or ""), str(sent.get("key") or ""))

        demo.load(opened, None, [plan, row, line], **NO_PROGRESS)
        gr.on(
            [begin.click, name.submit],
            as_visitor(services, start),
            [plan, name],
            [row, line, desk],
            **NO_PROGRESS,
        )
