"""Builds the labeling queue of the Labels tab: plans, the desk, progress and raters."""

import base64
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlencode

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.html.fields.file_button import chosen_file_button
from hallascope.components.html.fields.number_field import whole_number
from hallascope.components.html.fields.text_field import line_field
from hallascope.components.html.gradio_html import quiet, still
from hallascope.components.html.markup import join, tag
from hallascope.components.models.pickers import Option, chip_row, chips
from hallascope.components.people import labelling
from hallascope.engine.errors import BadRequest, HallaScopeError
from hallascope.engine.export.plan_tables import plan_tables, zip_plan
from hallascope.engine.labeling.plans import (
    MOST_RATERS,
    create_plan,
    describe_removal,
    find_plan,
    list_plans,
)
from hallascope.engine.labeling.progress import plan_progress
from hallascope.engine.labeling.report import rater_report
from hallascope.engine.leaderboard.options import leaderboard_options
from hallascope.engine.services import Services
from hallascope.engine.storage.people.ratings import IHALLA
from hallascope.pages.people import queue_state
from hallascope.pages.people.rater import ROUTE
from hallascope.pages.shared.context import PageContext
from hallascope.pages.shared.numbers import parse_whole
from hallascope.pages.shared.visitor import as_visitor

HEADING = "Labeling queue"
LEAD = (
    "Label the images that make a judge’s scores sure. A plan draws them once; the scores are then"
    " corrected by what people say. While you label, the prompt, the expected answer and the"
    " judge’s answer stay hidden."
)
NO_PLAN = "There is no labeling plan yet: create one."
LARGEST_SEED = 2**31 - 1
ALL_RUNS = "all"
SEED_NOTE = (
    "The same seed gives the same order of images. Take another one for another random sample."
)
CHOOSE = "Choose a plan first, or create one."


class PlanForm(NamedTuple):
    """Holds the controls of a new plan, in the order in which `create` takes their values."""

    title: gr.Textbox
    judge: gr.HTML
    models: gr.HTML
    raters: gr.Number
    run: gr.HTML
    seed: gr.Number


class QueueSection(NamedTuple):
    """Holds the components that events listen to or write to."""

    plan: gr.HTML
    form: PlanForm
    create: gr.Button
    created: gr.HTML
    name: gr.Textbox
    start: gr.Button
    status: gr.HTML
    link: gr.HTML
    desk: gr.HTML
    refresh: gr.Button
    delete: gr.Button
    report: gr.HTML


# --- what happens ---------------------------------------------------------------------------------


def plan_chips(services: Services, chosen: list[str] | None) -> tuple[Markup, list[str]]:
    """Return the plans as chips, the newest first, and which is chosen: the newest, if none is."""
    plans = list_plans(services)
    names = [plan.id for plan in plans]
    kept = [name for name in chosen or [] if name in names] or names[:1]
    if not plans:
        return tag("p", NO_PLAN, class_="soft"), []
    options = queue_state.plan_options(plans)
    return chip_row(options, kept, "Plan", "radio", group="queue-plan"), kept


def show_plans(services: Services, chosen: list[str] | None = None) -> Any:
    """Return the update of the plans' chips."""
    body, kept = plan_chips(services, chosen)
    return gr.HTML(kept, body=body)


def judge_chips(
    services: Services, chosen: Sequence[str] | None = None
) -> tuple[Markup, list[str]]:
    """Return the judges that answered questions of stored images, and the chosen or first one."""
    judges = leaderboard_options(services.store, IHALLA).judges
    options = tuple(Option(judge, judge) for judge in judges)
    kept = [judge for judge in judges if judge in (chosen or ())] or list(judges[:1])
    return chip_row(options, kept, "Judge", "radio", group="queue-judge"), kept


def model_chips(
    services: Services, chosen: Sequence[str] | None = None, offered: Sequence[str] = ()
) -> tuple[Markup, list[str], list[str]]:
    """Return the models whose images are stored, those that are chosen, and their names.

    A model that was not `offered` before is chosen; of the others, those of `chosen` are.
    """
    models = list(leaderboard_options(services.store, IHALLA).models)
    options = tuple(Option(model, model) for model in models)
    kept = [model for model in models if model in (chosen or ()) or model not in offered]
    return chip_row(options, kept, "Models", group="queue-models"), kept, models


