"""Which model stands on which node of a cluster: what each takes, and how the room is dealt out.

It starts nothing and asks nobody.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hallascope.data.models.specs import ModelSpec

GB = 10**9
ASKING = 0.2  # of a processor, for a worker that only asks a service


class ClusterNode(NamedTuple):
    """A machine of the cluster: its id, its name, processors, accelerators and memory bytes."""

    id: str
    name: str
    cpus: float
    gpus: float = 0.0
    memory: float = 0.0


class ResourceNeed(NamedTuple):
    """What one worker takes of a node.

    `single`: a second one on the same node would be of no use.
    """

    cpus: float
    gpus: float = 0.0
    memory: float = 0.0
    single: bool = False


class WorkerPlacement(NamedTuple):
    """Room that was taken for one worker of a model."""

    model: str
    node: ClusterNode
    need: ResourceNeed


def need(spec: ModelSpec, accelerated: bool) -> ResourceNeed:
    """What a worker of the model takes, by its entry.

    `accelerated`: there are nodes with an accelerator.

    A service is asked with many calls at once from each node, so one worker a node is enough.
    """
    if spec.kind == "api":
        return ResourceNeed(ASKING, single=True)
    if spec.kind == "local" and spec.memory_gb and accelerated:
        return ResourceNeed(1, gpus=1)
    return ResourceNeed(1, memory=(spec.memory_gb or 0) * GB)


def share_accelerators(
    needs: Mapping[str, ResourceNeed], nodes: Iterable[ClusterNode]
) -> dict[str, ResourceNeed]:
    """Share too few accelerators equally: each need gets an equal part of one.

    Where there are enough, needs stay the same.
    """
    gpus = sum(math.floor(node.gpus) for node in nodes)
    wanting = sum(one.gpus > 0 for one in needs.values())
    share = 1 / math.ceil(wanting / gpus) if gpus and wanting > gpus else 1.0
    return {model: one._replace(gpus=share) if one.gpus else one for model, one in needs.items()}


@dataclass
class ClusterCapacity:
    """What is taken of each node."""

    taken: list[WorkerPlacement]

    def free_resources(self, node: ClusterNode) -> tuple[float, float, float]:
        """Accelerators, processors and memory of the node that nobody has."""
        on = [place.need for place in self.taken if place.node.id == node.id]
        return (
            node.gpus - sum(one.gpus for one in on),
            node.cpus - sum(one.cpus for one in on),
            node.memory - sum(one.memory for one in on),
        )

    def fits(self, model: str, wanted: ResourceNeed, node: ClusterNode) -> bool:
        gpus, cpus, memory = self.free_resources(node)
        there = any(place.model == model and place.node.id == node.id for place in self.taken)
        return (
            wanted.gpus <= gpus + 1e-6
            and wanted.cpus <= cpus + 1e-6
            and wanted.memory <= memory
            and not (wanted.single and there)
        )

    def best(
        self, model: str, wanted: ResourceNeed, nodes: Sequence[ClusterNode]
    ) -> ClusterNode | None:
        """The node with the most room, of those in which it fits."""
        able = [node for node in nodes if self.fits(model, wanted, node)]
        return max(able, key=self.free_resources, default=None)

    def count(self, model: str) -> int:
        return sum(place.model == model for place in self.taken)

    def squeezed(
        self, model: str, wanted: ResourceNeed, nodes: Sequence[ClusterNode]
    ) -> WorkerPlacement | None:
        """A place on a node whose processors are all taken, for a model that would have none.

        Never on a full accelerator.
        """
        able = [node for node in nodes if self.fits(model, wanted._replace(cpus=0), node)]
        node = max(able, key=self.free_resources, default=None)
        return (
            WorkerPlacement(
                model,
                node,
                wanted._replace(cpus=max(0.0, min(wanted.cpus, self.free_resources(node)[1]))),
            )
            if node
            else None
        )


def worker_counts(
    needs: Mapping[str, ResourceNeed],
    nodes: Mapping[str, Sequence[ClusterNode]],
    most: int | None = None,
) -> Counter[str]:
    """Return how many workers each model may have: one each, then more while there is room.

    There is room on the nodes that can run it.

    `nodes` by model; `most` is the largest number for any of them.
    """
    room = ClusterCapacity([])
    going = list(needs)
    while going:
        going = [
            model for model in going if _one_more(room, model, needs[model], nodes[model], most)
        ]
    return Counter({model: max(1, room.count(model)) for model in needs})


def _one_more(
    room: ClusterCapacity,
    model: str,
    wanted: ResourceNeed,
    nodes: Sequence[ClusterNode],
    most: int | None,
) -> bool:
    node = room.best(model, wanted, nodes)
    if node is None or (most is not None and room.count(model) >= most):
        return False
    room.taken.append(WorkerPlacement(model, node, wanted))
    return True
