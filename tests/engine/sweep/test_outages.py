"""Tests that a store which is gone for a while is waited for, and no longer than that."""

import threading

import pytest

from hallascope.engine.errors import StoreError
from hallascope.engine.sweep.outages import LONGEST_WAIT, PATIENCE, StoreRetrier


def outage() -> StoreError:
    error = StoreError("The store cannot be written.")
    error.__cause__ = OSError("no space left")
    return error


class Outage:
    """Fails so many times, counting the seconds that it is waited for."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.seconds = 0.0
        self.waits = list[float]()

    def do(self) -> str:
        if self.failures > 0:
            self.failures -= 1
            raise outage()
        return "stored"

    def wait(self, seconds: float) -> bool:
        self.seconds += seconds
        self.waits.append(seconds)
        return False


def retrier(gone: Outage, notices: list[str]) -> StoreRetrier:
    return StoreRetrier(threading.Event(), notices.append, gone.wait, lambda: gone.seconds)


def test_a_short_outage_is_waited_for_and_a_long_one_given_up() -> None:
    gone = Outage(failures=3)
    notices = list[str]()
    assert retrier(gone, notices)(gone.do) == "stored"
    assert gone.waits == [0.5, 1.0, 2.0], "each wait is twice the one before"
    (notice,) = notices
    assert notice.startswith("The store cannot be written.")
    gone = Outage(failures=10**6)
    with pytest.raises(StoreError):
        retrier(gone, [])(gone.do)
    assert (gone.seconds, max(gone.waits)) == (pytest.approx(PATIENCE), LONGEST_WAIT)


def test_a_sweep_that_is_stopped_does_not_wait() -> None:
    stop = threading.Event()
    stop.set()
    gone = Outage(failures=1)
    with pytest.raises(StoreError):
        StoreRetrier(stop, lambda notice: None)(gone.do)
