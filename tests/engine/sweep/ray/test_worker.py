"""A worker on a node loads its model once, answers packed requests, and returns what is raised."""

from collections.abc import Iterator
from typing import Any

import pytest

from hallascope.backends import registry
from hallascope.backends.base import Denied, HallaScopeError, Transient, Unavailable
from hallascope.backends.scripted import Scripted
from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Answer, Usage, Write
from hallascope.engine.sweep.ray import worker
from hallascope.engine.sweep.ray.serialization import RequestPacker
from hallascope.engine.sweep.ray.worker import Fitness, RemoteError, Worker, remote_error

WRITER = ModelSpec(
    id="scripted/writer", title="The writer", roles=("writer",), backend="scripted", revision="7"
)


def packed(*texts: str) -> Any:
    return RequestPacker(lambda data: data).pack([Write(text) for text in texts])


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[ModelSpec]:
    """What was loaded so far: a model that writes its request in capitals."""
    loaded: list[ModelSpec] = []

    def load(spec: ModelSpec) -> Scripted:
        loaded.append(spec)
        return Scripted(spec, lambda request: request.text.upper())

    monkeypatch.setattr(registry, "load", load)
    return loaded


@pytest.fixture
def own() -> Iterator[Worker]:
    worker = Worker(WRITER, lambda data: data)
    yield worker
    worker.close()


def test_a_worker_loads_its_model_once_and_answers_in_order(
    own: Worker, loads: list[ModelSpec]
) -> None:
    assert own.load() is None
    assert own.load() is None
    assert loads == [WRITER]
    assert own.ask(packed("a", "b")) == [Answer("A"), Answer("B")]


def test_what_a_worker_raises_comes_back_as_a_value(
    own: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(spec: ModelSpec) -> Scripted:
        raise Unavailable("Its weights are damaged: fetch them again.")

    monkeypatch.setattr(registry, "load", fail)
    lasting, unforeseen = own.load(), own.ask(packed("a"))
    assert isinstance(lasting, RemoteError)
    assert isinstance(unforeseen, RemoteError)
    assert (lasting.sort, lasting.kind) == ("lasting", "unavailable")
    assert lasting.message == "Its weights are damaged: fetch them again."
    assert (unforeseen.sort, unforeseen.kind) == ("unforeseen", "broken")


@pytest.mark.parametrize(
    "error",
    [
        Transient("Too many.", "rate_limited", 3.0, True, Usage(5, 2)),
        Denied("No key: give one."),
    ],
)
def test_an_error_of_ours_is_the_same_after_the_way(error: HallaScopeError) -> None:
    arrived = remote_error(error).error()
    assert isinstance(arrived, Transient) == isinstance(error, Transient)
    assert str(arrived) == str(error)
    for name in ("kind", "retry_after", "may_be_charged", "usage"):
        assert getattr(arrived, name, None) == getattr(error, name, None)


def test_an_error_that_nobody_foresaw_is_named_and_cut_short() -> None:
    remote = remote_error(ValueError("bad\n" + "x" * 500))
    assert remote.message == f"ValueError: bad {'x' * 196}"
    assert type(remote.error()) is RuntimeError
    assert remote_error(KeyError()).message == "KeyError: no message"


def test_a_node_says_why_a_model_cannot_run_there_else_its_version_and_limits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "0.0.1" in (worker.fitness(WRITER, "0.0.1").reason or "")
    fit = worker.fitness(WRITER, worker.version())
    assert (fit.reason, fit.limits) == (None, registry.limits(WRITER))
    monkeypatch.setattr(registry, "available", lambda spec: "It needs a GPU.")
    assert worker.fitness(WRITER, worker.version()) == Fitness("It needs a GPU.")

    def fail(spec: ModelSpec) -> str:
        raise Unavailable("There is no such backend.")

    monkeypatch.setattr(registry, "available", fail)
    assert worker.fitness(WRITER, worker.version()) == Fitness("There is no such backend.")