def run_chips(services: Services, chosen: Sequence[str] | None = None) -> tuple[Markup, list[str]]:
    """Return all runs, then the newest runs and sweeps, and which is chosen: all, if none is."""
    runs = leaderboard_options(services.store, IHALLA).runs
    options = (Option(ALL_RUNS, "All runs", called="All runs"), *_run_options(runs))
    kept = [run for run in runs if run in (chosen or ())] or [ALL_RUNS]
    return chip_row(options, kept, "Run", "radio", group="queue-run"), kept


def _run_options(runs: Mapping[str, str]) -> tuple[Option, ...]:
    return tuple(Option(run, title, called=title or run) for run, title in runs.items())


def show_options(
    services: Services,
    judge: list[str] | None,
    models: list[str] | None,
    run: list[str] | None,
    offered: Sequence[str],
) -> tuple[gr.HTML, gr.HTML, gr.HTML, list[str]]:
    """Return the updates of judges, models and runs in the form, and which models are offered.

    What is chosen stays, where it is still there.
    """
    judges, one_judge = judge_chips(services, judge)
    model_row, some_models, names = model_chips(services, models, offered)
    runs, one_run = run_chips(services, run)
    return (
        gr.HTML(one_judge, body=judges),
        gr.HTML(some_models, body=model_row),
        gr.HTML(one_run, body=runs),
        names,
    )


def create(
    services: Services,
    title: str | None,
    judge: list[str] | None,
    models: list[str] | None,
    raters: float | None,
    run: list[str] | None,
    seed: float | None,
) -> tuple[Any, Any]:
    """Create a plan; return the line that says so, and the update of the plans' chips."""
    try:
        plan = create_plan(
            services,
            judge=next(iter(judge or []), None),
            models=tuple(models or []),
            raters_per_image=parse_whole(raters, "number of raters an image", 1, MOST_RATERS),
            run=next((name for name in run or [] if name != ALL_RUNS), None),
            seed=parse_whole(seed, "seed", 0, LARGEST_SEED),
            title=title or "",
        )
    except HallaScopeError as sentence:
        return status.error_message(str(sentence)), gr.skip()
    number = len(plan.images)
    words = (
        f"The plan has {number} {'image' if number == 1 else 'images'}. Type your name and start,"
        " or send the link for raters."
    )
    return status.result_message(words), show_plans(services, [plan.id])


def export(services: Services, plan: str) -> dict[str, str]:
    """Return a plan with its labels as an archive, as the file button takes it."""
    try:
        if not plan:
            raise BadRequest(CHOOSE)
        found = find_plan(services, plan)
        content = base64.b64encode(zip_plan(plan_tables(services.store, found))).decode()
    except HallaScopeError as sentence:
        return {"wrong": str(sentence)}
    return {"name": f"labels-{found.id}.zip", "base64": content, "kind": "application/zip"}


def start(services: Services, plan: list[str] | None, name: str | None) -> tuple[Markup, Any]:
    """Return the status line and the desk of a rater, or the sentence why there is none."""
    try:
        if not plan:
            raise BadRequest(CHOOSE)
        work = queue_state.start_queue(services, plan[0], "", name, with_reasons=True)
    except HallaScopeError as sentence:
        return status.error_message(str(sentence)), {"items": []}
    rater = work["who"]["rater"]
    if not work["items"]:
        return status.result_message(f"Nothing of this plan is left for {rater}."), work
    return status.result_message(f"{rater}, keys 1 to 6 answer the marked question."), work


def delete(services: Services, plan: list[str] | None, asked: str) -> tuple[Markup, Any, str]:
    """Say what deleting a plan deletes, and delete it once that was said of it (`asked`).

    Return the status line, the update of the plans' chips, and of which plan it is said.
    """
    try:
        if not plan:
            raise BadRequest(CHOOSE)
        found = find_plan(services, plan[0])
        removal = describe_removal(services, found)
        if asked != found.id:
            return status.idle_message(f"{removal} Press again to delete."), gr.skip(), found.id
        services.store.labeling.delete_plan(found.id)
    except HallaScopeError as sentence:
        return status.error_message(str(sentence)), gr.skip(), ""
    return status.result_message("The plan is deleted."), show_plans(services), ""


def rater_link(services: Services, plan: list[str] | None) -> Markup:
    """Return the link that shows raters nothing but their task, for who made the plan alone."""
    if not plan:
        return Markup()
    try:
        name = find_plan(services, plan[0]).id
        if not services.store.labeling.is_own(name):
            return Markup()
    except HallaScopeError as sentence:
        return status.error_message(str(sentence))
    key = services.signer.signature("plan", name)
    address = f"{ROUTE}?{urlencode({'plan': name, 'key': key})}"
    link = tag("a", address, href=address, target="_blank")
    return tag(
        "p", join("Link for raters, which shows nothing but their task: ", link), class_="soft"
    )


