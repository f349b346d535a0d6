"""Executes on a Ray cluster with bound models that are elsewhere; it prints nothing.

The work is the same as on this machine.
"""

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
    """Asks the nodes of a cluster whether a registry's models can run, and runs them there.

    What is loaded here already, and what needs a key that was typed in, is asked here.
    """

    def __init__(self, here: ModelRegistry, crew: WorkerPool) -> None:
        super().__init__(here.specs, here.preloaded())
        self._here = here.preloaded()
        self.crew = crew

    def unavailable_reason(self, name: str, keys: ApiKeys = NO_KEYS) -> str | None:
        """Why the model can run on no node, in one sentence; None: it can. Raises UnknownModel."""
        spec = self.spec(name)
        typed = spec.key is not None and keys.is_session_key(spec.key)
        return (
            super().unavailable_reason(name, keys)
            if typed or name in self._here or name.endswith(ANY)
            else self.crew.unavailable_reason(spec)
        )

    def binder(self, keys: ApiKeys = NO_KEYS) -> "ClusterModelBinder":
        return ClusterModelBinder(self, keys, self.crew)

    def _new_binding(self, spec: ModelSpec) -> BoundModel:
        return super()._new_binding(spec) if spec.id in self._here else self.crew.seat(spec)


class ClusterModelBinder(ModelBinder):
    """Seats on a cluster."""

    def __init__(self, roster: ModelRegistry, keys: ApiKeys, crew: WorkerPool) -> None:
        super().__init__(roster, keys)
        self.crew = crew


class ClusterExecutor:
    """Executes a sweep on a cluster, with a window for each of its nodes.

    It is a `hallascope.engine.sweep.executors.SweepExecutor`.

    Plans, cache, purse and store stay in this process, so that a node that dies takes no result
    with it.
    """

    def __init__(self, means: ExecutorContext) -> None:
        self._means = means
        self._crew = (
            means.seat.crew
            if isinstance(means.seat, ClusterModelBinder)
            else WorkerPool(RayCluster(means.address))
        )

    def run(self, work: Iterator[WorkItem]) -> Iterator[Event]:
        """Everything that happens; closing it, or its end, ends the workers."""
        crew = self._crew
        means = self._means
        seat = (
            means.seat
            if isinstance(means.seat, ClusterModelBinder)
            else lambda name: crew.seat(means.spec(name))
        )
        try:
            yield from LocalExecutor(
                replace(means, seat=seat, window=means.window * max(1, len(crew.nodes)))
            ).run(work)
        finally:
            crew.close()
