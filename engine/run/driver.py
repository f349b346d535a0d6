"""Runs any number of plans at once: gathers requests, calls models, and feeds replies back.

Batches go to a model as it likes them (`CallLimits`), in threads of their own; the plans themselves
run only in the thread that reads the events.
"""

import logging
import queue
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from typing import Any

from hallascope.data.requests import CacheableReply, Failure, Reply, Request, Role
from hallascope.engine.errors import StoreError
from hallascope.engine.models.concurrency import TICK
from hallascope.engine.models.roles import STOPPED, BoundModel, ask, call_timeout, timeout_failure
from hallascope.engine.money.budget import Budget
from hallascope.engine.run.attempts import CallAttempts, CallEnd, CallProgress, ModelCall
from hallascope.engine.run.cache import Cache, MemoryCache, kept_replies, key, repeatable
from hallascope.engine.storage.claims import Claims
from hallascope.metrics.base import PlanSteps, always_readable

AnyPlan = PlanSteps[Any]
BoundLineup = Mapping[Role, BoundModel]
Readable = Callable[[Request, Reply], bool]
MonotonicClock = Callable[[], float]
# gives a reply that another run has got meanwhile, where no cache keeps such
FindStoredReply = Callable[[], Reply | None]
# seconds between two looks at what other runs are asking
ELSEWHERE = 0.25
_LOG = logging.getLogger(__name__)
# kinds of failure after which asking the same model on is of no use
_NO_MORE = ("denied", "over_budget")


@dataclass(frozen=True)
class PlanStepRequest:
    """Announces that a plan asks for `of` replies in its next step, of models in these roles."""

    key: Hashable
    of: int
    roles: frozenset[Role] = frozenset()


@dataclass(frozen=True)
class PlanProgress:
    """Tells that a model that works in steps is at `step` of `steps` of a plan's request."""

    key: Hashable
    step: int
    steps: int


@dataclass(frozen=True, kw_only=True)
class PlanReply:
    """Brings one reply of a plan's step; `done` of `of` are there.

    `seconds` is None where it came from the cache.
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
class PlanRequestFailure:
    """Brings the failure of a plan's request, with which the plan goes on."""

    key: Hashable
    request: Request
    reply: Failure
    done: int
    of: int


@dataclass(frozen=True)
class PlanResult:
    """Brings the result of a plan that is at its end.

    `cached`: it asked for something and every reply of it came from the cache.
    """

    key: Hashable
    result: Any
    cached: bool


@dataclass(frozen=True)
class PlanFailure:
    """Tells that an isolated plan raised an exception, which ended it and no other.

    It has no result; the exception is in the log.
    """

    key: Hashable
    failure: Failure


@dataclass(frozen=True)
class PaymentNotice:
    """Tells that calls that cost money ended; what they cost stands in the budget."""


DriverEvent = (
    PlanStepRequest
    | PlanProgress
    | PlanReply
    | PlanRequestFailure
    | PlanResult
    | PlanFailure
    | PaymentNotice
)


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
    asked: int = 0
    fresh: int = 0


@dataclass(eq=False)
class _PendingRequest:
    """Holds a request on its way, and who waits for it: what two plans ask is asked once."""

    request: Request
    key: str
    keep: bool
    waiting: list[tuple[_RunningPlan, int]]

    def find_stored(self) -> Reply | None:
        """Return the reply that another run has got meanwhile."""
        running, _ = self.waiting[0]
        return running.find_stored()


def nothing_stored() -> Reply | None:
    """Return nothing, for plans whose replies the cache keeps."""
    return None


