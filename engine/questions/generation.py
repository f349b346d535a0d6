"""Makes questions for a prompt, and finds its category, by the plans of `metrics.ihalla`."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from hallascope.data.files.tables import Complaint
from hallascope.data.records import Provenance, QuestionSet
from hallascope.data.requests import Ask, Role
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import Spent
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.money.budget import Budget, SpendingPolicy
from hallascope.engine.run.driver import (
    AnyPlan,
    Driver,
    PaymentNotice,
    PlanReply,
    PlanResult,
    PlanStepRequest,
)
from hallascope.engine.run.validation import checked_prompt
from hallascope.metrics.ihalla import agents, categories, reasoning
from hallascope.metrics.ihalla.agents import GeneratedQuestions, MergedReasoning, readable
from hallascope.metrics.ihalla.categories import AssignedCategory
from hallascope.metrics.ihalla.reasoning import LabeledPicture, Reasoning
from hallascope.metrics.written import Written
from hallascope.primer import scenes

# what is spent on questions belongs to no run
NO_RUN = ""
DEFAULT_POLICY = SpendingPolicy()


@dataclass(frozen=True)
class AnswerProgress:
    """Brings one answer of the judge about a picture; `done` of `of` are there."""

    reasoning: Reasoning
    done: int
    of: int


@dataclass(frozen=True)
class Writing:
    """Reports that the writer is at work: a text is on its way."""


QuestionGenerationEvent = AnswerProgress | Writing | Spent | MergedReasoning | GeneratedQuestions


@dataclass(frozen=True)
class ImportedQuestions:
    """Holds the sets of questions that were saved from a file, and what was wrong with the rest."""

    sets: tuple[QuestionSet, ...]
    complaints: tuple[Complaint, ...]


class QuestionMaker:
    """Makes questions for a prompt with a judge and a writer, on the terms of a person.

    `bind` binds models to their roles, with a driver that calls them and a budget that pays them.
    `charge_quota` counts the calls for a visitor.
    """

    def __init__(
        self,
        bind: Callable[
            [Sequence[tuple[str, Role]], SpendingPolicy, threading.Event | None],
            tuple[dict[Role, BoundModel], Driver, Budget],
        ],
        charge_quota: Callable[[SpendingPolicy, Callable[[], int]], None],
    ) -> None:
        self._bind = bind
        self._charge_quota = charge_quota

    def reason_about(
        self,
        prompt: str,
        materials: Sequence[LabeledPicture],
        judge: str | None,
        writer: str,
        terms: SpendingPolicy = DEFAULT_POLICY,
        *,
        stop: threading.Event | None = None,
        texts: Path | None = None,
    ) -> Iterator[QuestionGenerationEvent]:
        """Ask a judge about pictures of the prompt whose label is known; a writer merges that.

        Ends with `MergedReasoning`. Without pictures the writer reasons from the prompt alone.
        `texts` is the folder of a pack of wordings, None for ours.
        Raises what `Services.evaluate` raises.
        """
        prompt = checked_prompt(prompt)
        named: list[tuple[str, Role]] = [(writer, "writer")]
        if materials and judge is None:
            raise BadRequest(
                "No judge is chosen to look at the images: choose one, or take the images out."
            )
        if materials and judge:
            named.insert(0, (judge, "judge"))
        models, driver, budget = self._bind(named, terms, stop)
        self._charge_quota(terms, lambda: len(materials) + 1)
        plan = agents.reason(prompt, materials, prompts=texts)
        return run_question_plan(plan, models, driver, budget, materials)

    def make_questions(
        self,
        prompt: str,
        reasoning: str,
        writer: str,
        terms: SpendingPolicy = DEFAULT_POLICY,
        stop: threading.Event | None = None,
        *,
        draw: int = 0,
        texts: Path | None = None,
    ) -> Iterator[QuestionGenerationEvent]:
        """Have a writer make five questions of the reasoning; ends with `GeneratedQuestions`.

        Another `draw` makes others. `texts` is the folder of a pack of wordings, None for ours.
        """
        plan = agents.ask_questions(
            checked_prompt(prompt),
            reasoning,
            origin=f"made by {writer}",
            draw=draw,
            prompts=texts,
        )
        models, driver, budget = self._bind([(writer, "writer")], terms, stop)
        self._charge_quota(terms, lambda: 1)
        return run_question_plan(plan, models, driver, budget)

    def categorize(
        self,
        prompt: str,
        writer: str | None,
        terms: SpendingPolicy = DEFAULT_POLICY,
        *,
        texts: Path | None = None,
    ) -> Written[AssignedCategory]:
        """Have a writer assign the prompt to one of the nine categories.

        Without a writer the concepts of the Primer world do. `texts` is the folder of a pack of
        wordings, None for ours. Raises BadRequest where they do not
        know the prompt, and what `Services.evaluate` raises.
        """
        prompt = checked_prompt(prompt)
        if writer is None:
            return category_in_primer(prompt)
        models, driver, _ = self._bind([(writer, "writer")], terms, None)
        self._charge_quota(terms, lambda: 1)
        plan = categories.ask_category(prompt, prompts=texts)
        driver.add(NO_RUN, plan, models, readable=categories.readable)
        answers = [event.result for event in driver.events() if isinstance(event, PlanResult)]
        answer: Written[AssignedCategory] = answers[-1]
        return answer


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
            case PlanReply(request=Ask() as ask):
                answer = reasoning.parse_reasoning(by_picture[ask.images[0]], event.reply)
                yield AnswerProgress(answer, event.done, event.of)
            case PlanStepRequest(roles=roles) if "writer" in roles:
                yield Writing()
            case PaymentNotice():
                yield Spent(NO_RUN, budget.spent, budget.calls, budget.cap, budget.unconfirmed)
            case PlanResult():
                yield event.result
            case _:
                pass


def today() -> str:
    """Return the day as an ISO date, in UTC."""
    return datetime.now(UTC).date().isoformat()


def make_set(
    *,
    prompt: str,
    reasoned: MergedReasoning,
    generated: GeneratedQuestions,
    writer: str,
    judge: str = "",
    day: str = "",
) -> QuestionSet:
    """Return the questions that a writer made of reasoning, with models, templates and day.

    `judge`: the model that looked at the images, "" without images; `day` is an ISO date, today
    where it is "".
    """
    return QuestionSet(
        prompt=prompt,
        questions=generated.questions,
        source="made",
        provenance=Provenance(
            judge=judge,
            writer=writer,
            reasoning=reasoned.text,
            templates={**reasoned.templates, **generated.templates},
            difficulty=reasoned.difficulty,
            made=day or today(),
        ),
    )


def category_in_primer(prompt: str) -> Written[AssignedCategory]:
    """Return the category of the concept of the Primer world that a prompt names first.

    Raises BadRequest where Primer does not know the prompt.
    """
    try:
        scene = scenes.parse(prompt)
    except scenes.CannotDraw as error:
        raise BadRequest(
            f"Primer does not know {prompt!r}, so a writer must say its category: name one with"
            " --writer."
        ) from error
    concept = scene.groups[0].concept
    reason = f"Primer lists {concept.name} under {concept.category.value}."
    return Written(AssignedCategory(concept.category, reason))


def with_category(questions: QuestionSet, answer: Written[AssignedCategory]) -> QuestionSet:
    """Return the questions with a category. Raises BadRequest where the answer has none."""
    if answer.value is None or answer.value.category is None:
        reason = answer.problem or "None of the nine categories fits."
        raise BadRequest(f"{reason} Nothing was saved.")
    return replace(questions, category=answer.value.category, field=None)
