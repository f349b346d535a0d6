"""The workers of a cluster: each model gets its share, what is lost is asked of another, what
cannot run says why.
"""

import threading
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

import pytest

from hallascope.backends.base import (
    CallLimits,
    Transient,
    Unavailable,
)
from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Answer, Reply, Request, Write
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.run.driver import Driver
from hallascope.engine.run.driver_events import PlanResult
from hallascope.engine.sweep.ray.model_workers import MAX_LOSSES
from hallascope.engine.sweep.ray.protocols import OnWait, WorkerLost
from hallascope.engine.sweep.ray.scheduling import ClusterNode
from hallascope.engine.sweep.ray.worker import Fitness, RemoteError
from hallascope.engine.sweep.ray.worker_pool import WorkerPool
from tests.support.fake_cluster import FakeCluster, FakeWorker, echoes

ONE, TWO = ClusterNode("1", "one", 1), ClusterNode("2", "two", 1)
WRITER = ModelSpec(
    id="w", title="The writer", roles=("writer",), backend="scripted", kind="trained"
)


def model(name: str) -> ModelSpec:
    return ModelSpec(id=name, title=name, roles=("writer",), backend="scripted", kind="trained")


def waits(step: int, steps: int) -> None:
    """Somebody still waits for the reply."""


def asked(bound: BoundModel, *texts: str) -> list[Reply]:
    return list(bound.call([Write(text) for text in texts], waits))


def answers(bound: BoundModel, count: int) -> Counter[str]:
    """What a driver gets for that many different requests."""

    def plan(text: str):  # type: ignore[no-untyped-def]
        replies = yield [Write(text)]
        return replies[0]

    runner = Driver()
    for number in range(count):
        runner.add(number, plan(str(number)), {"writer": bound})
    ends = [event for event in runner.events() if isinstance(event, PlanResult)]
    assert sorted(end.key for end in ends) == list(range(count))  # type: ignore[type-var]
    return Counter(
        end.result.text if isinstance(end.result, Answer) else end.result.kind for end in ends
    )


def every(count: int) -> Counter[str]:
    return Counter(f"w to {number}" for number in range(count))


def test_every_model_answers_from_a_worker_where_there_are_more_models_than_processors() -> None:
    cluster = FakeCluster(ONE)
    pool = WorkerPool(cluster)
    models = [pool.bind(model(name)) for name in "abc"]
    for bound in models:
        assert asked(bound, "x", "y") == [Answer(f"{bound.model} to {text}") for text in "xy"]
        assert bound.revision == "1"
    assert [worker.placement.model for worker in cluster.started] == ["a", "b", "c"]
    assert [worker.placement.need.cpus for worker in cluster.started] == [1, 0, 0]


def test_a_model_that_is_busy_gets_one_more_worker_on_each_node_and_no_more_than_fit() -> None:
    together, busy = threading.Barrier(2, timeout=20), Counter[FakeWorker]()

    def says(worker: FakeWorker, requests: Sequence[Request]) -> list[Reply]:
        busy[worker] += 1
        assert busy[worker] <= worker.concurrency
        together.wait()
        busy[worker] -= 1
        return echoes(worker, requests)

    cluster = FakeCluster(ONE, TWO, says=says)
    bound = WorkerPool(cluster).bind(WRITER)
    assert bound.limits == CallLimits(1, 2)
    assert answers(bound, 10) == every(10)
    assert {worker.placement.node for worker in cluster.started} == {ONE, TWO}
    assert len(cluster.started) == 2


def test_two_models_share_the_nodes_and_neither_takes_all_of_them() -> None:
    pool = WorkerPool(FakeCluster(*(ClusterNode(str(i), f"node {i}", 2) for i in range(4))))
    for name in "ab":
        assert pool.unavailable_reason(model(name)) is None
    assert [pool.bind(model(name)).limits.concurrency for name in "ab"] == [4, 4]


def test_what_a_node_that_dies_was_asked_is_asked_of_another_and_nothing_is_lost_or_doubled() -> (
    None
):
    together = threading.Barrier(2, timeout=20)
    count = 0

    def says(worker: FakeWorker, requests: Sequence[Request]) -> list[Reply]:
        nonlocal count
        if len(cluster.there) == 2:
            with suppress(threading.BrokenBarrierError):
                together.wait()
            count += 1
            if count > 8 and worker.placement.node == TWO:
                cluster.there.remove(TWO)
                together.abort()
                raise WorkerLost("its node died")
        return echoes(worker, requests)

    cluster = FakeCluster(ONE, TWO, says=says)
    assert answers(WorkerPool(cluster).bind(WRITER), 30) == every(30)
    assert all(worker.ended for worker in cluster.started if worker.placement.node == TWO)


