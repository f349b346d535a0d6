"""Starts workers on the nodes of a Ray cluster; ray is imported when one is joined.

Ray reserves processors, accelerators and memory for each worker, and isolates its accelerator; the
node is chosen in `worker_pool`, as it must be one on which the model can run.
"""

import logging
import os
import time
import warnings
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from hallascope.backends.base import Unavailable
from hallascope.data.models.specs import ModelSpec
from hallascope.data.requests import Reply, Request
from hallascope.engine.sweep.ray.protocols import OnWait, WorkerHandle, WorkerLost
from hallascope.engine.sweep.ray.scheduling import ClusterNode, WorkerPlacement
from hallascope.engine.sweep.ray.serialization import RequestPacker
from hallascope.engine.sweep.ray.worker import Fitness, RemoteError, Worker, fitness, version

POLL = 1.0  # seconds between checks whether anybody still waits for a reply
FITNESS_TIMEOUT = 240.0  # seconds for a node to say what can run on it
START_TIMEOUT = 240.0  # seconds for a worker to be started where there is room for it
CLOSE_TIMEOUT = 5.0  # seconds for a worker to remove its pictures before its process is ended
INSTALL = "see that HallaScope is installed there with `pip install 'hallascope[cluster]'`"


class RayCluster:
    """Joins a cluster by its `address` (``ray://HOST:10001``, ``HOST:6379``).

    None: the one that RAY_ADDRESS names, else one that runs on this machine, else one that is
    started on it for as long as this process needs it.

    Raises Unavailable with one sentence where ray is not installed or the cluster does not answer.
    """

    def __init__(self, address: str | None = None) -> None:
        self._ray = _import_ray()
        self._owned = not self._ray.is_initialized()
        if self._owned:
            self._join(address)
        self.name = address or os.environ.get("RAY_ADDRESS") or "on this machine"
        self._packer = RequestPacker(self._ray.put)

    def _join(self, address: str | None) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        # what ray is about to do anyway, and warns of
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        name = address or os.environ.get("RAY_ADDRESS")
        try:
            self._init(address)
        except Exception as error:  # ray raises errors of many kinds, plain ones among them
            if name:
                raise Unavailable(
                    f"The cluster {name} cannot be joined ({_first_line(error)}): see that `ray"
                    " start --head` runs there with the same versions of ray and Python, or leave"
                    " the address out."
                ) from error
            self._start_local()

    def _start_local(self) -> None:
        """Start a cluster here, as the last one is gone, though ray knows its address."""
        try:
            self._init("local")
        except Exception as error:
            raise Unavailable(
                f"No cluster can be started on this machine ({_first_line(error)}): name the"
                " address of another."
            ) from error

    def _init(self, address: str | None) -> None:
        # nobody looks at the dashboard of a cluster that is started here
        options = {"include_dashboard": False} if address in (None, "local") else {}
        with warnings.catch_warnings(action="ignore"):  # what they say, the error says too
            self._ray.init(
                address=address, log_to_driver=False, logging_level=logging.ERROR, **options
            )

    def nodes(self) -> list[ClusterNode]:
        """Return the nodes that are alive. Raises Unavailable where the cluster is gone."""
        try:
            records = [record for record in self._ray.nodes() if record["Alive"]]
        except Exception as error:
            raise Unavailable(
                f"The cluster {self.name} is gone ({_first_line(error)}): start the same command"
                " again to go on."
            ) from error
        hosts = Counter(record["NodeManagerHostname"] for record in records)
        nodes: list[ClusterNode] = []
        for record in records:
            host = record["NodeManagerHostname"]
            name = host if hosts[host] == 1 else f"{host} ({record['NodeID'][:6]})"
            cpus, gpus, memory = (
                record["Resources"].get(resource, 0.0) for resource in ("CPU", "GPU", "memory")
            )
            nodes.append(ClusterNode(record["NodeID"], name, cpus, gpus, memory))
        return nodes

    def fitness(
        self, specs: Sequence[ModelSpec], nodes: Sequence[ClusterNode]
    ) -> dict[tuple[str, str], Fitness]:
        """Return whether each model can run on each node; all nodes are asked at once."""
        ray = self._ray
        task = ray.remote(_fitness)
        refs = {
            node.id: self._pinned_to(task, node.id, num_cpus=0, max_retries=0).remote(
                list(specs), version()
            )
            for node in nodes
        }
        ray.wait(list(refs.values()), num_returns=len(refs), timeout=FITNESS_TIMEOUT)
        result: dict[tuple[str, str], Fitness] = {}
        for node_id, ref in refs.items():
            try:
                by_model: list[Fitness] = ray.get(ref, timeout=0)
            except ray.exceptions.RayError as error:
                reason = f"it could not be asked what runs on it ({_first_line(error)}); {INSTALL}."
                by_model = [Fitness(reason)] * len(specs)
            for spec, model_fitness in zip(specs, by_model, strict=True):
                result[spec.id, node_id] = model_fitness
        return result

    def start(
        self, spec: ModelSpec, placement: WorkerPlacement, concurrency: int, on_wait: OnWait
    ) -> WorkerHandle:
        """Start a worker. Raises WorkerLost where it does not come up in time."""
        need = placement.need
        actor = self._pinned_to(
            self._ray.remote(_ObjectStoreWorker),
            placement.node.id,
            num_cpus=need.cpus,
            num_gpus=need.gpus,
            memory=need.memory,
            max_concurrency=concurrency + 1,
            max_restarts=0,
        )
        handle = _ActorHandle(self._ray, actor.remote(spec), self._packer)
        try:
            handle.wait_until_ready(on_wait)
        except BaseException:
            handle.end()
            raise
        return handle

    def _pinned_to(self, remote: Any, node: str, **options: Any) -> Any:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        return remote.options(
            scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=False), **options
        )

    def close(self) -> None:
        """Leave the cluster; one that was started for this process ends."""
        if self._owned:
            self._ray.shutdown()


