"""Builds the Evaluate tab: type a prompt, choose models, and watch images and answers arrive."""

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.cards.cards import grid
from hallascope.components.evidence.viewer import viewer
from hallascope.components.html.fields.text_field import line_field
from hallascope.components.html.gradio_html import (
    CHOICE_EVENT,
    NO_PROGRESS,
    scripted_html,
    static_html,
)
from hallascope.components.html.scripts import ADDRESS
from hallascope.components.models.prompt_help import note_html
from hallascope.components.models.prompts import prompts_to_try
from hallascope.engine.deployment.hosting import public
from hallascope.engine.errors import HallaScopeError, NoQuestions
from hallascope.engine.questions.generation import Writing
from hallascope.engine.run.primer_prompts import cannot_be_drawn
from hallascope.engine.services import Services
from hallascope.pages import fig, ihalla
from hallascope.pages.evaluate import (
    image_folders,
    metric_choice,
    model_downloads,
    prompt_help,
    runs_panel,
)
from hallascope.pages.evaluate.run import (
    EMPTY_VIEW,
    EvaluateSettings,
    EvaluateView,
    estimate_html,
    example_view,
    frames,
    open_run,
    previous_run_html,
    request,
    settings_label,
)
from hallascope.pages.factualbench import page as factualbench
from hallascope.pages.questions import page as questions
from hallascope.pages.scene_graph import page as scene_graph
from hallascope.pages.shared import public_notice
from hallascope.pages.shared.context import CurrentRun, PageContext, carry
from hallascope.pages.shared.evidence import metric_models
from hallascope.pages.shared.evidence.handlers import evidence_handler
from hallascope.pages.shared.evidence.metric_models import JUDGE, MetricModels
from hallascope.pages.shared.evidence.people_labels import evidence_viewer
from hallascope.pages.shared.model_picker import (
    PickerSpec,
    picker,
    prefer_wanted,
    unavailable_models,
)
from hallascope.pages.shared.numbers import whole_number
from hallascope.pages.shared.readings import panel as reading_panel
from hallascope.pages.shared.run_buttons import (
    ImmediateUpdate,
    RunButtons,
    StartedRun,
    start_and_stop,
)
from hallascope.pages.shared.spending import SpendingInputs
from hallascope.pages.sharing import panel as sharing
from hallascope.primer.scenes import prompts

TITLE = "Evaluate"
_PAGES = {
    "ihalla": ihalla,
    "fig": fig,
    "scene_graph": scene_graph,
    "factualbench": factualbench,
    "questions": questions,
}
PARTS = {"all": "All", **{name: page.TITLE for name, page in _PAGES.items()}}
# tests/pages/evaluate/test_page.py compares the verdicts on them with what was drawn.
EXAMPLES = (
    "a gentoo penguin",
    "a molecule of methane",
    "the planet Saturn",
    "a red circle above a blue square",
)
SEED = 0
GENERATORS = PickerSpec(
    role="generator",
    label="Image models",
    several=True,
    prefer=prefer_wanted,
    models=("primer/exact", "primer/careful", "primer/hasty", "primer/careless"),
    shared=True,
)
LEAD = Markup("""<div class="lead"><p><strong>See what is false in generated images, and
why.</strong> Every model draws your prompt. A judge (another AI) answers five questions about each
image. For people who build, compare or explain image AI.</p></div>""")
MAKE = "Make questions for this prompt"
REVIEW = "Review these questions"
READING = "reading the prompt"
WRITING = "the question writer writes questions for this prompt"
# Says that the run of the address is shown; the page's script then opens the tab of the address.
OPENED = f"""async () => {{
  await import(new URL("{ADDRESS}/js/page.js", document.baseURI));
  document.dispatchEvent(new Event("hallascope:opened"));
}}"""
TO_QUESTIONS = carry(
    "#prompt input, #prompt textarea", "questions", "#q-prompt input, #q-prompt textarea"
)


def prompt_completions(services: Services) -> Callable[[Any], list[str]]:
    """Return what the page asks for when somebody is about to choose a prompt."""

    def known_prompts(_: Any) -> list[str]:
        """Return the prompts that the built-in models draw, and load the judge meanwhile."""
        threading.Thread(target=load_judge, args=[services], daemon=True).start()
        return list(prompts())

    return known_prompts


