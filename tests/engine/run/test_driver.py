"""The driver runs plans side by side: batches, places, retries, failures as values, a cache, and a
stop.
"""

import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from hallascope.backends.base import CallLimits, Unavailable
from hallascope.backends.scripted import Scripted
from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Answer, Ask, Failure, Reply, Request, Role
from hallascope.engine.models.roles import (
    BoundModel,
    Delegation,
    MemberRequest,
    bind_backend,
)
from hallascope.engine.run import driver_events
from hallascope.engine.run.calls.cache import MemoryCache
from hallascope.engine.run.driver import AnyPlan, Driver
from tests.support.driver_runs import PICTURE, plan_of, run_plans, texts


def two_steps(first: str, second: str) -> AnyPlan:
    (one,) = yield [Ask(images=(PICTURE,), text=first, question=first)]
    (two,) = yield [Ask(images=(PICTURE,), text=second, question=second)]
    return [one, two]


def test_every_plan_gets_its_own_replies_in_the_order_it_asked(judge: Any) -> None:
    backend = judge(lambda ask: ask.text.upper(), batch=3, concurrency=2)
    found = run_plans(
        backend, {"one": plan_of("a", "b", "c"), "two": two_steps("d", "e"), "none": plan_of()}
    )
    assert {key: texts(replies) for key, replies in found.items()} == {
        "one": ["A", "B", "C"],
        "two": ["D", "E"],
        "none": [],
    }


def test_a_plan_goes_on_while_the_slow_call_of_another_is_under_way(judge: Any) -> None:
    gate = threading.Event()

    def script(ask: Ask) -> str:
        if ask.text == "slow":
            assert gate.wait(20)
        return ask.text

    running, done = Driver(), []
    for key, plan in {"slow": plan_of("slow"), "quick": two_steps("a", "b")}.items():
        running.add(key, plan, {"judge": bind_backend(judge(script, concurrency=2))})
    for event in running.events():
        if isinstance(event, driver_events.PlanResult):
            done.append(event.key)
            gate.set()
    assert done == ["quick", "slow"]


def test_requests_of_several_plans_go_in_full_batches(judge: Any) -> None:
    backend = judge(lambda ask: "A", batch=4)
    run_plans(backend, {str(n): plan_of(f"{n}a", f"{n}b") for n in range(6)})
    assert (backend.calls, backend.requests) == (3, 12)


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


def test_a_model_that_cannot_be_loaded_says_why_once_for_the_whole_batch(judge: Any) -> None:
    backend = judge(lambda ask: Unavailable("No GPU: run it on another machine."), batch=5)
    replies = run_plans(backend, {"p": plan_of("a", "b", "c")})["p"]
    assert {(reply.kind, reply.message) for reply in replies} == {
        ("unavailable", "No GPU: run it on another machine.")
    }
    assert backend.calls == 1


def test_a_backend_that_loses_a_reply_is_broken_and_shifts_nothing(judge: Any) -> None:
    def call(requests: Any, on_step: Any) -> list[Reply]:
        return [Answer(request.text) for request in requests[: 2 if len(requests) > 1 else 1]]

    replies = run_plans(
        BoundModel(model="short", revision="1", call=call, limits=CallLimits(3, 1)),
        {"p": plan_of("a", "b", "c")},
    )["p"]
    assert texts(replies) == ["a", "b", "c"]


def test_a_cache_hit_makes_no_call_and_says_so(judge: Any) -> None:
    cache, backend = MemoryCache(), judge(lambda ask: "C")
    said = []
    for _ in range(2):
        running = Driver(cache)
        running.add("p", plan_of("a", "b"), {"judge": bind_backend(backend)})
        kinds = driver_events.PlanReply | driver_events.PlanResult
        said.append([event.cached for event in running.events() if isinstance(event, kinds)])
    assert said == [[False] * 3, [True] * 3]
    assert backend.calls == 2


def test_the_same_question_of_two_plans_is_asked_once(judge: Any) -> None:
    backend = judge(lambda ask: "C")
    found = run_plans(backend, {"one": plan_of("a"), "two": plan_of("a")})
    assert [texts(replies) for replies in found.values()] == [["C"], ["C"]]
    assert backend.calls == 1


def test_failures_and_what_the_metric_cannot_read_are_not_kept(judge: Any) -> None:
    def script(ask: Ask) -> str | Failure:
        said: dict[str, str | Failure] = {"good": "A", "refused": Failure("refused", "No.")}
        return said.get(ask.text, "hm")

    def readable(request: Request, reply: Reply) -> bool:
        return isinstance(reply, Answer) and reply.text == "A"

    lineup: dict[Role, BoundModel] = {"judge": bind_backend(judge(script))}
    for reads, kept in ((lambda request, reply: True, ["A", "hm"]), (readable, ["A"])):
        cache = MemoryCache()
        running = Driver(cache)
        running.add("p", plan_of("good", "bad", "refused"), lineup, readable=reads)
        list(running.events())
        assert texts(list(cache.values())) == kept


