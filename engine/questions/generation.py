"""Makes questions for a prompt by the plans of `hallascope.metrics.ihalla.agents`.

It tells what comes, keeps nothing and knows no page.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hallascope.data.files.sheets import Complaint
from hallascope.data.records import QuestionSet
from hallascope.data.requests import Ask, Role
from hallascope.engine.events import Spent
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.money.budget import Budget
from hallascope.engine.run import driver
from hallascope.engine.run.driver import AnyPlan, Driver
from hallascope.metrics.ihalla import reasoning
from hallascope.metrics.ihalla.agents import GeneratedQuestions, MergedReasoning, readable
from hallascope.metrics.ihalla.reasoning import LabeledPicture, Reasoning

NO_RUN = ""  # what is spent here belongs to no run


@dataclass(frozen=True)
class AnswerProgress:
    """One answer of the judge about a picture came; `done` of `of` are there."""

    reasoning: Reasoning
    done: int
    of: int


@dataclass(frozen=True)
class Writing:
    """The writer is at work: a text is on its way."""


QuestionGenerationEvent = AnswerProgress | Writing | Spent | MergedReasoning | GeneratedQuestions


@dataclass(frozen=True)
class ImportedQuestions:
    """Sets of questions read from a file and saved, and what was wrong with the rest."""

    sets: tuple[QuestionSet, ...]
    complaints: tuple[Complaint, ...]


def making(
    plan: AnyPlan,
    lineup: Mapping[Role, BoundModel],
    runner: Driver,
    purse: Budget,
    materials: Sequence[LabeledPicture] = (),
) -> Iterator[QuestionGenerationEvent]:
    """What happens while the plan runs.

    Its result, `MergedReasoning` or `GeneratedQuestions`, comes last.
    """
    about = {material.picture: material for material in materials}
    runner.add(NO_RUN, plan, lineup, readable=readable)
    for event in runner.events():
        match event:
            case (
                driver.PlanReply(request=Ask() as ask)
                | driver.PlanRequestFailure(request=Ask() as ask)
            ):
                told = reasoning.parse_reasoning(about[ask.images[0]], event.reply)
                yield AnswerProgress(told, event.done, event.of)
            case driver.PlanStepRequest(roles=roles) if "writer" in roles:
                yield Writing()
            case driver.PaymentNotice():
                yield Spent(NO_RUN, purse.spent, purse.calls, purse.cap)
            case driver.PlanResult():
                yield event.result
            case _:
                pass
