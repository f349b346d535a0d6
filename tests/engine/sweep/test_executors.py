"""Executors are found by name, a store that is gone is waited for, and calls are timed."""

import threading
from collections.abc import Sequence
from itertools import count
from typing import Any

import pytest

from hallascope.backends.base import OnStep, Unavailable
from hallascope.data.requests import Answer, Ask, Reply, Request
from hallascope.engine.errors import BadRequest, StoreError
from hallascope.engine.models.roles import (
    BoundModel,
)
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.sweep import executors
from hallascope.engine.sweep.executors import ExecutorContext, executor, model_registry
from hallascope.engine.sweep.local_executor import LocalExecutor
from hallascope.engine.sweep.model_speed import Stopwatch
from hallascope.engine.sweep.outages import LONGEST_WAIT, PATIENCE, StoreRetrier


@pytest.fixture
def context(begin: Any) -> ExecutorContext:
    world = begin()
    registry = world.services.registry
    policy = SpendingPolicy()
    return ExecutorContext(
        store=world.store,
        bind=registry.binder(policy.keys),
        spec=registry.spec,
        budget=world.services.budget("sweep", policy),
        stop=threading.Event(),
    )


def test_this_machine_executes_with_its_own_models(begin: Any, context: ExecutorContext) -> None:
    registry = begin().services.registry
    assert isinstance(executor("local", context), LocalExecutor)
    assert model_registry("local", registry) is registry


def test_an_unknown_executor_is_refused_with_those_there_are(
    begin: Any, context: ExecutorContext
) -> None:
    message = "^There is no engine 'slurm': choose of local, ray.$"
    with pytest.raises(BadRequest, match=message):
        executor("slurm", context)
    with pytest.raises(BadRequest, match=message):
        model_registry("slurm", begin().services.registry)


def test_what_an_executor_needs_is_named_where_it_is_not_installed(
    context: ExecutorContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executors, "EXECUTORS", {"ray": "not_installed.executor:Executor"})
    with pytest.raises(Unavailable, match=r"needs not_installed: .*hallascope\[cluster\]"):
        executor("ray", context)


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
    assert gone.seconds == pytest.approx(PATIENCE)
    assert max(gone.waits) == LONGEST_WAIT


def test_a_sweep_that_is_stopped_does_not_wait() -> None:
    stop = threading.Event()
    stop.set()
    gone = Outage(failures=1)
    with pytest.raises(StoreError):
        StoreRetrier(stop, lambda notice: None)(gone.do)


QUESTION = Ask(images=(), text="Is it red?", question="Is it red?", choices=("Yes", "No"))


def ignore_step(done: int, of: int) -> None:
    """Take no note of progress."""


def answer(requests: Sequence[Request], on_step: OnStep) -> Sequence[Reply]:
    return [Answer("A")] * len(requests)


def test_the_first_call_of_a_model_is_left_out_and_the_others_are_summed() -> None:
    seconds = count()
    stopwatch = Stopwatch(clock=lambda: float(next(seconds)))
    model = stopwatch.measure(BoundModel(model="scripted/judge", revision="1", call=answer))
    assert model.call([QUESTION], ignore_step) == [Answer("A")]
    assert stopwatch.drain() == [], "it was loaded then"
    model.call([QUESTION] * 3, ignore_step)
    model.call([QUESTION], ignore_step)
    assert stopwatch.drain() == [("scripted/judge", "judge", 4, 2.0)]
    assert stopwatch.drain() == [], "only what came since the last time"
