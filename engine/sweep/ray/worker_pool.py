"""Manages the workers of all models on a cluster: started on demand, replaced when they are lost.

Ray's own means lose behavior here: an ActorPool sends an actor one call at a time from one thread
and keeps dead actors, a placement group cannot grow with its model or leave out unfit nodes, and
`max_restarts` brings an actor back without its model and hides the losses that give up a node.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from hallascope.backends.base import OnStep, Transient, Unavailable
from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Reply, Request
from hallascope.engine.models.concurrency import ConcurrencyLimiter
from hallascope.engine.models.registry import attempt_timeout
from hallascope.engine.models.roles import BoundModel, charged_price
from hallascope.engine.sweep.ray.model_workers import ModelWorkers, PooledWorker
from hallascope.engine.sweep.ray.protocols import Cluster, OnWait, WorkerHandle, WorkerLost
from hallascope.engine.sweep.ray.scheduling import (
    ClusterCapacity,
    ClusterNode,
    ResourceNeed,
    WorkerPlacement,
    share_accelerators,
    worker_counts,
    worker_need,
)
from hallascope.engine.sweep.ray.worker import Fitness, RemoteError

REFRESH_INTERVAL = 5.0  # seconds between two updates of the list of nodes
# seconds between checks, while a call waits for a worker, whether its reply is still wanted
WAIT = 0.5
PATIENCE = 300.0  # seconds that a model waits for room on a node before it is given up


class WorkerPool:
    """Starts, calls and replaces the workers of all models.

    `most` is the largest number of them for one model; None: as many as there is room for.

    Safe to use from many threads. `clock` gives seconds.
    """

    def __init__(
        self, cluster: Cluster, most: int | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._cluster = cluster
        self._most = most
        self._clock = clock
        self._nodes = {node.id: node for node in cluster.nodes()}
        self._models: dict[str, ModelWorkers] = {}
        self._capacity = ClusterCapacity()
        # None until it is computed anew, after a model or a node came or went
        self._shares: tuple[dict[str, ResourceNeed], Counter[str]] | None = None
        self._refreshed = clock()
        self._changed = threading.Condition(threading.RLock())

    @property
    def nodes(self) -> tuple[ClusterNode, ...]:
        """Return the nodes as they were at the last look."""
        return tuple(self._nodes.values())

    # --- models ---

    def unavailable_reason(self, spec: ModelSpec) -> str | None:
        """Return why the model can run on no node, in one sentence.

        None: it can, and gets its share of the cluster from now on.
        """
        with self._changed:
            return self._model(spec).unfit_reason(self._nodes)

    def _model(self, spec: ModelSpec) -> ModelWorkers:
        if spec.id not in self._models:
            fitness = self._cluster.fitness([spec], self.nodes)
            model = self._models[spec.id] = ModelWorkers(spec=spec)
            model.add_fitness({node: fitness[spec.id, node] for node in self._nodes})
            self._shares = None
        return self._models[spec.id]

    def bind(self, spec: ModelSpec) -> BoundModel:
        """Return the model bound to calls on the cluster. Raises Unavailable."""
        if reason := self.unavailable_reason(spec):
            raise Unavailable(reason)
        with self._changed:
            model = self._model(spec)
            _, counts = self._compute_shares()
            workers = max(1, counts[spec.id])
        limits = replace(model.limits, concurrency=model.limits.concurrency * workers)
        return BoundModel(
            model=spec.id,
            revision=model.revision,
            call=partial(self._call, model),
            limits=limits,
            settings=spec.settings,
            timeout=attempt_timeout(spec),
            price=charged_price(spec.price),
            limiter=ConcurrencyLimiter(limits),
            service=spec.kind == "api",
        )

    def _compute_shares(self) -> tuple[dict[str, ResourceNeed], Counter[str]]:
        """Return what a worker of each model takes, and how many workers it may have.

        Every model that can run on a node gets a share.
        """
        if self._shares is None:
            fit_nodes = {
                name: nodes
                for name, model in self._models.items()
                if (nodes := model.fit_nodes(self._nodes))
            }
            needs = share_accelerators(
                {
                    name: worker_need(self._models[name].spec, any(node.gpus for node in nodes))
                    for name, nodes in fit_nodes.items()
                },
                self._nodes.values(),
            )
            self._shares = needs, worker_counts(needs, fit_nodes, self._most)
        return self._shares

    # --- calls ---

    def _call(
        self, model: ModelWorkers, requests: Sequence[Request], on_step: OnStep
    ) -> list[Reply]:
        """Ask the worker that has the least to do.

        Raises what the model raises, and Transient where the worker is lost.
        """
        on_wait = partial(on_step, 0, 0)
        worker = self._lease_worker(model, on_wait)
        node = worker.placement.node
        try:
            replies = worker.handle.ask(requests, on_wait)
        except WorkerLost as lost:
            self._drop(model, worker, str(lost), requests[0])
            message = (
                f"{model.spec.id} was lost on the node {node.name} ({lost}): run it again to ask"
                " another worker."
            )
            # what the call cost is not known, so the likely cost is booked
            raise Transient(message, "timeout", retry_after=0.0) from lost
        finally:
            with self._changed:
                worker.busy -= 1
                self._changed.notify_all()
        if isinstance(replies, RemoteError):
            raise replies.error()
        model.losses.pop(node.id, None)
        return replies

    def _lease_worker(self, model: ModelWorkers, on_wait: OnWait) -> PooledWorker:
        """Return a worker that may take one more call.

        One more is started where all are busy and there is room for it.

        Raises Unavailable where no node can run the model any more, or none has had room for it for
        long.
        """
        start = self._clock()
        while True:
            with self._changed:
                if worker := model.idlest():
                    worker.busy += 1
                    return worker
                placement = self._place(model)
                if placement is None:
                    self._check_hope(model, start)
                    self._changed.wait(WAIT)
            if placement:
                self._start(model, placement, on_wait)
            else:
                self._refresh_nodes()
                on_wait()

    def _check_hope(self, model: ModelWorkers, start: float) -> None:
        """Raise Unavailable where waiting longer for a worker is of no use."""
        if model.workers or model.starting:
            return
        if reason := model.unfit_reason(self._nodes):
            raise Unavailable(reason)
        if self._clock() - start > PATIENCE:
            raise Unavailable(
                f"No node of the cluster has had room for {model.spec.title} for {PATIENCE:g}"
                " seconds: add a node, or use fewer models at once, and start it again to go on."
            )

    # --- workers ---

    def _place(self, model: ModelWorkers) -> WorkerPlacement | None:
        """Place one more worker of the model; None where there is no room, or it has its share."""
        name = model.spec.id
        count = len(model.workers) + model.starting
        needs, shares = self._compute_shares()
        if name not in needs or (count and count >= shares[name]):
            return None
        nodes = model.fit_nodes(self._nodes)
        placement = self._capacity.place(name, needs[name], nodes)
        if placement is None and not count:
            placement = self._capacity.place_without_cpus(name, needs[name], nodes)
        if placement:
            model.starting += 1
        return placement

    def _start(self, model: ModelWorkers, placement: WorkerPlacement, on_wait: OnWait) -> None:
        """Start and load a worker; a node where that fails for good is not tried again."""
        handle: WorkerHandle | None = None
        try:
            handle = self._cluster.start(model.spec, placement, model.limits.concurrency, on_wait)
            self._add(model, PooledWorker(handle, placement), handle.load(on_wait))
        except BaseException as error:
            if handle:
                handle.end()
            self._free(placement)
            if not isinstance(error, WorkerLost):
                raise
            self._record_loss(model, placement, str(error), placement)
        finally:
            with self._changed:
                model.starting -= 1
                self._changed.notify_all()

    def _add(self, model: ModelWorkers, worker: PooledWorker, error: RemoteError | None) -> None:
        """Add a worker that was loaded; with an error its node becomes unfit for the model."""
        with self._changed:
            if error is None:
                model.workers.append(worker)
                return
            model.fitness[worker.placement.node.id] = Fitness(error.message)
            self._shares = None
            self._free(worker.placement)
        worker.handle.end()

    def _drop(self, model: ModelWorkers, worker: PooledWorker, reason: str, cause: object) -> None:
        """Remove a lost worker; all calls that were with it report it, and the first one counts."""
        with self._changed:
            if worker not in model.workers:
                return
            model.workers.remove(worker)
            self._free(worker.placement)
        worker.handle.end()
        self._record_loss(model, worker.placement, reason, cause)

    def _record_loss(
        self, model: ModelWorkers, placement: WorkerPlacement, reason: str, cause: object
    ) -> None:
        with self._changed:
            if model.record_loss(placement.node, reason, cause):
                self._shares = None
            self._refreshed = self._clock() - REFRESH_INTERVAL
        self._refresh_nodes()

    def _free(self, placement: WorkerPlacement) -> None:
        with self._changed:
            self._capacity.placements = [
                other for other in self._capacity.placements if other is not placement
            ]
            self._changed.notify_all()

    # --- nodes ---

    def _refresh_nodes(self) -> None:
        """Look which nodes there are, every REFRESH_INTERVAL, and which models run on new ones.

        Nodes are asked without the lock, as one that is coming up takes its time to answer.
        """
        with self._changed:
            if self._clock() - self._refreshed < REFRESH_INTERVAL:
                return
            self._refreshed = self._clock()
            models = list(self._models.values())
        nodes = {node.id: node for node in self._cluster.nodes()}
        new = [
            node
            for name, node in nodes.items()
            if any(name not in model.fitness for model in models)
        ]
        fitness = self._cluster.fitness([model.spec for model in models], new) if new else {}
        with self._changed:
            if nodes != self._nodes or new:
                self._nodes = nodes
                self._shares = None
            for model in models:
                model.add_fitness(
                    {
                        node.id: fitness[model.spec.id, node.id]
                        for node in new
                        if node.id not in model.fitness
                    }
                )

    def stop_workers(self) -> None:
        """End all workers; the next call starts new ones."""
        with self._changed:
            workers = [worker for model in self._models.values() for worker in model.workers]
            for model in self._models.values():
                model.workers.clear()
            self._capacity.placements.clear()
        for worker in workers:
            worker.handle.end()

    def close(self) -> None:
        """End all workers and leave the cluster."""
        self.stop_workers()
        self._cluster.close()