def test_a_warm_judge_without_a_seed_is_asked_every_time(judge: Any) -> None:
    cache, backend = MemoryCache(), judge(lambda ask: "A", temperature=0.7)
    run_plans(backend, {"one": plan_of("a"), "two": plan_of("a")}, cache=cache)
    assert (backend.calls, len(cache)) == (2, 0)


def test_a_trial_is_asked_anew(judge: Any) -> None:
    backend = judge(lambda ask: "A")
    running = Driver()
    for trial in range(3):
        running.add(trial, plan_of("a"), {"judge": bind_backend(backend)}, trial=trial)
    list(running.events())
    assert backend.calls == 3


def test_after_a_stop_nothing_is_sent_and_every_plan_comes_to_its_end(judge: Any) -> None:
    stop, release = threading.Event(), threading.Event()

    def script(ask: Ask) -> str:
        if ask.text != "0":
            release.wait(20)
        return "A"

    backend = judge(script)
    running = Driver(stop=stop)
    for n in range(5):
        running.add(n, plan_of(str(n)), {"judge": bind_backend(backend)})
    done = {}
    for event in running.events():
        if isinstance(event, driver_events.PlanResult):
            done[event.key] = texts(event.result)[0]
            stop.set()
    release.set()
    assert done == {0: "A", 1: "stopped", 2: "stopped", 3: "stopped", 4: "stopped"}
    assert backend.calls <= 2


def test_closing_the_events_sends_nothing_more(judge: Any) -> None:
    backend = judge(lambda ask: "A")
    running = Driver()
    for n in range(9):
        running.add(n, plan_of(str(n)), {"judge": bind_backend(backend)})
    events: Iterator[Any] = running.events()
    while not isinstance(next(events), driver_events.PlanResult):
        pass
    events.close()  # type: ignore[attr-defined]
    assert backend.calls <= 2


def test_plans_may_be_added_while_the_events_are_read(judge: Any) -> None:
    running, done = Driver(), []
    lineup: dict[Role, BoundModel] = {"judge": bind_backend(judge(lambda ask: "A"))}
    running.add("first", plan_of("a"), lineup)
    for event in running.events():
        if isinstance(event, driver_events.PlanResult):
            done.append(event.key)
            if event.key == "first":
                running.add("second", plan_of("b"), lineup)
    assert done == ["first", "second"]


def test_a_broken_cache_is_not_hidden(judge: Any) -> None:
    class Full(MemoryCache):
        def keep_replies(self, replies: Any) -> None:
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        run_plans(judge(lambda ask: "A"), {"p": plan_of("a")}, cache=Full())


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
    (failed,) = [event for event in events if isinstance(event, driver_events.PlanFailure)]
    assert failed.key == "one"
    assert failed.failure.kind == "broken"
    assert "RecursionError: no reading of" in failed.failure.message
    assert [
        (event.key, texts(event.result))
        for event in events
        if isinstance(event, driver_events.PlanResult)
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
    assert [
        texts(event.result)
        for event in running.events()
        if isinstance(event, driver_events.PlanResult)
    ] == [["A"]]
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


def delegating(combine: Any, **scripts: Any) -> BoundModel:
    """A judge that asks each of the scripted ones the same, and combines their replies."""
    members = [
        bind_backend(Scripted(ModelSpec(id=n, title=n, roles=("judge",), backend="scripted"), say))
        for n, say in scripts.items()
    ]
    delegation = Delegation(
        split=lambda request: [MemberRequest(member, request) for member in members],
        combine=combine,
    )
    return BoundModel(model="panel", revision="1", call=lambda *_: [], delegation=delegation)


def test_a_delegated_request_waits_for_all_its_parts_and_gets_one_reply() -> None:
    def combine(request: Any, replies: Any) -> Reply:
        return Answer("+".join(texts(list(replies))))

    panel = delegating(combine, one=lambda ask: ask.text, two=lambda ask: ask.text.upper())
    nested = replace(
        panel,
        delegation=Delegation(
            split=lambda request: [MemberRequest(panel, request)] * 2, combine=combine
        ),
    )
    assert texts(run_plans(panel, {"x": plan_of("a", "b")})["x"]) == ["a+A", "b+B"]
    assert texts(run_plans(nested, {"x": plan_of("a")})["x"]) == ["a+A+a+A"]


def test_a_delegated_request_without_parts_is_answered_at_once() -> None:
    panel = delegating(lambda request, replies: Failure("refused", "I abstain: ask another."))
    assert texts(run_plans(panel, {"x": two_steps("a", "b")})["x"]) == ["refused", "refused"]


def test_the_replies_of_parts_are_kept_and_not_asked_again() -> None:
    asked = []

    def say(ask: Ask) -> str:
        asked.append(ask.text)
        return "A"

    cache = MemoryCache()
    for _ in range(2):
        panel = delegating(lambda request, replies: replies[0], one=say)
        run_plans(panel, {"x": plan_of("a", "a", "b")}, cache=cache)
    assert asked == ["a", "b"]
