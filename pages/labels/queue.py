"""Builds the labeling queue of the Labels tab: plans, the desk, progress and raters."""

import base64
from collections.abc import Sequence
from functools import partial
from typing import Any
from urllib.parse import urlencode

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.html.fields.file_button import file_button
from hallascope.components.html.fields.text_field import line_field
from hallascope.components.html.gradio_html import NO_PROGRESS, static_html
from hallascope.components.html.markup import join, soft_line, tag
from hallascope.components.labels import labeling
from hallascope.data.nouns import count_noun
from hallascope.engine.errors import BadRequest, HallaScopeError
from hallascope.engine.export.plan_tables import plan_tables, zip_plan
from hallascope.engine.labeling.plans import (
    MOST_RATERS,
    create_plan,
    describe_removal,
    find_plan,
)
from hallascope.engine.labeling.progress import plan_progress, rater_report
from hallascope.engine.leaderboard.options import leaderboard_options
from hallascope.engine.services import Services
from hallascope.engine.storage.people.ratings import IHALLA
from hallascope.pages.labels import queue_state
from hallascope.pages.labels.rater import ROUTE
from hallascope.pages.shared.context import PageContext
from hallascope.pages.shared.numbers import parse_seed, parse_whole, whole_number
from hallascope.pages.shared.server_functions import SentText, server_functions
from hallascope.pages.shared.visitor import as_visitor

HEADING = "Labeling queue"
LEAD = (
    "Pick images for people to label. Their labels correct the judge’s scores. While you label, the"
    " prompt, the expected answer and the judge’s answer stay hidden."
)
NO_PLAN = "No labeling plan yet. Open “New plan” to pick images for people to label."
ALL_RUNS = "all"
SEED_NOTE = (
    "The same seed gives the same order of images. Take another one for another random sample."
)
CHOOSE = "Choose a plan first, or create one."
NOT_YOURS = "This plan is not yours: only its creator can download its labels."


# --- what happens ---------------------------------------------------------------------------------


def show_plans(services: Services, chosen: str | None = None) -> gr.Radio:
    """Return the plans, the newest first, of which the newest is chosen if none is."""
    choices = queue_state.plan_choices(services.store.labeling.plans())
    names = [name for _, name in choices]
    kept = chosen if chosen in names else next(iter(names), None)
    return gr.Radio(choices, value=kept, info=None if choices else NO_PLAN)


def show_options(
    services: Services,
    judge: str | None,
    models: Sequence[str] | None,
    run: str | None,
    offered: Sequence[str],
) -> tuple[gr.Dropdown, gr.Dropdown, gr.Dropdown, list[str]]:
    """Return the updates of judges, models and runs in the form, and which models are offered.

    Judges are those that answered questions of stored images. What is chosen stays, where it is
    still there; a model that was not `offered` before is chosen, too.
    """
    options = leaderboard_options(services.store, IHALLA)
    judges, names = options.groups["judge"], list(options.models)
    runs = [("All runs", ALL_RUNS), *((title or run, run) for run, title in options.runs.items())]
    kept = [name for name in names if name in (models or ()) or name not in offered]
    return (
        gr.Dropdown(list(judges), value=judge if judge in judges else next(iter(judges), None)),
        gr.Dropdown(names, value=kept),
        gr.Dropdown(runs, value=run if run in options.runs else ALL_RUNS),
        names,
    )


def create(
    services: Services,
    title: str | None,
    judge: str | None,
    models: list[str] | None,
    raters: float | None,
    run: str | None,
    seed: float | None,
) -> tuple[Any, Any]:
    """Create a plan; return the line that says so, and the update of the plans."""
    try:
        plan = create_plan(
            services,
            judge=judge,
            models=tuple(models or []),
            raters_per_image=parse_whole(raters, "number of raters an image", 1, MOST_RATERS),
            run=None if run == ALL_RUNS else run,
            seed=parse_seed(seed),
            title=title or "",
        )
    except HallaScopeError as sentence:
        return status.error_message(sentence), gr.skip()
    number = len(plan.images)
    words = (
        f"The plan has {count_noun(number, 'image')}. Type your name and start,"
        " or send the link for raters."
    )
    return status.result_message(words), show_plans(services, plan.id)


def export_labels(services: Services, chosen: SentText = "") -> dict[str, str]:
    """Return a plan with its labels as an archive, as the file button takes it.

    Raises BadRequest.
    """
    if not chosen:
        raise BadRequest(CHOOSE)
    found = find_plan(services, chosen)
    if not services.store.labeling.is_own(found.id):
        raise BadRequest(NOT_YOURS)
    content = base64.b64encode(zip_plan(plan_tables(services.store, found))).decode()
    return {"name": f"labels-{found.id}.zip", "base64": content, "kind": "application/zip"}


def start(services: Services, plan: str | None, name: str | None) -> tuple[Markup, Any]:
    """Return the status line and the desk of a rater, or the sentence why there is none."""
    try:
        if not plan:
            raise BadRequest(CHOOSE)
        work = queue_state.start_queue(services, plan, "", name, with_reasons=True)
    except HallaScopeError as sentence:
        return status.error_message(sentence), {"items": []}
    rater = work["who"]["rater"]
    if not work["items"]:
        return status.result_message(f"Nothing of this plan is left for {rater}."), work
    return status.result_message(f"{rater}, keys 1 to 6 answer the marked question."), work


