"""Tries remedies beside a control of equal cost, and says how many failures disappear."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.html.fields.number_field import whole_number
from hallascope.components.html.gradio_html import quiet, still
from hallascope.components.models.pickers import Option, chip_row, chips
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
from hallascope.engine.errors import BadRequest, HallaScopeError
from hallascope.engine.services import Services
from hallascope.pages.error_analysis import gallery
from hallascope.pages.error_analysis.remedy_table import remedy_table
from hallascope.pages.error_analysis.selection_bar import ErrorsPart
from hallascope.pages.shared import model_picker, run_messages
from hallascope.pages.shared.context import PageContext
from hallascope.pages.shared.model_picker import PickerSpec, prefer_wanted
from hallascope.pages.shared.numbers import parse_whole
from hallascope.pages.shared.run_buttons import RunButtons, start_and_stop

DEFAULT_CASES = 10
DEFAULT_IMAGES = 3
MODEL = PickerSpec(
    role="generator",
    label="Image model",
    sort="radio",
    prefer=prefer_wanted,
    models=("primer/careless",),
)
SELECTING = PickerSpec(
    role="judge",
    label="Selecting judge",
    sort="radio",
    prefer=prefer_wanted,
    models=("primer/judge",),
)
EVALUATING = PickerSpec(
    role="judge",
    label="Evaluating judge",
    sort="radio",
    prefer=prefer_wanted,
    models=("primer/counter",),
)
NOTHING_FAILS = (
    "No image of {model} in this selection has an error: choose another model, or widen the"
    " selection above."
)
HELP = Markup("""<p class="soft">Each failing image of the selection is drawn again: by every
remedy, and as a control by as many fresh images of the same prompt. One judge selects, another
evaluates, so that a remedy cannot win by fooling its judge. For simulated models the truth
stands beside them.</p>""")


class RemedyInputs(NamedTuple):
    """Holds what a person chose, in the order of the inputs of the panel."""

    selection: ErrorSelection
    remedies: Sequence[str]
    model: Sequence[str]
    other_model: str
    judge: Sequence[str]
    other_judge: str
    evaluating: Sequence[str]
    other_evaluating: str
    images: float | None
    most: float | None

    def request(self, services: Services) -> RemedyRequest:
        """Return the experiment that is asked for. Raises BadRequest with one sentence."""
        model = model_picker.name(self.model, self.other_model) or ""
        images = parse_whole(self.images, "number of images", 1, MOST_ROUNDS)
        most = parse_whole(self.most, "number of failing images", 1, MOST_CASES)
        cases = failing_images(services.store, self.selection, model, most)
        if not cases:
            raise BadRequest(NOTHING_FAILS.format(model=model))
        if not self.remedies:
            raise BadRequest(f"No remedy is chosen: choose of {', '.join(REMEDIES)}.")
        return RemedyRequest(
            cases=cases,
            model=model,
            judge=model_picker.name(self.judge, self.other_judge) or "",
            evaluate_by=model_picker.name(self.evaluating, self.other_evaluating) or "",
            images=images,
            remedies=parse_remedies(tuple(self.remedies)),
        )


_FIELDS = len(RemedyInputs._fields)


@dataclass(frozen=True)
class RemedyPanel:
    """Answers the events of the panel; `values` are those of `RemedyInputs` and of spending."""

    services: Services
    place: PageContext

    def run(
        self, stop: threading.Event, asker: gr.Request, *values: Any
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the status line, what was found, and the images before and after."""
        request = RemedyInputs(*values[:_FIELDS]).request(self.services)
        terms = self.place.spending.read_policy(asker, *values[_FIELDS:])
        total = len(request.cases)
        yield (status.progress(0, total, "failing images"), Markup(), {}, gr.skip(), None)
        for outcome in try_remedies(self.services.acting_for(terms.visitor), request, terms, stop):
            if outcome.done < total:
                line = status.progress(outcome.done, total, request.cases[outcome.done].prompt)
                yield (line, *([gr.skip()] * 4))
        yield show_outcome(outcome)

    def estimate(self, asker: gr.Request, *values: Any) -> str:
        """Return how many images are drawn and what that is likely to cost, as HTML."""
        try:
            request = RemedyInputs(*values[:_FIELDS]).request(self.services)
            terms = self.place.spending.read_policy(asker, *values[_FIELDS:])
            expected = remedies_estimate(self.services.acting_for(terms.visitor), request, terms)
            caps = self.services.caps(terms)
            today = self.services.spent_today()
        except HallaScopeError as sentence:
            return status.error_message(str(sentence))
        words = (
            f"{len(request.cases)} failing images, at most {request.images_in_all} images to draw."
        )
        if expected.lines:
            words += f" {run_messages.estimate_text(expected, caps, today, terms.unpriced)}"
        return status.idle_message(words)


