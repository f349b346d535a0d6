"""Asks a writer once outside of a run, within what is left of a budget."""

import threading
from collections.abc import Callable, Generator
from typing import Any, NamedTuple, TypeVar

from hallascope.data.requests import Reply, Request
from hallascope.engine.events import Spent
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.questions.generation import NO_RUN
from hallascope.engine.run.driver_events import PaymentNotice, PlanResult
from hallascope.engine.services import Services

Result = TypeVar("Result")


class WriterTerms(NamedTuple):
    """Names the writer, what may be spent, and the signal that stops it."""

    writer: str
    terms: SpendingPolicy
    stop: threading.Event | None


def run_writer_plan(
    services: Services,
    asked: WriterTerms,
    plan: Callable[[], Generator[Any, Any, Result]],
    readable: Callable[[Request, Reply], bool],
    stopped: Result,
) -> Generator[Spent, None, tuple[Result, float]]:
    """Yield what is spent, and return the result of the plan and its cost in USD.

    The result is `stopped` where the plan was stopped. A reply that is readable is kept, so that
    the same plan is not paid for twice. Raises what `Services.bind` raises.
    """
    services.charge_quota(asked.terms, lambda: 1)
    models, driver, budget = services.bind([(asked.writer, "writer")], asked.terms, asked.stop)
    before = budget.spent
    driver.add(NO_RUN, plan(), models, readable=readable)
    result = stopped
    for event in driver.events():
        if isinstance(event, PaymentNotice):
            yield Spent(NO_RUN, budget.spent, budget.calls, budget.cap, budget.unconfirmed)
        if isinstance(event, PlanResult):
            result = event.result
    return result, budget.spent - before
