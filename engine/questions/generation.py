"""Makes questions for a prompt by the plans of `hallascope.metrics.ihalla.agents`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hallascope.data.files.sheets import Complaint
from hallascope.data.records import QuestionSet
from hallascope.data.requests import Ask, Role
from hallascope.engine.events import Spent
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.money.budget import Budget
from hallascope.engine.run.driver import AnyPlan, Driver
from hallascope.engine.run.driver_events import (
    PaymentNotice,
    PlanReply,
    PlanRequestFailure,
    PlanResult,
    PlanStepRequest,
)
from hallascope.metrics.ihalla import reasoning
from hallascope.metrics.ihalla.agents import GeneratedQuestions, MergedReasoning, readable
from hallascope.metrics.ihalla.reasoning import LabeledPicture, Reasoning

# what is spent on questions belongs to no run
NO_RUN = ""


@dataclass(frozen=True)
class AnswerProgress:
    """Brings one answer of the judge about a picture; `done` of `of` are there."""

    reasoning: Reasoning
    done: int
    of: int


@dataclass(frozen=True)
class Writing:
    """Tells that the writer is at work: a text is on its way."""


QuestionGenerationEvent = AnswerProgress | Writing | Spent | MergedReasoning | GeneratedQuestions


@dataclass(frozen=True)
class ImportedQuestions:
    """Holds the sets of questions that were saved from a file, and what was wrong with the rest."""

    sets: tuple[QuestionSet, ...]
    complaints: tuple[Complaint, ...]


def run_question_plan(
    plan: AnyPlan,
    models: Mapping[Role, BoundModel],
    driver: Driver,
    budget: Budget,
    materials: Sequence[LabeledPicture] = (),
) -> Iterator[QuestionGenerationEvent]:
    """Run a plan that makes questions, and yield what happens.

    Its result, `MergedReasoning` or `GeneratedQuestions`, comes last.
    """
    by_picture = {material.picture: material for material in materials}
    driver.add(NO_RUN, plan, models, readable=readable)
    for event in driver.events():
        match event:
            case PlanReply(request=Ask() as ask) | PlanRequestFailure(request=Ask() as ask):
                answer = reasoning.parse_reasoning(by_picture[ask.images[0]], event.reply)
                yield AnswerProgress(answer, event.done, event.of)
            case PlanStepRequest(roles=roles) if "writer" in roles:
                yield Writing()
            case PaymentNotice():
                yield Spent(NO_RUN, budget.spent, budget.calls, budget.cap)
            case PlanResult():
                yield event.result
            case _:
                pass
