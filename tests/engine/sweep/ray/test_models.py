"""The models of a cluster: each gets its share, what is lost is asked of another, what cannot run
says why, and a sweep ends like one on this machine.
"""

import hashlib
import pickle
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope.backends import registry
from hallascope.backends.base import Denied, HallaScopeError, Transient, Unavailable
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
    Reply,
    Request,
    Segment,
    Usage,
    Write,
)
from hallascope.engine.models import roles
from hallascope.engine.models.registry import ModelRegistry
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.run.calls.cache import key
from hallascope.engine.run.driver import Driver, PlanResult
from hallascope.engine.sweep.ray import worker
from hallascope.engine.sweep.ray.cluster import ClusterNode, WorkerLost
from hallascope.engine.sweep.ray.models import ClusterModelRegistry
from hallascope.engine.sweep.ray.worker import (
    Fitness,
    PackedRequests,
    Worker,
    pack,
    portable_error,
    unpack,
)
from hallascope.engine.sweep.runner import SweepEnded
from tests.engine.storage.test_killed import rows
from tests.support.fake_cluster import FakeCluster, FakeWorker, echoes
from tests.support.scripted import Scripted
from tests.support.sweep_services import SPEC, World

ONE, TWO = ClusterNode("1", "one", 1), ClusterNode("2", "two", 1)
FOUR = [ClusterNode(str(n), "a node", 2) for n in range(4)]


def model(name: str, kind: str = "trained", memory_gb: float | None = None) -> ModelSpec:
    return ModelSpec(
        id=name,
        title=f"Model {name}",
        roles=("writer",),
        backend="scripted",
        kind=kind,  # type: ignore[arg-type]
        memory_gb=memory_gb,
    )


def ask(bound: BoundModel, *texts: str) -> list[Reply]:
    return list(bound.call([Write(text) for text in texts], lambda step, steps: None))


def answers(bound: BoundModel, count: int) -> list[str]:
    """What a driver gets for that many different requests, in order."""

    def plan(text: str):  # type: ignore[no-untyped-def]
        replies = yield [Write(text)]
        return replies[0]

    runner = Driver()
    for number in range(count):
        runner.add(number, plan(str(number)), {"writer": bound})
    ends = {each.key: each.result for each in runner.events() if isinstance(each, PlanResult)}
    return [getattr(ends[number], "text", "lost") for number in range(count)]


@pytest.mark.parametrize(
    "nodes, names, most, expected",
    [
        ((ONE,), "abc", None, [1, 1, 1]),
        (FOUR, "ab", None, [4, 4]),
        (FOUR, "ab", 3, [3, 3]),
    ],
)
def test_models_share_the_processors_and_each_has_a_worker(
    nodes: Sequence[ClusterNode], names: str, most: int | None, expected: list[int]
) -> None:
    models = FakeCluster(*nodes).models(most)
    specs = [model(name) for name in names]
    for spec in specs:
        assert models.find(spec).reason == ""
    assert [models.bind(spec).limits.concurrency for spec in specs] == expected


def test_too_few_accelerators_are_shared() -> None:
    cluster = FakeCluster(ClusterNode("1", "one", 8, 2.0))
    models = cluster.models()
    for each in [models.bind(model(name, "local", memory_gb=8.0)) for name in "abcd"]:
        ask(each, "x")
    assert [worker.gpus for worker in cluster.started] == [0.5] * 4
    models.close()
    assert cluster.closed
    assert all(worker.ended for worker in cluster.started)


def test_a_request_that_ends_every_worker_it_is_asked_of_fails_alone() -> None:
    def says(worker: FakeWorker, requests: Sequence[Request]) -> list[Reply]:
        if Write("3") in requests:
            raise WorkerLost("its process ended")
        return echoes(worker, requests)

    bound = FakeCluster(ONE, says=says).models().bind(model("w"))
    expected = [f"w to {number}" for number in range(5)]
    expected[3] = "lost"
    assert answers(bound, 5) == expected
    with pytest.raises(Transient, match="lost on the cluster") as error:
        ask(bound, "3")
    assert (error.value.kind, error.value.retry_after) == ("timeout", 0.0)


def test_a_model_that_can_run_on_no_node_says_so_before_anything_is_started() -> None:
    reason = "it needs an NVIDIA GPU and none was found"
    cluster = FakeCluster(ONE, TWO, fit={("w", "1"): Fitness(reason), ("w", "2"): Fitness(reason)})
    models = cluster.models()
    told = f"Model w can run on no node of the cluster: on one (and 1 more), {reason}"
    assert models.find(model("w")).reason == told
    with pytest.raises(Unavailable, match="on one"):
        models.bind(model("w"))
    assert not cluster.started


def test_another_version_of_a_model_on_another_node_is_not_asked() -> None:
    fit = {("w", "1"): Fitness(revision="a"), ("w", "2"): Fitness(revision="b")}
    cluster = FakeCluster(ONE, TWO, fit=fit)
    bound = cluster.models().bind(model("w"))
    assert (bound.revision, bound.limits.concurrency) == ("a", 1)
    answers(bound, 5)
    assert {worker.node for worker in cluster.started} == {ONE}


