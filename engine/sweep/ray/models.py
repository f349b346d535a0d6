"""Binds models to workers on a cluster: started when they are needed, replaced when they are lost.

A model has as many workers as there is room for beside the others that were asked for, so that each
gets a share.
"""

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from hallascope.backends.base import OnStep, Transient, Unavailable
from hallascope.backends.keys import ApiKeys
from hallascope.data.models.specs import ANY, ModelSpec
from hallascope.data.requests import Reply, Request
from hallascope.engine.models.concurrency import ConcurrencyLimiter
from hallascope.engine.models.registry import NO_KEYS, ModelRegistry, attempt_timeout
from hallascope.engine.models.roles import BoundModel, charged_price
from hallascope.engine.sweep.ray.cluster import ClusterNode, RayCluster, RayWorker, WorkerLost
from hallascope.engine.sweep.ray.worker import Fitness


@dataclass(eq=False)
class ClusterModel:
    """Holds a model with the nodes on which it can run, and its workers with their open calls.

    `reason`: one sentence why it can run on none, "" where it can.
    """

    spec: ModelSpec
    nodes: list[ClusterNode] = field(default_factory=list)
    fitness: Fitness = field(default_factory=Fitness)
    reason: str = ""
    workers: dict[RayWorker, int] = field(default_factory=dict)

    @property
    def takes_gpu(self) -> bool:
        """Return whether its workers need an accelerator."""
        has_gpu = any(node.gpus for node in self.nodes)
        return self.spec.kind == "local" and bool(self.spec.memory_gb) and has_gpu


class ClusterModels:
    """Keeps the models that run on a cluster.

    `most` is the largest number of workers of one model; None: as many as there is room for. Safe
    to use from many threads.
    """

    def __init__(self, cluster: RayCluster, most: int | None = None) -> None:
        self._cluster = cluster
        self._most = most
        self._models: dict[str, ClusterModel] = {}
        self._lock = threading.RLock()
        self.nodes = cluster.nodes()

    def find(self, spec: ModelSpec) -> ClusterModel:
        """Return a model; it gets its share of the cluster from now on."""
        with self._lock:
            if spec.id not in self._models:
                self._models[spec.id] = self._look(spec)
            return self._models[spec.id]

    def _look(self, spec: ModelSpec) -> ClusterModel:
        """Find the nodes that can run a model, all of them with the same version of it."""
        found = list(zip(self.nodes, self._cluster.fitness(spec, self.nodes), strict=True))
        fit = [(node, each) for node, each in found if each.reason is None]
        if fit:
            first = fit[0][1]
            nodes = [node for node, each in fit if each.revision == first.revision]
            return ClusterModel(spec, nodes, first)
        node, unfit = found[0]
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        reason = f"on {node.name}{more}, {unfit.reason}"
        return ClusterModel(
            spec, reason=f"{spec.title} can run on no node of the cluster: {reason}"
        )

    def bind(self, spec: ModelSpec) -> BoundModel:
        """Return a model bound to calls on the cluster. Raises Unavailable."""
        model = self.find(spec)
        if model.reason:
            raise Unavailable(model.reason)
        own = model.fitness.limits
        limits = replace(own, concurrency=own.concurrency * self._count(model))
        return BoundModel(
            model=spec.id,
            revision=model.fitness.revision,
            call=partial(self._call, model),
            limits=limits,
            settings=spec.settings,
            timeout=attempt_timeout(spec),
            price=charged_price(spec.price),
            limiter=ConcurrencyLimiter(limits),
            service=spec.kind == "api",
        )

    def _count(self, model: ClusterModel) -> int:
        """Return how many workers a model may have: a service one a node, others their share."""
        count = float(len(model.nodes))
        if model.spec.kind != "api":
            others = sum(
                each.takes_gpu == model.takes_gpu and each.spec.kind != "api"
                for each in self._models.values()
            )
            units = sum(node.gpus if model.takes_gpu else node.cpus for node in model.nodes)
            count = units / max(1, others)
        return max(1, int(min(count, self._most or math.inf)))

    def _gpus(self, model: ClusterModel) -> float:
        """Return what a worker takes of an accelerator: a part of one where there are too few."""
        if not model.takes_gpu:
            return 0.0
        models = sum(each.takes_gpu for each in self._models.values())
        gpus = sum(node.gpus for node in self.nodes)
        return 1.0 if models <= gpus else 1 / math.ceil(models / gpus)

    def _call(
        self, model: ClusterModel, requests: Sequence[Request], on_step: OnStep
    ) -> list[Reply]:
        """Ask the worker that has the least to do; one more is started where all are busy.

        Raises what the model raises, and Transient where the worker is lost.
        """
        concurrency = model.fitness.limits.concurrency
        with self._lock:
            worker = min(model.workers, key=model.workers.__getitem__, default=None)
            is_busy = worker is None or model.workers[worker] >= concurrency
            if is_busy and len(model.workers) < self._count(model):
                worker = self._cluster.start(
                    model.spec, model.nodes, concurrency, self._gpus(model)
                )
                model.workers[worker] = 0
            if worker is None:
                raise RuntimeError(f"{model.spec.id} has no worker")
            model.workers[worker] += 1
        try:
            replies = worker.ask(requests, partial(on_step, 0, 0))
        except WorkerLost as lost:
            self._end(model, worker)
            # what the call cost is not known, so the likely cost is booked
            raise Transient(
                f"A worker of {model.spec.id} was lost on the cluster ({lost}): run it again to ask"
                " another worker.",
                "timeout",
                retry_after=0.0,
            ) from lost
        finally:
            with self._lock:
                if worker in model.workers:
                    model.workers[worker] -= 1
        if isinstance(replies, Exception):
            raise replies
        return replies

    def _end(self, model: ClusterModel, worker: RayWorker) -> None:
        with self._lock:
            model.workers.pop(worker, None)
        worker.end()

    def close(self) -> None:
        """End all workers and leave the cluster."""
        for model in self._models.values():
            for worker in list(model.workers):
                self._end(model, worker)
        self._cluster.close()


class ClusterModelRegistry(ModelRegistry):
    """Asks the nodes of a cluster whether a registry's models can run, and binds them there.

    What is loaded here already, and what needs a typed key, is called here.
    """

    def __init__(self, local: ModelRegistry, models: ClusterModels) -> None:
        super().__init__(local.specs, local.preloaded_backends(), local.accuracies)
        self._local = local.preloaded_backends()
        self.cluster_models = models

    def unavailable_reason(self, name: str, keys: ApiKeys = NO_KEYS) -> str | None:
        """Return why the model can run on no node, in one sentence; None: it can.

        Raises UnknownModel.
        """
        spec = self.spec(name)
        needs_typed_key = spec.key is not None and keys.is_session_key(spec.key)
        is_local = needs_typed_key or name in self._local or name.endswith(ANY)
        if is_local or spec.members:
            return super().unavailable_reason(name, keys)
        return self.cluster_models.find(spec).reason or None

    def _new_binding(self, spec: ModelSpec) -> BoundModel:
        if spec.id in self._local:
            return super()._new_binding(spec)
        return self.cluster_models.bind(spec)
