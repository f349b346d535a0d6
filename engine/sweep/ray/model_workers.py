"""Keeps what is known of one model on a cluster: where it can run, and its workers."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hallascope.backends.base import CallLimits
from hallascope.data.models.specs import ModelSpec
from hallascope.engine.sweep.ray.protocols import WorkerHandle
from hallascope.engine.sweep.ray.scheduling import ClusterNode, WorkerPlacement
from hallascope.engine.sweep.ray.worker import Fitness

# a node is given up for a model once so many different requests have lost a worker there, none
# answered in between
MAX_LOSSES = 3


@dataclass(eq=False)
class PooledWorker:
    """Holds a started worker, its placement, and how many calls are with it."""

    handle: WorkerHandle
    placement: WorkerPlacement
    busy: int = 0


@dataclass(eq=False, kw_only=True)
class ModelWorkers:
    """Keeps a model's workers, of which more are `starting`, and its fitness by the node's id."""

    spec: ModelSpec
    fitness: dict[str, Fitness] = field(default_factory=dict)
    workers: list[PooledWorker] = field(default_factory=list)
    starting: int = 0
    losses: dict[str, list[object]] = field(default_factory=dict)
    _first_fit: Fitness | None = None

    @property
    def limits(self) -> CallLimits:
        return self._first_fit.limits if self._first_fit else CallLimits()

    @property
    def revision(self) -> str:
        return self._first_fit.revision if self._first_fit else ""

    def add_fitness(self, by_node: Mapping[str, Fitness]) -> None:
        """Note the fitness of nodes. A node with another version than the first one is unfit."""
        for node, fitness in by_node.items():
            if fitness.reason is None:
                self._first_fit = self._first_fit or fitness
                if fitness.revision != self.revision:
                    fitness = Fitness(
                        f"its version there is {fitness.revision!r}, and {self.revision!r}"
                        " elsewhere; fetch the same one on every node."
                    )
            self.fitness[node] = fitness

    def fit_nodes(self, nodes: Mapping[str, ClusterNode]) -> list[ClusterNode]:
        """Return those of the nodes on which the model can run."""
        return [
            node
            for name, node in nodes.items()
            if name in self.fitness and self.fitness[name].reason is None
        ]

    def idlest(self) -> PooledWorker | None:
        """Return the worker with the fewest calls, where it may take one more."""
        worker = min(self.workers, key=lambda worker: worker.busy, default=None)
        return worker if worker and worker.busy < self.limits.concurrency else None

    def record_loss(self, node: ClusterNode, reason: str, cause: object) -> bool:
        """Note that a worker was lost on the node, and the request or placement that it was about.

        Return whether the node is given up. A cause counts once: a request that ends every worker
        is not the fault of the node.
        """
        causes = self.losses.setdefault(node.id, [])
        if not any(known is cause for known in causes):
            causes.append(cause)
        if len(causes) < MAX_LOSSES:
            return False
        self.fitness[node.id] = Fitness(
            f"{MAX_LOSSES} of its workers ended there ({reason}); see that there is memory enough."
        )
        return True

    def unfit_reason(self, nodes: Mapping[str, ClusterNode]) -> str | None:
        """Return why it can run on none of the nodes: the first one's reason, and of how many more.

        None where there is no node, or it can run on one.
        """
        reasons = [
            (node.name, self.fitness[name].reason)
            for name, node in nodes.items()
            if name in self.fitness
        ]
        if not reasons or not all(reason for _, reason in reasons):
            return None
        node_name, reason = reasons[0]
        more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
        return (
            f"{self.spec.title} can run on no node of the cluster: on {node_name}{more}, {reason}"
        )
