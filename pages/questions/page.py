"""Builds Questions: reasoning about a prompt, and five questions made of it, reviewed and saved."""

import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.html.fields.text_field import line_field
from hallascope.components.html.gradio_html import NO_PROGRESS, static_html
from hallascope.components.questions import review
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.questions.generation import today
from hallascope.engine.questions.unreviewed import is_unreviewed
from hallascope.engine.services import Services
from hallascope.pages.questions import saved_sets
from hallascope.pages.questions.state import (
    QuestionRequest,
    ReasoningDraftState,
    draft_views,
    edited_set,
    question_request,
    reasoning_views,
)
from hallascope.pages.shared.context import PageContext, carry
from hallascope.pages.shared.model_picker import PickerSpec, picker, prefer_reasoning
from hallascope.pages.shared.nouns import count_noun
from hallascope.pages.shared.run_buttons import RunButtons, start_and_stop
from hallascope.pages.shared.spending import SpendingInputs
from hallascope.pages.shared.visitor import as_visitor, services_of

TITLE = "Questions"
Moments = Iterator[tuple[Any, ...]]
HELP = Markup("""<div class="lead"><p><strong>What should be asked about a prompt?</strong> Add
images that you know are right or wrong. The judge (an AI) explains each; the writer (another AI)
turns the right explanations into five questions. No images: the writer uses only the prompt. No
writer: write the questions yourself.</p></div>""")
WRITERS = PickerSpec(role="writer", label="Writer", prefer=prefer_reasoning, shared=True)
JUDGES = PickerSpec(role="judge", label="Judge", prefer=prefer_reasoning, shared=True)
TO_EVALUATE = carry("#review .for-prompt input", "all", "#prompt input, #prompt textarea")


class QuestionControls(NamedTuple):
    """Holds what a person sets before a run: the parameters of `question_request`, in order."""

    prompt: gr.Textbox
    writer: gr.Dropdown
    judge: gr.Dropdown
    right: gr.File
    wrong: gr.File


class Page(NamedTuple):
    """Holds the components that events listen to or write to."""

    controls: QuestionControls
    reason: gr.Button
    stop: gr.Button
    status: gr.HTML
    told: gr.HTML
    reasoning: gr.Textbox
    make: gr.Button
    others: gr.Button
    making: gr.HTML
    rejected: gr.HTML
    editor: gr.HTML
    accept: gr.Button
    show: gr.Button
    accepted: gr.HTML
    known: gr.State


# --- what happens ---------------------------------------------------------------------------------


def save(services: Services, held: object, prompt: str) -> tuple[Any, ...]:
    """Save the set: return the sentence, the button to Evaluate, and the sets it replaced."""
    try:
        edited = edited_set(held, prompt, today())
        earlier = saved_sets.of_prompts(services, [edited.prompt])
        saved = services.sets.save(edited)
    except HallaScopeError as sentence:
        return status.error_message(str(sentence)), gr.Button(visible=False), gr.skip()
    number = len(saved.questions)
    words = (
        f"{count_noun(number, 'question')} saved for “{saved.prompt}”: Generate on the"
        " Evaluate tab asks them from now on."
    )
    return (
        status.result_message(words),
        gr.Button(visible=True),
        tuple(each for each in earlier if each != saved) or gr.skip(),
    )


# --- the page -------------------------------------------------------------------------------------


def build(services: Services, place: PageContext) -> None:
    """Lay the page out and connect it."""
    page = _layout(services, place)
    sets = saved_sets.build(services)
    _connect(services, place, page, sets)
    place.shown.change(as_visitor(services, saved_sets.list_html), None, sets.list, **NO_PROGRESS)


