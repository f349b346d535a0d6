"""A cluster in this process, whose nodes and workers do what a test says."""

from collections.abc import Callable, Sequence
from typing import Any, cast

from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Answer, Reply, Request
from hallascope.engine.sweep.ray.cluster import ClusterNode, OnWait, WorkerLost
from hallascope.engine.sweep.ray.models import ClusterModels
from hallascope.engine.sweep.ray.worker import Fitness

Says = Callable[["FakeWorker", Sequence[Request]], list[Reply] | Exception]


def echoes(worker: "FakeWorker", requests: Sequence[Request]) -> list[Reply]:
    return [Answer(f"{worker.model} to {getattr(request, 'text', '')}") for request in requests]


class FakeWorker:
    def __init__(self, cluster: "FakeCluster", model: str, node: ClusterNode, gpus: float) -> None:
        self.cluster, self.model, self.node, self.gpus = cluster, model, node, gpus
        self.ended = False

    def ask(self, requests: Sequence[Request], on_wait: OnWait) -> list[Reply] | Exception:
        if self.node not in self.cluster.there:
            raise WorkerLost("its node died")
        return self.cluster.says(self, requests)

    def end(self) -> None:
        self.ended = True


class FakeCluster:
    """`fit` by model and node, where it is not plainly fit.

    `started` are all workers there ever were; they take the nodes in turns.
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

    def models(self, most: int | None = None) -> ClusterModels:
        return ClusterModels(cast(Any, self), most)

    def nodes(self) -> list[ClusterNode]:
        return list(self.there)

    def fitness(self, spec: ModelSpec, nodes: Sequence[ClusterNode]) -> list[Fitness]:
        return [self.fit.get((spec.id, node.id), Fitness(revision="1")) for node in nodes]

    def start(
        self, spec: ModelSpec, nodes: Sequence[ClusterNode], concurrency: int, gpus: float
    ) -> FakeWorker:
        alive = [node for node in nodes if node in self.there] or nodes
        node = alive[len(self.started) % len(alive)]
        self.started.append(FakeWorker(self, spec.id, node, gpus))
        return self.started[-1]

    def close(self) -> None:
        self.closed = True
