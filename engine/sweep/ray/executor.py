"""Executes a sweep with models on a Ray cluster; the work is the same as on this machine."""

from collections.abc import Iterator
from dataclasses import replace

from hallascope.backends.keys import ApiKeys
from hallascope.data.models.specs import ANY, ModelSpec
from hallascope.engine.events import Event
from hallascope.engine.models.registry import NO_KEYS, ModelBinder, ModelRegistry
from hallascope.engine.models.roles import BoundModel
from hallascope.engine.sweep.executors import ExecutorContext, WorkItem
from hallascope.engine.sweep.local_executor import LocalExecutor
from hallascope.engine.sweep.ray.cluster import RayCluster
from hallascope.engine.sweep.ray.worker_pool import WorkerPool


class ClusterModelRegistry(ModelRegistry):
    """Asks the nodes of a cluster whether a registry's models can run, and binds them there.

    What is loaded here already, and what needs a typed key, is called here.
    """

    def __init__(self, local: ModelRegistry, pool: WorkerPool) -> None:
        super().__init__(local.specs, local.preloaded_backends(), local.accuracies)
        self._local = local.preloaded_backends()
        self.worker_pool = pool

    def unavailable_reason(self, name: str, keys: ApiKeys = NO_KEYS) -> str | None:
        """Return why the model can run on no node, in one sentence; None: it can.

        Raises UnknownModel.
        """
        spec = self.spec(name)
        needs_typed_key = spec.key is not None and keys.is_session_key(spec.key)
        is_local = needs_typed_key or name in self._local or name.endswith(ANY)
        if is_local or spec.members:
            return super().unavailable_reason(name, keys)
        return self.worker_pool.unavailable_reason(spec)

    def binder(self, keys: ApiKeys = NO_KEYS) -> "ClusterModelBinder":
        return ClusterModelBinder(self, keys, self.worker_pool)

    def _new_binding(self, spec: ModelSpec) -> BoundModel:
        if spec.id in self._local:
            return super()._new_binding(spec)
        return self.worker_pool.bind(spec)


class ClusterModelBinder(ModelBinder):
    """Binds models on a cluster."""

    def __init__(self, registry: ModelRegistry, keys: ApiKeys, pool: WorkerPool) -> None:
        super().__init__(registry, keys)
        self.worker_pool = pool


class ClusterExecutor:
    """Executes a sweep on a cluster, with a window for each of its nodes.

    It is a `hallascope.engine.sweep.executors.SweepExecutor`.

    Plans, cache, budget and store stay in this process, so that a node that dies takes no result
    with it.
    """

    def __init__(self, context: ExecutorContext) -> None:
        if isinstance(context.bind, ClusterModelBinder):
            self._pool = context.bind.worker_pool
        else:
            pool = self._pool = WorkerPool(RayCluster(context.address))
            context = replace(context, bind=lambda name: pool.bind(context.spec(name)))
        self._context = context

    def run(self, work: Iterator[WorkItem]) -> Iterator[Event]:
        """Yield everything that happens; closing it, or its end, ends the workers."""
        window = self._context.window * max(1, len(self._pool.nodes))
        try:
            yield from LocalExecutor(replace(self._context, window=window)).run(work)
        finally:
            self._pool.close()
