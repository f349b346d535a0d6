"""Builds the Evaluate tab: type a prompt, choose models, and watch pictures and answers arrive."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.cards.cards import grid
from hallascope.components.evidence.viewer import viewer
from hallascope.components.html.fields.number_field import whole_number
from hallascope.components.html.fields.text_field import line_field
from hallascope.components.html.gradio_html import chosen, live, quiet, still
from hallascope.components.models.pickers import Option, prompts_to_try
from hallascope.components.models.prompt_help import note_html
from hallascope.components.models.settings_line import settings_line, summary_html
from hallascope.data.models.specs import DEFAULTS
from hallascope.engine.deployment.hosting import public
from hallascope.engine.errors import HallaScopeError, NoQuestions
from hallascope.engine.questions.generation import Writing
from hallascope.engine.services import Services
from hallascope.pages.explore import (
    image_folders,
    metric_choice,
    model_downloads,
    odd_one_out,
    prompt_help,
    runs_panel,
)
from hallascope.pages.explore.run import (
    MOST_A_MODEL,
    MOST_SEED,
    MOST_TRIALS,
    NO_WRITER,
    ExploreSettings,
    ExploreView,
    cannot_draw_view,
    estimate_html,
    frames,
    open_run,
    previous_run_html,
    request,
    settings_summary,
)
from hallascope.pages.shared import public_notice
from hallascope.pages.shared.context import CurrentRun, PageContext, carry
from hallascope.pages.shared.evidence import people_labels
from hallascope.pages.shared.evidence.handlers import evidence_handler, verdict_handler
from hallascope.pages.shared.evidence.wording_choice import wording_picker
from hallascope.pages.shared.model_picker import PickerSpec, picker, prefer_wanted
from hallascope.pages.shared.readings import panel as reading_panel
from hallascope.pages.shared.run_buttons import ImmediateUpdate, RunButtons, start_and_stop
from hallascope.pages.shared.spending import SpendingInputs
from hallascope.pages.sharing import panel as sharing
from hallascope.primer.scenes import prompts

TITLE = "Evaluate"
# tests/pages/explore/test_page.py compares the verdicts on them with what was drawn.
EXAMPLES = (
    "a gentoo penguin",
    "a molecule of methane",
    "the planet Saturn",
    "a bowl of bibimbap",
    "three red circles",
    "a red circle above a blue square",
)
SEED = 0
SETTINGS_ID = "settings"
GENERATORS = PickerSpec(
    role="generator",
    label="Image models",
    sort="checkbox",
    prefer=prefer_wanted,
    models=("primer/exact", "primer/careful", "primer/hasty", "primer/diffusion-small"),
    shared=True,
)
JUDGES = PickerSpec(
    role="judge",
    label="Judge",
    sort="radio",
    prefer=prefer_wanted,
    models=("primer/judge",),
    shared=True,
)
WRITERS = PickerSpec(
    role="writer",
    label="Question writer",
    sort="radio",
    prefer=prefer_wanted,
    before=(
        Option(
            NO_WRITER,
            "No questions are written for prompts that have none; TIFA's are made by rule",
            called="none",
        ),
    ),
    shared=True,
)
# models that run where nobody chooses others, the judge first, as every verdict waits for it
FIRST_MODELS = (*JUDGES.models, *GENERATORS.models, *DEFAULTS.values())
MAKE = "Make questions for this prompt"
REVIEW = "Review these questions"
WRITING = "the question writer writes questions for this prompt"
WELCOME = (
    "Each model generates the prompt, and a judge answers fact questions about each image. Select a"
    " verdict to see its evidence."
)
# Says that the run of the address is shown; `theme/page_look.js` opens the tab of the address then.
OPENED = """() => { document.dispatchEvent(new Event("hallascope:opened")); }"""
TO_QUESTIONS = carry(
    "#prompt input, #prompt textarea", "questions", "#q-prompt input, #q-prompt textarea"
)


class ExploreControls(NamedTuple):
    """Holds what a person sets before a run: the fields of `ExploreSettings`, in the same order."""

    prompt: gr.Textbox
    models: gr.HTML
    other_models: gr.Textbox
    judge: gr.HTML
    other_judge: gr.Textbox
    metrics: gr.HTML
    writer: gr.HTML
    other_writer: gr.Textbox
    upload: gr.File
    seed: gr.Number
    pictures: gr.Number
    trials: gr.Number
    wording: gr.HTML


class Page(NamedTuple):
    """Holds the components that events listen to or write to."""

    controls: ExploreControls
    writing: gr.Column
    summary: gr.HTML
    go: gr.Button
    stop: gr.Button
    estimate: gr.HTML
    status: gr.HTML
    help: gr.HTML
    ask: gr.Button
    asked: gr.HTML
    cards: gr.HTML
    evidence: gr.HTML
    runs: gr.HTML


def build(services: Services, place: PageContext) -> Page:
    """Lay the page out and connect it."""
    page = _layout(services, place)
    _connect(services, place, page)
    return page


def _layout(services: Services, place: PageContext) -> Page:
    odd_one_out.build()
    with gr.Row(elem_classes=["ask"]):
        prompt = line_field(
            "Prompt", "Describe an image, e.g. “a molecule of methane”", "prompt", scale=1
        )
        go, stop = start_and_stop("Generate", "go", "stop")
    prompts_to_try(EXAMPLES, prompts(), "prompt", starts="go")
    public_notice.hint()
    if place.spending.login:
        place.spending.login.render()  # type: ignore[no-untyped-call]
    with gr.Row(elem_classes=["settings-row"]):
        summary = settings_line(summary_html((), SETTINGS_ID), "settings-line")
        runs = runs_panel.build(services)
    with gr.Column(elem_id=SETTINGS_ID):
        controls, writing = _controls(services, place, prompt)
    summary.value = _summary(ExploreSettings(*(control.value for control in controls)))
    estimate = still(Markup(), elem_id="estimate")
    message = still(status.idle_message(WELCOME), elem_id="status")
    helper = prompt_help.build()
    ask = gr.Button(MAKE, scale=0, visible=False, elem_id="make-questions")
    with gr.Row(elem_id="results"):
        with gr.Column(elem_id="results-images"):
            cards = live("cards/cards", grid(()), elem_id="cards")
        with gr.Column(elem_id="results-evidence"):
            sharing.build(services, "evidence", "share")
            evidence = live(
                "evidence/viewer",
                viewer(()),
                server_functions=people_labels.server_functions(services),
                elem_id="evidence",
            )
    reading = reading_panel.build(services, "asked")
    return Page(
        controls=controls,
        writing=writing,
        summary=summary,
        go=go,
        stop=stop,
        estimate=estimate,
        status=message,
        help=helper,
        ask=ask,
        asked=reading,
        cards=cards,
        evidence=evidence,
        runs=runs,
    )


def _controls(
    services: Services, place: PageContext, prompt: gr.Textbox
) -> tuple[ExploreControls, gr.Column]:
    """Lay out what is set before a run; also return the row that is for metrics with a writer."""
    models = picker(services, place.spending, GENERATORS, "models")
    judge = picker(services, place.spending, JUDGES, "judge")
    metrics = metric_choice.picker(services, place.spending)
    takes_writer = metric_choice.takes_writer(metric_choice.FIRST)
    with gr.Column(visible=takes_writer, elem_classes=["writing"]) as writing:
        writer = picker(services, place.spending, WRITERS, "writer")
    if not public():
        model_downloads.build(services, place.spending.changed)
    wording = wording_picker(services, "wording")
    with gr.Row(elem_classes=["numbers-row"]):
        seed = whole_number(SEED, "Seed", 0, MOST_SEED, min_width=96, scale=0)
        count = whole_number(1, "Images per model", 1, MOST_A_MODEL, min_width=96, scale=0)
        trials = whole_number(1, "Judge repetitions", 1, MOST_TRIALS, min_width=96, scale=0)
        upload = gr.File(
            label="Or evaluate your own image",
            file_types=["image"],
            type="filepath",
            elem_id="upload",
        )
    images = None if public() else image_folders.build()
    controls = ExploreControls(
        prompt=prompt,
        models=models.chips,
        other_models=models.other,
        judge=judge.chips,
        other_judge=judge.other,
        metrics=metrics,
        writer=writer.chips,
        other_writer=writer.other,
        upload=upload,
        seed=seed,
        pictures=count,
        trials=trials,
        wording=wording,
    )
    if images:
        image_folders.connect(services, images, place.spending, controls)
    return controls, writing


# --- events ---


@dataclass(frozen=True)
class ExploreEvents:
    """Answers the events of the page.

    `values` are those of the page's own controls, then those of spending. The outputs of a run are
    its status, its cards, the run itself, the button that leads to Questions, and help with the
    prompt.
    """

    services: Services
    spending: SpendingInputs

    def run(
        self, signal: threading.Event, asker: gr.Request, *values: Any
    ) -> Iterator[tuple[Any, ...]]:
        explore, spending = _apart(values)
        terms = self.spending.read_policy(asker, *spending)
        try:
            understood = self.services.acting_for(terms.visitor).understand(request(explore))
            asked = understood.request
            note = note_html(understood.note, explore.prompt)
            shown: Any = note or prompt_help.help_for(self.services, asked)
            if self.services.cannot_be_drawn(asked):
                yield (*cannot_draw_view(asked.prompt), gr.Button(visible=False), shown)
                return
            for step in self.services.write_missing_questions(asked, terms, signal):
                if isinstance(step, Writing):
                    working = status.progress(0, 1, WRITING)
                    yield (working, *(gr.skip(),) * 3, shown)
            for view in frames(self.services, asked, signal, terms):
                yield (*view[:3], _questions_button(view), shown)
                shown = gr.skip()
        except HallaScopeError as sentence:
            button = gr.Button(MAKE, visible=isinstance(sentence, NoQuestions))
            yield status.error_message(str(sentence)), gr.skip(), gr.skip(), button, Markup()

    def open_address(self, asker: gr.Request) -> tuple[Any, ...]:
        """Return the controls and the run that the address names."""
        run = asker.query_params.get("run")
        if not run:
            return (gr.skip(),) * (len(ExploreControls._fields) + 5)
        return self._open(run)

    def open_chosen(self, event: gr.EventData) -> tuple[Any, ...]:
        """Return the controls, the run that a person opens, and the evidence that goes with it.

        Without a run the page is as before the first one.
        """
        run = str(event.run or "")
        if run:
            return (*self._open(run), gr.skip())
        untouched = (gr.skip(),) * len(ExploreControls._fields)
        message = status.idle_message(WELCOME)
        hidden = gr.Button(visible=False)
        return (*untouched, message, grid(()), CurrentRun(), hidden, Markup(), viewer(()))

    def _open(self, run: str) -> tuple[Any, ...]:
        skip = gr.skip()
        untouched = (skip,) * len(ExploreControls._fields)
        try:
            explore, view = open_run(self.services, run)
        except HallaScopeError as sentence:
            return (*untouched, status.error_message(str(sentence)), skip, skip, skip, skip)
        # models and judge stay as they are where a run had none
        values = (
            skip if name in ("models", "judge") and not value else value
            for name, value in explore._asdict().items()
        )
        return (*values, *view[:3], _questions_button(view), skip)

    def estimate(self, asker: gr.Request, *values: Any) -> tuple[Markup, Markup]:
        """Return the line that names the settings, and what a run with them is likely to cost."""
        explore, spending = _apart(values)
        policy = self.spending.read_policy(asker, *spending)
        return _summary(explore), estimate_html(self.services, explore, policy)

    def mark_previous(self, current: CurrentRun) -> Any:
        """Say of the pictures that are shown that they are from the last run."""
        return previous_run_html(self.services, current) or gr.skip()


def _connect(services: Services, place: PageContext, page: Page) -> None:
    events = ExploreEvents(services, place.spending)
    controls = page.controls
    outputs = [page.status, page.cards, place.current, page.ask, page.help]
    settings = [*controls, *place.spending.all]
    over = RunButtons([page.go], page.stop).begin(
        listeners=[page.go.click, controls.prompt.submit],
        work=events.run,
        inputs=settings,
        outputs=outputs,
        at_once=2,
        called="runs",
        before=ImmediateUpdate(events.mark_previous, place.current, page.cards),
    )
    page.ask.click(None, None, None, js=TO_QUESTIONS, **quiet())
    controls.prompt.change(None, controls.prompt, page.asked, js="(prompt) => prompt", **quiet())
    page.cards.select(evidence_handler(services), None, page.evidence, **chosen())
    opened = [*controls, *outputs, page.evidence]
    page.runs.select(events.open_chosen, None, opened, **chosen())
    page.evidence.submit(verdict_handler(services), None, None, **chosen())
    controls.metrics.change(
        lambda picked: gr.Column(visible=metric_choice.takes_writer(picked)),
        controls.metrics,
        page.writing,
        **quiet(),
    )
    estimate: Any = {
        "fn": events.estimate,
        "inputs": settings,
        "outputs": [page.summary, page.estimate],
    }
    gr.on(_changes(controls, place), **estimate, trigger_mode="always_last", **quiet())
    over.then(**estimate, **quiet())
    place.demo.load(events.open_address, None, [*controls, *outputs], **quiet()).then(
        None, js=OPENED, **quiet()
    )


def _questions_button(view: ExploreView) -> gr.Button:
    """Return the button that leads to the prompt's questions, where they are missing or new."""
    label = REVIEW if view.unreviewed else MAKE
    return gr.Button(label, visible=view.unasked or view.unreviewed)


def _summary(explore: ExploreSettings) -> Markup:
    return summary_html(settings_summary(explore), SETTINGS_ID)


def _apart(values: tuple[Any, ...]) -> tuple[ExploreSettings, tuple[Any, ...]]:
    """Split the values into those of the page's own controls, and those of spending."""
    own = len(ExploreSettings._fields)
    return ExploreSettings(*values[:own]), values[own:]


def _changes(controls: ExploreControls, place: PageContext) -> list[Any]:
    """Return the events after which a run may cost something else."""
    changed = (
        controls.models,
        controls.judge,
        controls.metrics,
        controls.writer,
        controls.upload,
        controls.seed,
        controls.pictures,
        controls.trials,
        controls.wording,
    )
    typed = (controls.prompt, controls.other_models, controls.other_judge, controls.other_writer)
    return [
        *(control.change for control in (*changed, *place.spending.all)),
        *(control.blur for control in typed),
    ]
