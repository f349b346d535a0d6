"""Who answers a role: a model, how it likes to be asked, and one call of it with retries.

It knows no plan.
"""

import os
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Protocol

import stamina

from hallascope.backends.base import (
    Backend,
    CallLimits,
    Captioner,
    Detector,
    Embedder,
    Generator,
    HallaScopeError,
    Judge,
    Matcher,
    OnStep,
    Reader,
    Segmenter,
    Stopped,
    Transient,
    Writer,
)
from hallascope.data.models.specs import Price
from hallascope.data.requests import Failure, Match, Reply, Request, Role, Setting
from hallascope.engine.models.concurrency import ConcurrencyLimiter
from hallascope.metrics.replies.limits import bounded

ATTEMPTS = 6
PATIENCE = timedelta(minutes=5)
FIRST_WAIT, LONGEST_WAIT = (
    0.5,
    30.0,
)  # seconds between attempts, doubled each time, where the service names none
# share of a stated wait by which calls are spread, so that they do not all come back at once
LATER = 0.1

_QUOTED_PATH = re.compile(r"['\"]([^'\"]+)['\"]")
BatchCall = Callable[[Sequence[Request], OnStep], Sequence[Reply]]


@dataclass(frozen=True, kw_only=True)
class BoundModel:
    """A model in its role.

    `timeout` in seconds is for one call, None waits as long as it takes; `price` None: it costs
    nothing.

    `service`: it is somebody's service, which is asked the same question by one run at a time.
    """

    model: str
    revision: str
    call: BatchCall
    limits: CallLimits = field(default_factory=CallLimits)
    settings: Mapping[str, Setting] = field(default_factory=dict)
    timeout: float | None = None
    price: Price | None = None
    pace: ConcurrencyLimiter = field(default_factory=lambda: ConcurrencyLimiter(CallLimits()))
    service: bool = False


_METHODS: Mapping[Role, tuple[type[Backend], str]] = {
    "judge": (Judge, "ask"),
    "captioner": (Captioner, "describe"),
    "writer": (Writer, "write"),
    "generator": (Generator, "generate"),
    "detector": (Detector, "detect"),
    "segmenter": (Segmenter, "segment"),
    "embedder": (Embedder, "embed"),
    "reader": (Reader, "read_text"),
}


def call(backend: Backend, requests: Sequence[Request], on_step: OnStep) -> list[Reply]:
    """Ask a backend; all requests are of one role. Raises what the backend raises."""
    matches = [isinstance(request, Match) for request in requests]
    if any(matches) and not all(matches):
        of = {
            which: iter(
                call(
                    backend,
                    [r for r, m in zip(requests, matches, strict=True) if m is which],
                    on_step,
                )
            )
            for which in (True, False)
        }
        return [next(of[which]) for which in matches]
    role = requests[0].role
    kind, method = (Matcher, "match") if all(matches) else _METHODS.get(role, (None, ""))
    if kind and isinstance(backend, kind):
        return [*getattr(backend, method)(requests, on_step)]
    if all(matches):
        message = (
            f"{backend.spec.title} cannot say whether a text fits a picture: choose an embedder"
            " with a head for it, e.g. BLIP-ITM."
        )
        return [Failure("broken", message)] * len(requests)
    return [
        Failure("broken", f"{backend.spec.title} is no {role}: choose a model with that role.")
    ] * len(requests)


def seat(backend: Backend, timeout: float | None = None) -> BoundModel:
    """The seat of a backend that is loaded."""
    spec = backend.spec
    limits = backend.limits
    pace = ConcurrencyLimiter(limits)
    return BoundModel(
        model=spec.id,
        revision=backend.revision,
        call=partial(call, backend),
        limits=limits,
        settings=spec.settings,
        timeout=timeout,
        price=paid(spec.price),
        pace=pace,
        service=spec.kind == "api",
    )


def paid(price: Price | None) -> Price | None:
    """The price of what costs something; None for what is free."""
    return price if price and (price.input or price.output or price.picture) else None


