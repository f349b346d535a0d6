"""From what a person asks on the Questions tab to what it shows, moment by moment.

Tested without Gradio.
"""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from hallascope.components.cards import status
from hallascope.components.judges.reasoning import render_reasoning
from hallascope.components.questions import review
from hallascope.data.records import Provenance, QuestionSet
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import Spent
from hallascope.engine.money.budget import SpendingPolicy, money
from hallascope.engine.questions.generation import AnswerProgress, Writing
from hallascope.engine.run.validation import checked_prompt
from hallascope.engine.services import Services
from hallascope.metrics.ihalla.agents import GeneratedQuestions, MergedReasoning
from hallascope.metrics.ihalla.reasoning import LabeledPicture, Reasoning
from hallascope.pages.shared.model_picker import name


@dataclass(frozen=True)
class QuestionRequest:
    """Holds a person's request: the prompt, who writes, who looks, and labeled pictures."""

    prompt: str
    writer: str
    judge: str | None = None
    right: tuple[Path, ...] = ()
    wrong: tuple[Path, ...] = ()


@dataclass(frozen=True)
class ReasoningDraftState:
    """Holds what is known of the reasoning in the page: its prompt, its judge, and the draw.

    The draw is that of the questions that came last.

    `made`: questions were made of it, so that others can be.
    """

    prompt: str = ""
    judge: str = ""
    reasoned: MergedReasoning = field(default_factory=lambda: MergedReasoning(""))
    draw: int = 0
    made: bool = False


class ReasoningView(NamedTuple):
    """What the page shows at one moment of the reasoning; None: as it is."""

    status: str
    told: str
    reasoning: str | None = None
    known: ReasoningDraftState | None = None


class QuestionDraftView(NamedTuple):
    """What the page shows at one moment of the making; None: as it is."""

    status: str
    rejected: str | None = None
    sheet: review.EditorSheet | None = None
    known: ReasoningDraftState | None = None


# --- what is asked
# --------------------------------------------------------------------------------------------------


def question_request(
    prompt: str,
    writer: Sequence[str] | None,
    other_writer: str | None,
    judge: Sequence[str] | None,
    other_judge: str | None,
    right: Sequence[str] | None,
    wrong: Sequence[str] | None,
) -> QuestionRequest:
    """The request. A model that is named in words goes before the chosen one.

    Raises BadRequest where nobody writes.
    """
    hand = name(writer, other_writer)
    if hand is None:
        raise BadRequest(
            "No writer is chosen: choose or name one, or write the reasoning and the questions by"
            " hand."
        )
    return QuestionRequest(
        prompt,
        hand,
        name(judge, other_judge),
        tuple(map(Path, right or ())),
        tuple(map(Path, wrong or ())),
    )


def today() -> str:
    """The day in UTC, ISO."""
    return datetime.now(UTC).date().isoformat()


# --- reasoning
# --------------------------------------------------------------------------------------------------


def below(standing: str, last: str, new: str) -> str:
    """The reasoning to show: what a person wrote or changed stays, the new stands below it."""
    new = new.strip()
    own = standing.strip().removesuffix(last.strip()).rstrip().removesuffix(new).strip()
    return f"{own}\n\n{new}" if own else new


def spent(event: Spent | None) -> str:
    return f"{money(event.amount)} of at most {money(event.cap)}" if event else ""