def show_outcome(outcome: RemedyOutcome) -> tuple[Any, ...]:
    """Return what the panel shows of an experiment that ended."""
    request = outcome.request
    end = "Stopped; the same experiment goes on. " if outcome.stopped else ""
    words = f"{end}{len(outcome.treated)} failing images of {request.model} are treated."
    reasons = list(dict.fromkeys(reason for _, reason in outcome.left_out))
    images = images_by_prompt(outcome.treated)
    return (
        status.result_message(words, reasons[:3]),
        remedy_table(outcome),
        images,
        gr.HTML([], body=prompt_chips(images)),
        None,
    )


def images_by_prompt(treated: Sequence[TreatedCase]) -> dict[str, list[int]]:
    """Return the ids of evaluations by prompt: before, the control, then after each remedy."""
    images: dict[str, list[int]] = {}
    for one in treated:
        shown = [one.before, *one.control, *(image for own in one.after.values() for image in own)]
        ids = (image.evaluation for image in shown if image.evaluation is not None)
        images[one.case.prompt] = list(dict.fromkeys(ids))
    return images


def prompt_chips(images: Mapping[str, Sequence[int]]) -> Markup:
    """Return the prompts whose images before and after can be shown."""
    options = [Option(prompt, prompt) for prompt in images]
    return chip_row(options, (), "Before and after", "radio", group="errors-remedies-prompt")


def show_images(picked: Sequence[str] | None, images: Mapping[str, list[int]]) -> Any:
    """Return what the gallery shows of the prompt that is chosen."""
    name = next(iter(picked or ()), "")
    if name not in images:
        return None
    title = f"{name}: before, fresh images, after each remedy"
    return {"title": title, "evaluations": images[name]}


def build(services: Services, place: PageContext, part: ErrorsPart) -> None:
    """Lay the part out and connect it."""
    panel = RemedyPanel(services, place)
    still(HELP)
    options = [Option(name, words, words, called=name) for name, words in REMEDIES.items()]
    remedies = chips(
        chip_row(options, ALL_REMEDIES, "Remedies", group="errors-remedies-names"),
        ALL_REMEDIES,
        elem_id="errors-remedies-names",
    )
    model = model_picker.picker(services, place.spending, MODEL, "errors-remedies-model")
    judge = model_picker.picker(services, place.spending, SELECTING, "errors-remedies-judge")
    other = model_picker.picker(services, place.spending, EVALUATING, "errors-remedies-evaluating")
    with gr.Row(elem_classes=["numbers-row"]):
        images = whole_number(
            DEFAULT_IMAGES,
            "Images per remedy",
            1,
            MOST_ROUNDS,
            elem_id="errors-remedies-images",
            scale=0,
        )
        most = whole_number(
            DEFAULT_CASES,
            "Failing images",
            1,
            MOST_CASES,
            elem_id="errors-remedies-most",
            scale=0,
        )
    with gr.Row(elem_classes=["q-actions"]):
        go, stop = start_and_stop("Run repair", "errors-remedies-go", "errors-remedies-stop")
        line = still(status.idle_message(), elem_id="errors-remedies-status")
    cost = still(Markup(), elem_id="errors-remedies-estimate", elem_classes=["estimate"])
    findings = still(Markup(), elem_id="errors-remedies-findings")
    by_prompt = gr.State({})
    prompt = chips(Markup(), (), elem_id="errors-remedies-prompt")
    shown = gallery.build(services, "errors-remedies-gallery")
    settings = [
        part.bar.chosen,
        remedies,
        model.chips,
        model.other,
        judge.chips,
        judge.other,
        other.chips,
        other.other,
        images,
        most,
        *place.spending.all,
    ]
    RunButtons([go], stop).begin(
        listeners=[go.click],
        work=panel.run,
        inputs=settings,
        outputs=[line, findings, by_prompt, prompt, shown],
        at_once=2,
        called="trying-remedies",
    )
    gr.on(
        [
            part.to_fill.change,
            remedies.change,
            model.chips.change,
            model.other.blur,
            judge.chips.change,
            judge.other.blur,
            other.chips.change,
            other.other.blur,
            images.change,
            most.change,
        ],
        panel.estimate,
        settings,
        cost,
        trigger_mode="always_last",
        **quiet(),
    )
    prompt.change(show_images, [prompt, by_prompt], shown, **quiet())
