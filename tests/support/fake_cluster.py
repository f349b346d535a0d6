"""A cluster in this process, whose nodes and workers do what a test says."""

from collections.abc import Callable, Sequence

from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Answer, Reply, Request
from hallascope.engine.sweep.ray.protocols import OnWait, WorkerLost
from hallascope.engine.sweep.ray.scheduling import ClusterNode, WorkerPlacement
from hallascope.engine.sweep.ray.worker import Fitness, RemoteError

Says = Callable[["FakeWorker", Sequence[Request]], list[Reply] | RemoteError]


def echoes(worker: "FakeWorker", requests: Sequence[Request]) -> list[Reply]:
    return [
        Answer(f"{worker.placement.model} to {getattr(request, 'text', '')}")
        for request in requests
    ]


class FakeWorker:
    def __init__(
        self, cluster: "FakeCluster", placement: WorkerPlacement, concurrency: int
    ) -> None:
        self.cluster, self.placement, self.concurrency = cluster, placement, concurrency
        self.ended = False

    def load(self, on_wait: OnWait) -> RemoteError | None:
        return self.cluster.loading(self, on_wait)

    def ask(self, requests: Sequence[Request], on_wait: OnWait) -> list[Reply] | RemoteError:
        if self.placement.node not in self.cluster.there:
            raise WorkerLost("its node died")
        return self.cluster.says(self, requests)

    def end(self) -> None:
        self.ended = True


class FakeCluster:
    """`fit` by model and node, where it is not plainly fit.

    `started` are all workers there ever were.
    """

    def __init__(
        self,
        *nodes: ClusterNode,
        says: Says = echoes,
        fit: dict[tuple[str, str], Fitness] | None = None,
    ) -> None:
        self.there, self.says, self.fit = list(nodes), says, fit or {}
        self.started: list[FakeWorker] = []
        self.closed = False
        self.loading: Callable[[FakeWorker, OnWait], RemoteError | None] = lambda worker, on_wait: (
            None
        )

    def nodes(self) -> list[ClusterNode]:
        return list(self.there)

    def fitness(
        self, specs: Sequence[ModelSpec], nodes: Sequence[ClusterNode]
    ) -> dict[tuple[str, str], Fitness]:
        return {
            (spec.id, node.id): self.fit.get((spec.id, node.id), Fitness(revision="1"))
            for spec in specs
            for node in nodes
        }

    def start(
        self, spec: ModelSpec, placement: WorkerPlacement, concurrency: int, on_wait: OnWait
    ) -> FakeWorker:
        if placement.node not in self.there:
            raise WorkerLost("its node died")
        self.started.append(FakeWorker(self, placement, concurrency))
        return self.started[-1]

    def close(self) -> None:
        self.closed = True
