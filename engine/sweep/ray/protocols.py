"""Defines the protocol of a cluster: nodes, and workers that are started on them."""

from collections.abc import Callable, Sequence
from typing import Protocol

from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Reply, Request
from hallascope.engine.sweep.ray.scheduling import ClusterNode, WorkerPlacement
from hallascope.engine.sweep.ray.worker import Fitness, RemoteError

OnWait = Callable[[], object]


class WorkerLost(Exception):
    """Raised where a worker's process or node died, or it could not be started.

    The message says what is known.
    """


class WorkerHandle(Protocol):
    """Calls one worker of a model on a node. `on_wait` is called while it works, and may raise."""

    def load(self, on_wait: OnWait) -> RemoteError | None:
        """Load the model. Raises WorkerLost."""

    def ask(self, requests: Sequence[Request], on_wait: OnWait) -> list[Reply] | RemoteError:
        """Return one reply a request, in order. Raises WorkerLost."""

    def end(self) -> None:
        """Stop the worker and free its resources."""


class Cluster(Protocol):
    """Starts workers on nodes."""

    def nodes(self) -> list[ClusterNode]:
        """Return the nodes that are there now. Raises Unavailable where the cluster is gone."""

    def fitness(
        self, specs: Sequence[ModelSpec], nodes: Sequence[ClusterNode]
    ) -> dict[tuple[str, str], Fitness]:
        """Return whether each model can run on each node, by the ids of both."""

    def start(
        self, spec: ModelSpec, placement: WorkerPlacement, concurrency: int, on_wait: OnWait
    ) -> WorkerHandle:
        """Start a worker that takes so many calls at a time. Raises WorkerLost."""

    def close(self) -> None:
        """Leave the cluster."""
