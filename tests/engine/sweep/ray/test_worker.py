"""A worker on a node loads its model once, answers packed requests, and returns what is raised."""

import hashlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallascope.backends import registry
from hallascope.backends.base import Denied, HallaScopeError, Transient, Unavailable
from hallascope.backends.scripted import Scripted
from hallascope.data.models.specs import ModelSpec
from hallascope.data.records import Picture
from hallascope.data.regions import Box
from hallascope.data.requests import (
    Answer,
    Ask,
    Describe,
    Detect,
    Embed,
    Generate,
    Match,
    ReadText,
    Request,
    Segment,
    Usage,
    Write,
)
from hallascope.engine.run.calls.cache import key
from hallascope.engine.sweep.ray import worker
from hallascope.engine.sweep.ray.worker import (
    Fitness,
    PackedRequests,
    RemoteError,
    Worker,
    pack,
    remote_error,
    unpack,
)

WRITER = ModelSpec(
    id="scripted/writer", title="The writer", roles=("writer",), backend="scripted", revision="7"
)


def packed(*texts: str) -> Any:
    return pack([Write(text) for text in texts])


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
def own() -> Worker:
    return Worker(WRITER)


def test_a_worker_loads_its_model_once_and_answers_in_order(
    own: Worker, loads: list[ModelSpec]
) -> None:
    assert own.ask(packed("a", "b")) == [Answer("A"), Answer("B")]
    assert own.ask(packed("c")) == [Answer("C")]
    assert loads == [WRITER]


def test_what_a_worker_raises_comes_back_as_a_value(
    own: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(spec: ModelSpec) -> Scripted:
        raise Unavailable("Its weights are damaged: fetch them again.")

    monkeypatch.setattr(registry, "load", fail)
    raised = own.ask(packed("a"))
    assert isinstance(raised, RemoteError)
    assert (raised.sort, raised.kind) == ("lasting", "unavailable")
    assert raised.message == "Its weights are damaged: fetch them again."


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


def picture(folder: Path, data: bytes) -> Picture:
    sha256 = hashlib.sha256(data).hexdigest()
    file = folder / f"{sha256}.png"
    file.write_bytes(data)
    return Picture(sha256, file)


def requests(one: Picture, two: Picture) -> list[Request]:
    box = Box(0.1, 0.1, 0.5, 0.5)
    return [
        Ask(images=(one, two), text="What?", question="What?", choices=("a", "b")),
        Describe(one, "Say.", box),
        Write("Write."),
        Generate("a cat", 1, {"steps": 2}),
        Generate("a cat", 1, references=(two,)),
        Detect(one, ("cat",)),
        Segment(two, (box,)),
        Embed(one),
        Embed(text="a cat"),
        Match(two, "a cat"),
        ReadText(one),
    ]


@settings(max_examples=10)
@given(first=st.binary(min_size=1), second=st.binary(min_size=1))
def test_every_sort_of_request_arrives_as_it_was_sent(
    tmp_path_factory: pytest.TempPathFactory, first: bytes, second: bytes
) -> None:
    here, there = tmp_path_factory.mktemp("here"), tmp_path_factory.mktemp("there")
    sent = requests(picture(here, first), picture(here, second))
    came = unpack(pack(sent), there)
    assert [key(request, "m", "1", {}) for request in came] == [
        key(request, "m", "1", {}) for request in sent
    ]
    assert isinstance(came[0], Ask)
    assert [image.path.read_bytes() for image in came[0].images] == [first, second]
    assert all(there in image.path.parents for image in came[0].images)


def test_an_image_that_comes_with_other_bytes_is_refused(tmp_path: Path) -> None:
    sent = picture(tmp_path, b"one")
    with pytest.raises(ValueError, match="came with other bytes"):
        unpack(PackedRequests((Embed(sent),), {sent.sha256: b"two"}), tmp_path)
