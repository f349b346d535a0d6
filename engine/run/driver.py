"""Runs any number of plans at once: gathers requests, calls models, and feeds replies back.

Batches go to a model as it likes them (`CallLimits`), in threads of their own; the plans themselves
run only in the thread that reads the events.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hallascope.data.records import JudgingProtocol
from hallascope.data.requests import Answer, CacheableReply, Failure, Reply, Request, Role
from hallascope.engine.models.roles import STOPPED, BoundModel, Delegation
from hallascope.engine.money.budget import Budget
from hallascope.engine.run.calls.attempts import CallEnd, ModelCall
from hallascope.engine.run.calls.cache import Cache, MemoryCache, kept_replies, key, repeatable
from hallascope.engine.run.calls.call_queue import (
    CallQueue,
    FindStoredReply,
    PendingRequest,
    QuestionsInFlight,
    RequestReply,
)
from hallascope.metrics.base import PlanSteps, always_readable

AnyPlan = PlanSteps[Any]
BoundLineup = Mapping[Role, BoundModel]
Readable = Callable[[Request, Reply], bool]
OTHER_RUNS_POLL_SECONDS = 0.25  # between checks of what other runs are asking
_LOG = logging.getLogger(__name__)


# --- what happens to plans ---


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


# --- plans and what waits for replies ---


@dataclass(eq=False, kw_only=True)
class _RunningPlan:
    """Holds a plan and its open step."""

    key: Hashable
    plan: AnyPlan
    lineup: BoundLineup
    trial: int
    readable: Readable
    find_stored: FindStoredReply
    isolated: bool = False
    requests: list[Request] = field(default_factory=list)
    replies: dict[int, Reply] = field(default_factory=dict)
    request_count: int = 0
    fresh: int = 0
    protocols: set[JudgingProtocol] = field(default_factory=set)
    not_applied: set[str] = field(default_factory=set)


@dataclass(frozen=True, eq=False)
class _Waiter:
    """Names what waits for a reply: a plan, and the place of the request in its step.

    `of`: the delegated request of that place for which the reply is one of several, and `part` its
    number there; None where the reply is the plan's.
    """

    plan: _RunningPlan
    place: int
    of: "_DelegatedRequest | None" = None
    part: int = 0


@dataclass(eq=False, kw_only=True)
class _DelegatedRequest:
    """Holds a request to a judge that answers through others, and the replies of these.

    `seconds`: the longest that a call for it took, None while all came from the cache.
    """

    waiter: _Waiter
    request: Request
    delegation: Delegation
    parts: int
    replies: dict[int, Reply] = field(default_factory=dict)
    seconds: float | None = None


def nothing_stored() -> Reply | None:
    """Return nothing, for plans whose replies the cache keeps."""
    return None


class Driver:
    """Runs plans: add them, read `events()`; more may be added while reading.

    `stop` ends it: nothing new is sent.

    With a `budget`, calls of models with a price go only as far as its caps. What another driver
    with the same `in_flight` is asking a service is not asked: its reply is waited for.
    """

    def __init__(
        self,
        cache: Cache | None = None,
        stop: threading.Event | None = None,
        clock: Callable[[], float] = time.monotonic,
        budget: Budget | None = None,
        in_flight: QuestionsInFlight | None = None,
    ) -> None:
        self._cache: Cache = MemoryCache() if cache is None else cache
        self._stop = stop or threading.Event()
        self._clock = clock
        self._budget = budget
        self._in_flight = in_flight or QuestionsInFlight()
        self._calls = CallQueue(self._stop, clock, budget, self._cache, self._in_flight)
        # how many paid calls a `PaymentNotice` has reported
        self._paid = 0
        # what other runs are asking, by key
        self._elsewhere: dict[str, PendingRequest] = {}
        self._look_again = 0.0
        self._new: deque[_RunningPlan] = deque()
        self._ready: deque[_RunningPlan] = deque()
        self._outbox: deque[DriverEvent] = deque()
        # by key of the request, so that equal requests of two plans are asked once
        self._waiting: dict[str, list[_Waiter]] = {}

    @property
    def stopped(self) -> bool:
        return self._stop.is_set()

    def add(
        self,
        key: Hashable,
        plan: AnyPlan,
        lineup: BoundLineup,
        *,
        trial: int = 0,
        readable: Readable = always_readable,
        find_stored: FindStoredReply = nothing_stored,
        isolated: bool = False,
    ) -> None:
        """Run one more plan.

        `key` names it in every event; `readable` says which replies are worth keeping.

        `find_stored` gives the reply to its request where another run has got it meanwhile, and the
        cache does not keep such. An exception of an `isolated` plan ends that plan alone
        (`PlanFailure`); one of any other plan comes out of `events`.
        """
        self._new.append(
            _RunningPlan(
                key=key,
                plan=plan,
                lineup=lineup,
                trial=trial,
                readable=readable,
                find_stored=find_stored,
                isolated=isolated,
            )
        )

    def events(self) -> Iterator[DriverEvent]:
        """Yield what happens, until every plan is at its end.

        Closing the iterator sends nothing more.
        """
        try:
            while True:
                self._advance()
                while self._outbox:
                    yield self._outbox.popleft()
                if self._new or self._ready:
                    continue
                if not self._waiting:
                    return
                if self._stop.is_set():
                    # what is queued or on its way is given up, so that every plan ends
                    self._stop_calls()
                    self._elsewhere.clear()
                    for name in list(self._waiting):
                        self._give_all(name, STOPPED, 0.0)
                else:
                    self._calls.send()
                    self._listen()
        finally:
            self.close()

    def start(self) -> None:
        """Begin the plans that were added and send their calls, without waiting for any."""
        self._advance()
        self._calls.send()

    def close(self) -> None:
        """Send nothing more, and give up what is on its way."""
        try:
            self._stop_calls()
        finally:
            self._calls.release_questions()

    # --- plans
    def _advance(self) -> None:
        """Start new plans and continue those whose step is complete, until all wait or are done."""
        stepped = []
        while self._new or self._ready:
            if self._new:
                running = self._new.popleft()
                replies = None
            else:
                running = self._ready.popleft()
                replies = [running.replies[i] for i in range(len(running.requests))]
            if self._step(running, replies):
                stepped.append(running)
        self._look_up(stepped)

    def _step(self, running: _RunningPlan, replies: list[Reply] | None) -> bool:
        """Give a plan its replies; True where it asks on."""
        try:
            requests = next(running.plan) if replies is None else running.plan.send(replies)
        except StopIteration as end:
            cached = running.request_count > 0 and running.fresh == 0
            marks = frozenset(running.protocols), frozenset(running.not_applied)
            self._outbox.append(PlanResult(running.key, end.value, cached, *marks))
            return False
        except Exception as error:
            if not running.isolated:
                raise
            self._outbox.append(PlanFailure(running.key, _plan_failure(running, error)))
            return False
        running.requests = requests
        running.replies = {}
        running.request_count += len(requests)
        roles = frozenset(request.role for request in requests)
        self._outbox.append(PlanStepRequest(running.key, len(requests), roles))
        if not requests:
            self._ready.append(running)
        return bool(requests)

    def _look_up(self, stepped: list[_RunningPlan]) -> None:
        """Answer what the cache holds, for all plans in one query, and queue the rest."""
        asked = [
            each
            for running in stepped
            for place, request in enumerate(running.requests)
            for each in self._parts(_Waiter(running, place), running.lineup[request.role], request)
        ]
        kept = [(pending.key, pending.request) for _, pending in asked if pending.keep]
        replies = kept_replies(self._cache, kept) if kept else {}
        for waiter, pending in asked:
            if pending.key in replies:
                self._give(waiter, replies[pending.key], None)
            else:
                self._queue(waiter, pending)

    def _parts(
        self, waiter: _Waiter, model: BoundModel, request: Request
    ) -> Iterator[tuple[_Waiter, PendingRequest]]:
        """Yield what models are asked so that a request is answered: itself, or its parts.

        One without parts is answered at once.
        """
        if model.delegation is None:
            yield waiter, _pending(waiter, model, request)
            return
        parts = model.delegation.split(request)
        delegated = _DelegatedRequest(
            waiter=waiter, request=request, delegation=model.delegation, parts=len(parts)
        )
        if not parts:
            self._give(waiter, model.delegation.combine(request, ()), None)
        for number, part in enumerate(parts):
            own = _Waiter(waiter.plan, waiter.place, delegated, number)
            yield from self._parts(own, part.model, part.request)

    def _queue(self, waiter: _Waiter, pending: PendingRequest) -> None:
        if pending.key in self._waiting:
            self._waiting[pending.key].append(waiter)
            return
        self._waiting[pending.key] = [waiter]
        self._calls.add(pending)

    def _give(self, waiter: _Waiter, reply: Reply, seconds: float | None) -> None:
        """Give a plan the reply it waits for; `seconds` is None where it came from the cache.

        One of the parts of a delegated request waits for the others.
        """
        if isinstance(reply, Answer):
            waiter.plan.not_applied.update(reply.not_applied)
            waiter.plan.protocols.update((reply.protocol,) if reply.protocol else ())
        if waiter.of:
            self._give_part(waiter.of, waiter.part, reply, seconds)
            return
        running = waiter.plan
        running.replies[waiter.place] = reply
        running.fresh += seconds is not None
        done = len(running.replies)
        of = len(running.requests)
        request = running.requests[waiter.place]
        self._outbox.append(
            PlanReply(
                key=running.key, request=request, reply=reply, done=done, of=of, seconds=seconds
            )
        )
        if done == of:
            self._ready.append(running)

    def _give_part(
        self, delegated: _DelegatedRequest, part: int, reply: Reply, seconds: float | None
    ) -> None:
        delegated.replies[part] = reply
        if seconds is not None:
            delegated.seconds = max(seconds, delegated.seconds or 0.0)
        if len(delegated.replies) == delegated.parts:
            replies = [delegated.replies[number] for number in range(delegated.parts)]
            combined = delegated.delegation.combine(delegated.request, replies)
            self._give(delegated.waiter, combined, delegated.seconds)

    def _give_all(self, name: str, reply: Reply, seconds: float | None) -> None:
        for waiter in self._waiting.pop(name):
            self._give(waiter, reply, seconds)

    # --- calls
    def _listen(self) -> None:
        """Wait for what comes first: news of a call, its deadline, or the next check for a stop."""
        self._calls.release_questions()
        ended: list[CallEnd] = []
        for message in self._calls.receive():
            if isinstance(message, CallEnd):
                ended.append(message)
            else:
                for pending in self._calls.batch(message.call):
                    for waiter in self._waiting[pending.key]:
                        self._outbox.append(
                            PlanProgress(waiter.plan.key, message.step, message.steps)
                        )
        self._finish(ended)
        if self._elsewhere and self._clock() >= self._look_again:
            self._look_elsewhere()

    def _look_elsewhere(self) -> None:
        """Take the replies that other runs have got meanwhile, and ask what they have given up."""
        self._look_again = self._clock() + OTHER_RUNS_POLL_SECONDS
        asked = self._in_flight.active_keys(self._elsewhere)
        requests = [(name, pending.request) for name, pending in self._elsewhere.items()]
        # after `asked`: a reply is kept before its question is released
        replies = kept_replies(self._cache, requests)
        for name, pending in list(self._elsewhere.items()):
            reply = replies.get(name) or pending.find_stored()
            if reply is not None:
                del self._elsewhere[name]
                self._give_all(name, reply, None)
            elif name not in asked:
                del self._elsewhere[name]
                self._calls.add(pending)

    def _finish(self, ended: list[CallEnd]) -> None:
        """Keep the replies of ended calls, pay for them, and pass them on.

        A call keeps its place until its replies are kept: so a kill loses few of them, as
        `CallQueue` limits. The next calls are sent before the replies are passed on.
        """
        answered: list[RequestReply] = []
        ends: dict[ModelCall, CallEnd] = {}
        for end in ended:
            # a call that ended past its deadline is told twice: its first end counts
            ends.setdefault(end.call, end)
        for call, end in ends.items():
            batch = self._calls.batch(call)
            if not end.replies:
                self._elsewhere |= {pending.key: pending for pending in batch}
            for pending, reply in zip(batch, end.replies, strict=False):
                answered.append(RequestReply(pending, reply, call.seconds))
            if batch:
                answered += self._calls.unavailable_replies(end)
        # first of all: what is in the account when a kill comes is certain
        if self._budget:
            self._budget.book()
        self._keep(answered)
        for call in ends:
            self._calls.finish(call)
        self._calls.send()
        self._pay()
        for item in answered:
            self._give_all(item.pending.key, item.reply, item.seconds)

    def _pay(self) -> None:
        """Book what the ended calls cost, and report it, all at once."""
        if self._budget is None:
            return
        # what a call that asked for money has booked before is reported here too
        self._budget.book()
        if self._budget.calls > self._paid:
            self._paid = self._budget.calls
            self._outbox.append(PaymentNotice())

    def _keep(self, answered: Sequence[RequestReply]) -> None:
        """Keep the answers that can be read; never a failure.

        Pictures are kept as files, by whoever asked for them.
        """
        replies: dict[str, CacheableReply] = {}
        for item in answered:
            if not item.pending.keep or not isinstance(item.reply, CacheableReply):
                continue
            request = item.pending.request
            waiters = self._waiting[item.pending.key]
            if all(_is_readable(waiter, request, item.reply) for waiter in waiters):
                replies[item.pending.key] = item.reply
        if replies:
            self._cache.keep_replies(replies)

    def _stop_calls(self) -> None:
        self._calls.clear()
        self._pay()


def _pending(waiter: _Waiter, model: BoundModel, request: Request) -> PendingRequest:
    """Return a request on its way to a model; each that is not kept has a key of its own."""
    name = key(request, model.model, model.revision, model.settings, waiter.plan.trial)
    keep = repeatable(request, model.settings)
    return PendingRequest(
        request=request,
        bound_model=model,
        key=name if keep else f"{name} {id(waiter)}",
        keep=keep,
        find_stored=waiter.plan.find_stored,
    )


def _is_readable(waiter: _Waiter, request: Request, reply: Reply) -> bool:
    """Return whether a plan can read a reply, so that it is worth keeping.

    What a member is asked in other words than the plan's is for that member's judge to read. A
    reply at which the reader of an isolated plan raises is not kept.
    """
    running = waiter.plan
    if request != running.requests[waiter.place]:
        return True
    try:
        return running.readable(request, reply)
    except Exception:
        if not running.isolated:
            raise
        _LOG.exception("A reply that %r asked for could not be read; it is not kept.", running.key)
        return False


def _plan_failure(running: _RunningPlan, error: Exception) -> Failure:
    """Return the failure that an exception in a plan becomes; the log has where it was raised."""
    _LOG.error("The evaluation %r failed and is left out.", running.key, exc_info=error)
    message = " ".join(str(error).split())[:200] or "no message"
    return Failure(
        "broken",
        f"The replies could not be evaluated ({type(error).__name__}: {message}): this one is left"
        " out; report it.",
    )
