"""Varies one thing of a prompt at a time, and shows where a model begins to fail."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.html.gradio_html import NO_PROGRESS, static_html
from hallascope.engine.error_analysis.probe.findings import ProbeFindings, find_failures
from hallascope.engine.error_analysis.probe.levels import AXES, parse_axis
from hallascope.engine.error_analysis.probe.probe import (
    MOST_IMAGES,
    ProbeOutcome,
    ProbeRequest,
    probe_estimate,
    run_probe,
)
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.services import Services
from hallascope.pages.errors import gallery
from hallascope.pages.errors.probe_curve import probe_figure, probe_table
from hallascope.pages.errors.selection_bar import ErrorsPart
from hallascope.pages.shared import model_picker, run_messages
from hallascope.pages.shared.context import PageContext
from hallascope.pages.shared.evidence.metric_models import NO_MODEL
from hallascope.pages.shared.known_models import known_models
from hallascope.pages.shared.model_picker import PickerSpec, prefer_wanted
from hallascope.pages.shared.numbers import parse_whole, whole_number
from hallascope.pages.shared.run_buttons import RunButtons, start_and_stop

START = "two red circles"
DEFAULT_IMAGES = 24
MODELS = PickerSpec(
    role="generator",
    label="Image models",
    several=True,
    prefer=prefer_wanted,
    models=("primer/hasty", "primer/careless"),
)
JUDGE = PickerSpec(role="judge", label="Judge", prefer=prefer_wanted, models=("primer/judge",))
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


class ProbeInputs(NamedTuple):
    """Holds what a person chose, in the order of the inputs of the panel."""

    prompt: str
    axis: str
    models: Sequence[str]
    judge: str | None
    writer: str | None
    images: float | None

    def request(self) -> ProbeRequest:
        """Return the probe that is asked for. Raises BadRequest with one sentence."""
        writer = model_picker.chosen_model(self.writer)
        return ProbeRequest(
            prompt=self.prompt or "",
            axis=parse_axis(self.axis),
            models=model_picker.chosen_models(self.models),
            judge=model_picker.chosen_model(self.judge) or "",
            writer=None if writer in (None, NO_MODEL) else writer,
            images=parse_whole(self.images, "number of images", 1, MOST_IMAGES),
        )


_FIELDS = len(ProbeInputs._fields)


@dataclass(frozen=True)
class ProbePanel:
    """Answers the events of the panel; `values` are those of `ProbeInputs` and of spending."""

    services: Services
    place: PageContext

    def run(
        self, stop: threading.Event, asker: gr.Request, *values: Any
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the status line, the figure, what was found, and the images by level."""
        request = ProbeInputs(*values[:_FIELDS]).request()
        terms = self.place.spending.read_policy(asker, *values[_FIELDS:])
        words = f"{request.prompt}, {request.axis}"
        for outcome in run_probe(self.services.acting_for(terms.visitor), request, terms, stop):
            line = status.progress(len(outcome.images), outcome.total, words)
            if outcome.images:
                yield (line, *([gr.skip()] * 5))
            else:
                yield (line, None, Markup(), {}, gr.skip(), None)
        yield show_outcome(outcome, known_models(self.services.registry, self.services.store))

    def estimate(self, asker: gr.Request, *values: Any) -> str:
        """Return what the probe is likely to cost, as HTML; "" where it costs nothing."""
        try:
            request = ProbeInputs(*values[:_FIELDS]).request()
            terms = self.place.spending.read_policy(asker, *values[_FIELDS:])
            expected = probe_estimate(self.services.acting_for(terms.visitor), request, terms)
            words = run_messages.estimate_words(self.services, expected, terms)
        except HallaScopeError as sentence:
            return status.error_message(str(sentence))
        return status.idle_message(words) if words else ""


def show_outcome(outcome: ProbeOutcome, known: Sequence[str]) -> tuple[Any, ...]:
    """Return what the panel shows of a probe that ended."""
    findings = find_failures(outcome)
    images = images_by_level(findings)
    answered = sum(model.answered for model in findings.models)
    end = "Stopped; the same probe goes on. " if outcome.stopped else ""
    troubles = list(dict.fromkeys(i.failure for i in outcome.images if i.failure))
    return (
        status.result_message(f"{end}{answered} images are judged.", troubles[:3]),
        probe_figure(findings, known) if answered else None,
        probe_table(findings, outcome.variation.note),
        images,
        gr.Radio(list(images), value=None, visible=bool(images)),
        None,
    )


def images_by_level(findings: ProbeFindings) -> dict[str, list[int]]:
    """Return the ids of the evaluations of each level that has some, by its name."""
    return {
        f"{model.model}, {findings.axis} {level.level.label}": list(level.evaluations)
        for model in findings.models
        for level in model.levels
        if level.evaluations
    }


def show_images(name: str, images: Mapping[str, list[int]]) -> Any:
    """Return what the gallery shows of the level that is chosen."""
    return {"title": name, "evaluations": images[name]} if name in images else None


def build(services: Services, place: PageContext, part: ErrorsPart) -> None:
    """Lay the part out and connect it."""
    panel = ProbePanel(services, place)
    static_html(HELP)
    prompt = gr.Textbox(START, label="Prompt", lines=1, max_lines=2, elem_id="errors-probe-prompt")
    axes = [(f"{name}: {words}", name) for name, words in AXES.items()]
    axis = gr.Dropdown(axes, value="number", label="Vary", elem_id="errors-probe-axis")
    models = model_picker.picker(services, place.spending, MODELS, "errors-probe-models")
    with gr.Row():
        judge = model_picker.picker(services, place.spending, JUDGE, "errors-probe-judge")
        writer = model_picker.picker(services, place.spending, WRITER, "errors-probe-writer")
    with gr.Row(elem_classes=["numbers-row"]):
        images = whole_number(DEFAULT_IMAGES, "Images per model", elem_id="errors-probe-images")
    with gr.Row(elem_classes=["q-actions"]):
        go, stop = start_and_stop("Run probe", "errors-probe-go", "errors-probe-stop")
        line = static_html(status.idle_message(), elem_id="errors-probe-status")
    cost = static_html(Markup(), elem_id="errors-probe-estimate", elem_classes=["estimate"])
    figure = gr.Plot(show_label=False, container=False, elem_id="errors-probe-figure")
    findings = static_html(Markup(), elem_id="errors-probe-findings")
    by_level = gr.State({})
    level = gr.Radio([], label="Images of", visible=False, elem_id="errors-probe-level")
    shown = gallery.build(services, "errors-probe-gallery")
    settings = [
        prompt,
        axis,
        models,
        judge,
        writer,
        images,
        *place.spending.all,
    ]
    RunButtons([go], stop).begin(
        listeners=[go.click],
        work=panel.run,
        inputs=settings,
        outputs=[line, figure, findings, by_level, level, shown],
        at_once=2,
        called="probing",
    )
    gr.on(
        [
            prompt.blur,
            *(control.change for control in (axis, models, judge, writer, images)),
        ],
        panel.estimate,
        settings,
        cost,
        trigger_mode="always_last",
        **NO_PROGRESS,
    )
    level.change(show_images, [level, by_level], shown, **NO_PROGRESS)
