"""Tries remedies beside a control of equal cost, and says how many failures disappear."""

from collections.abc import Iterator, Sequence
from typing import Any

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.html.gradio_html import static_html
from hallascope.data.nouns import count_noun
from hallascope.engine.error_analysis.remedies import (
    ALL_REMEDIES,
    MOST_CASES,
    REMEDIES,
    RemedyOutcome,
    RemedyRequest,
    TreatedCase,
    failing_images,
    parse_remedies,
    remedies_estimate,
    try_remedies,
)
from hallascope.engine.error_analysis.repair import MOST_ROUNDS
from hallascope.engine.error_analysis.selection import ErrorSelection
from hallascope.engine.errors import BadRequest
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.pages.errors import gallery
from hallascope.pages.errors.remedy_table import remedy_table
from hallascope.pages.errors.selection_bar import ErrorsPart
from hallascope.pages.shared import model_picker, run_messages
from hallascope.pages.shared.context import PageContext
from hallascope.pages.shared.evidence.metric_models import JUDGE
from hallascope.pages.shared.model_picker import PickerSpec, prefer_wanted
from hallascope.pages.shared.numbers import parse_whole, whole_number
from hallascope.pages.shared.run_buttons import RunButtons, StartedRun, start_and_stop

TITLE = "Repair"
DEFAULT_CASES = 10
DEFAULT_IMAGES = 3
MODEL = PickerSpec(
    role="generator",
    label="Image model",
    prefer=prefer_wanted,
    models=("primer/careless",),
)
SELECTING = PickerSpec(
    role="judge",
    label="Judge that selects",
    prefer=prefer_wanted,
    models=(JUDGE,),
)
EVALUATING = PickerSpec(
    role="judge",
    label="Judge that evaluates",
    prefer=prefer_wanted,
    models=("primer/counter",),
)
NOTHING_FAILS = (
    "No image of {model} in this selection has an error: choose another model, or widen the"
    " selection above."
)
HELP = Markup("""<p class="soft">Each failing image is drawn again: with every remedy and, as a
control, as often without one. One judge selects the failing images and another evaluates the new
ones, so a remedy cannot win by fooling its own judge. For simulated models you also see the
truth.</p>""")


def remedy_request(
    services: Services,
    selection: ErrorSelection,
    remedies: Sequence[str],
    model: str | None,
    judge: str | None,
    evaluating: str | None,
    images: float | None,
    most: float | None,
) -> RemedyRequest:
    """Return the experiment that is asked for. Raises BadRequest with one sentence."""
    chosen = model_picker.chosen_model(model) or ""
    rounds = parse_whole(images, "number of images", 1, MOST_ROUNDS)
    most_cases = parse_whole(most, "number of failing images", 1, MOST_CASES)
    cases = failing_images(services.store, selection, chosen, most_cases)
    if not cases:
        raise BadRequest(NOTHING_FAILS.format(model=chosen))
    if not remedies:
        raise BadRequest(f"No remedy is chosen: choose among {', '.join(REMEDIES)}.")
    return RemedyRequest(
        cases=cases,
        model=chosen,
        judge=model_picker.chosen_model(judge) or "",
        evaluate_by=model_picker.chosen_model(evaluating) or "",
        images=rounds,
        remedies=parse_remedies(tuple(remedies)),
    )


def run(begun: StartedRun, *values: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the status line, what was found, and the images before and after."""
    request = remedy_request(begun.services, *values)
    total = len(request.cases)
    yield (status.progress(0, total, "failing images"), Markup(), {}, gr.skip(), None)
    for outcome in try_remedies(begun.services, request, begun.terms, begun.stop):
        if outcome.done < total:
            line = status.progress(outcome.done, total, request.cases[outcome.done].prompt)
            yield (line, *([gr.skip()] * 4))
    yield show_outcome(outcome)


def estimate(services: Services, terms: SpendingPolicy, *values: Any) -> str:
    """Return how many images are drawn and what that is likely to cost, in words."""
    request = remedy_request(services, *values)
    expected = remedies_estimate(services, request, terms)
    cost = run_messages.estimate_words(services, expected, terms)
    cases = count_noun(len(request.cases), "failing image")
    words = f"{cases}, at most {count_noun(request.images_in_all, 'image')} to draw."
    return f"{words} {cost}".strip()


def show_outcome(outcome: RemedyOutcome) -> tuple[Any, ...]:
    """Return what the panel shows of an experiment that ended."""
    request = outcome.request
    end = "Stopped. Press “Run repair” again to resume. " if outcome.stopped else ""
    redrawn = count_noun(len(outcome.treated), "failing image")
    words = f"{end}{redrawn} of {request.model} drawn again."
    reasons = list(dict.fromkeys(reason for _, reason in outcome.left_out))
    return (
        status.result_message(words, reasons[:3]),
        remedy_table(outcome),
        *gallery.group_updates(images_by_prompt(outcome.treated)),
    )


def images_by_prompt(treated: Sequence[TreatedCase]) -> dict[str, list[int]]:
    """Return the ids of evaluations by prompt: before, the control, then after each remedy."""
    images: dict[str, list[int]] = {}
    for one in treated:
        shown = [one.before, *one.control, *(image for own in one.after.values() for image in own)]
        ids = (image.evaluation for image in shown if image.evaluation is not None)
        images[one.case.prompt] = list(dict.fromkeys(ids))
    return images


def build(services: Services, place: PageContext, part: ErrorsPart) -> None:
    """Lay the part out and connect it."""
    static_html(HELP)
    remedies = gr.CheckboxGroup(
        [(f"{name}: {words}", name) for name, words in REMEDIES.items()],
        value=list(ALL_REMEDIES),
        label="Remedies",
        elem_id="errors-remedies-names",
    )
    with gr.Row():
        model = model_picker.picker(services, place.spending, MODEL, "errors-remedies-model")
        judge = model_picker.picker(services, place.spending, SELECTING, "errors-remedies-judge")
        other = model_picker.picker(
            services, place.spending, EVALUATING, "errors-remedies-evaluating"
        )
    with gr.Row(elem_classes=["numbers-row"]):
        images = whole_number(DEFAULT_IMAGES, "Images per remedy", elem_id="errors-remedies-images")
        most = whole_number(DEFAULT_CASES, "Failing images", elem_id="errors-remedies-most")
    with gr.Row(elem_classes=["q-actions"]):
        go, stop = start_and_stop("Run repair", "errors-remedies-go", "errors-remedies-stop")
        line = static_html(status.result_message(), elem_id="errors-remedies-status")
    cost = static_html(Markup(), elem_id="errors-remedies-estimate", elem_classes=["estimate"])
    findings = static_html(Markup(), elem_id="errors-remedies-findings")
    by_prompt = gallery.build_groups(
        services,
        "Before and after",
        "errors-remedies-prompt",
        "errors-remedies-gallery",
        "{}: before, fresh images, after each remedy",
    )
    settings: list[Any] = [part.bar.chosen, remedies, model, judge, other, images, most]
    RunButtons([go], stop, place.spending).begin(
        listeners=[go.click],
        work=run,
        inputs=settings,
        outputs=[line, findings, *by_prompt],
        at_once=2,
        called="trying-remedies",
    )
    changes = [part.to_fill.change, *(control.change for control in settings[1:])]
    place.spending.show_estimate(changes, estimate, settings, cost, says_why=True)
