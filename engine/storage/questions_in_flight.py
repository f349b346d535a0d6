"""Knows which questions the runs of this process are asking, so that none is paid for twice.

It knows no other process: two that ask the same at the same time both pay for it.
"""

import threading
import time
from collections.abc import Callable, Collection, Iterable
from functools import cache
from pathlib import Path


class QuestionsInFlight:
    """Holds the keys of the questions that calls are asking, until these calls are released.

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


@cache
def questions_in_flight(database: str, folder: Path) -> QuestionsInFlight:
    """Return the questions that this process asks for the store at that address and folder."""
    return QuestionsInFlight()
