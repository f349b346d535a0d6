"""Simulates queues event by event: a clock, and stations whose servers take jobs in turn."""

from __future__ import annotations

import heapq
import itertools
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

Action = Callable[[], None]
DrawSeconds = Callable[[random.Random], float]


@dataclass(eq=False)
class EventClock:
    """Calls actions at their simulated times; `now` is in seconds.

    Actions of the same time are called in the order in which they were added.
    """

    now: float = 0.0
    _events: list[tuple[float, int, Action]] = field(default_factory=list)
    _numbers: itertools.count[int] = field(default_factory=itertools.count)

    def after(self, seconds: float, action: Action) -> None:
        heapq.heappush(self._events, (self.now + seconds, next(self._numbers), action))

    def run(self, is_over: Callable[[], bool]) -> None:
        """Call actions until `is_over`, or until there are none."""
        while self._events and not is_over():
            self.now, _, action = heapq.heappop(self._events)
            action()


@dataclass(frozen=True)
class StationJob:
    """Holds a job: how its seconds are drawn, and what is called when it is done."""

    draw_seconds: DrawSeconds
    done: Action


@dataclass(frozen=True, kw_only=True)
class Losses:
    """Says how often a server is lost while it works, and how long until another is ready.

    `per_hour` is the rate of one server (a Poisson process). The job of a lost server begins anew
    with another.
    """

    per_hour: float = 0.0
    seconds_to_replace: float = 0.0


@dataclass(eq=False, kw_only=True)
class Station:
    """Serves jobs in the order in which they came, as many at once as it has `servers`.

    `busy_seconds` sums the seconds in which servers worked, those of lost work among them; `lost`
    counts the jobs that began anew.
    """

    name: str
    clock: EventClock
    servers: int
    chance: random.Random
    losses: Losses = field(default_factory=Losses)
    busy_seconds: float = 0.0
    lost: int = 0
    _free: int = field(init=False)
    _queue: deque[StationJob] = field(default_factory=deque)
    _working_since: float = 0.0

    def __post_init__(self) -> None:
        self._free = self.servers

    def submit(self, job: StationJob) -> None:
        """Serve a job as soon as a server is free."""
        self._queue.append(job)
        self._serve_next()

    def busy_until_now(self) -> float:
        """Return `busy_seconds` with the part of the jobs in service that is over."""
        self._count_busy()
        return self.busy_seconds

    def _serve_next(self) -> None:
        while self._free and self._queue:
            self._start(self._queue.popleft())

    def _start(self, job: StationJob) -> None:
        self._count_busy()
        self._free -= 1
        seconds = job.draw_seconds(self.chance)
        until_loss = self._seconds_until_loss()
        if until_loss < seconds:
            self.clock.after(until_loss, lambda: self._lose(job))
        else:
            self.clock.after(seconds, lambda: self._end(job))

    def _seconds_until_loss(self) -> float:
        if not self.losses.per_hour:
            return float("inf")
        return self.chance.expovariate(self.losses.per_hour / 3600)

    def _end(self, job: StationJob) -> None:
        self._count_busy()
        self._free += 1
        job.done()
        self._serve_next()

    def _lose(self, job: StationJob) -> None:
        """Put the job of a lost server at the head of the queue, and the server aside."""
        self._count_busy()
        self.servers -= 1
        self.lost += 1
        self._queue.appendleft(job)
        self.clock.after(self.losses.seconds_to_replace, self._replace)
        self._serve_next()

    def _replace(self) -> None:
        self._count_busy()
        self.servers += 1
        self._free += 1
        self._serve_next()

    def _count_busy(self) -> None:
        working = self.servers - self._free
        self.busy_seconds += working * (self.clock.now - self._working_since)
        self._working_since = self.clock.now


def steady_seconds(seconds: float) -> DrawSeconds:
    """Return a service time that is always the same."""
    return lambda chance: seconds


def varied_seconds(seconds: float, variation: float, stragglers: float = 0.0) -> DrawSeconds:
    """Return a gamma-distributed service time with this mean and coefficient of variation.

    A share of `stragglers` takes three times as long on top of that; the mean grows with it.
    """
    if not variation and not stragglers:
        return steady_seconds(seconds)

    def draw(chance: random.Random) -> float:
        drawn = seconds
        if variation:
            shape = variation**-2
            drawn = chance.gammavariate(shape, seconds / shape)
        return 3 * drawn if chance.random() < stragglers else drawn

    return draw
