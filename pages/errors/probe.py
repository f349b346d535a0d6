"""Varies one thing of a prompt at a time, and shows where a model begins to fail."""

from collections.abc import Iterator, Sequence
from typing import Any

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.html.gradio_html import static_html
from hallascope.data.nouns import count_noun
from hallascope.engine.error_analysis.probe.findings import ProbeFindings, find_failures
from hallascope.engine.error_analysis.probe.levels import AXES
from hallascope.engine.error_analysis.probe.probe import (
    MOST_IMAGES,
    ProbeOutcome,
    ProbeRequest,
    probe_estimate,
    run_probe,
)
from hallascope.engine.errors import require_name
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.services import Services
from hallascope.pages.errors import gallery
from hallascope.pages.errors.probe_curve import probe_figure, probe_table
from hallascope.pages.errors.selection_bar import ErrorsPart
from hallascope.pages.shared import model_picker, run_messages
from hallascope.pages.shared.context import PageContext
from hallascope.pages.shared.evidence.metric_models import JUDGE, NO_MODEL
from hallascope.pages.shared.known_models import known_models
from hallascope.pages.shared.model_picker import PickerSpec, prefer_wanted
from hallascope.pages.shared.numbers import parse_whole, whole_number
from hallascope.pages.shared.run_buttons import RunButtons, StartedRun, start_and_stop

TITLE = "Probe"
START = "two red circles"
DEFAULT_IMAGES = 24
MODELS = PickerSpec(
    role="generator",
    label="Image models",
    several=True,
    prefer=prefer_wanted,
    models=("primer/hasty", "primer/careless"),
)
JUDGES = PickerSpec(role="judge", label="Judge", prefer=prefer_wanted, models=(JUDGE,))
WRITER = PickerSpec(
    role="writer",
    label="Prompt writer",
    prefer=prefer_wanted,
    before=(("none: word rules vary the prompt", NO_MODEL),),
)
HELP = Markup("""<p class="soft">Vary one thing in a prompt, such as the number of objects, and
see where each model begins to fail. Most images are drawn there. An image without an answer does
not count. To vary the language, you need a prompt writer and a model that draws any
prompt.</p>""")


def probe_request(
    prompt: str,
    axis: str,
    models: Sequence[str],
    judge: str | None,
    writer: str | None,
    images: float | None,
) -> ProbeRequest:
    """Return the probe that is asked for. Raises BadRequest with one sentence."""
    chosen_writer = model_picker.chosen_model(writer)
    return ProbeRequest(
        prompt=prompt or "",
        axis=require_name("axis", axis, AXES),
        models=model_picker.chosen_models(models),
        judge=model_picker.chosen_model(judge) or "",
        writer=None if chosen_writer in (None, NO_MODEL) else chosen_writer,
        images=parse_whole(images, "number of images", 1, MOST_IMAGES),
    )


def run(begun: StartedRun, *values: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the status line, the figure, what was found, and the images by level."""
    request = probe_request(*values)
    words = f"{request.prompt}, {request.axis}"
    for outcome in run_probe(begun.services, request, begun.terms, begun.stop):
        line = status.progress(len(outcome.images), outcome.total, words)
        if outcome.images:
            yield (line, *([gr.skip()] * 5))
        else:
            yield (line, None, Markup(), {}, gr.skip(), None)
    yield show_outcome(outcome, known_models(begun.services.registry, begun.services.store))


def estimate(services: Services, terms: SpendingPolicy, *values: Any) -> str:
    """Return what the probe is likely to cost, in words."""
    expected = probe_estimate(services, probe_request(*values), terms)
    return run_messages.estimate_words(services, expected, terms)


def show_outcome(outcome: ProbeOutcome, known: Sequence[str]) -> tuple[Any, ...]:
    """Return what the panel shows of a probe that ended."""
    findings = find_failures(outcome)
    answered = sum(model.answered for model in findings.models)
    end = "Stopped. Press “Run probe” again to resume. " if outcome.stopped else ""
    troubles = list(dict.fromkeys(i.failure for i in outcome.images if i.failure))
    return (
        status.result_message(f"{end}{count_noun(answered, 'image')} judged.", troubles[:3]),
        probe_figure(findings, known) if answered else None,
        probe_table(findings, outcome.variation.note),
        *gallery.group_updates(images_by_level(findings)),
    )


def images_by_level(findings: ProbeFindings) -> dict[str, list[int]]:
    """Return the ids of the evaluations of each level that has some, by its name."""
    return {
        f"{model.model}, {findings.axis} {level.level.label}": list(level.evaluations)
        for model in findings.models
        for level in model.levels
        if level.evaluations
    }


def build(services: Services, place: PageContext, part: ErrorsPart) -> None:
    """Lay the part out and connect it."""
    static_html(HELP)
    prompt = gr.Textbox(START, label="Prompt", lines=1, max_lines=2, elem_id="errors-probe-prompt")
    axes = [(f"{name}: {words}", name) for name, words in AXES.items()]
    axis = gr.Dropdown(axes, value="number", label="Vary", elem_id="errors-probe-axis")
    models = model_picker.picker(services, place.spending, MODELS, "errors-probe-models")
    with gr.Row():
        judge = model_picker.picker(services, place.spending, JUDGES, "errors-probe-judge")
        writer = model_picker.picker(services, place.spending, WRITER, "errors-probe-writer")
    with gr.Row(elem_classes=["numbers-row"]):
        images = whole_number(DEFAULT_IMAGES, "Images per model", elem_id="errors-probe-images")
    with gr.Row(elem_classes=["q-actions"]):
        go, stop = start_and_stop("Run probe", "errors-probe-go", "errors-probe-stop")
        line = static_html(status.result_message(), elem_id="errors-probe-status")
    cost = static_html(Markup(), elem_id="errors-probe-estimate", elem_classes=["estimate"])
    figure = gr.Plot(show_label=False, container=False, elem_id="errors-probe-figure")
    findings = static_html(Markup(), elem_id="errors-probe-findings")
    by_level = gallery.build_groups(
        services, "Images of", "errors-probe-level", "errors-probe-gallery"
    )
    settings: list[Any] = [prompt, axis, models, judge, writer, images]
    RunButtons([go], stop, place.spending).begin(
        listeners=[go.click],
        work=run,
        inputs=settings,
        outputs=[line, figure, findings, *by_level],
        at_once=2,
        called="probing",
    )
    changes = [prompt.blur, *(control.change for control in settings[1:])]
    place.spending.show_estimate(changes, estimate, settings, cost, says_why=True)
