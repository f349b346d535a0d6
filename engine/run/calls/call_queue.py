"""Gathers requests into calls of models, and makes each call in a thread of its own.

It knows no plans: who adds a request is told the reply by the call's end.
"""

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
from contextvars import copy_context
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TypeGuard

from hallascope.backends.base import CallLimits
from hallascope.data.requests import Failure, Reply, Request, Role, request_pictures
from hallascope.engine.errors import StoreError
from hallascope.engine.models.concurrency import TICK
from hallascope.engine.models.roles import (
    STOPPED,
    BoundModel,
    ask,
    call_timeout,
    log_fault,
    timeout_failure,
)
from hallascope.engine.money.budget import Budget
from hallascope.engine.run.calls.attempts import (
    CallAttempts,
    CallEnd,
    CallProgress,
    DenialHistory,
    ModelCall,
)
from hallascope.engine.run.calls.cache import Cache, kept_replies
from hallascope.engine.storage.store import Store

# returns a reply that another run got meanwhile and that no cache keeps
FindStoredReply = Callable[[], Reply | None]
# failures after which the same model is not asked again; a stray denial is none of them
_NO_MORE = ("denied", "over_budget")


@dataclass(frozen=True, eq=False, kw_only=True)
class PendingRequest:
    """Holds a request on its way to a model.

    `key` names it; with `keep`, its reply is kept under the key.
    """

    request: Request
    bound_model: BoundModel
    key: str
    keep: bool
    find_stored: FindStoredReply


@dataclass(frozen=True)
class RequestReply:
    """Holds the reply to a request, and the seconds its call took."""

    pending: PendingRequest
    reply: Reply
    seconds: float


