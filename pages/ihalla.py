"""Shows I-HallA: answers of several models, the evidence of one picture, and means.

TIFA-style is beside it; means are by composition.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

import gradio as gr

from hallascope import metrics
from hallascope.components.cards.cards import question_card
from hallascope.components.comparison import tables
from hallascope.components.evidence.viewer import viewer
from hallascope.components.html.gradio_html import chosen, live, quiet, still
from hallascope.components.html.markup import text
from hallascope.data.records import CoI
from hallascope.engine.events import RunView
from hallascope.engine.services import Services
from hallascope.metrics import aggregate
from hallascope.pages.shared import run_progress
from hallascope.pages.shared.context import CurrentRun, PageContext
from hallascope.pages.shared.evidence import evidence_handler, verdict_handler
from hallascope.pages.shared.exhibits import exhibit

TITLE = "I-HallA"
HELP = """<div class="lead"><p><strong>I-HallA</strong> asks a judge five multiple-choice questions
about each picture, without showing it the prompt. A question counts as correct where the judge sees
what a factual picture would show. Replies that name no single choice, and questions without a
reply, are left out of the score and counted beside it; <em>the papers’ rule</em> counts them as
wrong. <em>Strict</em>: all questions of the picture are correct.</p></div>"""
EMPTY = (
    '<div class="lead"><p>Generate pictures on the Explore tab first; their answers stand here side'
    " by side.</p></div>"
)
NOT_ASKED = (
    '<div class="lead"><p>This run has no answers of I-HallA: choose it under Metrics on the'
    " Explore tab and generate again.</p></div>"
)

BESIDE = """<h2>I-HallA beside TIFA-style</h2><p class="soft">The same pictures and the same judge.
TIFA-style asks only what stands in the prompt; what I-HallA finds beyond it is what knowledge of
the world adds.</p>"""
NOT_BESIDE = (
    '<p class="soft">TIFA-style was not asked in this run: choose it under Metrics on the Explore'
    " tab and generate again.</p>"
)


class Page(NamedTuple):
    """The parts of the page."""

    answers: gr.HTML
    evidence: gr.HTML
    beside: gr.HTML
    prompted: gr.HTML
    compositions: gr.HTML


# --- pure functions
# --------------------------------------------------------------------------------------------------


def rows(view: RunView) -> Iterator[aggregate.ReportRow]:
    """The reports of a run by its primary metric, with what they are sliced by."""
    wanted = question_metric(view)
    for evaluation in view.evaluations:
        if evaluation.metric == wanted:
            yield aggregate.ReportRow(
                report=evaluation.report,
                model=run_progress.short_name(evaluation.model),
                judge=evaluation.judge or "",
                trial=evaluation.trial,
            )


def question_metric(view: RunView) -> str | None:
    """The metric of the run whose questions and answers are shown: the first that asks any.

    None where none does.
    """
    return next(
        (
            name
            for name in view.request.metrics
            if metrics.presentation(name) == "questions" and not run_progress.not_run(view, name)
        ),
        None,
    )


def compositions(view: RunView) -> Mapping[str, Mapping[CoI, aggregate.Mean]]:
    """For each model of the run, in the order asked for, its means by composition of interest."""
    found = list(rows(view))
    models = dict.fromkeys(run_progress.short_name(shot.model) for shot in view.shots)
    return {
        model: aggregate.by_coi([row for row in found if row.model == model]) for model in models
    }


# --- what happens
# --------------------------------------------------------------------------------------------------


def answers(services: Services, current: CurrentRun) -> str:
    """The table of answers of the run that is shown."""
    if not current.run:
        return EMPTY
    view = services.view(current.run)
    wanted = question_metric(view)
    return tables.side_by_side(run_progress.tiles(view, metric=wanted)) if wanted else NOT_ASKED


def evidence(services: Services, run: str, key: str | None) -> str:
    """The viewer of one picture by the metric whose answers are shown. Raises UnknownRun."""
    view = services.view(run)
    shot = run_progress.find_picture(view, key)
    return viewer([exhibit(services, view, shot, question_metric(view))] if shot else ())


def by_coi(services: Services, current: CurrentRun) -> str:
    if not current.run:
        return ""
    view = services.view(current.run)
    return tables.by_composition(compositions(view)) if question_metric(view) else ""


def metric_comparison(services: Services, current: CurrentRun) -> str:
    """The scores of the run by I-HallA and TIFA-style.

    Where only one of them was asked, a sentence.
    """
    if not current.run:
        return ""
    view = services.view(current.run)
    if not {"ihalla", "tifa"} <= {e.metric for e in view.evaluations}:
        said = NOT_BESIDE if view.evaluations and "tifa" not in view.request.metrics else ""
    else:
        said = tables.metric_comparison(
            list(
                zip(
                    run_progress.tiles(view, metric="ihalla"),
                    run_progress.tiles(view, metric="tifa"),
                    strict=True,
                )
            )
        )
    return f'<section class="panel beside">{BESIDE}{said}</section>' if said else ""


def tifa_questions(services: Services, run: str, key: str | None) -> str:
    """The TIFA-style questions of one picture, where they stand beside those of I-HallA.

    Raises UnknownRun.
    """
    view = services.view(run)
    shot = run_progress.find_picture(view, key)
    if shot is None or question_metric(view) == "tifa":
        return ""
    tile = run_progress.tile(view, shot, metric="tifa")
    if not tile.reports:
        return ""
    cards = "".join(question_card(i, v.question, v) for i, v in enumerate(tile.verdicts))
    cards = cards or "<li>The prompt names nothing to ask for.</li>"
    heading = f"TIFA-style questions of {run_progress.short_name(shot.model)}"
    return (
        f'<section class="panel prompted"><h2>{text(heading)}</h2><ol'
        f' class="cards">{cards}</ol></section>'
    )


# --- the page
# --------------------------------------------------------------------------------------------------


def build(services: Services, place: PageContext) -> Page:
    """Lay the page out; it looks again when it is opened and when the run that is shown changes."""
    still(HELP)
    table = live("comparison/tables", EMPTY, elem_id="answers")
    shown = live("evidence/viewer", viewer(()), elem_id="ihalla-evidence")
    scores = still("", elem_id="beside")
    asked = still("", elem_id="prompted")
    means = still("", elem_id="compositions")
    for output, look in ((table, answers), (scores, metric_comparison), (means, by_coi)):
        gr.on(
            [place.tab.select, place.current.change],
            partial(look, services),
            place.current,
            output,
            concurrency_limit=8,
            **quiet(),
        )
    table.select(evidence_handler(services, evidence), None, shown, **chosen())
    table.select(evidence_handler(services, tifa_questions), None, asked, **chosen())
    shown.submit(verdict_handler(services), None, None, **chosen())
    return Page(table, shown, scores, asked, means)
