"""Limits a model's calls in flight: fewer when its service says "too many", else more."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from hallascope.backends.base import CallLimits, Stopped

TICK = 0.05  # seconds; how soon a pressed stop is noticed


@dataclass(eq=False)
class Permit:
    """A place that was taken: in which round, and whether it still is."""

    round: int
    open: bool = True


class ConcurrencyLimiter:
    """Places for calls, as the model's limits say. Safe to use from many threads.

    As in TCP: each call that went well makes room for one more until the first "too many", from
    then on a whole round of them does; "too many" halves the room, once for all calls that were in
    flight together.
    """

    def __init__(self, limits: CallLimits, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = max(1, limits.concurrency)
        self._room = float(min(self._most, limits.start or self._most))
        self._clock = clock
        self._busy = 0
        self._round = 0
        self._not_before = 0.0
        self._changed = threading.Condition()

    @property
    def room(self) -> int:
        """How many calls may be in flight now."""
        return max(1, int(self._room))

    def enter(self, stopped: Callable[[], bool]) -> Permit:
        """Wait for a place and take it. Raises Stopped."""
        with self._changed:
            while True:
                if stopped():
                    raise Stopped
                if self._busy < self.room and self._clock() >= self._not_before:
                    break
                self._changed.wait(TICK)
            self._busy += 1
            return Permit(self._round)

    def leave(self, ticket: Permit, went_well: bool) -> None:
        """Give the place back, once. Only what went well makes room."""
        with self._changed:
            if not ticket.open:
                return
            ticket.open = False
            self._busy -= 1
            if went_well:
                self._room = min(self._most, self._room + (1 / self._room if self._round else 1))
            self._changed.notify_all()

    def too_many(self, ticket: Permit, wait: float | None) -> None:
        """Note that the service said "too many" to a call, and perhaps how long to wait."""
        with self._changed:
            if ticket.round == self._round:
                self._round += 1
                self._room = max(1.0, self._room / 2)
            self._not_before = max(self._not_before, self._clock() + (wait or 0.0))