class QuestionsInFlight:
    """Holds the keys of the questions that calls are asking, until these calls are released.

    So none is paid for twice by the runs of this process; two processes that ask the same at the
    same time both pay for it.

    The keys are those of `hallascope.engine.run.calls.cache.key`. `clock` gives seconds. Safe to
    use from several threads.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        # by key: the call, and until when it may last
        self._calls: dict[str, tuple[object, float]] = {}

    def acquire(self, keys: Collection[str], call: object, seconds: float) -> bool:
        """Note all of these questions for a call that ends within `seconds`, or none of them.

        Return False where another call is asking one of them.
        """
        with self._lock:
            if self._active(keys):
                return False
            self._calls |= dict.fromkeys(keys, (call, self._clock() + seconds))
        return True

    def active_keys(self, keys: Iterable[str]) -> frozenset[str]:
        """Return those of the keys that some call is asking now."""
        with self._lock:
            return self._active(keys)

    def release(self, calls: Collection[object]) -> None:
        """End these calls: their replies are kept, or there are none."""
        with self._lock:
            for key in [key for key, (call, _) in self._calls.items() if call in calls]:
                del self._calls[key]

    def _active(self, keys: Iterable[str]) -> frozenset[str]:
        now = self._clock()
        return frozenset(key for key in keys if key in self._calls and self._calls[key][1] > now)


def questions_in_flight(store: Store) -> QuestionsInFlight:
    """Return the questions that this process asks for a store, and for others at its address."""
    return _questions_in_flight(store.display_address, store.folder)


@cache
def _questions_in_flight(address: str, folder: Path) -> QuestionsInFlight:
    return QuestionsInFlight()


class CallQueue:
    """Sends what is added to it in batches, as many calls at once as each model takes.

    After `stop` is set nothing new is sent. Its methods are called from one thread; the threads of
    the calls take the next call of their model themselves.
    """

    def __init__(
        self,
        stop: threading.Event,
        clock: Callable[[], float],
        budget: Budget | None,
        cache: Cache,
        in_flight: QuestionsInFlight,
    ) -> None:
        self._stop = stop
        self._clock = clock
        self._budget = budget
        self._cache = cache
        self._in_flight = in_flight
        # calls that ended; their questions are released once the replies are read
        self._finished: list[ModelCall] = []
        # by model and role: a batch is of one role
        self._queues: dict[tuple[str, Role], deque[PendingRequest]] = {}
        self._models: dict[str, BoundModel] = {}
        self._denials: dict[str, DenialHistory] = {}
        self._calls: dict[ModelCall, list[PendingRequest]] = {}
        # over queues and calls, which the threads of the calls change too
        self._lock = threading.Lock()
        self._inbox: queue.SimpleQueue[CallProgress | CallEnd] = queue.SimpleQueue()

    def add(self, pending: PendingRequest) -> None:
        """Queue a request; it is sent by the next `send`."""
        model = pending.bound_model.model
        self._models.setdefault(model, pending.bound_model)
        self._denials.setdefault(model, DenialHistory())
        with self._lock:
            self._queues.setdefault((model, pending.request.role), deque()).append(pending)

    def send(self) -> None:
        """Start as many calls as each model takes."""
        for model, role in list(self._queues):
            while call := self._next_call(model, role):
                # it names the visitor, for whom the time on a lent GPU is counted
                context = copy_context()
                threading.Thread(
                    target=context.run, args=(self._work, call), name=f"ask {model}", daemon=True
                ).start()

    def receive(self) -> list[CallProgress | CallEnd]:
        """Wait for news of calls, at most until the next check for a stop, and return them.

        Calls past their deadline end: their threads may go on, but nobody listens.
        """
        try:
            news = [self._inbox.get(timeout=TICK)]
            while not self._inbox.empty():
                news.append(self._inbox.get_nowait())
        except queue.Empty:
            news = []
        now = self._clock()
        with self._lock:
            late = [
                CallEnd(call, [timeout_failure(call.bound_model)] * len(batch))
                for call, batch in self._calls.items()
                if call.is_late(now)
            ]
        for end in (*news, *late):
            if isinstance(end, CallEnd) and end.call in self._calls:
                self._log_faults(end)
        return news + late

    def _log_faults(self, end: CallEnd) -> None:
        run = self._budget.run if self._budget else ""
        for reply in end.replies:
            if isinstance(reply, Failure) and reply is not STOPPED:
                log_fault(run, end.call.bound_model.model, reply.kind, reply.attempts)

    def batch(self, call: ModelCall) -> Sequence[PendingRequest]:
        """Return the requests of a call; none where it was given up."""
        return self._calls.get(call, [])

    def finish(self, call: ModelCall) -> None:
        """Free the place of a call whose replies are kept."""
        with self._lock:
            self._calls.pop(call, None)
        self._abandon(call)

    def unavailable_replies(self, end: CallEnd) -> list[RequestReply]:
        """Give the same failure to all that is queued for an unavailable model, without a call."""
        failures = [reply for reply in end.replies if _is_final(reply)]
        if not failures:
            return []
        failure = replace(failures[0], attempts=0, usage=None)
        with self._lock:
            same = [name for name in self._queues if name[0] == end.call.bound_model.model]
            waiting = [pending for name in same for pending in self._queues.pop(name)]
        return [RequestReply(pending, failure, 0.0) for pending in waiting]

    def clear(self) -> None:
        """Give up what is queued or on its way."""
        with self._lock:
            calls = list(self._calls)
            self._calls.clear()
            self._queues.clear()
        for call in calls:
            self._abandon(call)

    def release_questions(self) -> None:
        """Let other runs ask the questions of calls whose replies have been read, and are kept."""
        self._in_flight.release(self._finished)
        self._finished.clear()

    def _abandon(self, call: ModelCall) -> None:
        call.abandon(self._budget)
        self._finished.append(call)

    def _next_call(self, model: str, role: Role) -> ModelCall | None:
        """Take the next call of a model in a role from what waits.

        None where nothing does, or no place is free.

        Calls whose replies nobody has kept yet count too, in part: neither a reader that stands
        still nor a kill may lose many replies.
        """
        with self._lock:
            waiting = self._queues.get((model, role))
            if not waiting or self._stop.is_set() or self._is_busy(model):
                return None
            bound_model = self._models[model]
            batch = _take_batch(waiting, bound_model.limits)
            call = ModelCall(
                bound_model=bound_model,
                requests=[pending.request for pending in batch],
                keys=[pending.key for pending in batch if pending.keep],
            )
            self._calls[call] = batch
            return call

    def _is_busy(self, model: str) -> bool:
        calls = [call for call in self._calls if call.bound_model.model == model]
        most = self._models[model].limits.concurrency
        return sum(not call.over for call in calls) >= most or len(calls) >= 2 * most - 1

    # --- in the thread of a call

    def _work(self, first: ModelCall) -> None:
        """Make calls in a thread of its own, and put what came into the inbox.

        A new thread for every call would cost more: to start one takes some milliseconds while many
        others are busy.
        """
        call: ModelCall | None = first
        while call:
            replies = self._ask_model(call)
            call.over = True
            following = None
            if not call.abandoned and not any(_is_final(reply) for reply in replies):
                following = self._next_call(call.bound_model.model, call.requests[0].role)
            self._inbox.put(CallEnd(call, replies))
            call = following

    def _ask_model(self, call: ModelCall) -> Sequence[Reply]:
        """Return the replies to a call.

        There are none where another run is asking the same, or has just got the reply.
        """
        try:
            if not self._may_ask(call):
                return ()
        except StoreError as error:
            return [Failure(error.kind, str(error), attempts=0)] * len(call.requests)
        return ask(
            self._denials[call.bound_model.model].watch(call.bound_model),
            call.requests,
            CallAttempts(call, self._clock, self._budget, self._stop.is_set, self._inbox.put),
        )

    def _may_ask(self, call: ModelCall) -> bool:
        if not call.bound_model.service or not call.keys:
            return True
        if not self._in_flight.acquire(call.keys, call, call_timeout(call.bound_model)):
            return False
        with self._lock:
            batch = self._calls.get(call, [])
        requests = [(pending.key, pending.request) for pending in batch if pending.keep]
        stored = kept_replies(self._cache, requests)
        return not stored and not any(pending.find_stored() for pending in batch)


def _is_final(reply: Reply) -> TypeGuard[Failure]:
    """Return whether a reply says that asking the same model on is of no use."""
    return isinstance(reply, Failure) and reply.kind in _NO_MORE


def _take_batch(waiting: deque[PendingRequest], limits: CallLimits) -> list[PendingRequest]:
    """Remove from what waits the requests of one call, which is not empty, and return them."""
    batch = [waiting.popleft()]
    pictures = request_pictures(batch[0].request)
    while waiting and len(batch) < limits.batch:
        if limits.one_image and request_pictures(waiting[0].request) != pictures:
            break
        batch.append(waiting.popleft())
    return batch
