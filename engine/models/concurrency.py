"""Limits a model's calls in flight: fewer when its service says "too many", else more."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from hallascope.backends.base import CallLimits, Stopped

TICK = 0.05  # seconds until a stop is noticed


@dataclass(eq=False)
class Permit:
    """Allows one call, which belongs to a round; `open` until it is given back."""

    round: int
    open: bool = True


class ConcurrencyLimiter:
    """Gives permits for calls, as the model's limits say. Safe to use from many threads.

    It grows and shrinks as TCP does: each call that went well adds one permit until the first "too
    many", from then on a whole round of them does; "too many" halves the number, once for all calls
    that were in flight together.
    """

    def __init__(self, limits: CallLimits, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = max(1, limits.concurrency)
        self._limit = float(min(self._most, limits.start or self._most))
        self._clock = clock
        self._busy = 0
        self._round = 0
        self._not_before = 0.0
        self._changed = threading.Condition()

    @property
    def limit(self) -> int:
        """Return how many calls may be in flight now."""
        return max(1, int(self._limit))

    def acquire(self, stopped: Callable[[], bool]) -> Permit:
        """Wait for a permit and take it. Raises Stopped."""
        with self._changed:
            while True:
                if stopped():
                    raise Stopped
                if self._busy < self.limit and self._clock() >= self._not_before:
                    break
                self._changed.wait(TICK)
            self._busy += 1
            return Permit(self._round)

    def release(self, permit: Permit, went_well: bool) -> None:
        """Give the permit back, once. Only a call that went well raises the limit."""
        with self._changed:
            if not permit.open:
                return
            permit.open = False
            self._busy -= 1
            if went_well:
                growth = 1 / self._limit if self._round else 1
                self._limit = min(self._most, self._limit + growth)
            self._changed.notify_all()

    def reject(self, permit: Permit, wait: float | None) -> None:
        """Note that the service said "too many" to a call, and perhaps how long to wait."""
        with self._changed:
            if permit.round == self._round:
                self._round += 1
                self._limit = max(1.0, self._limit / 2)
            self._not_before = max(self._not_before, self._clock() + (wait or 0.0))