NODES = ClusterNode("1", "one", 2), ClusterNode("2", "two", 2)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    world = World(tmp_path_factory.mktemp("undisturbed") / "home")
    world.run()
    world.close()
    return rows(world.store)


def joined(world: World, chance: random.Random | None = None) -> None:
    """Put the models of a world onto a pretended cluster.

    With a `chance` one call in eight ends a worker, or its node.
    """
    given = world.services.registry.preloaded_backends()

    def says(worker: FakeWorker, requests: Sequence[Request]) -> list[Reply]:
        fate = chance.random() if chance else 1.0
        if fate < 0.03 and len(cluster.there) > 1 and worker.node in cluster.there:
            cluster.there.remove(worker.node)
        elif fate < 0.06:
            cluster.there[:] = NODES
        if fate < 0.12:
            raise WorkerLost("its process ended")
        return roles.call(given[worker.model], requests, lambda step, steps: None)

    fit = {
        (name, node.id): Fitness(None, model.revision, model.limits)
        for name, model in given.items()
        for node in NODES
    }
    cluster = FakeCluster(*NODES, says=says, fit=fit)
    world.services.registry = ClusterModelRegistry(
        ModelRegistry(world.services.registry.specs), cluster.models()
    )


def swept(world: World) -> SweepEnded:
    *_, end = world.sweep(SPEC).events()
    assert isinstance(end, SweepEnded)
    return end


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.full) for seed in range(1, 6))]
)
def test_a_sweep_whose_workers_and_nodes_are_lost_at_random_loses_nothing_and_doubles_nothing(
    undisturbed: list[Any], tmp_path: Path, seed: int
) -> None:
    world, chance = World(tmp_path / "home"), random.Random(seed)
    for _ in range(5):
        joined(world, chance)
        if not swept(
            world
        ).failed:  # what was lost more often than it is tried is asked again by the same command
            break
    assert rows(world.store) == undisturbed
    world.close()


WRITER = ModelSpec(
    id="scripted/writer", title="The writer", roles=("writer",), backend="scripted", revision="7"
)


@pytest.mark.parametrize(
    "error",
    [
        Transient("Too many.", "rate_limited", 3.0, True, Usage(5, 2)),
        Denied("No key: give one."),
    ],
)
def test_an_error_of_ours_is_the_same_after_the_way(error: HallaScopeError) -> None:
    arrived = pickle.loads(pickle.dumps(portable_error(error)))
    assert type(arrived) is type(error)
    assert str(arrived) == str(error)
    for name in ("kind", "retry_after", "may_be_charged", "usage"):
        assert getattr(arrived, name, None) == getattr(error, name, None)


def test_a_worker_loads_its_model_once_and_returns_what_it_raises(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loaded: list[ModelSpec] = []

    def load(spec: ModelSpec) -> Scripted:
        loaded.append(spec)
        return Scripted(spec, lambda request: request.text.upper())

    def fail(spec: ModelSpec) -> Scripted:
        raise ValueError("bad\n" + "x" * 500)

    own = Worker(WRITER)
    monkeypatch.setattr(registry, "load", load)
    assert own.ask(pack([Write("a"), Write("b")])) == [Answer("A"), Answer("B")]
    assert own.ask(pack([Write("c")])) == [Answer("C")]
    assert loaded == [WRITER]
    monkeypatch.setattr(registry, "load", fail)
    raised = Worker(WRITER).ask(pack([Write("a")]))
    assert type(raised) is RuntimeError
    assert str(raised) == f"ValueError: bad {'x' * 196}"


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


def test_every_sort_of_request_arrives_as_it_was_sent(tmp_path: Path) -> None:
    one = replace(picture(tmp_path, b"one"), is_drawn=True)
    two = picture(tmp_path, b"two")
    box = Box(0.1, 0.1, 0.5, 0.5)
    sent: list[Request] = [
        Ask(images=(one, two), text="What?", question="What?", choices=("a", "b")),
        Describe(one, "Say.", box),
        Write("Write."),
        Generate("a cat", 1, references=(two,)),
        Detect(one, ("cat",)),
        Segment(two, (box,)),
        Embed(one),
        Embed(text="a cat"),
        Match(two, "a cat"),
        ReadText(one),
    ]
    there = tmp_path / "there"
    there.mkdir()
    came = unpack(pack(sent), there)
    assert [key(request, "m", "1", {}) for request in came] == [
        key(request, "m", "1", {}) for request in sent
    ]
    assert isinstance(came[0], Ask)
    assert [image.path.read_bytes() for image in came[0].images] == [b"one", b"two"]
    assert [image.is_drawn for image in came[0].images] == [True, False]
    assert all(there in image.path.parents for image in came[0].images)


def test_an_image_that_comes_with_other_bytes_is_refused(tmp_path: Path) -> None:
    sent = picture(tmp_path, b"one")
    with pytest.raises(ValueError, match="came with other bytes"):
        unpack(PackedRequests((Embed(sent),), {sent.sha256: b"two"}), tmp_path)
