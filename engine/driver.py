"""Runs any number of plans at once: gathers what they ask, calls the models, feeds the replies back, tells what happens.

Batches go to a model as it likes them (`Limits`), in threads of their own; the plans themselves run only in
the thread that reads the events. It knows no metric, no table and no page.
"""

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from backends.base import Stopped
from data.requests import Answer, Failure, Reply, Request, Role
from engine.cache import Cache, Memory, key, repeatable
from engine.seats import STOPPED, Attempt, Seat, ask, timed_out
from metrics.base import always

AnyPlan = Generator[list[Request], list[Reply], Any]
Lineup = Mapping[Role, Seat]
Readable = Callable[[Request, Reply], bool]
Clock = Callable[[], float]
TICK = 0.05  # seconds; how soon a pressed stop is noticed


@dataclass(frozen=True)
class Asked:
    """A plan asks for `of` replies in its next step."""

    key: Hashable
    of: int


@dataclass(frozen=True)
class Stepped:
    """A model that works in steps is at `step` of `steps` of a plan's request."""

    key: Hashable
    step: int
    steps: int


@dataclass(frozen=True)
class Answered:
    """One reply of a plan's step came; `done` of `of` are there. `seconds` is None where it came from the cache."""

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
class Failed:
    """One request of a plan's step got no reply; the plan goes on with the failure."""

    key: Hashable
    request: Request
    reply: Failure
    done: int
    of: int


@dataclass(frozen=True)
class Done:
    """A plan is at its end. `cached`: it asked for something and every reply of it came from the cache."""

    key: Hashable
    result: Any
    cached: bool


DriverEvent = Asked | Stepped | Answered | Failed | Done


@dataclass(eq=False)
class _Running:
    """A plan and its open step."""

    key: Hashable
    plan: AnyPlan
    lineup: Lineup
    trial: int
    readable: Readable
    requests: list[Request] = field(default_factory=list)
    replies: dict[int, Reply] = field(default_factory=dict)
    asked: int = 0
    fresh: int = 0


@dataclass(eq=False)
class _Item:
    """A request on its way, and who waits for its reply: the same question of two plans is asked once."""

    request: Request
    key: str
    keep: bool
    waiting: list[tuple[_Running, int]]


@dataclass(eq=False)
class _Call:
    """A batch on its way to a model; `began` is None while it waits between attempts."""

    seat: Seat
    items: list[_Item]
    began: float | None = None
    abandoned: bool = False
    seconds: float = 0.0