def report(services: Services, plan: list[str] | None) -> Markup:
    """Return how far a plan is, and what its raters did."""
    if not plan:
        return Markup()
    try:
        found = find_plan(services, plan[0])
        progress = queue_state.progress_table(plan_progress(services, found))
        return progress + queue_state.rater_table(rater_report(services, found))
    except HallaScopeError as sentence:
        return status.error_message(str(sentence))


# --- the section ----------------------------------------------------------------------------------


def build(services: Services, place: PageContext) -> QueueSection:
    """Lay the section out and connect it."""
    section = _layout(services)
    _connect(services, place, section)
    return section


def _layout(services: Services) -> QueueSection:
    still(tag("h2", HEADING, class_="part"))
    still(tag("p", LEAD, class_="soft"))
    plan = chips(tag("p", NO_PLAN, class_="soft"), [], elem_id="queue-plan")
    with gr.Accordion("New plan", open=False, elem_id="queue-new", elem_classes=["lineup"]):
        form = _form()
        with gr.Row(elem_classes=["q-actions"]):
            create_button = gr.Button(
                "Create the plan", scale=0, min_width=180, elem_id="queue-create"
            )
            created = still(status.idle_message(), elem_id="queue-created")
    link = still(Markup(), elem_id="queue-link")
    with gr.Row(elem_classes=["ask"]):
        name = line_field("Your name as a rater", "Your name", "queue-name", scale=1)
        start_button = gr.Button(
            "Start labeling", variant="primary", scale=0, min_width=180, elem_id="queue-go"
        )
    line = still(status.idle_message(), elem_id="queue-status")
    desk = labelling.queue_panel(
        queue_state.make_step(services, with_reasons=True),
        "queue-desk",
        queue_state.make_forecast(services),
    )
    with gr.Row(elem_classes=["q-actions"]):
        refresh = gr.Button("Refresh progress", scale=0, min_width=190, elem_id="queue-refresh")
        delete = gr.Button("Delete the plan", scale=0, min_width=150, elem_id="queue-delete")
        chosen_file_button(
            "Download labels", partial(export, services), "queue-export", "queue-plan"
        )
    report_html = still(Markup(), elem_id="queue-report")
    return QueueSection(
        plan=plan,
        form=form,
        create=create_button,
        created=created,
        name=name,
        start=start_button,
        status=line,
        link=link,
        desk=desk,
        refresh=refresh,
        delete=delete,
        report=report_html,
    )


def _form() -> PlanForm:
    title = line_field("Title of the plan", "Title, e.g. first study", "queue-title")
    judge = chips(Markup(), [], elem_id="queue-judge")
    models = chips(Markup(), [], elem_id="queue-models")
    run = chips(Markup(), [ALL_RUNS], elem_id="queue-run")
    with gr.Row(elem_classes=["numbers-row"]):
        raters = whole_number(1, "Raters an image", 1, MOST_RATERS, elem_id="queue-raters")
        seed = whole_number(0, "Seed", 0, LARGEST_SEED, elem_id="queue-seed")
    still(tag("p", SEED_NOTE, class_="soft"))
    return PlanForm(title, judge, models, raters, run, seed)


def _connect(services: Services, place: PageContext, section: QueueSection) -> None:
    section.create.click(
        as_visitor(services, create),
        list(section.form),
        [section.created, section.plan],
        concurrency_limit=1,
        **quiet(),
    )
    gr.on(
        [section.start.click, section.name.submit],
        as_visitor(services, start),
        [section.plan, section.name],
        [section.status, section.desk],
        **quiet(),
    )
    for show, output in ((report, section.report), (rater_link, section.link)):
        gr.on(
            [section.plan.change, section.refresh.click],
            as_visitor(services, show),
            section.plan,
            output,
            concurrency_limit=4,
            **quiet(),
        )
    place.tab.select(as_visitor(services, show_plans), section.plan, section.plan, **quiet())
    asked = gr.State("")
    section.delete.click(
        as_visitor(services, delete),
        [section.plan, asked],
        [section.status, section.plan, asked],
        concurrency_limit=1,
        **quiet(),
    )
    offered = gr.State(())
    options = [section.form.judge, section.form.models, section.form.run, offered]
    place.tab.select(partial(show_options, services), options, options, **quiet())