class Driver:
    """Runs plans: add them, read `events()`; more may be added while reading.

    `stop` ends it: nothing new is sent.

    With a `budget`, calls of models with a price go only as far as its caps. With `claims`, a
    question that another run is asking a service is not asked: its reply is waited for.
    """

    def __init__(
        self,
        cache: Cache | None = None,
        stop: threading.Event | None = None,
        clock: MonotonicClock = time.monotonic,
        budget: Budget | None = None,
        claims: Claims | None = None,
    ) -> None:
        self._cache: Cache = MemoryCache() if cache is None else cache
        self._stop = stop or threading.Event()
        self._clock = clock
        self._budget = budget
        self._claims = claims
        # how many paid calls a `PaymentNotice` has told of
        self._paid = 0
        # claims of calls that ended; they go once the replies are read
        self._finished_claims: list[str] = []
        # what other runs are asking, by key
        self._elsewhere: dict[str, _PendingRequest] = {}
        self._look_again = 0.0
        self._new: deque[_RunningPlan] = deque()
        self._ready: deque[_RunningPlan] = deque()
        self._outbox: deque[DriverEvent] = deque()
        self._open: dict[str, _PendingRequest] = {}
        # by model and role: a batch is of one role
        self._queues: dict[tuple[str, Role], deque[_PendingRequest]] = {}
        self._models: dict[str, BoundModel] = {}
        self._calls: dict[ModelCall, list[_PendingRequest]] = {}
        # over queues and calls, which the threads of the calls change too
        self._lock = threading.Lock()
        self._inbox: queue.SimpleQueue[CallProgress | CallEnd] = queue.SimpleQueue()

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
                if not self._open:
                    return
                if self._stop.is_set():
                    self._abandon()
                else:
                    self._send()
                    self._listen()
        finally:
            self._stop_calls()
            self._release()

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
            running.requests = next(running.plan) if replies is None else running.plan.send(replies)
        except StopIteration as end:
            self._outbox.append(
                PlanResult(running.key, end.value, cached=running.asked > 0 and running.fresh == 0)
            )
            return False
        except Exception as error:
            if not running.isolated:
                raise
            self._outbox.append(PlanFailure(running.key, _plan_failure(running, error)))
            return False
        running.replies = {}
        running.asked += len(running.requests)
        self._outbox.append(
            PlanStepRequest(
                running.key,
                len(running.requests),
                frozenset(request.role for request in running.requests),
            )
        )
        if not running.requests:
            self._ready.append(running)
        return bool(running.requests)

    def _look_up(self, stepped: list[_RunningPlan]) -> None:
        """Answer from the cache what is there, all plans in one look, and queue the rest."""
        items = [
            (running, i, *self._key(running, request))
            for running in stepped
            for i, request in enumerate(running.requests)
        ]
        replies = kept_replies(
            self._cache, ((name, running.requests[i]) for running, i, name, keep in items if keep)
        )
        for running, i, name, keep in items:
            if keep and name in replies:
                self._give(running, i, replies[name], None)
            else:
                self._queue(running, i, name, keep)

    def _key(self, running: _RunningPlan, request: Request) -> tuple[str, bool]:
        bound_model = running.lineup[request.role]
        name = key(
            request, bound_model.model, bound_model.revision, bound_model.settings, running.trial
        )
        return name, repeatable(request, bound_model.settings)

    def _queue(self, running: _RunningPlan, i: int, name: str, keep: bool) -> None:
        if not keep:
            name = f"{name} {id(running)} {i}"
        if name in self._open:
            self._open[name].waiting.append((running, i))
            return
        request = running.requests[i]
        bound_model = running.lineup[request.role]
        self._models.setdefault(bound_model.model, bound_model)
        item = self._open[name] = _PendingRequest(request, name, keep, [(running, i)])
        self._enqueue(item)

    def _enqueue(self, item: _PendingRequest) -> None:
        running, i = item.waiting[0]
        model = running.lineup[running.requests[i].role].model
        with self._lock:
            self._queues.setdefault((model, item.request.role), deque()).append(item)

    def _give(self, running: _RunningPlan, i: int, reply: Reply, seconds: float | None) -> None:
        running.replies[i] = reply
        running.fresh += seconds is not None
        done = len(running.replies)
        of = len(running.requests)
        request = running.requests[i]
        if isinstance(reply, Failure):
            self._outbox.append(PlanRequestFailure(running.key, request, reply, done, of))
        else:
            self._outbox.append(
                PlanReply(
                    key=running.key, request=request, reply=reply, done=done, of=of, seconds=seconds
                )
            )
        if done == of:
            self._ready.append(running)

    # --- calls
    def _send(self) -> None:
        """Start as many calls as each model takes."""
        for model, role in list(self._queues):
            while call := self._next(model, role):
                # of the visitor, by whom a GPU that is lent is counted
                context = copy_context()
                threading.Thread(
                    target=context.run, args=(self._work, call), name=f"ask {model}", daemon=True
                ).start()

    def _next(self, model: str, role: Role) -> ModelCall | None:
        """Take the next call of a model in a role from what waits.

        None where nothing does, or no place is free.

        Calls whose replies nobody has kept yet count too, in part: a reader that stands still must
        not let many replies be lost.
        """
        with self._lock:
            waiting = self._queues.get((model, role))
            bound_model = self._models[model]
            calls = [call for call in self._calls if call.bound_model.model == model]
            most = bound_model.limits.concurrency
            full = sum(not call.over for call in calls) >= most or len(calls) >= 2 * most - 1
            if not waiting or full or self._stop.is_set():
                return None
            batch = [waiting.popleft() for _ in range(min(bound_model.limits.batch, len(waiting)))]
            call = ModelCall(
                bound_model=bound_model,
                requests=[item.request for item in batch],
                keys=[item.key for item in batch if item.keep],
            )
            self._calls[call] = batch
            return call

    def _work(self, first: ModelCall) -> None:
        """Make calls in a thread of its own, and put what came into the inbox.

        A new thread for every call would cost more: to start one takes some milliseconds while many
        others are busy.
        """
        call: ModelCall | None = first
        while call:
            replies = self._ask_model(call)
            call.over = True
            useless = call.abandoned or any(
                isinstance(reply, Failure) and reply.kind in _NO_MORE for reply in replies
            )
            following = (
                None if useless else self._next(call.bound_model.model, call.requests[0].role)
            )
            self._inbox.put(CallEnd(call, replies))
            call = following

    def _ask_model(self, call: ModelCall) -> Sequence[Reply]:
        """Return the replies to a call.

        There are none where another run is asking the same, or has just got the reply.
        """
        try:
            if not self._try_claim(call):
                return ()
        except StoreError as error:
            return [Failure(error.kind, str(error), attempts=0)] * len(call.requests)
        return ask(
            call.bound_model,
            call.requests,
            CallAttempts(call, self._clock, self._budget, self._stop.is_set, self._inbox.put),
        )

    def _try_claim(self, call: ModelCall) -> bool:
        if not self._claims or not call.bound_model.service or not call.keys:
            return True
        call.claim = uuid.uuid4().hex
        if not self._claims.acquire(call.keys, call.claim, call_timeout(call.bound_model)):
            return False
        with self._lock:
            items = self._calls.get(call, [])
        return not any(item.find_stored() for item in items)

    def _listen(self) -> None:
        """Wait for what comes first: news of a call, its deadline, or the next check for a stop."""
        self._release()
        try:
            news = [self._inbox.get(timeout=TICK)]
            while not self._inbox.empty():
                news.append(self._inbox.get_nowait())
        except queue.Empty:
            news = []
        ended: list[CallEnd] = []
        for message in news:
            if isinstance(message, CallEnd):
                ended.append(message)
            else:
                items = self._calls.get(message.call, [])
                self._outbox.extend(
                    PlanProgress(running.key, message.step, message.steps)
                    for item in items
                    for running, _ in item.waiting
                )
        self._finish(ended + self._expired_calls())
        if self._elsewhere and self._clock() >= self._look_again:
            self._look_elsewhere()

    def _release(self) -> None:
        """Let go of what was claimed for calls whose replies have been read, and are kept."""
        if self._claims and self._finished_claims:
            over = self._finished_claims
            self._finished_claims = []
            self._claims.release(over)

    def _look_elsewhere(self) -> None:
        """Take the replies that other runs have got meanwhile, and ask what they have given up."""
        self._look_again = self._clock() + ELSEWHERE
        claimed = self._claims.active_keys(list(self._elsewhere)) if self._claims else frozenset()
        requests = [(name, item.request) for name, item in self._elsewhere.items()]
        # after the claims: a reply is kept before its claim is let go
        replies = kept_replies(self._cache, requests)
        for name, item in list(self._elsewhere.items()):
            reply = replies.get(name) or item.find_stored()
            if reply is None and name in claimed:
                continue
            del self._elsewhere[name]
            if reply is None:
                self._enqueue(item)
                continue
            del self._open[name]
            for running, i in item.waiting:
                self._give(running, i, reply, None)

    def _expired_calls(self) -> list[CallEnd]:
        """Give up the calls past their deadline: their threads may go on, but nobody listens."""
        now = self._clock()
        with self._lock:
            return [
                CallEnd(call, [timeout_failure(call.bound_model)] * len(items))
                for call, items in self._calls.items()
                if call.is_late(now)
            ]

    def _finish(self, ended: list[CallEnd]) -> None:
        """Free the places first, so that models are never idle while replies are kept and read."""
        pairs: list[tuple[_PendingRequest, Reply, float]] = []
        for end in ended:
            with self._lock:
                # [] where it was given up before
                items = self._calls.pop(end.call, [])
            end.call.abandon(self._budget)
            if end.call.claim:
                self._finished_claims.append(end.call.claim)
            if not end.replies:
                self._elsewhere |= {item.key: item for item in items}
            pairs += [
                (item, reply, end.call.seconds)
                for item, reply in zip(items, end.replies, strict=False)
            ]
            pairs += self._unavailable_replies(end) if items else []
        self._send()
        self._keep([(item, reply) for item, reply, _ in pairs])
        self._pay()
        for item, reply, seconds in pairs:
            del self._open[item.key]
            for running, i in item.waiting:
                self._give(running, i, reply, seconds)

    def _unavailable_replies(self, end: CallEnd) -> list[tuple[_PendingRequest, Reply, float]]:
        """Give the same failure to all that is queued for an unavailable model, without a call."""
        why = next(
            (
                reply
                for reply in end.replies
                if isinstance(reply, Failure) and reply.kind in _NO_MORE
            ),
            None,
        )
        if why is None:
            return []
        with self._lock:
            same = [name for name in self._queues if name[0] == end.call.bound_model.model]
            waiting = [item for name in same for item in self._queues.pop(name)]
        return [(item, replace(why, attempts=0, usage=None), 0.0) for item in waiting]

    def _pay(self) -> None:
        """Book what the ended calls cost, and tell of it, all in one go."""
        if self._budget is None:
            return
        # what a call that asked for money has booked before, is told here too
        self._budget.book()
        if self._budget.calls > self._paid:
            self._paid = self._budget.calls
            self._outbox.append(PaymentNotice())

    def _keep(self, pairs: list[tuple[_PendingRequest, Reply]]) -> None:
        """Keep the answers that can be read; never a failure.

        Pictures are kept as files, by whoever asked for them.
        """
        replies = {
            item.key: reply
            for item, reply in pairs
            if isinstance(reply, CacheableReply)
            and item.keep
            and all(_is_readable(running, item.request, reply) for running, _ in item.waiting)
        }
        if replies:
            self._cache.keep_replies(replies)

    def _abandon(self) -> None:
        """Give up what is queued or on its way after a stop, so that every plan ends."""
        self._stop_calls()
        self._elsewhere.clear()
        waiting = list(self._open.values())
        self._open = {}
        for item in waiting:
            for running, i in item.waiting:
                self._give(running, i, STOPPED, 0.0)

    def _stop_calls(self) -> None:
        with self._lock:
            calls = list(self._calls)
            self._calls.clear()
            self._queues.clear()
        for call in calls:
            call.abandon(self._budget)
            if call.claim:
                self._finished_claims.append(call.claim)
        self._pay()


def _is_readable(running: _RunningPlan, request: Request, reply: Reply) -> bool:
    """Return whether a plan can read a reply.

    One at which the reader of an isolated plan raises is not kept.
    """
    try:
        return running.readable(request, reply)
    except Exception:
        if not running.isolated:
            raise
        _LOG.exception("A reply that %r asked for could not be read; it is not kept.", running.key)
        return False


def _plan_failure(running: _RunningPlan, error: Exception) -> Failure:
    """Return what is told of an exception in a plan; the log has where it was raised."""
    _LOG.error("The evaluation %r failed and is left out.", running.key, exc_info=error)
    message = " ".join(str(error).split())[:200] or "no message"
    return Failure(
        "broken",
        f"The replies could not be evaluated ({type(error).__name__}: {message}): this one is left"
        " out; report it.",
    )