def _layout(services: Services, place: PageContext) -> Page:
    static_html(HELP)
    controls, reason, stop = _controls(services, place)
    line = static_html(Markup(), elem_id="q-status")
    answers = static_html(Markup(), elem_id="q-told")
    reasoning = gr.Textbox(
        label="Reasoning: what a right image must show, and how it goes wrong",
        lines=4,
        max_lines=16,
        elem_id="q-reasoning",
        placeholder="Filled from the images, or write it yourself.",
    )
    with gr.Row(elem_classes=["q-actions"]):
        make = gr.Button(
            "Make questions", variant="primary", scale=0, min_width=150, elem_id="q-make"
        )
        others = gr.Button(
            "More questions", scale=0, min_width=120, interactive=False, elem_id="q-others"
        )
        making = static_html(Markup(), elem_id="q-making")
    rejected = static_html(Markup(), elem_id="q-rejected")
    editor = review.editor("review")
    with gr.Row(elem_classes=["q-actions"]):
        accept = gr.Button(
            "Save set", variant="primary", scale=0, min_width=160, elem_id="q-accept"
        )
        show = gr.Button(
            "Evaluate with these questions", scale=0, min_width=170, visible=False, elem_id="q-show"
        )
        saved = static_html(Markup(), elem_id="q-saved")
    known = gr.State(ReasoningDraftState())
    return Page(
        controls=controls,
        reason=reason,
        stop=stop,
        status=line,
        told=answers,
        reasoning=reasoning,
        make=make,
        others=others,
        making=making,
        rejected=rejected,
        editor=editor,
        accept=accept,
        show=show,
        accepted=saved,
        known=known,
    )


def _controls(
    services: Services, place: PageContext
) -> tuple[QuestionControls, gr.Button, gr.Button]:
    with gr.Row(elem_classes=["ask"]):
        prompt = line_field(
            "Prompt", "Describe an image, e.g. “a molecule of methane”", "q-prompt", scale=1
        )
        reason, stop = start_and_stop("Draft reasoning", "q-reason", "q-stop")
    with gr.Row():
        writer = picker(services, place.spending, WRITERS, "q-writer")
        judge = picker(services, place.spending, JUDGES, "q-judge")
    with gr.Row(elem_classes=["q-pictures"]):
        right, wrong = (
            gr.File(
                label=f"{label} images",
                file_count="multiple",
                file_types=["image"],
                type="filepath",
                elem_id=f"q-{label}",
            )
            for label in ("right", "wrong")
        )
    controls = QuestionControls(
        prompt=prompt,
        writer=writer,
        judge=judge,
        right=right,
        wrong=wrong,
    )
    return controls, reason, stop


# --- events ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class QuestionEvents:
    """Answers the events of the page.

    `settings` are the values of the page's own controls, then those of spending.
    """

    services: Services
    spending: SpendingInputs

    def reason(
        self,
        stop: threading.Event,
        asker: gr.Request,
        standing: str,
        known: ReasoningDraftState,
        *settings: Any,
    ) -> Moments:
        request, policy = self._request(asker, settings)
        views = reasoning_views(self.services, request, policy, standing, known, stop=stop)
        return _skipping(views)

    def make(
        self,
        stop: threading.Event,
        asker: gr.Request,
        reasoning: str,
        held: Any,
        known: ReasoningDraftState,
        *settings: Any,
    ) -> Moments:
        first = replace(known, draw=0)
        return self._draft(stop, asker, reasoning, held, first, settings)

    def make_others(
        self,
        stop: threading.Event,
        asker: gr.Request,
        reasoning: str,
        held: Any,
        known: ReasoningDraftState,
        *settings: Any,
    ) -> Moments:
        following = replace(known, draw=known.draw + 1)
        return self._draft(stop, asker, reasoning, held, following, settings)

    def open_saved(self, event: gr.EventData, asker: gr.Request) -> tuple[Any, ...]:
        if event.action != "open":
            return (gr.skip(),) * 5
        return _saved_set(services_of(self.services, asker), event.prompt)

    def open_unreviewed(self, asker: gr.Request, prompt: str, held: Any) -> tuple[Any, ...]:
        """Open the saved set of a prompt that no person has reviewed, unless it is open already."""
        services = services_of(self.services, asker)
        try:
            saved = services.sets.for_prompt(prompt)
        except HallaScopeError:
            return (gr.skip(),) * 5
        is_open = isinstance(held, dict) and held.get("prompt") == saved.prompt
        if is_open or not any(map(is_unreviewed, saved.questions)):
            return (gr.skip(),) * 5
        line, editor, _, reasoning, known = _saved_set(services, saved.prompt)
        return line, editor, gr.skip(), reasoning, known

    def _draft(
        self,
        stop: threading.Event,
        asker: gr.Request,
        reasoning: str,
        held: Any,
        known: ReasoningDraftState,
        settings: Sequence[Any],
    ) -> Moments:
        request, policy = self._request(asker, settings)
        views = draft_views(self.services, request, policy, reasoning, held, known=known, stop=stop)
        return _skipping(views)

    def _request(
        self, asker: gr.Request, settings: Sequence[Any]
    ) -> tuple[QuestionRequest, SpendingPolicy]:
        own = len(QuestionControls._fields)
        request = question_request(*settings[:own])
        return request, self.spending.read_policy(asker, *settings[own:])


