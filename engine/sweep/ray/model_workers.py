"""A model on a cluster: where it can run, and its workers; it starts none and asks none."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hallascope.backends.base import CallLimits
from hallascope.data.models.specs import ModelSpec
from hallascope.engine.sweep.ray.protocols import WorkerHandle
from hallascope.engine.sweep.ray.scheduling import ClusterNode, WorkerPlacement
from hallascope.engine.sweep.ray.worker import Fitness

# different requests with which a node loses its worker, none answered in between, before it is not
# asked again
LOSSES = 3


@dataclass(eq=False)
class PooledWorker:
    """A worker in its place; `busy` calls are with it."""

    hand: WorkerHandle
    place: WorkerPlacement
    busy: int = 0


@dataclass(eq=False, kw_only=True)
class ModelWorkers:
    """A model and its workers.

    `fit` is what is known of it on each node, by the node's id; `starting` workers are on their
    way.
    """

    spec: ModelSpec
    fit: dict[str, Fitness] = field(default_factory=dict)
    workers: list[PooledWorker] = field(default_factory=list)
    starting: int = 0
    losses: dict[str, list[object]] = field(default_factory=dict)
    _first: Fitness | None = None

    @property
    def limits(self) -> CallLimits:
        return self._first.limits if self._first else CallLimits()

    @property
    def revision(self) -> str:
        return self._first.revision if self._first else ""

    def know(self, found: Mapping[str, Fitness]) -> None:
        """What nodes say of the model.

        Another version of it than on the first would be another model.
        """
        for node, one in found.items():
            if one.reason is None:
                self._first = self._first or one
            other = one.reason is None and one.revision != self.revision
            said = (
                f"its version there is {one.revision!r}, and {self.revision!r} elsewhere; fetch the"
                " same one on every node."
            )
            self.fit[node] = Fitness(said) if other else one

    def able_nodes(self, nodes: Mapping[str, ClusterNode]) -> list[ClusterNode]:
        """Those of the nodes on which it can run."""
        return [
            node
            for name, node in nodes.items()
            if name in self.fit and self.fit[name].reason is None
        ]

    def idlest(self) -> PooledWorker | None:
        """The worker with the least to do, where it has room for one more call."""
        found = min(self.workers, key=lambda one: one.busy, default=None)
        return found if found and found.busy < self.limits.concurrency else None

    def lost(self, node: ClusterNode, why: str, about: object) -> bool:
        """Note that a worker was lost there, with what it was asked.

        True where the node is not to be asked again.

        A request that ends every worker it is asked of is not the fault of the node.
        """
        found = self.losses.setdefault(node.id, [])
        if not any(one is about for one in found):
            found.append(about)
        if len(found) < LOSSES:
            return False
        self.fit[node.id] = Fitness(
            f"{LOSSES} of its workers ended there ({why}); see that there is memory enough."
        )
        return True

    def unfit_reason(self, nodes: Mapping[str, ClusterNode]) -> str | None:
        """Why it can run on none of the nodes: the first one's reason, and of how many more.

        None where there is none, or it can.
        """
        said = [
            (node.name, self.fit[name].reason) for name, node in nodes.items() if name in self.fit
        ]
        if not said or not all(reason for _, reason in said):
            return None
        more = f" (and {len(said) - 1} more)" if len(said) > 1 else ""
        return (
            f"{self.spec.title} can run on no node of the cluster: on {said[0][0]}{more},"
            f" {said[0][1]}"
        )
