"""Draws and judges images in several runs, within the budget of one: for probes and repairs.

All images and verdicts are those of runs, so what is stored is neither drawn nor asked again, and
the same experiment goes on where it was left.
"""

import threading
from collections import defaultdict
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, TypeVar

from hallascope.data.models.specs import ModelSpec
from hallascope.data.records import QuestionSet, Report
from hallascope.data.requests import LEFT_OPEN, Failure, Reply, Request
from hallascope.engine.events import EvaluateRequest, GeneratedPicture
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.money.spending import CostLine, cost_line
from hallascope.engine.questions.generation import NO_RUN
from hallascope.engine.run.driver import PlanReply, PlanResult
from hallascope.engine.run.estimate import costs
from hallascope.engine.run.result import run_result
from hallascope.engine.services import Services
from hallascope.metrics.ihalla.plan import NAME as IHALLA

NOT_MADE = "The image was not made."
Result = TypeVar("Result")


@dataclass(frozen=True, kw_only=True)
class ExperimentImage:
    """Holds one image of a run with the report of its judge and the id of that evaluation.

    `failure` is one sentence where there is no image or no report, "" where nothing failed.
    """

    run: str
    shot: GeneratedPicture
    report: Report | None = None
    evaluation: int | None = None
    failure: str = ""


class Experiment:
    """Runs requests one after the other; the budget of a run holds for all of them.

    `spent` and `unconfirmed` are what they cost so far, in USD.
    """

    def __init__(
        self, services: Services, terms: SpendingPolicy, stop: threading.Event | None = None
    ) -> None:
        self.services = services
        self.spent = 0.0
        self.unconfirmed = 0.0
        self.stop = stop or threading.Event()
        self._terms = terms
        self._cap, _ = terms.caps()
        self._paid_for = defaultdict[EvaluateRequest, float](float)
        self._is_capped = False

    def is_stopped(self) -> bool:
        """Return whether a person or a cap stopped it."""
        return self.stop.is_set() or self._is_capped

    def evaluate(
        self,
        request: EvaluateRequest,
        find_questions: Callable[[str], QuestionSet] | None = None,
    ) -> list[ExperimentImage]:
        """Return the images of a request, in their order, with what its judge says of each.

        Raises what `Services.evaluate` raises.
        """
        services = self.services
        paid = self._paid_for[request]  # the cap holds for all that its run has cost
        terms = self._remaining_terms(paid)
        events = services.evaluate(request, self.stop, terms, find_questions)
        queued = next(events)
        before = services.budget(queued.run, terms)
        result = run_result(request, chain([queued], events))
        spent = result.spent - before.spent
        self._paid_for[request] += spent
        self._pay(spent, result.unconfirmed - before.unconfirmed)
        self._is_capped = self._is_capped or result.state == "stopped"
        reports = {each.generation: each.report for each in result.evaluations}
        rows = services.store.evaluation_rows(result.run)
        ids = {
            row.generation: row.id
            for row in rows
            if row.metric == IHALLA and row.judge == request.judge
        }
        failures = {each.generation: each.failure for each in result.failures}
        images = []
        for shot in result.shots:
            failure = shot.failure or failures.get(shot.generation)
            images.append(
                ExperimentImage(
                    run=result.run,
                    shot=shot,
                    report=reports.get(shot.generation),
                    evaluation=ids.get(shot.generation),
                    failure=_sentence(shot, failure),
                )
            )
        return images

    def ask_writer(
        self,
        writer: str,
        plan: Callable[[], Generator[Any, Any, Result]],
        readable: Callable[[Request, Reply], bool],
    ) -> Result:
        """Return the result of a plan that asks a writer once, also where that was stopped.

        A readable reply is kept, so that the same plan is not paid for twice. Raises what
        `Services.bind` and `Services.charge_quota` raise.
        """
        terms = self._remaining_terms()
        self.services.charge_quota(terms, lambda: 1)
        models, driver, budget = self.services.bind([(writer, "writer")], terms, self.stop)
        before = budget.spent, budget.unconfirmed
        driver.add(NO_RUN, plan(), models, readable=readable)
        results = []
        for event in driver.events():
            if isinstance(event, PlanResult):
                results.append(event.result)
            elif isinstance(event, PlanReply) and isinstance(event.reply, Failure):
                self._is_capped = self._is_capped or event.reply.kind in LEFT_OPEN
        self._pay(budget.spent - before[0], budget.unconfirmed - before[1])
        result: Result = results[0]
        return result

    def write_questions(self, request: EvaluateRequest) -> None:
        """Have the writer of a request make the questions of a prompt that has none."""
        for _ in self.services.write_missing_questions(request, self._remaining_terms(), self.stop):
            pass

    def _pay(self, spent: float, unconfirmed: float) -> None:
        self.spent += spent
        self.unconfirmed += unconfirmed

    def _remaining_terms(self, paid: float = 0.0) -> SpendingPolicy:
        return replace(self._terms, run=max(self._cap - self.spent + paid, 0.0))


def writing_cost(writer: ModelSpec, requests: Sequence[Request]) -> list[CostLine]:
    """Return what a writer's replies are likely to cost; nothing where they cost nothing."""
    return [cost_line(writer.id, requests, writer.price, writer.settings)] if costs(writer) else []


def _sentence(shot: GeneratedPicture, failure: Failure | None) -> str:
    if failure:
        return failure.message
    return NOT_MADE if shot.state == "failed" else ""
