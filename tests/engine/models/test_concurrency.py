"""The limiter of a model: it begins moderately, grows while all goes well, and shrinks when the
service says "too many".
"""

import threading

import pytest

from hallascope.backends.base import CallLimits, Stopped
from hallascope.engine.models.concurrency import ConcurrencyLimiter


def never() -> bool:
    return False


def turned_away(limiter: ConcurrencyLimiter, wait: float | None = None) -> None:
    """A call to which the service says "too many"."""
    permit = limiter.acquire(never)
    limiter.reject(permit, wait)
    limiter.release(permit, went_well=False)


class Clock:
    """A clock that a test moves."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_it_begins_moderately_and_each_call_that_went_well_makes_room_for_one_more() -> None:
    limiter = ConcurrencyLimiter(CallLimits(concurrency=16, start=8))
    assert limiter.limit == 8
    for _ in range(3):
        limiter.release(limiter.acquire(never), went_well=True)
    assert limiter.limit == 11


def test_there_is_never_more_room_than_the_model_takes() -> None:
    limiter = ConcurrencyLimiter(CallLimits(concurrency=2))
    for _ in range(20):
        limiter.release(limiter.acquire(never), went_well=True)
    assert limiter.limit == 2


def test_too_many_halves_the_limit_once_for_all_calls_that_were_in_flight_together() -> None:
    limiter = ConcurrencyLimiter(CallLimits(concurrency=8))
    permits = [limiter.acquire(never) for _ in range(8)]
    for permit in permits:
        limiter.reject(permit, None)
        limiter.release(permit, went_well=False)
    assert limiter.limit == 4


def test_a_call_that_entered_after_the_shrinking_halves_it_again_and_one_place_always_stays() -> (
    None
):
    limiter = ConcurrencyLimiter(CallLimits(concurrency=8))
    for _ in range(10):
        turned_away(limiter)
    assert limiter.limit == 1


def test_after_a_shrinking_a_whole_round_of_good_calls_makes_room_for_one_more() -> None:
    limiter = ConcurrencyLimiter(CallLimits(concurrency=8))
    turned_away(limiter)
    for _ in range(3):
        limiter.release(limiter.acquire(never), went_well=True)
    assert limiter.limit == 4
    for _ in range(2):
        limiter.release(limiter.acquire(never), went_well=True)
    assert limiter.limit == 5


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


def test_a_full_pace_lets_the_next_in_when_one_leaves() -> None:
    limiter = ConcurrencyLimiter(CallLimits(concurrency=1))
    permit = limiter.acquire(never)
    entered = threading.Event()

    def enter() -> None:
        limiter.acquire(never)
        entered.set()

    threading.Thread(target=enter, daemon=True).start()
    assert not entered.is_set()
    limiter.release(permit, went_well=False)
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


def test_who_waits_hears_the_stop() -> None:
    limiter = ConcurrencyLimiter(CallLimits(concurrency=1))
    limiter.acquire(never)
    with pytest.raises(Stopped):
        limiter.acquire(lambda: True)
