"""Makes reasoning and questions as the Questions tab asks for them, and says how far it is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from hallascope.components.cards import status
from hallascope.components.judges.reasoning import render_reasoning
from hallascope.components.questions import review
from hallascope.data.nouns import count_noun
from hallascope.data.records import Provenance, QuestionSet
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import Spent
from hallascope.engine.money.spending import money, spending_text
from hallascope.engine.questions.generation import AnswerProgress, Writing, make_set, today
from hallascope.engine.questions.unreviewed import mark_reviewed
from hallascope.engine.run.validation import checked_prompt
from hallascope.metrics.ihalla.agents import GeneratedQuestions, MergedReasoning
from hallascope.metrics.ihalla.reasoning import LabeledPicture, Reasoning
from hallascope.pages.shared.model_picker import chosen_model
from hallascope.pages.shared.run_buttons import StartedRun


@dataclass(frozen=True)
class QuestionRequest:
    """Holds a person's request: the prompt, who writes, who looks, and labeled images."""

    prompt: str
    writer: str
    judge: str | None = None
    right: tuple[Path, ...] = ()
    wrong: tuple[Path, ...] = ()


@dataclass(frozen=True)
class ReasoningDraftState:
    """Holds what the page knows of the reasoning: its prompt, its judge, and the draw of questions.

    `made`: questions were made of it, so that others can be.
    """

    prompt: str = ""
    judge: str = ""
    reasoned: MergedReasoning = field(default_factory=lambda: MergedReasoning(""))
    draw: int = 0
    made: bool = False


class ReasoningView(NamedTuple):
    """Holds what the page shows at one moment of the reasoning; None changes nothing."""

    status: str
    told: str
    reasoning: str | None = None
    known: ReasoningDraftState | None = None


class QuestionDraftView(NamedTuple):
    """Holds what the page shows while questions are made; None changes nothing."""

    status: str
    rejected: str | None = None
    sheet: review.EditorSheet | None = None
    known: ReasoningDraftState | None = None


# --- what is asked --------------------------------------------------------------------------------


def question_request(
    prompt: str,
    writer: str | None,
    judge: str | None,
    right: Sequence[str] | None,
    wrong: Sequence[str] | None,
) -> QuestionRequest:
    """Return the request. Raises BadRequest where there is no writer."""
    writer_name = chosen_model(writer)
    if writer_name is None:
        raise BadRequest(
            "No writer is chosen: choose or name one, or write the reasoning and the questions by"
            " hand."
        )
    return QuestionRequest(
        prompt,
        writer_name,
        chosen_model(judge),
        tuple(map(Path, right or ())),
        tuple(map(Path, wrong or ())),
    )


# --- reasoning ------------------------------------------------------------------------------------


def append_reasoning(standing: str, last: str, new: str) -> str:
    """Return the reasoning to show: the new below what a person wrote or changed."""
    new = new.strip()
    own = standing.strip().removesuffix(last.strip()).rstrip().removesuffix(new).strip()
    return f"{own}\n\n{new}" if own else new


def spent_text(event: Spent | None) -> str:
    if event is None:
        return ""
    return spending_text(event.amount, event.unconfirmed, f"of at most {money(event.cap)}")


def reasoning_views(
    begun: StartedRun, request: QuestionRequest, standing: str, known: ReasoningDraftState
) -> Iterator[ReasoningView]:
    """Yield what the page shows while the judge reasons and the writer merges.

    Raises HallaScopeError where it cannot be done.
    """
    materials = [
        LabeledPicture(begun.services.import_picture(path), factual)
        for paths, factual in ((request.right, True), (request.wrong, False))
        for path in paths
    ]
    reasonings: list[Reasoning] = []
    paid: Spent | None = None
    done = 0
    total = 0
    words = "asking"
    for event in begun.services.question_maker.reason_about(
        prompt=request.prompt,
        materials=materials,
        judge=request.judge,
        writer=request.writer,
        terms=begun.terms,
        stop=begun.stop,
    ):
        match event:
            case AnswerProgress():
                reasonings.append(event.reasoning)
                done = event.done
                total = event.of
                words = f"{event.done} of {event.of} answers"
            case Writing():
                words = "the writer is at work"
            case Spent():
                paid = event
            case MergedReasoning():
                yield _merged_view(event, request, materials, standing, known, paid=paid)
                return
            case _:
                pass
        yield ReasoningView(
            status.progress(done, total + 1, words, spent_text(paid)),
            render_reasoning(materials, reasonings, {}),
        )
    yield ReasoningView(
        status.result_message("Stopped. Draft reasoning resumes it."),
        render_reasoning(materials, reasonings, {}, done=True),
    )