def load_judge(services: Services) -> None:
    """Load the judge that is chosen at first, so that the first run need not wait for it.

    Where it cannot be loaded, the run says so.
    """
    with suppress(HallaScopeError):
        services.registry.backend(JUDGE)


def build(services: Services, place: PageContext) -> None:
    """Lay the page out and connect it."""
    static_html(LEAD, elem_id="evaluate-lead")
    with gr.Row(elem_classes=["ask"]):
        prompt = line_field(
            "Prompt", "Describe an image, e.g. “a molecule of methane”", "prompt", scale=1
        )
        generate, stop = start_and_stop("Generate", "generate", "stop")
    prompts_to_try(EXAMPLES, prompt_completions(services), "prompt", "generate")
    public_notice.hint()
    if place.spending.login:
        place.spending.login.render()  # type: ignore[no-untyped-call]
    with gr.Row(elem_classes=["settings-row"]):
        with gr.Accordion(open=False, elem_id="settings") as settings:
            controls, models = _controls(services, place, prompt)
        runs = runs_panel.build(services)
    settings.label = settings_label(EvaluateSettings(*(control.value for control in controls)))
    estimate = static_html(Markup(), elem_id="estimate")
    message = static_html(Markup(), elem_id="status")
    helper = static_html(Markup(), elem_id="prompt-help")
    ask = gr.Button(MAKE, scale=0, visible=False, elem_id="make-questions")
    results: list[gr.HTML] = []
    place._replace(models=models).build_parts(
        {
            "all": (PARTS["all"], lambda _: results.extend(_results(services, prompt))),
            **{name: (page.TITLE, partial(page.build, services)) for name, page in _PAGES.items()},
        }
    )
    cards, evidence = results
    handlers = EvaluateHandlers(services, place.spending)
    outputs = [message, cards, place.current, ask, helper]
    over = RunButtons([generate], stop, place.spending).begin(
        listeners=[generate.click, prompt.submit],
        work=handlers.run,
        inputs=controls,
        outputs=outputs,
        at_once=2,
        called="runs",
        before=ImmediateUpdate(handlers.mark_previous, place.current, cards),
    )
    ask.click(None, None, None, js=TO_QUESTIONS, **NO_PROGRESS)
    cards.select(evidence_handler(services), None, evidence, **CHOICE_EVENT)
    opened = [*controls, *outputs, evidence]
    runs.select(handlers.open_chosen, None, opened, **CHOICE_EVENT)
    labeled = [settings, estimate]
    inputs = [*controls, *place.spending.all]
    changes = [prompt.blur, *(control.change for control in inputs[1:])]  # a run may cost another
    gr.on(changes, handlers.estimate, inputs, labeled, trigger_mode="always_last", **NO_PROGRESS)
    over.then(handlers.estimate, inputs, labeled, **NO_PROGRESS)
    place.demo.load(handlers.open_address, None, [*controls, *outputs], **NO_PROGRESS).then(
        None, js=OPENED, **NO_PROGRESS
    )


def _results(services: Services, prompt: gr.Textbox) -> tuple[gr.HTML, gr.HTML]:
    """Lay out the images of a run and the evidence of one, and below what the prompt asks for."""
    with gr.Row(elem_id="results"):
        with gr.Column(elem_id="results-images"):
            cards = scripted_html("cards/cards", grid(()), elem_id="cards")
        with gr.Column(elem_id="results-evidence"):
            sharing.build(services, "evidence", "share")
            evidence = evidence_viewer(services, "evidence")
    reading_panel.build(services, prompt)
    return cards, evidence


def _controls(
    services: Services, place: PageContext, prompt: gr.Textbox
) -> tuple[list[Any], MetricModels]:
    """Lay out what is set before a run; also return the models of the metrics.

    The controls are in the order of the fields of `EvaluateSettings`.
    """
    models = picker(services, place.spending, GENERATORS, "models")
    metrics = metric_choice.picker(services, place.spending)
    of_metrics = metric_models.build(services, place.spending)
    unavailable_models(services, place.spending)
    if not public():
        model_downloads.build(services, place.spending)
    with gr.Row(elem_classes=["numbers-row"]):
        seed = whole_number(SEED, "Seed")
        count = whole_number(1, "Images per model")
        trials = whole_number(1, "Judge repetitions")
        upload = gr.File(
            label="Or evaluate your own image",
            file_types=["image"],
            type="filepath",
            elem_id="upload",
        )
    controls = [prompt, models, metrics, upload, seed, count, trials, *of_metrics.values()]
    if not public():
        image_folders.build(place.spending, controls)
    return controls, of_metrics


