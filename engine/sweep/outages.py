"""Waits out a store that is gone for a while: a full disk, a database that starts anew.

It knows no sweep.
"""

import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar, cast

from sqlalchemy.exc import InterfaceError, OperationalError

from hallascope.engine.errors import StoreError
from hallascope.engine.storage.store import Store

PATIENCE = 300.0  # seconds until a store that does not come back is given up
FIRST_WAIT, LONGEST_WAIT = 0.5, 15.0  # seconds between attempts, doubled each time
_PASSING = (
    OSError,
    OperationalError,
    InterfaceError,
)  # what may pass; a value that cannot be kept does not

T = TypeVar("T")
StoppableWait = Callable[[float], bool]


class StoreRetrier:
    """Tries again what a store could not do.

    `wait` sleeps, and is True where it is stopped; `tell` is given the sentence.
    """

    def __init__(
        self,
        stop: threading.Event,
        tell: Callable[[str], None],
        wait: StoppableWait | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._wait = wait or stop.wait
        self._tell = tell
        self._clock = clock
        self._lock = threading.Lock()
        self._waiting = 0  # threads that wait for the store; one of them tells of it
        self._given_up = False  # what is still to be noted at the end does not wait once more

    def __call__(self, do: Callable[[], T]) -> T:
        """What `do` gives.

        Raises StoreError where it does not pass in time, or the sweep is stopped.
        """
        try:
            found = do()
        except StoreError as error:
            if self._given_up or not isinstance(error.__cause__, _PASSING):
                raise
            with self._lock:
                first = not self._waiting
                self._waiting = self._waiting + 1
            try:
                return self._again(do, error, first)
            finally:
                with self._lock:
                    self._waiting -= 1
        self._given_up = False
        return found

    def _again(self, do: Callable[[], T], error: StoreError, tells: bool) -> T:
        began = self._clock()
        pause = FIRST_WAIT
        if tells:
            self._tell(f"{error} It is tried again for up to {PATIENCE / 60:.0f} minutes.")
        while True:
            left = began + PATIENCE - self._clock()
            if left <= 0 or self._wait(min(pause, left)):
                self._given_up = True
                raise error
            pause = min(2 * pause, LONGEST_WAIT)
            try:
                found = do()
            except StoreError as again:
                if self._given_up or not isinstance(again.__cause__, _PASSING):
                    raise
                error = again
            else:
                self._given_up = False
                return found


class _RetryingStore:
    """All of a store, its ledger and its claims, with patience.

    What a method does is done as a whole or not at all, so that it may be called again.
    """

    def __init__(self, inner: object, patience: StoreRetrier) -> None:
        self._inner = inner
        self._patience = patience

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if name in ("ledger", "claims"):
            return _RetryingStore(found, self._patience)
        if not callable(found):
            return found
        return lambda *given, **named: self._patience(lambda: found(*given, **named))


def patient(store: Store, patience: StoreRetrier) -> Store:
    """The same store, which waits where it would have failed."""
    return cast(Store, _RetryingStore(store, patience))