def test_a_lost_call_counts_as_worked_so_that_a_service_that_charges_is_paid_in_the_account() -> (
    None
):
    def says(worker: FakeWorker, requests: Sequence[Request]) -> list[Reply]:
        raise WorkerLost("its node died")

    with pytest.raises(Transient, match="lost on the node one") as error:
        asked(WorkerPool(FakeCluster(ONE, says=says)).bind(WRITER), "x")
    assert (error.value.kind, error.value.retry_after) == ("timeout", 0.0)


def test_a_node_that_keeps_losing_workers_is_not_asked_again_and_the_sentence_says_why() -> None:
    def says(worker: FakeWorker, requests: Sequence[Request]) -> list[Reply]:
        raise WorkerLost("out of memory")

    cluster = FakeCluster(ONE, says=says)
    bound = WorkerPool(cluster).bind(WRITER)
    for number in range(MAX_LOSSES):
        with pytest.raises(Transient):
            asked(bound, f"question {number}")
    assert len(cluster.started) == MAX_LOSSES
    with pytest.raises(
        Unavailable,
        match=r"on no node of the cluster: on one, 3 of its workers ended there \(out of",
    ):
        asked(bound, "x")


def test_a_request_that_ends_every_worker_it_is_asked_of_fails_alone() -> None:
    def says(worker: FakeWorker, requests: Sequence[Request]) -> list[Reply]:
        if Write("3") in requests:
            raise WorkerLost("its process ended")
        return echoes(worker, requests)

    found = answers(WorkerPool(FakeCluster(ONE, says=says)).bind(WRITER), 9)
    assert found == every(9) - Counter(["w to 3"]) + Counter(["timeout"])


def test_a_model_that_can_run_on_no_node_says_so_in_one_sentence_before_anything_is_started() -> (
    None
):
    reason = "it needs an NVIDIA GPU and none was found"
    cluster = FakeCluster(ONE, TWO, fit={("w", "1"): Fitness(reason), ("w", "2"): Fitness(reason)})
    pool = WorkerPool(cluster)
    told = f"The writer can run on no node of the cluster: on one (and 1 more), {reason}"
    assert pool.unavailable_reason(WRITER) == told
    with pytest.raises(Unavailable, match="on one"):
        pool.bind(WRITER)
    assert not cluster.started


def test_a_model_that_fails_to_load_on_one_node_is_loaded_on_the_other_or_says_why() -> None:
    def damaged(worker: FakeWorker, on_wait: OnWait) -> RemoteError | None:
        return (
            RemoteError(message="Its weights are damaged: fetch them again.", sort="lasting")
            if worker.placement.node == ONE
            else None
        )

    cluster = FakeCluster(ONE, TWO)
    cluster.loading = damaged
    assert answers(WorkerPool(cluster).bind(WRITER), 3) == every(3)
    assert {worker.placement.node: worker.ended for worker in cluster.started} == {
        ONE: True,
        TWO: False,
    }

    cluster = FakeCluster(ONE)
    cluster.loading = damaged
    bound = WorkerPool(cluster).bind(WRITER)
    with pytest.raises(Unavailable, match="on one, Its weights are damaged: fetch them again"):
        asked(bound, "x")


def test_another_version_of_a_model_on_another_node_is_not_asked() -> None:
    fit = {("w", "1"): Fitness(revision="a"), ("w", "2"): Fitness(revision="b")}
    cluster = FakeCluster(ONE, TWO, fit=fit)
    bound = WorkerPool(cluster).bind(WRITER)
    assert (bound.revision, bound.limits.concurrency) == ("a", 1)
    answers(bound, 5)
    assert {worker.placement.node for worker in cluster.started} == {ONE}


def test_closing_ends_every_worker_and_leaves_the_cluster() -> None:
    cluster = FakeCluster(ONE)
    pool = WorkerPool(cluster)
    asked(pool.bind(WRITER), "x")
    pool.close()
    assert cluster.closed
    assert [worker.ended for worker in cluster.started] == [True]
