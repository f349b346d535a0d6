"""The models of a cluster: each gets its share, what is lost is asked of another, what cannot run
says why.
"""

from collections.abc import Sequence

import pytest

from hallascope.backends.base import Transient, Unavailable
from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Answer, Reply, Request, Write
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.run.driver import Driver
from hallascope.engine.run.driver_events import PlanResult
from hallascope.engine.sweep.ray.cluster import ClusterNode, WorkerLost
from hallascope.engine.sweep.ray.worker import Fitness, RemoteError
from tests.support.fake_cluster import FakeCluster, FakeWorker, echoes

ONE, TWO = ClusterNode("1", "one", 1), ClusterNode("2", "two", 1)


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
    ("nodes", "names", "most", "expected"),
    [
        ((ONE,), "abc", None, [1, 1, 1]),
        ([ClusterNode(str(n), "a node", 2) for n in range(4)], "ab", None, [4, 4]),
        ([ClusterNode(str(n), "a node", 2) for n in range(4)], "ab", 3, [3, 3]),
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


@pytest.mark.parametrize(("gpus", "share"), [(4.0, 1.0), (2.0, 0.5), (1.0, 1 / 3)])
def test_too_few_accelerators_are_shared(gpus: float, share: float) -> None:
    cluster = FakeCluster(ClusterNode("1", "one", 8, gpus))
    models = cluster.models()
    bound = [models.bind(model(name, "local", memory_gb=8.0)) for name in "abc"]
    for each in bound:
        ask(each, "x")
    assert [worker.gpus for worker in cluster.started] == [share] * 3


def test_what_a_node_that_dies_was_asked_is_asked_of_another_and_nothing_is_lost() -> None:
    count = 0

    def says(worker: FakeWorker, requests: Sequence[Request]) -> list[Reply]:
        nonlocal count
        count += 1
        if count == 8 and worker.node in cluster.there and len(cluster.there) == 2:
            cluster.there.remove(worker.node)
            raise WorkerLost("its node died")
        return echoes(worker, requests)

    cluster = FakeCluster(ONE, TWO, says=says)
    bound = cluster.models().bind(model("w"))
    assert answers(bound, 30) == [f"w to {number}" for number in range(30)]
    assert len(cluster.there) == 1
    assert all(worker.ended for worker in cluster.started if worker.node not in cluster.there)


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


def test_what_a_model_raises_is_raised_here() -> None:
    damaged = RemoteError(message="Its weights are damaged: fetch them again.", sort="lasting")
    bound = FakeCluster(ONE, says=lambda worker, requests: damaged).models().bind(model("w"))
    with pytest.raises(Exception, match=r"^Its weights are damaged"):
        ask(bound, "x")


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


def test_closing_ends_every_worker_and_leaves_the_cluster() -> None:
    cluster = FakeCluster(ONE)
    models = cluster.models()
    assert ask(models.bind(model("w")), "x") == [Answer("w to x")]
    models.close()
    assert cluster.closed
    assert [worker.ended for worker in cluster.started] == [True]