def _merged_view(
    merged: MergedReasoning,
    request: QuestionRequest,
    materials: Sequence[LabeledPicture],
    standing: str,
    known: ReasoningDraftState,
    *,
    paid: Spent | None,
) -> ReasoningView:
    """Return what the page shows at the end: the merged reasoning below what a person wrote."""
    text = append_reasoning(standing, known.reasoned.text, merged.text) if merged.text else None
    judge = (request.judge or "") if materials else ""
    return ReasoningView(
        status=_thought(merged, text, paid),
        told=render_reasoning(materials, merged.reasonings, merged.difficulty, done=True),
        reasoning=text,
        known=ReasoningDraftState(checked_prompt(request.prompt), judge, merged),
    )


def _thought(merged: MergedReasoning, text: str | None, paid: Spent | None) -> str:
    """Return the sentence after the reasoning."""
    counts = (
        f"{len(merged.kept_reasonings)} of {len(merged.reasonings)} answers kept"
        if merged.reasonings
        else ""
    )
    own = "the new reasoning is below yours" if text and text != merged.text.strip() else ""
    words = " · ".join(filter(None, (counts, own, spent_text(paid)))) or (
        "The writer has reasoned." if merged.text else ""
    )
    return status.result_message(words, [merged.problem] if merged.problem else [])


# --- making and accepting questions ---------------------------------------------------------------


def draft_views(
    begun: StartedRun,
    request: QuestionRequest,
    reasoning: str,
    held: object,
    known: ReasoningDraftState,
) -> Iterator[QuestionDraftView]:
    """Yield what the page shows while the writer makes questions; those a person changed stay.

    Raises HallaScopeError.
    """
    paid: Spent | None = None
    yield QuestionDraftView(status.progress(0, 1, "the writer is at work"))
    for event in begun.services.question_maker.make_questions(
        prompt=request.prompt,
        reasoning=reasoning,
        writer=request.writer,
        terms=begun.terms,
        stop=begun.stop,
        draw=known.draw,
    ):
        match event:
            case Spent():
                paid = event
            case GeneratedQuestions(failure=str(why)):
                yield QuestionDraftView(
                    status.error_message(why), review.rejected_sets((), event.raw)
                )
                return
            case GeneratedQuestions():
                question_set = made_set(request, reasoning, known, event, today())
                sheet = review.refill(held, question_set) if event.questions else None
                yield QuestionDraftView(
                    _drafted(request, held, event, paid),
                    review.rejected_sets(event.rejected),
                    sheet,
                    replace(known, made=True),
                )
                return
            case _:
                pass
    yield QuestionDraftView(status.result_message("Stopped: nothing was made."))


def made_set(
    request: QuestionRequest,
    reasoning: str,
    known: ReasoningDraftState,
    generated: GeneratedQuestions,
    day: str,
) -> QuestionSet:
    """Return the questions with how they were made; `day` is an ISO date."""
    prompt = checked_prompt(request.prompt)
    state = known if known.prompt == prompt else ReasoningDraftState()
    return make_set(
        prompt=prompt,
        reasoned=replace(state.reasoned, text=reasoning),
        generated=generated,
        writer=request.writer,
        judge=state.judge,
        day=day,
    )


def _drafted(
    request: QuestionRequest, held: object, generated: GeneratedQuestions, paid: Spent | None
) -> str:
    """Return the sentence after questions were made."""
    number = len(generated.questions)
    if number:
        new = f"{count_noun(number, 'new question')} to review"
    else:
        new = "The reply has no usable question set"
    stay = (
        "questions that you changed are below them"
        if number and review.edited_rows(held, request.prompt)
        else ""
    )
    return status.result_message(
        " · ".join(filter(None, (new, stay, spent_text(paid)))),
        [generated.note] if generated.note else [],
    )


def edited_set(held: object, prompt: str, day: str) -> QuestionSet:
    """Return the set in the editor, to be saved; `prompt` where the editor names none.

    Raises BadRequest where the prompt cannot be used.
    """
    question_set = mark_reviewed(review.questions(held))
    provenance = question_set.provenance or Provenance(made=day)
    return replace(
        question_set,
        prompt=checked_prompt(question_set.prompt or prompt),
        source=question_set.source or review.WRITTEN_SOURCE,
        provenance=provenance,
    )
