"""Plans how models share a cluster: what a worker needs, how many there are, on which node each is.

Ray reserves the resources; the plan is made here because Ray knows neither on which nodes a model
can run nor a fair share between models, and leaves what has no room pending instead of waiting for
an idle worker or squeezing a first one in.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from hallascope.data.models.specs import ModelSpec

GB = 10**9
SERVICE_CPUS = 0.2  # the share of a CPU for a worker that only calls a service
_ROUNDING = 1e-6  # thirds of an accelerator add up to a little more than one


class ClusterNode(NamedTuple):
    """Describes a machine of the cluster: processors, accelerators and memory in bytes."""

    id: str
    name: str
    cpus: float
    gpus: float = 0.0
    memory: float = 0.0


class ResourceNeed(NamedTuple):
    """Holds what one worker takes of a node.

    `single`: a second one on the same node would be of no use.
    """

    cpus: float
    gpus: float = 0.0
    memory: float = 0.0
    single: bool = False


class WorkerPlacement(NamedTuple):
    """Holds the resources that one worker of a model takes on a node."""

    model: str
    node: ClusterNode
    need: ResourceNeed


def worker_need(spec: ModelSpec, has_accelerators: bool) -> ResourceNeed:
    """Return what a worker of the model takes, by its entry.

    `has_accelerators`: there are nodes with one.

    A service is asked with many calls at once from each node, so one worker a node is enough.
    """
    if spec.kind == "api":
        return ResourceNeed(SERVICE_CPUS, single=True)
    if spec.kind == "local" and spec.memory_gb and has_accelerators:
        return ResourceNeed(1, gpus=1)
    return ResourceNeed(1, memory=(spec.memory_gb or 0) * GB)


def share_accelerators(
    needs: Mapping[str, ResourceNeed], nodes: Iterable[ClusterNode]
) -> dict[str, ResourceNeed]:
    """Share too few accelerators equally: each need gets an equal part of one.

    Where there are enough, needs stay the same.
    """
    gpus = sum(math.floor(node.gpus) for node in nodes)
    models = sum(need.gpus > 0 for need in needs.values())
    share = 1 / math.ceil(models / gpus) if gpus and models > gpus else 1.0
    return {
        model: need._replace(gpus=share) if need.gpus else need for model, need in needs.items()
    }


@dataclass
class ClusterCapacity:
    """Keeps the workers' placements, and finds room for one more."""

    placements: list[WorkerPlacement] = field(default_factory=list)

    def free_resources(self, node: ClusterNode) -> tuple[float, float, float]:
        """Return the accelerators, processors and bytes of memory that no worker has."""
        needs = [place.need for place in self.placements if place.node.id == node.id]
        return (
            node.gpus - sum(need.gpus for need in needs),
            node.cpus - sum(need.cpus for need in needs),
            node.memory - sum(need.memory for need in needs),
        )

    def count(self, model: str) -> int:
        return sum(place.model == model for place in self.placements)

    def place(
        self, model: str, need: ResourceNeed, nodes: Sequence[ClusterNode]
    ) -> WorkerPlacement | None:
        """Place a worker on the node with the most room; None where it fits on none."""
        node = self._roomiest(model, need, nodes)
        return self._add(model, node, need) if node else None

    def place_without_cpus(
        self, model: str, need: ResourceNeed, nodes: Sequence[ClusterNode]
    ) -> WorkerPlacement | None:
        """Place a worker on a node whose processors are all taken, with what is left of them.

        It is for a model that would have no worker at all. None where no node has the accelerator
        and the memory for it.
        """
        node = self._roomiest(model, need._replace(cpus=0), nodes)
        if node is None:
            return None
        _, free_cpus, _ = self.free_resources(node)
        return self._add(model, node, need._replace(cpus=max(0.0, min(need.cpus, free_cpus))))

    def _add(self, model: str, node: ClusterNode, need: ResourceNeed) -> WorkerPlacement:
        placement = WorkerPlacement(model, node, need)
        self.placements.append(placement)
        return placement

    def _roomiest(
        self, model: str, need: ResourceNeed, nodes: Sequence[ClusterNode]
    ) -> ClusterNode | None:
        fitting = [node for node in nodes if self._fits(model, need, node)]
        return max(fitting, key=self.free_resources, default=None)

    def _fits(self, model: str, need: ResourceNeed, node: ClusterNode) -> bool:
        if need.single and any(
            place.model == model and place.node.id == node.id for place in self.placements
        ):
            return False
        gpus, cpus, memory = self.free_resources(node)
        return (
            need.gpus <= gpus + _ROUNDING
            and need.cpus <= cpus + _ROUNDING
            and need.memory <= memory
        )


def worker_counts(
    needs: Mapping[str, ResourceNeed],
    nodes: Mapping[str, Sequence[ClusterNode]],
    most: int | None = None,
) -> Counter[str]:
    """Return how many workers each model may have: one each, then more in turn while there is room.

    `nodes` by model are those that can run it; `most` is the largest number for any model.
    """
    capacity = ClusterCapacity()
    growing = list(needs)
    while growing:
        growing = [
            model
            for model in growing
            if (most is None or capacity.count(model) < most)
            and capacity.place(model, needs[model], nodes[model])
        ]
    return Counter({model: max(1, capacity.count(model)) for model in needs})
