"""Builds the repair of a prompt on the I-HallA tab: settings, cost, and the strip of rounds.

It repairs the image of the run with the lowest score.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.html.gradio_html import NO_PROGRESS, static_html
from hallascope.data.models.services import find
from hallascope.engine.error_analysis.repair import (
    MOST_ROUNDS,
    RepairRequest,
    repair_estimate,
    repair_prompt,
)
from hallascope.engine.errors import BadRequest
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.metrics.ihalla.plan import NAME as IHALLA
from hallascope.pages.repair.rounds import prompt_rounds
from hallascope.pages.shared import run_messages, run_pictures
from hallascope.pages.shared.context import CurrentRun, PageContext
from hallascope.pages.shared.evidence.metric_models import NO_MODEL
from hallascope.pages.shared.model_picker import chosen_model
from hallascope.pages.shared.numbers import parse_whole, whole_number
from hallascope.pages.shared.run_buttons import RunButtons, StartedRun, start_and_stop

EMPTY = "Generate images on the Evaluate tab first. The image with the lowest score is repaired."
NOT_JUDGED = (
    "No generated image of this run has a score of I-HallA: judge the run with that metric first."
)
HELP = Markup("""<p class="soft">The prompt is made more exact about what the image got wrong, and
the image is drawn and judged again, until every answer is right or the rounds are used up. The
writer of Settings rewrites it; without one a rule adds the wrong facts. This does not always help.
Such images have their own rows on the leaderboard.</p>""")


def repair_request(
    services: Services, current: CurrentRun, writer: str | None, rounds: float | None
) -> RepairRequest:
    """Return the repair of the image of the run that has the lowest score of I-HallA.

    Raises BadRequest where no generated image has one, or `rounds` is no number of rounds.
    """
    most_rounds = parse_whole(rounds, "number of rounds", 1, MOST_ROUNDS)
    if not current.run:
        raise BadRequest(EMPTY)
    view = services.view(current.run)
    scored = []
    for shot in view.shots:
        found = run_pictures.evaluations_of(view, shot, IHALLA)
        value = found[0].report.score.value if found else None
        if value is not None and find(services.registry.specs, shot.model):
            scored.append((value, shot, found[0].judge or ""))
    if not scored:
        raise BadRequest(NOT_JUDGED)
    _, shot, judge = min(scored, key=lambda each: each[0])
    return RepairRequest(
        prompt=view.request.prompt,
        model=shot.model,
        judge=judge,
        writer=None if writer in (None, NO_MODEL) else writer,
        rounds=most_rounds,
        seed=shot.seed,
        wording=view.request.wording,
    )


def repair(
    begun: StartedRun, current: CurrentRun, writer: str | None, rounds: float | None
) -> Iterator[tuple[Any, ...]]:
    """Yield the status line and the strip while the rounds are done."""
    request = repair_request(begun.services, current, chosen_model(writer), rounds)
    about = f"{run_pictures.short_name(request.model)}, seed {request.seed}"
    yield status.progress(0, request.rounds + 1, about), prompt_rounds(())
    for done in repair_prompt(begun.services, request, begun.terms, begun.stop):
        line = status.progress(len(done.rounds), request.rounds + 1, about)
        if done.end:
            line = status.result_message(f"{about}: {done.end}")
        yield line, prompt_rounds(done.rounds)


def estimate(
    services: Services,
    terms: SpendingPolicy,
    current: CurrentRun,
    writer: str | None,
    rounds: float | None,
) -> str:
    """Return what the repair is likely to cost, in words."""
    request = repair_request(services, current, chosen_model(writer), rounds)
    return run_messages.estimate_words(services, repair_estimate(services, request, terms), terms)


def build(services: Services, place: PageContext) -> None:
    """Lay the panel out and connect it."""
    with gr.Accordion("Repair the prompt", open=False, elem_classes=["lineup"]):
        static_html(HELP)
        with gr.Row(elem_classes=["numbers-row"]):
            rounds = whole_number(3, "Rounds", elem_id="repair-rounds")
        with gr.Row(elem_classes=["q-actions"]):
            go, stop = start_and_stop("Repair prompt", "repair-go", "repair-stop")
            line = static_html(status.result_message(), elem_id="repair-status")
        cost = static_html(Markup(), elem_id="repair-estimate", elem_classes=["estimate"])
        strip = static_html(prompt_rounds(()), elem_id="repair-rounds-strip")
    writer = place.models["writer"]
    settings = [place.current, writer, rounds]
    RunButtons([go], stop, place.spending).begin(
        listeners=[go.click],
        work=repair,
        inputs=settings,
        outputs=[line, strip],
        at_once=2,
        called="repairing",
    )
    changes = [writer.change, rounds.change, place.shown.change]
    place.spending.show_estimate(changes, estimate, settings, cost)
    place.current.change(partial(prompt_rounds, ()), None, strip, **NO_PROGRESS)
