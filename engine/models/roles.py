"""Binds models to the calls of their roles, and makes one call with retries."""

import logging
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
from stamina.instrumentation import RetryDetails, set_on_retry_hooks

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
from hallascope.data.requests import (
    Failure,
    Match,
    ReadPrompt,
    Reply,
    Request,
    Role,
    Setting,
    Write,
)
from hallascope.engine.models.concurrency import ConcurrencyLimiter
from hallascope.metrics.replies.limits import limit_length

ATTEMPTS = 6
PATIENCE = timedelta(minutes=5)
# seconds between attempts, doubled each time, where the service names none
FIRST_WAIT = 0.5
LONGEST_WAIT = 30.0
# the largest share of a stated wait that is added to it by chance, to spread the calls
JITTER = 0.1
STOPPED = Failure(
    "stopped", "The run was stopped before this was answered: run it again to go on.", attempts=0
)

_LOG = logging.getLogger(__name__)
_QUOTED_PATH = re.compile(r"['\"]([^'\"]+)['\"]")
BatchCall = Callable[[Sequence[Request], OnStep], Sequence[Reply]]


@dataclass(frozen=True)
class MemberRequest:
    """Holds what one member of a judge is asked."""

    model: "BoundModel"
    request: Request


@dataclass(frozen=True)
class Delegation:
    """Says how a model answers through others: what it asks of whom, and what it replies then.

    `combine` is given the replies in the order of what `split` returned. Neither raises.
    """

    split: Callable[[Request], Sequence[MemberRequest]]
    combine: Callable[[Request, Sequence[Reply]], Reply]


@dataclass(frozen=True, kw_only=True)
class BoundModel:
    """Holds a model and what its calls need.

    `timeout` in seconds is for one call, None waits as long as it takes; `price` None: it costs
    nothing. `service`: it is somebody's service, of which one run at a time asks the same question.
    With a `delegation` it is never called: its members are, in its place.
    """

    model: str
    revision: str
    call: BatchCall
    limits: CallLimits = field(default_factory=CallLimits)
    settings: Mapping[str, Setting] = field(default_factory=dict)
    timeout: float | None = None
    price: Price | None = None
    limiter: ConcurrencyLimiter = field(default_factory=lambda: ConcurrencyLimiter(CallLimits()))
    service: bool = False
    delegation: Delegation | None = None


def leaf_requests(model: BoundModel, request: Request) -> list[MemberRequest]:
    """Return what is asked of models that are called themselves, so that this one can answer."""
    if model.delegation is None:
        return [MemberRequest(model, request)]
    return [
        leaf
        for member in model.delegation.split(request)
        for leaf in leaf_requests(member.model, member.request)
    ]


_METHODS: Mapping[Role, tuple[type[Backend], str]] = {
    "judge": (Judge, "ask"),
    "captioner": (Captioner, "describe"),
    "writer": (Writer, "write"),
    "parser": (Writer, "write"),
    "generator": (Generator, "generate"),
    "detector": (Detector, "detect"),
    "segmenter": (Segmenter, "segment"),
    "embedder": (Embedder, "embed"),
    "reader": (Reader, "read_text"),
}


def call(backend: Backend, requests: Sequence[Request], on_step: OnStep) -> list[Reply]:
    """Ask a backend; all requests are of one role. Raises what the backend raises."""
    matches = [request for request in requests if isinstance(request, Match)]
    others = [request for request in requests if not isinstance(request, Match)]
    if not matches:
        return _call_role(backend, others, on_step)
    if not others:
        return _match(backend, matches, on_step)
    match_replies = iter(_match(backend, matches, on_step))
    other_replies = iter(_call_role(backend, others, on_step))
    return [
        next(match_replies if isinstance(request, Match) else other_replies) for request in requests
    ]


def _call_role(backend: Backend, requests: Sequence[Request], on_step: OnStep) -> list[Reply]:
    role = requests[0].role
    requests = [
        Write(request.text, request.template, request.schema)
        if isinstance(request, ReadPrompt)
        else request
        for request in requests
    ]
    kind, method = _METHODS[role]
    if isinstance(backend, kind):
        return list(getattr(backend, method)(requests, on_step))
    message = f"{backend.spec.title} is no {role}: choose a model with that role."
    return [Failure("broken", message)] * len(requests)


def _match(backend: Backend, requests: Sequence[Match], on_step: OnStep) -> list[Reply]:
    if isinstance(backend, Matcher):
        return list(backend.match(requests, on_step))
    message = (
        f"{backend.spec.title} cannot say whether a text fits an image: choose an embedder with a"
        " head for it, e.g. BLIP-ITM."
    )
    return [Failure("broken", message)] * len(requests)


def bind_backend(backend: Backend, timeout: float | None = None) -> BoundModel:
    """Return a loaded backend bound to its calls."""
    spec = backend.spec
    return BoundModel(
        model=spec.id,
        revision=backend.revision,
        call=partial(call, backend),
        limits=backend.limits,
        settings=spec.settings,
        timeout=timeout,
        price=charged_price(spec.price),
        limiter=ConcurrencyLimiter(backend.limits),
        service=spec.kind == "api",
    )


def charged_price(price: Price | None) -> Price | None:
    """Return the price of what costs something; None for what is free."""
    return price if price and (price.input or price.output or price.picture) else None