def delete(services: Services, plan: str | None, asked: str) -> tuple[Markup, Any, str]:
    """Say what deleting a plan deletes, and delete it once that was said of it (`asked`).

    Return the status line, the update of the plans, and of which plan it is said.
    """
    try:
        if not plan:
            raise BadRequest(CHOOSE)
        found = find_plan(services, plan)
        removal = describe_removal(services, found)
        if asked != found.id:
            return status.result_message(f"{removal} Press again to delete."), gr.skip(), found.id
        services.store.labeling.delete_plan(found.id)
    except HallaScopeError as sentence:
        return status.error_message(sentence), gr.skip(), ""
    return status.result_message("The plan is deleted."), show_plans(services), ""


def rater_link(services: Services, plan: str | None) -> Markup:
    """Return the link that shows raters nothing but their task, for who made the plan alone."""
    if not plan:
        return Markup()
    try:
        name = find_plan(services, plan).id
        if not services.store.labeling.is_own(name):
            return Markup()
    except HallaScopeError as sentence:
        return status.error_message(sentence)
    key = services.signer.signature("plan", name)
    address = f"{ROUTE}?{urlencode({'plan': name, 'key': key})}"
    link = tag("a", address, href=address, target="_blank")
    return soft_line(join("Link for raters, which shows nothing but their task: ", link))


def report(services: Services, plan: str | None) -> Markup:
    """Return how far a plan is, and what its raters did."""
    if not plan:
        return Markup()
    try:
        found = find_plan(services, plan)
        progress = queue_state.progress_table(plan_progress(services, found))
        return progress + queue_state.rater_table(rater_report(services, found))
    except HallaScopeError as sentence:
        return status.error_message(sentence)


# --- the section ----------------------------------------------------------------------------------


def build(services: Services, place: PageContext) -> None:
    """Lay the section out and connect it."""
    static_html(tag("h2", HEADING, class_="part"))
    static_html(soft_line(LEAD))
    plan = gr.Radio([], label="Plan", info=NO_PLAN, elem_id="queue-plan")
    with gr.Accordion("New plan", open=False, elem_id="queue-new", elem_classes=["lineup"]):
        form = _form()
        with gr.Row(elem_classes=["q-actions"]):
            create_button = gr.Button(
                "Create the plan", scale=0, min_width=180, elem_id="queue-create"
            )
            created = static_html(status.result_message(), elem_id="queue-created")
    link = static_html(Markup(), elem_id="queue-link")
    with gr.Row(elem_classes=["ask"]):
        name = line_field("Your name as a rater", "Your name", "queue-name", scale=1)
        start_button = gr.Button(
            "Start labeling", variant="primary", scale=0, min_width=180, elem_id="queue-go"
        )
    line = static_html(status.result_message(), elem_id="queue-status")
    functions = queue_state.queue_functions(services, with_reasons=True)
    desk = labeling.queue_panel(functions, "queue-desk")
    with gr.Row(elem_classes=["q-actions"]):
        refresh = gr.Button("Refresh progress", scale=0, min_width=190, elem_id="queue-refresh")
        delete_button = gr.Button("Delete the plan", scale=0, min_width=150, elem_id="queue-delete")
        (download,) = server_functions(services, export_labels)
        file_button("Download labels", download, "queue-export", "queue-plan")
    report_html = static_html(Markup(), elem_id="queue-report")
    create_button.click(
        as_visitor(services, create),
        form,
        [created, plan],
        concurrency_limit=1,
        preprocess=False,  # what is no longer offered is said in a sentence of ours
        **NO_PROGRESS,
    )
    gr.on(
        [start_button.click, name.submit],
        as_visitor(services, start),
        [plan, name],
        [line, desk],
        **NO_PROGRESS,
    )
    for show, output in ((report, report_html), (rater_link, link)):
        gr.on(
            [plan.change, refresh.click],
            as_visitor(services, show),
            plan,
            output,
            concurrency_limit=4,
            **NO_PROGRESS,
        )
    place.shown.change(as_visitor(services, show_plans), plan, plan, **NO_PROGRESS)
    asked = gr.State("")
    delete_button.click(
        as_visitor(services, delete),
        [plan, asked],
        [line, plan, asked],
        concurrency_limit=1,
        preprocess=False,
        **NO_PROGRESS,
    )
    _, judge, models, _, run, _ = form
    options = [judge, models, run, gr.State(())]
    place.shown.change(partial(show_options, services), options, options, **NO_PROGRESS)


def _form() -> list[Any]:
    """Lay out the controls of a new plan, in the order in which `create` takes their values."""
    title = line_field("Title of the plan", "Title, e.g. first study", "queue-title")
    models = gr.Dropdown([], multiselect=True, label="Models", elem_id="queue-models")
    with gr.Row():
        judge = gr.Dropdown([], label="Judge", elem_id="queue-judge")
        run = gr.Dropdown([("All runs", ALL_RUNS)], label="Run", elem_id="queue-run")
    with gr.Row(elem_classes=["numbers-row"]):
        raters = whole_number(1, "Raters an image", elem_id="queue-raters")
        seed = whole_number(0, "Seed", elem_id="queue-seed")
    static_html(soft_line(SEED_NOTE))
    return [title, judge, models, raters, run, seed]
