"""The driver runs plans side by side: batches, places, retries, failures as values, a cache, and a
stop.
"""

import threading
from typing import Any

import pytest

from hallascope.backends.base import CallLimits, Unavailable
from hallascope.data.requests import Answer, Ask, Failure, Reply, Request
from hallascope.engine.models.roles import (
    BoundModel,
    bind_backend,
)
from hallascope.engine.run.calls.cache import MemoryCache
from hallascope.engine.run.driver import AnyPlan, Driver, PlanFailure, PlanResult
from tests.support.driver_runs import PICTURE, plan_of, run_plans, texts


def two_steps(first: str, second: str) -> AnyPlan:
    (one,) = yield [Ask(images=(PICTURE,), text=first, question=first)]
    (two,) = yield [Ask(images=(PICTURE,), text=second, question=second)]
    return [one, two]


def test_every_plan_gets_its_own_replies_in_the_order_it_asked(judge: Any) -> None:
    backend = judge(lambda ask: ask.text.upper(), batch=4, concurrency=2)
    plans = {"one": plan_of("a", "b", "c"), "two": two_steps("d", "e"), "none": plan_of()}
    found = run_plans(backend, plans)
    assert {key: texts(replies) for key, replies in found.items()} == {
        "one": ["A", "B", "C"],
        "two": ["D", "E"],
        "none": [],
    }
    assert backend.calls == 2, "requests of several plans go in full batches"


def test_200_calls_are_16_at_a_time_and_never_more(judge: Any) -> None:
    full = threading.Event()

    def script(ask: Ask) -> str:
        if backend.at_once >= 16:
            full.set()
        assert full.wait(20), "sixteen calls were never in flight together"
        return "A"

    backend = judge(script, concurrency=16)
    found = run_plans(
        backend, {str(n): plan_of(*(f"{n} {i}" for i in range(5))) for n in range(40)}
    )
    assert sum(len(replies) for replies in found.values()) == backend.calls == 200
    assert backend.most_at_once == 16


def test_one_bad_request_does_not_fail_its_neighbours_in_a_batch(judge: Any) -> None:
    backend = judge(lambda ask: KeyError("pixels") if ask.text == "bad" else "A", batch=5)
    replies = run_plans(backend, {"p": plan_of("a", "b", "bad", "c", "d")})["p"]
    assert texts(replies) == ["A", "A", "broken", "A", "A"]
    assert "KeyError" in replies[2].message
    gone = judge(lambda ask: Unavailable("No GPU: run it on another machine."), batch=5)
    replies = run_plans(gone, {"p": plan_of("a", "b", "c")})["p"]
    assert {reply.message for reply in replies} == {"No GPU: run it on another machine."}
    assert (texts(replies), gone.calls) == (["unavailable"] * 3, 1), "it is said once for all"


def test_a_backend_that_loses_a_reply_is_broken_and_shifts_nothing(judge: Any) -> None:
    def call(requests: Any, on_step: Any) -> list[Reply]:
        return [Answer(request.text) for request in requests[: 2 if len(requests) > 1 else 1]]

    replies = run_plans(
        BoundModel(model="short", revision="1", call=call, limits=CallLimits(3, 1)),
        {"p": plan_of("a", "b", "c")},
    )["p"]
    assert texts(replies) == ["a", "b", "c"]


def test_the_same_question_of_two_plans_is_asked_once(judge: Any) -> None:
    backend = judge(lambda ask: "C")
    found = run_plans(backend, {"one": plan_of("a"), "two": plan_of("a")})
    assert [texts(replies) for replies in found.values()] == [["C"], ["C"]]
    assert backend.calls == 1


def test_a_warm_judge_without_a_seed_is_asked_every_time(judge: Any) -> None:
    cache, backend = MemoryCache(), judge(lambda ask: "A", temperature=0.7)
    run_plans(backend, {"one": plan_of("a"), "two": plan_of("a")}, cache=cache)
    assert (backend.calls, len(cache)) == (2, 0)


# --- plans that raise
# --------------------------------------------------------------------------------------------------
def raising() -> AnyPlan:
    (reply,) = yield [Ask(images=(PICTURE,), text="a", question="a")]
    raise RecursionError(f"no reading of {reply}")


def test_an_isolated_plan_that_raises_ends_alone_and_is_told_named_and_logged(
    judge: Any, failed_plans: list[str]
) -> None:
    running, lineup = Driver(), {"judge": bind_backend(judge(lambda ask: ask.text.upper()))}
    running.add("one", raising(), lineup, isolated=True)  # type: ignore[arg-type]
    running.add("two", two_steps("b", "c"), lineup, isolated=True)  # type: ignore[arg-type]
    events = list(running.events())
    (failed,) = [event for event in events if isinstance(event, PlanFailure)]
    assert failed.key == "one"
    assert failed.failure.kind == "broken"
    assert "RecursionError: no reading of" in failed.failure.message
    assert [
        (event.key, texts(event.result)) for event in events if isinstance(event, PlanResult)
    ] == [("two", ["B", "C"])]
    assert len(failed_plans) == 1
    assert "'one'" in failed_plans[0]
    assert "in raising" in failed_plans[0]
    failed_plans.clear()


def test_any_other_plan_that_raises_raises_out_of_the_driver(judge: Any) -> None:
    with pytest.raises(RecursionError):
        run_plans(judge(), {"one": raising()})


def test_a_reply_at_which_the_reader_of_an_isolated_plan_raises_is_not_kept(
    judge: Any, failed_plans: list[str]
) -> None:
    def readable(request: Request, reply: Reply) -> bool:
        raise ValueError("cannot be read")

    cache, backend = MemoryCache(), judge(lambda ask: "A")
    running = Driver(cache)
    running.add(
        "one", plan_of("a"), {"judge": bind_backend(backend)}, readable=readable, isolated=True
    )
    assert [texts(event.result) for event in running.events() if isinstance(event, PlanResult)] == [
        ["A"]
    ]
    assert not cache
    assert "cannot be read" in failed_plans[0]
    failed_plans.clear()


def test_a_reply_over_the_limit_of_its_role_reaches_neither_plan_nor_cache(judge: Any) -> None:
    cache = MemoryCache()
    found = run_plans(judge(lambda ask: "B " * 2_000_000), {"one": plan_of("a")}, cache=cache)
    (reply,) = found["one"]
    assert isinstance(reply, Failure)
    assert "at most 20,000 are read" in reply.message
    assert len(reply.message) < 500
    assert not cache
