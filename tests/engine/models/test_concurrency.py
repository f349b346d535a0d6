"""The limiter of a model: it begins moderately, grows while all goes well, and shrinks when the
service says "too many".
"""

import threading

import pytest

from hallascope.backends.base import CallLimits, Stopped
from hallascope.engine.models.concurrency import ConcurrencyLimiter
from tests.support.clock import Clock


def never() -> bool:
    return False


def turned_away(limiter: ConcurrencyLimiter, wait: float | None = None) -> None:
    """A call to which the service says "too many"."""
    permit = limiter.acquire(never)
    limiter.reject(permit, wait)
    limiter.release(permit, went_well=False)


def grown(limiter: ConcurrencyLimiter, calls: int) -> int:
    """The limit after so many calls that went well, one after the other."""
    for _ in range(calls):
        limiter.release(limiter.acquire(never), went_well=True)
    return limiter.limit


def test_each_good_call_makes_room_for_one_more_up_to_what_the_model_takes() -> None:
    limiter = ConcurrencyLimiter(CallLimits(concurrency=16, start=8))
    assert (limiter.limit, grown(limiter, 3), grown(limiter, 20)) == (8, 11, 16)


def test_too_many_halves_the_limit_once_for_all_calls_in_flight_and_a_round_makes_room_again() -> (
    None
):
    limiter = ConcurrencyLimiter(CallLimits(concurrency=8))
    permits = [limiter.acquire(never) for _ in range(8)]
    for permit in permits:
        limiter.reject(permit, None)
        limiter.release(permit, went_well=False)
    assert (limiter.limit, grown(limiter, 3), grown(limiter, 2)) == (4, 4, 5)
    for _ in range(10):
        turned_away(limiter)
    assert limiter.limit == 1, "one place always stays"


def test_nobody_enters_before_the_time_that_the_service_named() -> None:
    clock = Clock()
    limiter = ConcurrencyLimiter(CallLimits(concurrency=4), clock)
    turned_away(limiter, 30.0)
    entered, looks = threading.Event(), threading.Event()

    def stopped() -> bool:
        looks.set()
        return False

    def wait() -> None:
        limiter.acquire(stopped)
        entered.set()

    threading.Thread(target=wait, daemon=True).start()
    assert looks.wait(5)
    assert not entered.is_set()
    clock.now = 30.0
    assert entered.wait(5)


def test_a_place_is_given_back_once() -> None:
    limiter = ConcurrencyLimiter(CallLimits(concurrency=1))
    permit = limiter.acquire(never)
    limiter.release(permit, went_well=False)
    second = limiter.acquire(never)
    limiter.release(permit, went_well=False)
    with pytest.raises(Stopped):
        limiter.acquire(lambda: not second.open or full(limiter))


def full(limiter: ConcurrencyLimiter) -> bool:
    return limiter._busy == limiter.limit
