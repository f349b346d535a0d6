"""Plans that ask questions, and runs of them through the driver."""

from pathlib import Path
from typing import Any

from hallascope.data.records import Picture
from hallascope.data.requests import Answer, Ask, Failure, Reply
from hallascope.engine.models.roles import BoundModel, bind_backend
from hallascope.engine.run.driver import AnyPlan, Driver, PlanResult
from tests.support.scripted import Scripted

PICTURE = Picture("ab" * 32, Path("nowhere.png"))


def plan_of(*questions: str) -> AnyPlan:
    """A plan of one step that gives its replies as they came."""
    replies: list[Reply] = yield [Ask(images=(PICTURE,), text=q, question=q) for q in questions]
    return replies


def run_plans(
    backend: Scripted | BoundModel, plans: dict[str, AnyPlan], **options: Any
) -> dict[Any, Any]:
    """All plans to their end, and what each gave."""
    running = Driver(**options)
    for key, plan in plans.items():
        running.add(
            key,
            plan,
            {"judge": backend if isinstance(backend, BoundModel) else bind_backend(backend)},
        )
    return {event.key: event.result for event in running.events() if isinstance(event, PlanResult)}


def texts(replies: list[Reply]) -> list[str]:
    return [
        (
            reply.text
            if isinstance(reply, Answer)
            else reply.kind
            if isinstance(reply, Failure)
            else "picture"
        )
        for reply in replies
    ]
