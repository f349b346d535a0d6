"""A call holds requests of one role and is given up past its time; a stray denial is a fault of one
call, and a denial in a row, or before any call worked, is final.
"""

import itertools
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from hallascope.backends.base import CallLimits, Denied, HallaScopeError, OnStep, Transient
from hallascope.data.requests import Answer, Ask, Describe, Failure, Reply, Request
from hallascope.engine.models.concurrency import ConcurrencyLimiter
from hallascope.engine.models.roles import BoundModel, ignore_progress
from hallascope.engine.run.calls.attempts import DenialHistory
from hallascope.engine.run.calls.call_queue import QuestionsInFlight
from hallascope.engine.run.driver import AnyPlan, Driver
from tests.support.driver_runs import PICTURE, plan_of, run_plans, texts


@pytest.mark.parametrize(
    "one_image, expected",
    [(True, ["abc", "d", "ef", "g", "h"]), (False, ["abc", "def", "g", "h"])],
)
def test_a_call_is_of_one_role_and_of_one_image_where_the_model_reads_one_after_another(
    one_image: bool, expected: list[str]
) -> None:
    sent: list[str] = []

    def call(requests: Sequence[Any], on_step: object) -> list[Reply]:
        sent.append("".join(request.text for request in requests))
        return [Answer(request.text) for request in requests]

    def plan() -> AnyPlan:
        other = replace(PICTURE, sha256="b" * 64)
        images = [PICTURE] * 4 + [other] * 2 + [PICTURE]
        asks: list[Request] = [
            Ask(images=(image,), text=text, question=text)
            for text, image in zip("abcdefg", images, strict=True)
        ]
        yield [*asks, Describe(PICTURE, "h")]

    model = BoundModel(
        model="a/judge", revision="1", call=call, limits=CallLimits(3, 1, one_image=one_image)
    )
    running = Driver()
    running.add("p", plan(), {"judge": model, "captioner": model})
    list(running.events())
    assert sent == expected


def test_a_call_past_its_time_is_given_up_and_the_next_goes_on() -> None:
    never = threading.Event()
    now = [0.0]

    def call(requests: Any, on_step: Any) -> list[Reply]:
        if requests[0].text == "hangs":
            now[0] = 100.0  # the clock jumps while this call is under way
            never.wait(20)
        return [Answer("A")]

    stuck = BoundModel(
        model="slow/judge", revision="1", call=call, limits=CallLimits(1, 1), timeout=60.0
    )
    replies = run_plans(stuck, {"p": plan_of("hangs", "next")}, clock=lambda: now[0])["p"]
    never.set()
    assert replies[0] == Failure(
        "timeout", "slow/judge did not answer within 60 seconds: run it again to ask once more."
    )
    assert replies[1] == Answer("A")


def test_a_question_is_asked_by_one_call_at_a_time_until_that_is_past_its_time() -> None:
    now = 0.0
    questions = QuestionsInFlight(lambda: now)
    assert questions.acquire(["a", "b"], "first", 60)
    assert not questions.acquire(["b", "c"], "second", 60), "all of them or none"
    assert questions.active_keys(["a", "b", "c"]) == {"a", "b"}
    questions.release(["first"])
    assert questions.acquire(["b", "c"], "second", 60)
    now = 61.0
    assert questions.acquire(["b"], "third", 60)


CALLS = 200
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
def test_one_stray_denial_in_fifty_calls_costs_no_answer(at_once: int) -> None:
    def answer(number: int) -> Reply:
        return deny() if number % 50 == 25 else Answer("A")

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
    with pytest.raises(Transient, match="a/judge was denied to a call while others worked: run"):
        history.watch(model(lambda number: deny())).call([], ignore_progress)
    assert [denied(), denied()] == ["Transient", "Denied"]
