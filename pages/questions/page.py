"""Builds Questions: reasoning about a prompt, and five questions made of it, reviewed and saved."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import gradio as gr
from markupsafe import Markup

from hallascope.components.cards import status
from hallascope.components.html.fields.text_field import line_field
from hallascope.components.html.gradio_html import NO_PROGRESS, static_html
from hallascope.components.questions import review
from hallascope.data.nouns import count_noun
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.questions.generation import today
from hallascope.engine.questions.unreviewed import is_unreviewed
from hallascope.engine.services import Services
from hallascope.engine.storage.questions_and_replies import normalize_prompt
from hallascope.pages.questions import saved_sets
from hallascope.pages.questions.state import (
    ReasoningDraftState,
    draft_views,
    edited_set,
    question_request,
    reasoning_views,
)
from hallascope.pages.shared.context import PageContext, carry
from hallascope.pages.shared.model_picker import PickerSpec, picker, prefer_reasoning
from hallascope.pages.shared.run_buttons import RunButtons, StartedRun, start_and_stop
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


# --- what happens ---------------------------------------------------------------------------------


def save(
    services: Services, held: object, prompt: str, removed: saved_sets.RemovedSets = ()
) -> tuple[Any, ...]:
    """Save the set: return the sentence, the button to Evaluate, and what can be brought back.

    That is the set it replaced, else those `removed` before that are of other prompts.
    """
    try:
        edited = edited_set(held, prompt, today())
        earlier = saved_sets.of_prompts(services, [edited.prompt])
        saved = services.sets.save(edited)
    except HallaScopeError as sentence:
        return status.error_message(sentence), gr.Button(visible=False), gr.skip()
    number = len(saved.questions)
    words = (
        f"{count_noun(number, 'question')} saved for “{saved.prompt}”: Generate on the"
        " Evaluate tab asks them from now on."
    )
    replaced = tuple(each for each in earlier if each != saved)
    own = normalize_prompt(saved.prompt)
    others = tuple(each for each in removed if normalize_prompt(each.prompt) != own)
    return status.result_message(words), gr.Button(visible=True), replaced or others


# --- the page -------------------------------------------------------------------------------------


def build(services: Services, place: PageContext) -> None:
    """Lay the page out and connect it."""
    static_html(HELP)
    controls, reason, stop = _controls(services, place)
    prompt = controls[0]
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
    sets = saved_sets.build(services)
    handlers = QuestionHandlers(services)
    buttons = RunButtons(
        [reason, make, others],
        stop,
        place.spending,
        lambda known: (True, True, known.made),
        known,
    )
    buttons.begin(
        listeners=[reason.click, prompt.submit],
        work=handlers.reason,
        inputs=[reasoning, known, *controls],
        outputs=[line, answers, reasoning, known],
        at_once=2,
        called="making",
    )
    for button, work in ((make, handlers.make), (others, partial(handlers.make, again=True))):
        buttons.begin(
            listeners=[button.click],
            work=work,
            inputs=[reasoning, editor, known, *controls],
            outputs=[making, rejected, editor, known],
            at_once=2,
            called="making",
        )
    accepted = accept.click(
        as_visitor(services, save),
        [editor, prompt, sets.earlier],
        [saved, show, sets.earlier],
        **NO_PROGRESS,
    )
    saved_sets.connect_refresh(services, sets, accepted)
    show.click(None, None, None, js=TO_EVALUATE, **NO_PROGRESS)
    opened = [making, editor, prompt, reasoning, known]
    sets.list.select(handlers.open_saved, None, opened, **NO_PROGRESS)
    prompt.change(
        handlers.open_unreviewed,
        [prompt, editor, reasoning],
        opened,
        trigger_mode="always_last",
        **NO_PROGRESS,
    )
    place.shown.change(as_visitor(services, saved_sets.list_html), None, sets.list, **NO_PROGRESS)


def _controls(services: Services, place: PageContext) -> tuple[list[Any], gr.Button, gr.Button]:
    """Lay out the parameters of `question_request`, in their order, and the buttons of a run."""
    with gr.Row(elem_classes=["ask"]):
        prompt = line_field(
            "Prompt", "Describe an image, e.g. “a molecule of methane”", "q-prompt", scale=1
        )
        reason, stop = start_and_stop("Draft reasoning", "q-reason", "q-stop")
    with gr.Row():
        writer = picker(services, place.spending, WRITERS, "q-writer")
        judge = picker(services, place.spending, JUDGES, "q-judge")
    with gr.Row(elem_classes=["q-pictures"]):
        images = [
            gr.File(
                label=f"{label} images",
                file_count="multiple",
                file_types=["image"],
                type="filepath",
                elem_id=f"q-{label}",
            )
            for label in ("right", "wrong")
        ]
    return [prompt, writer, judge, *images], reason, stop


# --- events ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class QuestionHandlers:
    """Answers the events of the page; `settings` are the values of the page's own controls."""

    services: Services

    def reason(
        self, begun: StartedRun, standing: str, known: ReasoningDraftState, *settings: Any
    ) -> Moments:
        return _skipping(reasoning_views(begun, question_request(*settings), standing, known))

    def make(
        self,
        begun: StartedRun,
        reasoning: str,
        held: Any,
        known: ReasoningDraftState,
        *settings: Any,
        again: bool = False,
    ) -> Moments:
        """Draft questions, or with `again` others than those of the draw before."""
        drawn = replace(known, draw=known.draw + 1 if again else 0)
        return _skipping(draft_views(begun, question_request(*settings), reasoning, held, drawn))

    def open_saved(self, event: gr.EventData, asker: gr.Request) -> tuple[Any, ...]:
        if event.action != "open":
            return (gr.skip(),) * 5
        return _saved_set(services_of(self.services, asker), event.prompt)

    def open_unreviewed(
        self, asker: gr.Request, prompt: str, held: Any, written: str
    ) -> tuple[Any, ...]:
        """Open the saved set of a prompt that no person has reviewed, unless it is open already.

        Reasoning that is `written` stays.
        """
        services = services_of(self.services, asker)
        try:
            saved = services.sets.for_prompt(prompt)
        except HallaScopeError:
            return (gr.skip(),) * 5
        is_open = isinstance(held, dict) and held.get("prompt") == saved.prompt
        if is_open or not any(map(is_unreviewed, saved.questions)):
            return (gr.skip(),) * 5
        line, editor, _, *reasoning = _saved_set(services, saved.prompt)
        return line, editor, gr.skip(), *([gr.skip()] * 2 if written.strip() else reasoning)


def _saved_set(services: Services, prompt: str) -> tuple[Any, ...]:
    """Return a saved set in the editor, with its prompt and reasoning."""
    untouched = (gr.skip(),) * 4
    try:
        question_set = next(iter(saved_sets.of_prompts(services, [prompt])), None)
    except HallaScopeError as sentence:
        return status.error_message(sentence), *untouched
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
