"""Who answers a role: a model, how it likes to be asked, and one call of it with retries; it knows no plan."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import NamedTuple

import stamina

from backends.base import Backend, Generator, HallaScopeError, Judge, Limits, OnStep, Stopped, Transient
from data.requests import Ask, Failure, Generate, Reply, Request, Setting

ATTEMPTS = 4
PATIENCE = timedelta(minutes=5)

Call = Callable[[Sequence[Request], OnStep], Sequence[Reply]]


@dataclass(frozen=True)
class Seat:
    """A model in its role. `timeout` in seconds is for one call; None waits as long as it takes."""

    model: str
    revision: str
    call: Call
    limits: Limits = field(default_factory=Limits)
    settings: Mapping[str, Setting] = field(default_factory=dict)
    timeout: float | None = None


def seat(backend: Backend, timeout: float | None = None) -> Seat:
    """The seat of a backend that is loaded."""
    spec = backend.spec
    return Seat(spec.id, backend.revision, partial(call, backend), backend.limits, spec.settings, timeout)


def call(backend: Backend, requests: Sequence[Request], on_step: OnStep) -> list[Reply]:
    """Ask a backend; all requests are of one role. Raises what the backend raises."""
    asks = [r for r in requests if isinstance(r, Ask)]
    if asks and isinstance(backend, Judge):
        return [*backend.ask(asks)]
    drawn = [r for r in requests if isinstance(r, Generate)]
    if drawn and isinstance(backend, Generator):
        return [*backend.generate(drawn, on_step)]
    role = requests[0].role
    return [Failure("broken", f"{backend.spec.title} is no {role}: choose a model with that role.")] * len(requests)


class Attempt(NamedTuple):
    """What surrounds each attempt at a call: `begin` and `rest` before and after it. `begin` raises Stopped."""

    begin: Callable[[], None]
    rest: Callable[[], None]
    on_step: OnStep


def ask(seat: Seat, requests: Sequence[Request], attempt: Attempt) -> list[Reply]:
    """One reply a request, in order; never raises. Transient faults are tried again with backoff and jitter.

    A batch that raises is tried again one by one, so that one bad request cannot fail its neighbours;
    where the model itself is what is wrong (it cannot be loaded), its sentence stands for all.
    """
    tries: list[int] = []
    try:
        return _tried(seat, requests, attempt, tries)
    except Stopped:
        return [STOPPED] * len(requests)
    except HallaScopeError as error:
        if len(requests) == 1 or not isinstance(error, Transient):
            kind = error.kind if isinstance(error, Transient) else "unavailable"
            return [Failure(kind, str(error), attempts=len(tries))] * len(requests)
    except Exception as error:  # the one place where anything may come: other people's code ends here
        if len(requests) == 1:
            return [_broken(seat, error)]
    return [reply for request in requests for reply in ask(seat, [request], attempt)]


STOPPED = Failure("stopped", "The run was stopped before this was answered: run it again to go on.", attempts=0)


def timed_out(seat: Seat) -> Failure:
    return Failure("timeout", f"{seat.model} did not answer within {seat.timeout:g} seconds: run it again to ask once more.")


def _tried(seat: Seat, requests: Sequence[Request], attempt: Attempt, tries: list[int]) -> list[Reply]:
    for once in stamina.retry_context(on=_wait, attempts=ATTEMPTS, timeout=PATIENCE):
        with once:
            attempt.begin()
            tries.append(once.num)
            try:
                replies = list(seat.call(requests, attempt.on_step))
            finally:
                attempt.rest()
    if len(replies) != len(requests):
        raise ValueError(f"it gave {len(replies)} replies to {len(requests)} requests")
    return replies


def _wait(error: Exception) -> bool | float:
    """Whether to try again, or after how many seconds where the service said so."""
    if not isinstance(error, Transient):
        return False
    return True if error.retry_after is None else max(0.0, float(error.retry_after))


def _broken(seat: Seat, error: Exception) -> Failure:
    said = " ".join(str(error).split())[:200] or "no message"
    return Failure("broken", f"{seat.model} failed on this request ({type(error).__name__}: {said}): try another model, or report this.")
