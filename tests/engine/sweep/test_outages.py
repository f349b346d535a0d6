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

    def __init__(self, failures: float) -> None:
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


def test_after_a_short_outage_the_result_is_returned_and_one_sentence_was_said() -> None:
    gone = Outage(failures=3)
    notices = list[str]()
    assert retrier(gone, notices)(gone.do) == "stored"
    assert gone.waits == [0.5, 1.0, 2.0], "each wait is twice the one before"
    assert notices == ["The store cannot be written. It is tried again for up to 5 minutes."]


def test_an_outage_without_end_is_given_up_and_the_next_call_does_not_wait_again() -> None:
    gone = Outage(failures=float("inf"))
    retry = retrier(gone, [])
    with pytest.raises(StoreError):
        retry(gone.do)
    assert gone.seconds == pytest.approx(PATIENCE)
    assert max(gone.waits) == LONGEST_WAIT
    with pytest.raises(StoreError):
        retry(gone.do)
    assert gone.seconds == pytest.approx(PATIENCE)


def test_a_value_that_cannot_be_stored_is_not_tried_again() -> None:
    def refuse() -> None:
        raise StoreError("The value is too long.")

    gone = Outage(failures=0)
    with pytest.raises(StoreError, match="too long"):
        retrier(gone, [])(refuse)
    assert gone.waits == []


def test_a_sweep_that_is_stopped_does_not_wait() -> None:
    stop = threading.Event()
    stop.set()
    gone = Outage(failures=1)
    with pytest.raises(StoreError):
        StoreRetrier(stop, lambda notice: None)(gone.do)
