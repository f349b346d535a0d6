"""Writes the questions that a prompt lacks, before a run and without a person's review.

They say so in their origin until a person has accepted them on the Questions tab.
"""

import threading
from collections.abc import Iterator
from dataclasses import replace

from hallascope.data.records import NONE_OF_THE_ABOVE, Question, QuestionSet
from hallascope.data.requests import Request
from hallascope.engine.errors import BadRequest
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.questions.generation import QuestionGenerationEvent, QuestionMaker, make_set
from hallascope.engine.questions.sets import QuestionSets
from hallascope.metrics.ihalla import agents
from hallascope.metrics.ihalla.agents import GeneratedQuestions, MergedReasoning
from hallascope.metrics.ihalla.question_replies import SETS

_SUFFIX = ", not reviewed"
# as long as what a writer that sees no image says of a prompt
LIKELY_REASONING = "\n".join(["The image must show each thing that the prompt names. "] * 12)


def is_unreviewed(question: Question) -> bool:
    """Return whether a model wrote the question and no person has accepted it yet."""
    return question.origin.endswith(_SUFFIX)


def mark_reviewed(questions: QuestionSet) -> QuestionSet:
    """Return the set as a person accepted it."""
    accepted = (replace(q, origin=q.origin.removesuffix(_SUFFIX)) for q in questions.questions)
    return replace(questions, questions=tuple(accepted))


def write_unreviewed(
    maker: QuestionMaker,
    sets: QuestionSets,
    prompt: str,
    writer: str,
    terms: SpendingPolicy,
    stop: threading.Event | None = None,
) -> Iterator[QuestionGenerationEvent]:
    """Have a writer reason from the prompt alone and make five questions of that; save them.

    Saves nothing where it is stopped. Raises what `QuestionMaker` raises, and BadRequest where the
    writer makes no question that can stand.
    """
    reasoned: MergedReasoning | None = None
    for event in maker.reason_about(prompt, (), None, writer, terms, stop=stop):
        reasoned = event if isinstance(event, MergedReasoning) else reasoned
        yield event
    if _is_stopped(stop) or reasoned is None:
        return
    if not reasoned.text:
        raise BadRequest(_failure(writer, reasoned.problem))
    made: GeneratedQuestions | None = None
    for event in maker.make_questions(prompt, reasoned.text, writer, terms, stop):
        made = event if isinstance(event, GeneratedQuestions) else made
        yield event
    if _is_stopped(stop) or made is None:
        return
    if not made.questions:
        raise BadRequest(_failure(writer, made.failure or made.note))
    origin = f"made by {writer}{_SUFFIX}"
    unreviewed = tuple(replace(question, origin=origin) for question in made.questions)
    written = make_set(prompt=prompt, reasoned=reasoned, generated=made, writer=writer)
    sets.save(replace(written, questions=unreviewed))


def likely_questions(prompt: str) -> QuestionSet:
    """Return five questions as long as those that are likely to be written, for an estimate."""
    choices = (*(f"a choice of some words {letter}" for letter in "ABCD"), NONE_OF_THE_ABOVE)
    questions = (
        Question(
            text=f"What does the image show of the thing that the prompt names, part {number}?",
            choices=choices,
            gold="A",
            coi="others",
        )
        for number in range(1, SETS + 1)
    )
    return QuestionSet(prompt=prompt, questions=tuple(questions))


def likely_question_requests(prompt: str) -> list[Request]:
    """Return what a writer is likely to be asked until the questions of a prompt are there."""
    plans = (agents.reason(prompt), agents.ask_questions(prompt, LIKELY_REASONING))
    return [request for plan in plans for request in next(plan)]


def _is_stopped(stop: threading.Event | None) -> bool:
    return stop is not None and stop.is_set()


def _failure(writer: str, reason: str) -> str:
    words = f"{writer} wrote no questions for this prompt, and nothing was generated."
    return f"{words} {reason}" if reason else f"{words} Choose another question writer."
