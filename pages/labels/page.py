"""Builds Labels: a person answers the judge's questions, grades, or checks a judge.

While they answer, they do not see what the judge said.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.html.fields.file_button import file_button
from hallascope.components.html.fields.text_field import line_field
from hallascope.components.html.gradio_html import NO_PROGRESS, static_html
from hallascope.components.html.markup import tag
from hallascope.components.labels import agreement, labeling
from hallascope.data.nouns import count_noun
from hallascope.engine import ratings
from hallascope.engine.deployment.hosting import public
from hallascope.engine.errors import BadRequest, HallaScopeError
from hallascope.engine.human_agreement.factual_form import (
    ERROR_TYPES,
    NO_ERROR,
    FormSummary,
    form_summaries,
    form_table,
)
from hallascope.engine.judge_eval.people import People
from hallascope.engine.services import Services
from hallascope.engine.trials.records import LabelFigures
from hallascope.metrics.statistics.intervals import INTERVAL_METHODS
from hallascope.pages.labels import queue, state
from hallascope.pages.labels.state import MODES, Mode
from hallascope.pages.shared.context import CurrentRun, PageContext
from hallascope.pages.shared.run_pictures import short_name
from hallascope.pages.shared.server_functions import server_functions
from hallascope.pages.shared.visitor import as_visitor

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

TITLE = "Labels"
HELP = Markup("""<div class="lead"><p>What do <strong>people</strong> see? Answer the judge’s
questions without seeing the prompt or the judge’s answers, grade images, check a judge’s answers,
or fill in T2I-FactualBench’s form. Each answer is saved with your name: continue any
day.</p></div>""")
WELCOME = (
    "Type your name, choose what to do, and press Start. Keys 1 to 6 answer the marked question."
)
WHERE = (("All images here", "all"), ("Only the run open on Evaluate", "run"))
NO_RUN = "No run is open: open one on the Evaluate tab, or choose “All images here”."
OWN_NAMES = "Importing a table works only on your own machine. Here, people answer on this tab."
JUDGE_HEADS = (
    "judge",
    "same answer",
    "always the expected answer",
    "sensitivity",
    "specificity",
    "balanced accuracy",
    "Cohen’s kappa",
    "n",
)
FORM_HEADS = (
    "model",
    "images",
    "concept (0 to 4)",
    "task (0 to 1)",
    "composition (0 to 4)",
    *(f"{name}s" for name in ERROR_TYPES if name != NO_ERROR),
)
FORM_NOTE = (
    "Means over the images and people; an image with several concepts counts once. Errors:"
    " how often each was named as the worst of an image (paper, section 5.4)."
)
BESIDE = "What judges and people say of the same images"


# --- what happens ---------------------------------------------------------------------------------


def start_rating(
    services: Services,
    current: CurrentRun,
    name: str | None,
    mode: Mode,
    where: str,
) -> tuple[str, Any]:
    """Return the status line and the panel of a rater, or the sentence why there is none."""
    run = current.run if where == "run" else None
    try:
        if where == "run" and not run:
            raise BadRequest(NO_RUN)
        work = state.rating_view(services, name, mode, run)
    except HallaScopeError as sentence:
        return status.error_message(sentence), {"items": []}
    number = len(work["items"])
    return (
        status.result_message(
            f"{count_noun(number, 'image')} for {work['who']['rater']}. Each"
            " answer is saved at once."
        ),
        work,
    )


def numbers(services: Services) -> Markup:
    """Return who answered how much, and how far each judge agrees with people."""
    try:
        people = People(services)
        counts = people.counts()
        judges = people.judges()
        summaries = form_summaries(services)
    except HallaScopeError as sentence:
        return status.error_message(sentence)
    if not counts:
        return form_html(summaries)
    rows = [
        (
            each.rater or "no name given",
            str(each.questions),
            str(each.grades),
            str(each.checked),
            str(each.overridden),
        )
        for each in counts
    ]
    heads = (
        "who",
        "questions answered",
        "grades",
        "answers of a judge checked",
        "of these overridden",
    )
    agreement_rows = [(judge, *_figure_texts(figures)) for judge, figures in judges.items()]
    note = (
        f"95 % interval by image ({INTERVAL_METHODS['clopper-pearson']}; of balanced accuracy"
        f" {INTERVAL_METHODS['recovered-variances']}; of kappa {INTERVAL_METHODS['linearized']})."
        " Always the expected answer: what that would reach on the same questions; a judge at or"
        " below it tells nothing. Sensitivity: of the questions where people do not see the"
        " expected answer, those where the judge does not see it either; specificity: of those"
        " where people see it, those where the judge does. Questions that cannot be told, or that"
        " the judge left unanswered, are left out."
    )
    html = agreement.table("Labels by person", heads, rows)
    if agreement_rows:
        html += agreement.table("Judges vs. people", JUDGE_HEADS, agreement_rows, note)
    return html + form_html(summaries)


def form_html(summaries: Sequence[FormSummary]) -> Markup:
    """Return what people say by T2I-FactualBench's form, model by model; "" where nobody did."""
    if not summaries:
        return Markup()
    rows = [
        (
            short_name(each.model) or "no longer stored",
            str(each.images),
            _rating_text(each.concept),
            _rating_text(each.task),
            _rating_text(each.composition),
            *(str(each.errors[name]) for name in ERROR_TYPES if name != NO_ERROR),
        )
        for each in summaries
    ]
    return agreement.table("Ratings by T2I-FactualBench’s form", FORM_HEADS, rows, FORM_NOTE)


