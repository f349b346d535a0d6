"""Asks a writer once: what it wrote, or why that cannot be used."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from hallascope.data.requests import Answer, Failure, Write
from hallascope.metrics.base import PlanSteps, T, text_reply


@dataclass(frozen=True)
class Written(Generic[T]):
    """Holds what a writer wrote; None where `problem` says in a sentence why there is nothing."""

    value: T | None = None
    problem: str = ""


def ask_writer(
    request: Write, parse: Callable[[Answer], T | None], unreadable: str
) -> PlanSteps[Written[T]]:
    """Plan one writing; `parse` gives None of a reply that is `unreadable`."""
    (reply,) = yield [request]
    answer = text_reply(reply, "writer")
    if isinstance(answer, Failure):
        return Written(problem=answer.message)
    value = parse(answer)
    return Written(value, "" if value is not None else unreadable)
