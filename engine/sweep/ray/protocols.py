"""What a cluster is to those who use it: nodes, and workers that are started on them.

It knows no library.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Reply, Request
from hallascope.engine.sweep.ray.scheduling import ClusterNode, WorkerPlacement
from hallascope.engine.sweep.ray.worker import Fitness, RemoteError

OnWait = Callable[[], object]


class WorkerLost(Exception):
    """A worker is no more: its process or its node died, or it could not be started.

    The message says what is known.
    """


class WorkerHandle(Protocol):
    """One worker of a model, on a node. `on_wait` is called while it works, and may raise."""

    def load(self, on_wait: OnWait) -> RemoteError | None:
        """Load the model. Raises Lost."""

    def ask(self, requests: Sequence[Request], on_wait: OnWait) -> list[Reply] | RemoteError:
        """One reply a request, in order. Raises Lost."""

    def end(self) -> None:
        """Stop it; what it took is free."""


class Cluster(Protocol):
    """Machines on which workers are started."""

    def nodes(self) -> list[ClusterNode]:
        """Those that are there now. Raises Unavailable where the cluster is gone."""

    def fitness(
        self, specs: Sequence[ModelSpec], nodes: Sequence[ClusterNode]
    ) -> dict[tuple[str, str], Fitness]:
        """Whether each model can run on each node, by the ids of both."""

    def start(
        self, spec: ModelSpec, place: WorkerPlacement, at_once: int, on_wait: OnWait
    ) -> WorkerHandle:
        """Start a worker that takes `at_once` calls at a time. Raises Lost."""

    def close(self) -> None:
        """Leave it."""
