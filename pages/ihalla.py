"""I-HallA: the answers of several models side by side, by composition of interest, and the evidence of one picture."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

import gradio as gr

from components.evidence import viewer
from components.live import chosen, live, quiet, still
from components.tables import by_composition, side_by_side
from data.records import CoI
from engine.events import RunView
from engine.services import Services
from metrics import slices
from pages import views
from pages.evidence import shows
from pages.place import Current, Place

TITLE = "I-HallA"
HELP = """<div class="lead"><p><strong>I-HallA</strong> asks a judge five multiple-choice questions about each picture, without
showing it the prompt. A question counts as correct where the judge sees what a factual picture would show. Replies that name no single
choice, and questions without a reply, are left out of the score and counted beside it; <em>the papers’ rule</em> counts them as wrong.
<em>Strict</em>: all questions of the picture are correct.</p></div>"""
EMPTY = '<div class="lead"><p>Generate pictures on the Explore tab first; their answers stand here side by side.</p></div>'


class Page(NamedTuple):
    """The parts of the page."""

    answers: gr.HTML
    evidence: gr.HTML
    compositions: gr.HTML


# --- pure functions -----------------------------------------------------------------------------------------------------------


def rows(view: RunView) -> Iterator[slices.Row]:
    """The reports of a run with what they are sliced by."""
    for evaluation in view.evaluations:
        if evaluation.metric == "ihalla":
            yield slices.Row(evaluation.report, views.short_name(evaluation.model), evaluation.judge or "", evaluation.trial)


def compositions(view: RunView) -> Mapping[str, Mapping[CoI, slices.Mean]]:
    """For each model of the run, in the order asked for, its means by composition of interest."""
    found = list(rows(view))
    models = dict.fromkeys(views.short_name(shot.model) for shot in view.shots)
    return {model: slices.by_coi([row for row in found if row.model == model]) for model in models}


# --- what happens --------------------------------------------------------------------------------------------------------------


def answers(services: Services, current: Current) -> str:
    """The table of answers of the run that is shown."""
    return side_by_side(views.tiles(services.view(current.run))) if current.run else EMPTY


def by_coi(services: Services, current: Current) -> str:
    return by_composition(compositions(services.view(current.run))) if current.run else ""


# --- the page ---------------------------------------------------------------------------------------------------------------------


def build(services: Services, place: Place) -> Page:
    """Lay the page out; it looks again when it is opened and when the run that is shown changes."""
    still(HELP)
    table = live("compare", EMPTY, elem_id="answers")
    shown = live("evidence", viewer(None), elem_id="ihalla-evidence")
    means = still("", elem_id="compositions")
    for output, look in ((table, answers), (means, by_coi)):
        gr.on([place.tab.select, place.current.change], partial(look, services), place.current, output, concurrency_limit=8, **quiet())
    table.select(shows(services), None, shown, **chosen())
    return Page(table, shown, means)