def ignore_progress(step: int, steps: int) -> None:
    """Stand in for a function that reports progress, where nobody can watch it."""


class AttemptObserver(Protocol):
    """Observes each attempt at a call: one `begin`, then one of `on_replies` and `on_error`.

    `run` names the run in the log; "" where there is none.
    """

    @property
    def run(self) -> str: ...

    def begin(self, requests: Sequence[Request]) -> None:
        """Wait until the call with these requests may be made. Raises Stopped, OverBudget."""

    def on_replies(self, replies: Sequence[Reply]) -> None: ...

    def on_error(self, error: BaseException) -> None: ...

    def on_step(self, step: int, steps: int) -> None:
        """Raise Stopped where nobody waits for the reply any more."""


def ask(model: BoundModel, requests: Sequence[Request], attempt: AttemptObserver) -> list[Reply]:
    """Return one reply a request, in order; never raises.

    Transient faults are tried again with backoff and jitter.

    A batch that raises is tried again one by one, so that one bad request cannot fail its
    neighbours; where the model itself is what is wrong (it cannot be loaded, it is denied, it costs
    too much), its sentence stands for all.
    """
    tries: list[int] = []
    try:
        return _call_with_retries(model, requests, attempt, tries)
    except Stopped:
        return [STOPPED] * len(requests)
    except HallaScopeError as error:
        if len(requests) == 1 or not isinstance(error, Transient):
            return [Failure(error.kind, str(error), attempts=len(tries))] * len(requests)
    # backends are other people's code, which may raise anything
    except Exception as error:
        if len(requests) == 1:
            message = _without_folders(error)[:200] or "no message"
            failure = Failure(
                "broken",
                f"{model.model} failed on this request ({type(error).__name__}: {message}): try"
                " another model, or report this.",
            )
            return [failure]
    return [reply for request in requests for reply in ask(model, [request], attempt)]


def timeout_failure(model: BoundModel) -> Failure:
    return Failure(
        "timeout",
        f"{model.model} did not answer within {model.timeout:g} seconds: run it again to ask once"
        " more.",
    )


def call_timeout(model: BoundModel) -> float:
    """Return the seconds after which a call with all its attempts must be over."""
    return PATIENCE.total_seconds() + 2 * (model.timeout or PATIENCE.total_seconds())


def _call_with_retries(
    model: BoundModel, requests: Sequence[Request], attempt: AttemptObserver, tries: list[int]
) -> list[Reply]:
    """Return the replies; `tries` gets the number of each attempt. Raises what the last one did."""
    for once in stamina.retry_context(
        on=_retry_wait,
        attempts=ATTEMPTS,
        timeout=PATIENCE,
        wait_initial=FIRST_WAIT,
        wait_max=LONGEST_WAIT,
    ).with_name(model.model, (attempt.run,), {}):
        with once:
            attempt.begin(requests)
            tries.append(once.num)
            try:
                replies = list(model.call(requests, attempt.on_step))
                if len(replies) != len(requests):
                    raise ValueError(f"it gave {len(replies)} replies to {len(requests)} requests")
            except BaseException as error:
                attempt.on_error(error)
                raise
            attempt.on_replies(replies)
    return [
        limit_length(reply, request.role, f"{request.role} {model.model}")
        for request, reply in zip(requests, replies, strict=True)
    ]


def log_fault(run: object, model: str, fault: str, attempt: int, note: str = "") -> None:
    """Log a fault of a call; neither key nor prompt nor what the service says is in the line."""
    _LOG.info("run=%s model=%s fault=%s attempt=%d%s", run, model, fault, attempt, note)


def _log_retry(details: RetryDetails) -> None:
    error = details.caused_by
    # a stray denial is an error that may pass, whose cause names the fault
    fault = getattr(error.__cause__, "kind", getattr(error, "kind", "broken"))
    wait = f" wait={details.wait_for:.1f}"
    log_fault(details.args[0], details.name, fault, details.retry_num, wait)


# in place of stamina's own hook, which names no model and writes to the terminal
set_on_retry_hooks([_log_retry])


def _retry_wait(error: Exception) -> bool | float:
    """Return whether to try again, or after how many seconds where the service said so.

    It is not tried again where the service asks for a wait beyond our patience.
    """
    if not isinstance(error, Transient):
        return False
    if error.retry_after is None:
        return True
    wait = stated_wait(error)
    return False if wait is None else wait * (1 + JITTER * random.random())


def stated_wait(error: Transient) -> float | None:
    """Return the seconds that the service asks us to wait.

    None where it names none, or more than we have patience for.
    """
    if error.retry_after is None or error.retry_after > PATIENCE.total_seconds():
        return None
    return 0.0 if stamina.is_testing() else max(0.0, float(error.retry_after))


def _without_folders(error: Exception) -> str:
    """Return the message of an error in one line, with files by their names alone.

    The message is stored, and may leave this machine with an export.
    """
    message = " ".join(str(error).split())
    paths = [getattr(error, "filename", None), *_QUOTED_PATH.findall(message)]
    for path in paths:
        if not isinstance(path, str | Path):
            continue
        folder = f"{Path(path).parent}{os.sep}"
        if Path(folder).is_absolute():
            message = message.replace(folder, "")
    return message
