"""A call is tried again where that may help, and is given up past its time."""

import threading
from typing import Any

from hallascope.backends.base import CallLimits, Transient
from hallascope.data.requests import Answer, Failure, Reply
from hallascope.engine.models.roles import BoundModel
from tests.support.driver_runs import plan_of, run_plans, texts


def test_a_transient_fault_is_tried_again_and_passes(judge: Any) -> None:
    backend = judge([Transient("busy", "rate_limited", retry_after=30.0), Transient("down"), "B"])
    assert texts(run_plans(backend, {"p": plan_of("q")})["p"]) == ["B"]
    assert backend.calls == 3


def test_a_fault_that_stays_is_a_failure_of_its_kind_that_counts_its_attempts(judge: Any) -> None:
    backend = judge(lambda ask: Transient("It did not answer in time: ask again later.", "timeout"))
    (reply,) = run_plans(backend, {"p": plan_of("q")})["p"]
    assert reply == Failure("timeout", "It did not answer in time: ask again later.", attempts=3)


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
