"""Executes a sweep with models on a Ray cluster; the work is the same as on this machine."""

from collections.abc import Iterator
from dataclasses import replace

from hallascope.engine.events import Event
from hallascope.engine.models.registry import ModelBinder
from hallascope.engine.sweep.executors import ExecutorContext, WorkItem
from hallascope.engine.sweep.local_executor import LocalExecutor
from hallascope.engine.sweep.ray.cluster import RayCluster
from hallascope.engine.sweep.ray.models import ClusterModelRegistry, ClusterModels


class ClusterExecutor:
    """Executes a sweep on a cluster, with a window for each of its nodes.

    It is a `hallascope.engine.sweep.executors.SweepExecutor`. Plans, cache, budget and store stay
    in this process, so that a node that dies takes no result with it.
    """

    def __init__(self, context: ExecutorContext) -> None:
        registry = context.bind.registry if isinstance(context.bind, ModelBinder) else None
        if isinstance(registry, ClusterModelRegistry):
            self._models = registry.cluster_models
        else:
            models = self._models = ClusterModels(RayCluster(context.address))
            context = replace(context, bind=lambda name: models.bind(context.spec(name)))
        self._context = context

    def run(self, work: Iterator[WorkItem]) -> Iterator[Event]:
        """Yield everything that happens; closing it, or its end, ends the workers."""
        window = self._context.window * max(1, len(self._models.nodes))
        try:
            yield from LocalExecutor(replace(self._context, window=window)).run(work)
        finally:
            self._models.close()