def _rating_text(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _figure_texts(figures: LabelFigures) -> tuple[str, ...]:
    """Return the cells of a judge, in the order of `JUDGE_HEADS`."""
    cells = (
        figures.overall,
        figures.baseline,
        figures.sensitivity,
        figures.specificity,
        figures.balanced_accuracy,
        figures.kappa,
    )
    texts = (agreement.estimate_text(each.value, each.low, each.high) for each in cells)
    return (*texts, str(figures.overall.asked))


def figure(services: Services) -> "Figure | None":
    """Plot people's scores of the pictures of each model, with every judge's star.

    None where nobody answered.
    """
    try:
        strips = state.strips(People(services))
    except HallaScopeError:
        return None
    return agreement.violins(strips) if strips else None


def export_ratings(services: Services) -> dict[str, str]:
    """Return a table of all that people said, as the file button takes it."""
    return {"name": "people.csv", "text": ratings.export_table(services), "kind": "text/csv"}


def export_form(services: Services) -> dict[str, str]:
    """Return the ratings by T2I-FactualBench's form, as the file button takes a table."""
    text = form_table(services)
    return {"name": "factualbench-ratings.csv", "text": text, "kind": "text/csv"}


def import_verdicts(services: Services, path: str | None) -> Any:
    """Store the verdicts of a table; return what was taken, and what was wrong by file and line."""
    if not path:
        return gr.skip()
    if public():
        return status.error_message(OWN_NAMES)
    try:
        number, complaints = ratings.import_table(services, Path(path))
    except HallaScopeError as sentence:
        return status.error_message(sentence)
    words = (
        f"{count_noun(number, 'verdict')} taken from {Path(path).name}; what is"
        " here already and newer stays."
    )
    return status.result_message(words, [str(complaint) for complaint in complaints])


# --- the page -------------------------------------------------------------------------------------


def build(services: Services, place: PageContext) -> None:
    """Lay the page out and connect it."""
    static_html(HELP)
    with gr.Row(elem_classes=["ask"]):
        name = line_field("Your name", "Your name", "people-name", scale=1)
        start = gr.Button("Start", variant="primary", scale=0, min_width=132, elem_id="people-go")
    modes = [(title, name) for name, title in MODES.items()]
    mode = gr.Radio(modes, value="questions", label="Task", elem_id="people-mode")
    where = gr.Radio(WHERE, value="all", label="Images", elem_id="people-where")
    line = static_html(status.result_message(WELCOME), elem_id="people-status")
    save, *exports = server_functions(services, state.save, export_ratings, export_form)
    desk = labeling.labeling_panel(save, "people-desk")
    queue.build(services, place)
    static_html(tag("h2", BESIDE, class_="part"))
    with gr.Row(elem_classes=["q-actions"]):
        refresh = gr.Button("Refresh", scale=0, min_width=120, elem_id="people-refresh")
        file_button("Export a table", exports[0], "people-export")
        file_button("Export T2I-FactualBench ratings", exports[1], "people-export-form")
        upload = gr.UploadButton(
            "Import a table",
            file_types=[".csv"],
            type="filepath",
            scale=0,
            min_width=140,
            visible=not public(),
            elem_id="people-import",
        )
        import_line = static_html(Markup(), elem_id="people-line")
    numbers_html = static_html(Markup(), elem_id="people-numbers")
    plot = gr.Plot(show_label=False, container=False, elem_id="people-figure")
    gr.on(
        [start.click, name.submit],
        as_visitor(services, start_rating),
        [place.current, name, mode, where],
        [line, desk],
        **NO_PROGRESS,
    )
    imported = upload.upload(partial(import_verdicts, services), upload, import_line, **NO_PROGRESS)
    for look, output in ((numbers, numbers_html), (figure, plot)):
        gr.on(
            [place.shown.change, refresh.click],
            partial(look, services),
            None,
            output,
            concurrency_limit=8,
            **NO_PROGRESS,
        )
        imported.then(partial(look, services), None, output, **NO_PROGRESS)