class Driver:
    """Add plans, read `events()`; more plans may be added while reading. `stop` ends it: nothing new is sent."""

    def __init__(self, cache: Cache | None = None, stop: threading.Event | None = None, clock: Clock = time.monotonic) -> None:
        self._cache: Cache = Memory() if cache is None else cache
        self._stop = stop or threading.Event()
        self._clock = clock
        self._new: deque[_Running] = deque()
        self._ready: deque[_Running] = deque()
        self._told: deque[DriverEvent] = deque()
        self._open: dict[str, _Item] = {}
        self._queues: dict[str, deque[_Item]] = {}
        self._seats: dict[str, Seat] = {}
        self._calls: list[_Call] = []
        self._inbox: queue.SimpleQueue[tuple[_Call, list[Reply]] | tuple[_Call, int, int]] = queue.SimpleQueue()

    @property
    def stopped(self) -> bool:
        return self._stop.is_set()

    def add(self, key: Hashable, plan: AnyPlan, lineup: Lineup, *, trial: int = 0, readable: Readable = always) -> None:
        """Run one more plan. `key` names it in every event; `readable` says which replies are worth keeping."""
        self._new.append(_Running(key, plan, lineup, trial, readable))

    def events(self) -> Iterator[DriverEvent]:
        """What happens, until every plan is at its end. Closing the iterator sends nothing more."""
        try:
            while True:
                self._advance()
                while self._told:
                    yield self._told.popleft()
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

    # --- plans -------------------------------------------------------------------------------------------------

    def _advance(self) -> None:
        """Start the new plans, and go on with those whose step is complete, until all of them wait or are done."""
        stepped = []
        while self._new or self._ready:
            if self._new:
                running, replies = self._new.popleft(), None
            else:
                running = self._ready.popleft()
                replies = [running.replies[i] for i in range(len(running.requests))]
            if self._step(running, replies):
                stepped.append(running)
        self._look_up(stepped)

    def _step(self, running: _Running, replies: list[Reply] | None) -> bool:
        """Give a plan its replies; True where it asks on."""
        try:
            running.requests = next(running.plan) if replies is None else running.plan.send(replies)
        except StopIteration as end:
            self._told.append(Done(running.key, end.value, cached=running.asked > 0 and running.fresh == 0))
            return False
        running.replies = {}
        running.asked += len(running.requests)
        self._told.append(Asked(running.key, len(running.requests)))
        if not running.requests:
            self._ready.append(running)
        return bool(running.requests)

    def _look_up(self, stepped: list[_Running]) -> None:
        """Answer from the cache what is there, all plans in one look, and queue the rest."""
        items = [(running, i, *self._key(running, request)) for running in stepped for i, request in enumerate(running.requests)]
        kept = self._cache.replies([name for _, _, name, keep in items if keep])
        for running, i, name, keep in items:
            if keep and name in kept:
                self._give(running, i, kept[name], None)
            else:
                self._queue(running, i, name, keep)

    def _key(self, running: _Running, request: Request) -> tuple[str, bool]:
        seat = running.lineup[request.role]
        name = key(request, seat.model, seat.revision, seat.settings, running.trial)
        return name, repeatable(seat.settings)

    def _queue(self, running: _Running, i: int, name: str, keep: bool) -> None:
        if not keep:
            name = f"{name} {id(running)} {i}"
        if name in self._open:
            self._open[name].waiting.append((running, i))
            return
        request = running.requests[i]
        seat = running.lineup[request.role]
        self._seats.setdefault(seat.model, seat)
        item = self._open[name] = _Item(request, name, keep, [(running, i)])
        self._queues.setdefault(seat.model, deque()).append(item)

    def _give(self, running: _Running, i: int, reply: Reply, seconds: float | None) -> None:
        running.replies[i] = reply
        running.fresh += seconds is not None
        done, of, request = len(running.replies), len(running.requests), running.requests[i]
        if isinstance(reply, Failure):
            self._told.append(Failed(running.key, request, reply, done, of))
        else:
            self._told.append(Answered(running.key, request, reply, done, of, seconds))
        if done == of:
            self._ready.append(running)

    # --- calls -------------------------------------------------------------------------------------------------

    def _send(self) -> None:
        """Start as many calls as each model takes."""
        for model, waiting in self._queues.items():
            seat = self._seats[model]
            busy = sum(call.seat.model == model for call in self._calls)
            while waiting and busy < seat.limits.concurrency:
                batch = [waiting.popleft() for _ in range(min(seat.limits.batch, len(waiting)))]
                call = _Call(seat, batch)
                self._calls.append(call)
                threading.Thread(target=self._work, args=(call,), name=f"ask {model}", daemon=True).start()
                busy += 1

    def _work(self, call: _Call) -> None:
        """In a thread of its own: make the call and put what came into the inbox."""

        def begin() -> None:
            if call.abandoned or self._stop.is_set():
                raise Stopped
            call.began = self._clock()

        def rest() -> None:
            began, call.began = call.began, None
            call.seconds += self._clock() - began if began is not None else 0.0

        def on_step(step: int, steps: int) -> None:
            if call.abandoned or self._stop.is_set():
                raise Stopped
            self._inbox.put((call, step, steps))

        self._inbox.put((call, ask(call.seat, [item.request for item in call.items], Attempt(begin, rest, on_step))))

    def _listen(self) -> None:
        """Wait for what comes first: news of a call, its deadline, or a moment to look at the stop."""
        try:
            news = [self._inbox.get(timeout=TICK)]
            while not self._inbox.empty():
                news.append(self._inbox.get_nowait())
        except queue.Empty:
            news = []
        finished: list[tuple[_Call, list[Reply]]] = []
        for message in news:
            if message[0].abandoned:
                continue
            if len(message) == 2:
                finished.append(message)
            else:
                call, step, steps = message
                self._told.extend(Stepped(running.key, step, steps) for item in call.items for running, _ in item.waiting)
        self._finish(finished + self._late())

    def _late(self) -> list[tuple[_Call, list[Reply]]]:
        """The calls past their deadline, given up: their threads may go on, but nobody listens."""
        late: list[tuple[_Call, list[Reply]]] = []
        for call in self._calls:
            began = call.began
            if began is not None and call.seat.timeout is not None and self._clock() - began > call.seat.timeout:
                late.append((call, [timed_out(call.seat)] * len(call.items)))
        return late

    def _finish(self, finished: list[tuple[_Call, list[Reply]]]) -> None:
        """Free the places first, so that models are never idle while replies are kept and read."""
        finished = [(call, replies) for call, replies in finished if call in self._calls]
        for call, _ in finished:
            call.abandoned = True
            if call in self._calls:
                self._calls.remove(call)
        if not self._stop.is_set():
            self._send()
        pairs = [(item, reply, call.seconds) for call, replies in finished for item, reply in zip(call.items, replies, strict=True)]
        self._keep([(item, reply) for item, reply, _ in pairs])
        for item, reply, seconds in pairs:
            del self._open[item.key]
            for running, i in item.waiting:
                self._give(running, i, reply, seconds)

    def _keep(self, pairs: list[tuple[_Item, Reply]]) -> None:
        """Keep the answers that can be read; never a failure. Pictures are kept as files, by whoever asked for them."""
        kept = {
            item.key: reply
            for item, reply in pairs
            if isinstance(reply, Answer) and item.keep and all(running.readable(item.request, reply) for running, _ in item.waiting)
        }
        if kept:
            self._cache.keep_replies(kept)

    def _abandon(self) -> None:
        """After a stop: whatever is queued or on its way is given up, so that every plan comes to its end."""
        self._stop_calls()
        waiting, self._open = list(self._open.values()), {}
        for item in waiting:
            for running, i in item.waiting:
                self._give(running, i, STOPPED, 0.0)

    def _stop_calls(self) -> None:
        for call in self._calls:
            call.abandoned = True
        self._calls.clear()
        self._queues.clear()