class AttemptObserver(Protocol):
    """What surrounds each attempt at a call: one `begin`, then one of `replied` and `failed`."""

    def begin(self) -> None:
        """Wait until the call may be made. Raises Stopped, OverBudget."""

    def on_replies(self, replies: Sequence[Reply]) -> None: ...

    def on_error(self, error: BaseException) -> None: ...

    def on_step(self, step: int, steps: int) -> None:
        """Raises Stopped where nobody waits for the reply any more."""


def ask(seat: BoundModel, requests: Sequence[Request], attempt: AttemptObserver) -> list[Reply]:
    """One reply a request, in order; never raises.

    Transient faults are tried again with backoff and jitter.

    A batch that raises is tried again one by one, so that one bad request cannot fail its
    neighbours; where the model itself is what is wrong (it cannot be loaded, it is denied, it costs
    too much), its sentence stands for all.
    """
    tries: list[int] = []
    try:
        return _call_with_retries(seat, requests, attempt, tries)
    except Stopped:
        return [STOPPED] * len(requests)
    except HallaScopeError as error:
        if len(requests) == 1 or not isinstance(error, Transient):
            return [Failure(error.kind, str(error), attempts=len(tries))] * len(requests)
    except (
        Exception
    ) as error:  # the one place where anything may come: other people's code ends here
        if len(requests) == 1:
            return [_broken_failure(seat, error)]
    return [reply for request in requests for reply in ask(seat, [request], attempt)]


STOPPED = Failure(
    "stopped", "The run was stopped before this was answered: run it again to go on.", attempts=0
)


def timed_out(seat: BoundModel) -> Failure:
    return Failure(
        "timeout",
        f"{seat.model} did not answer within {seat.timeout:g} seconds: run it again to ask once"
        " more.",
    )


def longest(seat: BoundModel) -> float:
    """Seconds after which a call with all its attempts is over, as far as anybody can tell."""
    return PATIENCE.total_seconds() + 2 * (seat.timeout or PATIENCE.total_seconds())


def _call_with_retries(
    seat: BoundModel, requests: Sequence[Request], attempt: AttemptObserver, tries: list[int]
) -> list[Reply]:
    for once in stamina.retry_context(
        on=_wait,
        attempts=ATTEMPTS,
        timeout=PATIENCE,
        wait_initial=FIRST_WAIT,
        wait_max=LONGEST_WAIT,
    ):
        with once:
            attempt.begin()
            tries.append(once.num)
            try:
                replies = list(seat.call(requests, attempt.on_step))
                if len(replies) != len(requests):
                    raise ValueError(f"it gave {len(replies)} replies to {len(requests)} requests")
            except BaseException as error:
                attempt.on_error(error)
                raise
            attempt.on_replies(replies)
    return [
        bounded(reply, request.role, f"{request.role} {seat.model}")
        for request, reply in zip(requests, replies, strict=True)
    ]


def _wait(error: Exception) -> bool | float:
    """Whether to try again, or after how many seconds where the service said so.

    A wait beyond our patience is none.
    """
    if not isinstance(error, Transient):
        return False
    if error.retry_after is None:
        return True
    wait = stated_wait(error)
    return False if wait is None else wait * (1 + LATER * random.random())


def stated_wait(error: Transient) -> float | None:
    """The seconds that the service asks us to wait.

    None where it names none, or more than we have patience for.
    """
    if error.retry_after is None or error.retry_after > PATIENCE.total_seconds():
        return None
    return 0.0 if stamina.is_testing() else max(0.0, float(error.retry_after))


def _broken_failure(seat: BoundModel, error: Exception) -> Failure:
    said = _error_text(error)[:200] or "no message"
    return Failure(
        "broken",
        f"{seat.model} failed on this request ({type(error).__name__}: {said}): try another model,"
        " or report this.",
    )


def _error_text(error: Exception) -> str:
    """What an error says, in one line.

    A file by its name alone, as what is told here is kept, and may leave with an export.
    """
    said = " ".join(str(error).split())
    name = getattr(error, "filename", None)
    folders = [
        f"{Path(place).parent}{os.sep}"
        for place in (name, *_QUOTED_PATH.findall(said))
        if isinstance(place, str | Path)
    ]
    for folder in folders:
        said = said.replace(folder, "") if Path(folder).is_absolute() else said
    return said
