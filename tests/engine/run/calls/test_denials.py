"""A stray denial is a fault of one call; a denial in a row, or before any call worked, is final."""

import itertools
import threading
from collections.abc import Callable, Sequence

import pytest

from hallascope.backends.base import CallLimits, Denied, HallaScopeError, OnStep, Transient
from hallascope.data.requests import Answer, Failure, Reply, Request
from hallascope.engine.models.concurrency import ConcurrencyLimiter
from hallascope.engine.models.roles import BoundModel, ignore_progress
from hallascope.engine.run.calls.denials import DenialHistory
from tests.support.driver_runs import plan_of, run_plans, texts

CALLS = 600
WRONG_KEY = "The service does not take the key."


def deny() -> Reply:
    raise Denied(WRONG_KEY)


def model(answer: Callable[[int], Reply], at_once: int = 1) -> BoundModel:
    """A judge that is given the number of each attempt, from 1."""
    numbers = itertools.count(1)

    def call(requests: Sequence[Request], on_step: OnStep) -> Sequence[Reply]:
        return [answer(next(numbers))]

    return BoundModel(
        model="a/judge",
        revision="1",
        call=call,
        limits=CallLimits(1, at_once),
        limiter=ConcurrencyLimiter(CallLimits(1, at_once)),
    )


def ask(judge: BoundModel, calls: int) -> list[Reply]:
    replies: list[Reply] = run_plans(judge, {"p": plan_of(*map(str, range(calls)))})["p"]
    return replies


@pytest.mark.parametrize("at_once", [1, 16])
def test_one_stray_denial_in_a_hundred_calls_costs_no_answer(at_once: int) -> None:
    def answer(number: int) -> Reply:
        return deny() if number % 100 == 50 else Answer("A")

    assert texts(ask(model(answer, at_once), CALLS)) == ["A"] * CALLS


def test_three_denials_in_a_row_are_final_and_say_how_many_calls_worked() -> None:
    asked = []

    def answer(number: int) -> Reply:
        asked.append(number)
        return deny() if number > 5 else Answer("A")

    *worked, last, unasked = ask(model(answer), 7)
    said = f"After 5 calls that worked, 3 in a row were denied: {WRONG_KEY}"
    assert texts(worked) == ["A"] * 5
    assert (last, unasked) == (Failure("denied", said, 3), Failure("denied", said, 0))
    assert len(asked) == 8


def test_a_denial_before_any_call_worked_is_final_at_once_in_its_own_words() -> None:
    asked = []

    def answer(number: int) -> Reply:
        asked.append(number)
        return deny()

    assert {reply.message for reply in ask(model(answer), 9) if isinstance(reply, Failure)} == {
        WRONG_KEY
    }
    assert len(asked) == 1


def attempts(history: DenialHistory, denied: Callable[[], bool]) -> Callable[[], str]:
    """The attempts at one call, each of which gives its end: "worked", or the name of the error."""
    watched = history.watch(model(lambda number: deny() if denied() else Answer("A")))

    def attempt() -> str:
        try:
            watched.call([], ignore_progress)
        except HallaScopeError as error:
            return type(error).__name__
        return "worked"

    return attempt


def test_a_burst_that_denies_all_calls_in_flight_is_a_fault_of_each() -> None:
    history, is_down = DenialHistory(), threading.Event()
    calls = [attempts(history, is_down.is_set) for _ in range(16)]
    assert {call() for call in calls} == {"worked"}
    is_down.set()
    assert [call() for call in calls * 2] == ["Transient"] * 32
    is_down.clear()
    assert {call() for call in calls} == {"worked"}


def test_a_call_that_is_denied_alone_is_not_final_while_others_work() -> None:
    history = DenialHistory()
    denied, other = attempts(history, lambda: True), attempts(history, lambda: False)
    ends = [end for _ in range(6) for end in (other(), denied())]
    assert ends == ["worked", "Transient"] * 6
    assert [denied(), denied()] == ["Transient", "Denied"]


def test_a_stray_denial_that_stays_is_a_failure_of_its_own_call() -> None:
    history = DenialHistory()
    assert attempts(history, lambda: False)() == "worked"
    watched = history.watch(model(lambda number: deny()))
    with pytest.raises(Transient, match="a/judge was denied to a call while others worked: run"):
        watched.call([], ignore_progress)
