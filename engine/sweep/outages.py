"""Waits out a store that is gone for a while: a full disk, a database that starts anew."""

import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar, cast

from sqlalchemy.exc import InterfaceError, OperationalError

from hallascope.engine.errors import StoreError
from hallascope.engine.storage.store import Store

PATIENCE = 300.0  # seconds to wait for a store to come back
# seconds between attempts, doubled each time
FIRST_WAIT = 0.5
LONGEST_WAIT = 15.0
# errors that may go away, unlike that of a value that cannot be stored
_TRANSIENT = (OSError, OperationalError, InterfaceError)

T = TypeVar("T")
StoppableWait = Callable[[float], bool]


class StoreRetrier:
    """Tries again what a store could not do.

    `wait` sleeps and returns whether it was stopped; `notify` is given the sentence for the person.
    """

    def __init__(
        self,
        stop: threading.Event,
        notify: Callable[[str], None],
        wait: StoppableWait | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._wait = wait or stop.wait
        self._notify = notify
        self._clock = clock
        self._lock = threading.Lock()
        self._waiting = 0  # threads that wait for the store; the first of them notifies
        self._gave_up = False  # what is still to be noted at the end does not wait once more

    def __call__(self, do: Callable[[], T]) -> T:
        """Return what `do` returns.

        Raises StoreError where the outage does not end in time, or the sweep is stopped.
        """
        try:
            result = do()
        except StoreError as error:
            if not self._may_retry(error):
                raise
            with self._lock:
                is_first = not self._waiting
                self._waiting += 1
            try:
                if is_first:
                    minutes = PATIENCE / 60
                    self._notify(f"{error} It is tried again for up to {minutes:.0f} minutes.")
                result = self._retry(do, error)
            finally:
                with self._lock:
                    self._waiting -= 1
        self._gave_up = False
        return result

    def _may_retry(self, error: StoreError) -> bool:
        return not self._gave_up and isinstance(error.__cause__, _TRANSIENT)

    def _retry(self, do: Callable[[], T], error: StoreError) -> T:
        start = self._clock()
        pause = FIRST_WAIT
        while True:
            left = start + PATIENCE - self._clock()
            if left <= 0 or self._wait(min(pause, left)):
                self._gave_up = True
                raise error
            pause = min(2 * pause, LONGEST_WAIT)
            try:
                return do()
            except StoreError as again:
                if not self._may_retry(again):
                    raise
                error = again


class _RetryingStore:
    """Passes every call to a store or its ledger, and retries it.

    What a method does is done as a whole or not at all, so that it may be called again.
    """

    def __init__(self, inner: object, retry: StoreRetrier) -> None:
        self._inner = inner
        self._retry = retry

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self._inner, name)
        if name == "ledger":
            return _RetryingStore(attribute, self._retry)
        if not callable(attribute):
            return attribute
        return lambda *args, **kwargs: self._retry(lambda: attribute(*args, **kwargs))


def retrying_store(store: Store, retry: StoreRetrier) -> Store:
    """Return the same store, which waits where it would have failed."""
    return cast(Store, _RetryingStore(store, retry))