def reasoning_views(
    services: Services,
    request: QuestionRequest,
    terms: SpendingPolicy,
    standing: str,
    known: ReasoningDraftState,
    *,
    stop: threading.Event,
) -> Iterator[ReasoningView]:
    """What the page shows while the judge looks and the writer merges.

    Raises HallaScopeError where it cannot be done.
    """
    labelled = [
        *((path, True) for path in request.right),
        *((path, False) for path in request.wrong),
    ]
    materials = [
        LabeledPicture(services.import_picture(path, terms), factual) for path, factual in labelled
    ]
    heard: list[Reasoning] = []
    paid: Spent | None = None
    done = 0
    of = 0
    words = "asking"
    for event in services.reason_about(
        prompt=request.prompt,
        materials=materials,
        judge=request.judge,
        writer=request.writer,
        terms=terms,
        stop=stop,
    ):
        match event:
            case AnswerProgress():
                heard.append(event.reasoning)
                done = event.done
                of = event.of
                words = f"{event.done} of {event.of} answers"
            case Writing():
                words = "the writer is at work"
            case Spent():
                paid = event
            case MergedReasoning():
                text = below(standing, known.reasoned.text, event.text) if event.text else None
                judge = (request.judge or "") if materials else ""
                shown = render_reasoning(materials, event.reasonings, event.difficulty, done=True)
                yield ReasoningView(
                    _thought(event, text, paid),
                    shown,
                    text,
                    ReasoningDraftState(checked_prompt(request.prompt), judge, event),
                )
                return
            case _:
                pass
        yield ReasoningView(
            status.progress(done, of + 1, words, spent(paid)),
            render_reasoning(materials, heard, {}),
        )
    yield ReasoningView(
        status.result_message("Stopped: Reason goes on where it was."),
        render_reasoning(materials, heard, {}, done=True),
    )


def _thought(found: MergedReasoning, text: str | None, paid: Spent | None) -> str:
    """The sentence after the reasoning."""
    kept = (
        f"{len(found.kept_reasonings)} of {len(found.reasonings)} answers kept"
        if found.reasonings
        else ""
    )
    own = "the new reasoning stands below yours" if text and text != found.text.strip() else ""
    words = " · ".join(filter(None, (kept, own, spent(paid)))) or (
        "The writer has reasoned." if found.text else ""
    )
    return status.result_message(words, [found.problem] if found.problem else [])


# --- making and accepting questions
# -----------------------------------------------------------------------------------------


def draft_views(
    services: Services,
    request: QuestionRequest,
    terms: SpendingPolicy,
    reasoning: str,
    held: object,
    *,
    known: ReasoningDraftState,
    stop: threading.Event,
) -> Iterator[QuestionDraftView]:
    """What the page shows while the writer makes questions; those a person changed stay.

    Raises HallaScopeError.
    """
    paid: Spent | None = None
    yield QuestionDraftView(status.progress(0, 1, "the writer is at work"))
    for event in services.make_questions(
        prompt=request.prompt,
        reasoning=reasoning,
        writer=request.writer,
        terms=terms,
        stop=stop,
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
                made = made_set(request, reasoning, known, event, today())
                sheet = review.refill(held, made) if event.questions else None
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
    made: GeneratedQuestions,
    day: str,
) -> QuestionSet:
    """The questions with how they came to be; `day` is an ISO date."""
    prompt = checked_prompt(request.prompt)
    own = known if known.prompt == prompt else ReasoningDraftState()
    versions = {**own.reasoned.templates, **made.templates}
    provenance = Provenance(
        judge=own.judge,
        writer=request.writer,
        reasoning=reasoning,
        templates=versions,
        difficulty=own.reasoned.difficulty,
        made=day,
    )
    return QuestionSet(
        prompt=prompt, questions=made.questions, source="made", provenance=provenance
    )


def _drafted(
    request: QuestionRequest, held: object, made: GeneratedQuestions, paid: Spent | None
) -> str:
    """The sentence after the making."""
    number = len(made.questions)
    if number:
        new = f"{number} new {'question' if number == 1 else 'questions'} to review"
    else:
        new = "No set of the reply can stand"
    stay = (
        "those you changed stand below them"
        if number and review.edited_rows(held, request.prompt)
        else ""
    )
    return status.result_message(
        " · ".join(filter(None, (new, stay, spent(paid)))), [made.note] if made.note else []
    )


def edited_set(held: object, prompt: str, day: str) -> QuestionSet:
    """What the editor holds, to be saved; `prompt` where the editor names none.

    Raises BadRequest where the prompt cannot be used.
    """
    found = review.questions(held)
    made = found.provenance or Provenance(judge="", writer="", reasoning="", made=day)
    return replace(
        found,
        prompt=checked_prompt(found.prompt or prompt),
        source=found.source or review.HAND,
        provenance=made,
    )
