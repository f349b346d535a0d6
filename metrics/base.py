"""The plan protocol: a metric yields requests and receives replies; it never calls a model."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

from data.records import Picture, Question, Report
from data.requests import Reply, Request

Plan = Generator[list[Request], list[Reply], Report]


@dataclass(frozen=True)
class Case:
    """One picture to evaluate against one prompt, with what a metric may need beside it.

    `writer`: whether the line-up has a writer, for metrics that can do without.
    """

    prompt: str
    image: Picture
    questions: tuple[Question, ...] = ()
    reference: Picture | None = None
    writer: bool = False


def always(request: Request, reply: Reply) -> bool:
    """Every reply can be read."""
    return True


@dataclass(frozen=True)
class Metric:
    """A metric by name: how its plan starts, its version, and which roles must be filled to run it.

    `readable` says whether the metric can read a reply; what it cannot read is not worth keeping in a cache.
    `needs_questions`: it says nothing of a prompt that has no set of questions.
    """

    name: str
    title: str
    version: str
    roles: tuple[str, ...]
    plan: Callable[[Case], Plan]
    higher_is_better: bool = True
    bounds: tuple[float, float] = (0.0, 1.0)
    readable: Callable[[Request, Reply], bool] = always
    needs_questions: bool = True


def run(plan: Plan, replies: Sequence[list[Reply]]) -> Report:
    """Run a plan on prepared replies, one list a step; for tests and for replies that are already there.

    Raises ValueError where the plan asks for more or fewer steps than there are replies.
    """
    try:
        next(plan)
        for step in replies:
            plan.send(step)
    except StopIteration as done:
        report: Report = done.value
        return report
    raise ValueError(f"the plan asks on after {len(replies)} steps of replies")
