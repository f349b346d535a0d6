"""Defines the events of a driver about the plans that it runs."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from hallascope.data.records import JudgingProtocol
from hallascope.data.requests import Failure, Reply, Request, Role


@dataclass(frozen=True)
class PlanStepRequest:
    """Announces that a plan asks for `of` replies in its next step, of models in these roles."""

    key: Hashable
    of: int
    roles: frozenset[Role] = frozenset()


@dataclass(frozen=True)
class PlanProgress:
    """Reports that a model that works in steps is at `step` of `steps` of a plan's request."""

    key: Hashable
    step: int
    steps: int


@dataclass(frozen=True, kw_only=True)
class PlanReply:
    """Brings one reply of a plan's step, or the failure with which the plan goes on.

    `done` of `of` are there. `seconds` is None where it came from the cache.
    """

    key: Hashable
    request: Request
    reply: Reply
    done: int
    of: int
    seconds: float | None

    @property
    def cached(self) -> bool:
        return self.seconds is None


@dataclass(frozen=True)
class PlanResult:
    """Brings the result of a plan that is at its end.

    `cached`: it asked for something and every reply of it came from the cache. `protocols`: how
    judges came to their choices. `not_applied`: what services did not take of its requests, as
    `Answer` names it.
    """

    key: Hashable
    result: Any
    cached: bool
    protocols: frozenset[JudgingProtocol] = frozenset()
    not_applied: frozenset[str] = frozenset()


@dataclass(frozen=True)
class PlanFailure:
    """Reports that an isolated plan raised an exception, which ended it and no other.

    It has no result; the exception is in the log.
    """

    key: Hashable
    failure: Failure


@dataclass(frozen=True)
class PaymentNotice:
    """Reports that calls that cost money ended; what they cost stands in the budget."""


DriverEvent = PlanStepRequest | PlanProgress | PlanReply | PlanResult | PlanFailure | PaymentNotice