def _connect(
    services: Services, place: PageContext, page: Page, sets: saved_sets.SavedSetControls
) -> None:
    events = QuestionEvents(services, place.spending)
    _connect_runs(events, place, page)
    accepted = page.accept.click(
        as_visitor(services, save),
        [page.editor, page.controls.prompt],
        [page.accepted, page.show, sets.earlier],
        **NO_PROGRESS,
    )
    saved_sets.connect_refresh(services, sets, accepted)
    page.show.click(None, None, None, js=TO_EVALUATE, **NO_PROGRESS)
    opened = [page.making, page.editor, page.controls.prompt, page.reasoning, page.known]
    sets.list.select(events.open_saved, None, opened, **NO_PROGRESS)
    page.controls.prompt.change(
        events.open_unreviewed,
        [page.controls.prompt, page.editor],
        opened,
        trigger_mode="always_last",
        **NO_PROGRESS,
    )


def _connect_runs(events: QuestionEvents, place: PageContext, page: Page) -> None:
    """Connect the three buttons of which one runs at a time."""
    settings = [*page.controls, *place.spending.all]
    drafted = [page.making, page.rejected, page.editor, page.known]
    buttons = RunButtons(
        [page.reason, page.make, page.others],
        page.stop,
        lambda known: (True, True, known.made),
        page.known,
    )
    buttons.begin(
        listeners=[page.reason.click, page.controls.prompt.submit],
        work=events.reason,
        inputs=[page.reasoning, page.known, *settings],
        outputs=[page.status, page.told, page.reasoning, page.known],
        at_once=2,
        called="making",
    )
    for button, work in ((page.make, events.make), (page.others, events.make_others)):
        buttons.begin(
            listeners=[button.click],
            work=work,
            inputs=[page.reasoning, page.editor, page.known, *settings],
            outputs=drafted,
            at_once=2,
            called="making",
        )


def _saved_set(services: Services, prompt: str) -> tuple[Any, ...]:
    """Return a saved set in the editor, with its prompt and reasoning."""
    untouched = (gr.skip(),) * 4
    try:
        question_set = next(iter(saved_sets.of_prompts(services, [prompt])), None)
    except HallaScopeError as sentence:
        return status.error_message(str(sentence)), *untouched
    if question_set is None:
        message = f"The questions for “{prompt}” are no longer there."
        return status.error_message(message), *untouched
    return (
        status.result_message(f"The saved questions for “{prompt}”."),
        review.sheet(question_set),
        prompt,
        question_set.provenance.reasoning if question_set.provenance else "",
        ReasoningDraftState(),
    )


def _skipping(moments: Iterable[Sequence[Any]]) -> Moments:
    """Yield the updates with None, which changes nothing, as a skip of Gradio."""
    for moment in moments:
        yield tuple(gr.skip() if part is None else part for part in moment)
