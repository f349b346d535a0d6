"""Builds I-HallA: answers of several models, the evidence of one image, and means."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from markupsafe import Markup

from hallascope import metrics
from hallascope.components.comparison import tables
from hallascope.components.comparison.jury import jury_panel
from hallascope.components.evidence.exhibits.verdicts import question_card
from hallascope.components.evidence.viewer import viewer
from hallascope.components.html.deviations import deviation_tables
from hallascope.components.html.gradio_html import CHOICE_EVENT, scripted_html, static_html
from hallascope.components.html.markup import panel, tag
from hallascope.components.html.truth import truth_scope
from hallascope.data.records import CoI
from hallascope.engine.errors import BadRequest
from hallascope.engine.run.result import RunResult
from hallascope.engine.services import Services
from hallascope.metrics import aggregate
from hallascope.pages.repair import panel as repair_panel
from hallascope.pages.shared import run_pictures
from hallascope.pages.shared.context import CurrentRun, PageContext
from hallascope.pages.shared.evidence.exhibits import exhibit
from hallascope.pages.shared.evidence.handlers import evidence_handler
from hallascope.pages.shared.evidence.people_labels import evidence_viewer
from hallascope.pages.shared.evidence.runs import find_shown
from hallascope.pages.shared.evidence.tab import EXAMPLE
from hallascope.pages.shared.reliability import with_reliability
from hallascope.pages.shared.truths import with_truth, with_truths

TITLE = "I-HallA"
HELP = Markup("""<div class="lead"><p><strong>I-HallA</strong> asks the judge five multiple-choice
questions about each image; the judge does not see the prompt. An answer is correct if it says what
a correct image would show. Unclear and missing answers do not count. The row <em>papers’ rule</em>
counts them as wrong, as the papers do.</p></div>""")
EMPTY = Markup(
    '<div class="lead"><p>Generate images on the Evaluate tab to compare their answers side by'
    " side.</p></div>"
)
NOT_ASKED = Markup(
    '<div class="lead"><p>This run has no answers of I-HallA: choose it under Metrics on the'
    " Evaluate tab and generate again.</p></div>"
)

BESIDE = Markup("""<h2>I-HallA and TIFA-style</h2><p class="soft">The same images and the same
judge. TIFA-style asks only about the words of the prompt; I-HallA also asks about knowledge of the
world.</p>""")
NOT_BESIDE = Markup(
    '<p class="soft">TIFA-style was not asked in this run: choose it under Metrics on the Evaluate'
    " tab and generate again.</p>"
)


# --- pure functions -------------------------------------------------------------------------------


def question_metric(view: RunResult) -> str | None:
    """Return the first metric of the run that asks questions and can run; None without one."""
    return next(
        (
            name
            for name in view.request.metrics
            if metrics.presentation(name) == "questions" and not run_pictures.not_run(view, name)
        ),
        None,
    )


def compositions(view: RunResult) -> Mapping[str, Mapping[CoI, aggregate.Mean]]:
    """Return the means by composition of interest of each model, with what it was given."""
    metric = question_metric(view)
    names = {image.generation: run_pictures.picture_name(image) for image in view.shots}
    own = [evaluation for evaluation in view.evaluations if evaluation.metric == metric]
    return {
        name: aggregate.by_coi(each.report for each in own if names[each.generation] == name)
        for name in dict.fromkeys(names.values())
    }


# --- what happens ---------------------------------------------------------------------------------


def answers(services: Services, current: CurrentRun) -> Markup:
    """Return the table of answers of the run that is shown, or of the shipped example."""
    try:
        shown = find_shown(services, current.run)
    except BadRequest:
        if current.run:
            raise
        return EMPTY  # an installation without the example
    metric = question_metric(shown.view)
    if metric is None:
        return NOT_ASKED
    tiles = with_truths(shown.services, run_pictures.tiles(shown.view, metric=metric))
    note = Markup()
    if shown.is_example:
        note = tag("div", tag("p", EXAMPLE.format(prompt=tiles[0].prompt)), class_="lead")
    tiles = with_reliability(services, tiles)
    return note + tables.side_by_side(tiles, unnamed=shown.is_example) + jury_panel(tiles)


def evidence(services: Services, run: str, key: str | None) -> Markup:
    """Return the viewer of one image by the question metric. Raises UnknownRun."""
    shown = find_shown(services, run)
    image = run_pictures.find_picture(shown.view, key)
    metric = question_metric(shown.view)
    if image is None or metric is None:
        return viewer(())
    found = exhibit(shown.services, shown.view, image, metric)
    return viewer([replace(found, unnamed=shown.is_example)])


def by_coi(services: Services, current: CurrentRun) -> Markup:
    """Return the means by composition of interest of the run that is shown, as HTML."""
    if not current.run:
        return Markup()
    view = services.view(current.run)
    return tables.by_composition(compositions(view)) if question_metric(view) else Markup()


def metric_comparison(services: Services, current: CurrentRun) -> Markup:
    """Return the scores of the run by I-HallA and TIFA-style; a sentence where one is missing."""
    if not current.run:
        return Markup()
    view = services.view(current.run)
    if not {"ihalla", "tifa"} <= {e.metric for e in view.evaluations}:
        body = Markup()
        if view.evaluations and "tifa" not in view.request.metrics:
            body = NOT_BESIDE
    else:
        body = tables.metric_comparison(
            list(
                zip(
                    run_pictures.tiles(view, metric="ihalla"),
                    run_pictures.tiles(view, metric="tifa"),
                    strict=True,
                )
            )
        )
    return tag("section", BESIDE, body, class_="panel beside") if body else Markup()


def tifa_questions(services: Services, run: str, key: str | None) -> Markup:
    """Return the TIFA-style questions of one image, beside those of I-HallA.

    Raises UnknownRun.
    """
    _, view, is_example = find_shown(services, run)
    image = run_pictures.find_picture(view, key)
    if is_example or image is None or question_metric(view) == "tifa":
        return Markup()
    tile = with_truth(services, run_pictures.tile(view, image, metric="tifa"))
    if not tile.reports:
        return Markup()
    cards = [
        question_card(i, v.question, v, truth=tile.truth(i)) for i, v in enumerate(tile.verdicts)
    ]
    cards = cards or [tag("li", "The prompt names nothing to ask for.")]
    heading = f"TIFA-style questions of {run_pictures.short_name(image.model)}"
    return panel(
        heading,
        tag("ol", *cards, class_=f"cards {truth_scope(tile.truths)}".rstrip()),
        class_="prompted",
    )


# --- the page -------------------------------------------------------------------------------------


def build(services: Services, place: PageContext) -> None:
    """Lay the page out; it is filled when it is opened and when the run that is shown changes."""
    static_html(HELP + deviation_tables("ihalla"))
    table = scripted_html("comparison/tables", EMPTY, elem_id="answers")
    viewer_html = evidence_viewer(services, "ihalla-evidence")
    scores = static_html(Markup(), elem_id="beside")
    questions = static_html(Markup(), elem_id="prompted")
    means = static_html(Markup(), elem_id="compositions")
    repair_panel.build(services, place)
    for output, look in ((table, answers), (scores, metric_comparison), (means, by_coi)):
        place.follow_run(partial(look, services), place.current, output, concurrency_limit=8)
    table.select(evidence_handler(services, evidence), None, viewer_html, **CHOICE_EVENT)
    table.select(evidence_handler(services, tifa_questions), None, questions, **CHOICE_EVENT)