# --- events ---

_UNTOUCHED = (gr.skip(),) * len(EvaluateSettings._fields)  # the controls stay as they are


@dataclass(frozen=True)
class EvaluateHandlers:
    """Answers the events of the page.

    `values` are those of the page's own controls; of an estimate, then those of spending. The
    outputs of a run are its status, its cards, the run itself, the button that leads to Questions,
    and help with the prompt.
    """

    services: Services
    spending: SpendingInputs

    def run(self, begun: StartedRun, *values: Any) -> Iterator[tuple[Any, ...]]:
        settings = EvaluateSettings(*values)
        services, terms = begun.services, begun.terms
        yield status.progress(0, 1, READING), *(gr.skip(),) * 4
        try:
            understood = services.understand(request(settings))
            asked = understood.request
            shown: Any = note_html(understood.note, settings.prompt)
            if cannot_be_drawn(asked, services.registry.spec):
                shown = prompt_help.help_for(asked.prompt)
                yield (*EMPTY_VIEW[:3], gr.Button(visible=False), shown)
                return
            for step in services.write_missing_questions(asked, terms, begun.stop):
                if isinstance(step, Writing):
                    working = status.progress(0, 1, WRITING)
                    yield (working, *(gr.skip(),) * 3, shown)
            for view in frames(services, asked, begun.stop, terms):
                yield (*view[:3], _questions_button(view), shown)
                shown = gr.skip()
        except HallaScopeError as sentence:
            button = gr.Button(MAKE, visible=isinstance(sentence, NoQuestions))
            yield status.error_message(sentence), gr.skip(), gr.skip(), button, Markup()

    def open_address(self, asker: gr.Request) -> tuple[Any, ...]:
        """Return the controls and the run that the address names."""
        run = asker.query_params.get("run")
        if run:
            return self._open(run, asker)
        return (*_UNTOUCHED, *example_view(self.services)[:3], gr.skip(), gr.skip())

    def open_chosen(self, event: gr.EventData, asker: gr.Request) -> tuple[Any, ...]:
        """Return the controls, the run that a person opens, and the evidence that goes with it.

        Without a run the page is as before the first one.
        """
        run = str(event.run or "")
        if run:
            return (*self._open(run, asker), gr.skip())
        hidden = gr.Button(visible=False)
        shown = example_view(self.services)[:3]
        return (*_UNTOUCHED, *shown, hidden, Markup(), viewer(()))

    def _open(self, run: str, asker: gr.Request) -> tuple[Any, ...]:
        skip = gr.skip()
        try:
            settings, view = open_run(self.services, run)
        except HallaScopeError as sentence:
            return (*_UNTOUCHED, status.error_message(sentence), skip, skip, skip, skip)
        keys = self.spending.keys(asker)
        metrics, kept, _ = metric_choice.offer(self.services, keys, settings.metrics or ())
        # what can be chosen may be more than when this page was opened
        offered = settings._asdict() | {
            "metrics": gr.CheckboxGroup(metrics, value=kept),
            "wording": gr.Radio(list(self.services.wordings()), value=settings.wording),
        }
        # models and judge stay as they are where a run had none
        values = (
            skip if name in ("models", "judge") and not value else value
            for name, value in offered.items()
        )
        return (*values, *view[:3], _questions_button(view), skip)

    def estimate(self, asker: gr.Request, *values: Any) -> tuple[gr.Accordion, Markup]:
        """Return the settings with a label that names them, and what a run is likely to cost."""
        own = len(EvaluateSettings._fields)
        settings = EvaluateSettings(*values[:own])
        policy = self.spending.read_policy(asker, *values[own:])
        label = gr.Accordion(label=settings_label(settings))
        return label, estimate_html(self.services, settings, policy)

    def mark_previous(self, current: CurrentRun) -> Any:
        """Say of the images that are shown that they are from the last run."""
        return previous_run_html(self.services, current) or gr.skip()


def _questions_button(view: EvaluateView) -> gr.Button:
    """Return the button that leads to the prompt's questions, where they are missing or new."""
    label = REVIEW if view.unreviewed else MAKE
    return gr.Button(label, visible=view.unasked or view.unreviewed)
