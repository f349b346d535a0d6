"""Executors are found by name, a store that is gone is waited for, and calls are timed."""

import sys
import threading
from collections.abc import Sequence
from itertools import count
from typing import Any

import pytest

from hallascope.backends.base import OnStep, Unavailable
from hallascope.data.requests import Answer, Ask, Reply, Request
from hallascope.engine.errors import StoreError
from hallascope.engine.models.roles import (
    BoundModel,
)
from hallascope.engine.sweep.executor import model_registry
from hallascope.engine.sweep.model_speed import Stopwatch
from hallascope.engine.sweep.outages import StoreRetrier


def test_what_an_engine_needs_is_named_where_it_is_not_installed(
    begin: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    message = r"needs ray: run `pip install 'hallascope\[cluster\]'`.$"
    with pytest.raises(Unavailable, match=message):
        model_registry("ray", begin().services.registry)


def test_a_sweep_that_is_stopped_does_not_wait() -> None:
    stop = threading.Event()
    stop.set()
    begun: list[str] = []

    def fails() -> None:
        begun.append("once")
        raise StoreError("The store cannot be written.") from OSError("no space left")

    with pytest.raises(StoreError):
        StoreRetrier(stop, lambda notice: None)(fails)
    assert begun == ["once"]


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