class _ObjectStoreWorker(Worker):
    """Takes the pictures of a worker from the object store of the cluster."""

    def __init__(self, spec: ModelSpec) -> None:
        import ray

        super().__init__(spec, ray.get)


def _fitness(specs: Sequence[ModelSpec], required_version: str) -> list[Fitness]:
    return [fitness(spec, required_version) for spec in specs]


class _ActorHandle:
    """Calls a worker that is a Ray actor."""

    def __init__(self, ray: Any, actor: Any, packer: RequestPacker) -> None:
        self._ray = ray
        self._actor = actor
        self._packer = packer
        self._ready = False

    def wait_until_ready(self, on_wait: OnWait) -> None:
        """Wait until the actor has its resources. Raises WorkerLost."""
        end = time.monotonic() + START_TIMEOUT

        def check_time() -> None:
            on_wait()
            if time.monotonic() > end:
                raise WorkerLost(
                    f"it was not started within {START_TIMEOUT:g} seconds; others may have its room"
                )

        self._result(self._actor.__ray_ready__.remote(), check_time)
        self._ready = True

    def load(self, on_wait: OnWait) -> RemoteError | None:
        error: RemoteError | None = self._result(self._actor.load.remote(), on_wait)
        return error

    def ask(self, requests: Sequence[Request], on_wait: OnWait) -> list[Reply] | RemoteError:
        ref = self._actor.ask.remote(self._packer.pack(requests))
        replies: list[Reply] | RemoteError = self._result(ref, on_wait)
        return replies

    def _result(self, ref: Any, on_wait: OnWait) -> Any:
        """Return the result of a call. Raises WorkerLost where the actor or its node is gone."""
        errors = self._ray.exceptions
        try:
            while not self._ray.wait([ref], timeout=POLL)[0]:
                on_wait()
            return self._ray.get(ref)
        except errors.RayTaskError as error:
            raise RuntimeError(_first_line(error.cause or error)) from error
        except errors.RayError as error:
            raise WorkerLost(_first_line(error)) from error

    def end(self) -> None:
        # The actor may be gone already, and so may its cluster.
        with suppress(ValueError, RuntimeError, self._ray.exceptions.RayError):
            # An actor that is killed removes nothing itself.
            if self._ready:
                self._ray.wait([self._actor.close.remote()], timeout=CLOSE_TIMEOUT)
            self._ray.kill(self._actor)


def _import_ray() -> Any:
    # Otherwise a call after the end starts a cluster, and the program waits for it before it ends.
    os.environ.setdefault("RAY_ENABLE_AUTO_CONNECT", "0")
    try:
        import ray
        import ray.exceptions
    except ModuleNotFoundError as error:
        raise Unavailable(
            f"A cluster needs {error.name}: run `pip install 'hallascope[cluster]'`."
        ) from error
    return ray


def _first_line(error: BaseException) -> str:
    """Return the first line of an error of Ray."""
    name = type(error).__name__
    lines = str(error).strip().splitlines()
    return f"{name}: {lines[0].strip().rstrip('.')[:200]}" if lines else name
