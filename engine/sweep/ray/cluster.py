"""A Ray cluster as machines on which workers are started; ray is imported when one is joined.

It knows no plan and no store.
"""

import logging
import os
import time
import warnings
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

POLL = 1.0  # seconds between two looks at whether anybody still waits for a reply
ANSWERING = 240.0  # seconds for a node to say what can run on it
STARTING = 240.0  # seconds for a worker to be started where there is room for it
INSTALL = "see that HallaScope is installed there with `pip install 'hallascope[cluster]'`"


class RayCluster:
    """A cluster by its `address` (``ray://HOST:10001``, ``HOST:6379``).

    None: the one that RAY_ADDRESS names, else one that runs on this machine, else one that is
    started on it for as long as this process needs it.

    Raises Unavailable with one sentence where ray is not installed or the cluster does not answer.
    """

    def __init__(self, address: str | None = None) -> None:
        self._ray = _import_ray()
        self._mine = not self._ray.is_initialized()
        if self._mine:
            self._join(address)
        self.name = address or os.environ.get("RAY_ADDRESS") or "on this machine"
        self._bytes = RequestPacker(self._ray.put)

    def _join(self, address: str | None) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        os.environ.setdefault(
            "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0"
        )  # what ray is about to do anyway, and warns of
        named = address or os.environ.get("RAY_ADDRESS")
        try:
            self._init(address)
        except Exception as error:  # ray raises what it likes, also plain ones
            remedy = (
                "see that `ray start --head` runs there with the same versions of ray and Python,"
                " or leave the address out"
            )
            if named:
                raise Unavailable(
                    f"The cluster {named} cannot be joined ({_first(error)}): {remedy}."
                ) from error
            self._start()

    def _start(self) -> None:
        """Start a cluster here, as the last one is gone, though ray knows its address."""
        try:
            self._init("local")
        except Exception as error:
            raise Unavailable(
                f"No cluster can be started on this machine ({_first(error)}): name the address of"
                " another."
            ) from error

    def _init(self, address: str | None) -> None:
        own = (
            {} if address not in (None, "local") else {"include_dashboard": False}
        )  # of one that is started here nobody sees it
        with warnings.catch_warnings(action="ignore"):  # what they say, the error says too
            self._ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **own)

    def nodes(self) -> list[ClusterNode]:
        """The nodes that are alive. Raises Unavailable where the cluster is gone."""
        try:
            found = [node for node in self._ray.nodes() if node["Alive"]]
        except Exception as error:
            raise Unavailable(
                f"The cluster {self.name} is gone ({_first(error)}): start the same command again"
                " to go on."
            ) from error
        hosts = [node["NodeManagerHostname"] for node in found]
        return [_node(node, alone=hosts.count(node["NodeManagerHostname"]) == 1) for node in found]

    def fitness(
        self, specs: Sequence[ModelSpec], nodes: Sequence[ClusterNode]
    ) -> dict[tuple[str, str], Fitness]:
        """Whether each model can run on each node; all nodes are asked at once."""
        ray = self._ray
        asked = {
            node.id: (
                self._pinned_to(ray.remote(_fitness), node.id, num_cpus=0, max_retries=0).remote(
                    list(specs), version()
                )
            )
            for node in nodes
        }
        ray.wait(list(asked.values()), num_returns=len(asked), timeout=ANSWERING)
        found = {name: self._fitness_of(ref, len(specs)) for name, ref in asked.items()}
        return {
            (spec.id, name): said[i] for name, said in found.items() for i, spec in enumerate(specs)
        }

    def _fitness_of(self, ref: Any, of: int) -> list[Fitness]:
        try:
            said: list[Fitness] = self._ray.get(ref, timeout=0)
        except self._ray.exceptions.RayError as error:
            return [
                Fitness(f"it could not be asked what runs on it ({_first(error)}); {INSTALL}.")
            ] * of
        return said

    def start(
        self, spec: ModelSpec, place: WorkerPlacement, at_once: int, on_wait: OnWait
    ) -> WorkerHandle:
        """Start a worker. Raises Lost where it does not come up in time."""
        need = place.need
        takes = {
            "num_cpus": need.cpus,
            "num_gpus": need.gpus,
            "memory": need.memory,
            "max_concurrency": at_once + 1,
            "max_restarts": 0,
        }
        hand = _ActorHandle(
            self._ray,
            self._pinned_to(self._ray.remote(_ObjectStoreWorker), place.node.id, **takes).remote(
                spec
            ),
            self._bytes,
        )
        try:
            hand.wait_until_ready(on_wait)
        except BaseException:
            hand.end()
            raise
        return hand

    def _pinned_to(self, remote: Any, node: str, **options: Any) -> Any:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        return remote.options(
            scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=False), **options
        )

    def close(self) -> None:
        """Leave the cluster; one that was started for this process ends."""
        if self._mine:
            self._ray.shutdown()


class _ObjectStoreWorker(Worker):
    """A worker whose pictures come from the object store of the cluster."""

    def __init__(self, spec: ModelSpec) -> None:
        import ray

        super().__init__(spec, ray.get)


def _fitness(specs: Sequence[ModelSpec], ours: str) -> list[Fitness]:
    return [fitness(spec, ours) for spec in specs]


class _ActorHandle:
    """An actor."""

    def __init__(self, ray: Any, actor: Any, pictures: RequestPacker) -> None:
        self._ray = ray
        self._actor = actor
        self._bytes = pictures

    def wait_until_ready(self, on_wait: OnWait) -> None:
        """Wait until it has its room. Raises Lost."""
        end = time.monotonic() + STARTING

        def look() -> None:
            on_wait()
            if time.monotonic() > end:
                raise WorkerLost(
                    f"it was not started within {STARTING:g} seconds; others may have its room"
                )

        self._result(self._actor.__ray_ready__.remote(), look)

    def load(self, on_wait: OnWait) -> RemoteError | None:
        said: RemoteError | None = self._result(self._actor.load.remote(), on_wait)
        return said

    def ask(self, requests: Sequence[Request], on_wait: OnWait) -> list[Reply] | RemoteError:
        said: list[Reply] | RemoteError = self._result(
            self._actor.ask.remote(self._bytes.pack(requests)), on_wait
        )
        return said

    def _result(self, ref: Any, on_wait: OnWait) -> Any:
        """Raises Lost where the actor or its node is gone."""
        errors = self._ray.exceptions
        try:
            while not self._ray.wait([ref], timeout=POLL)[0]:
                on_wait()
            return self._ray.get(ref)
        except errors.RayTaskError as error:
            raise RuntimeError(_first(error.cause or error)) from error
        except errors.RayError as error:
            raise WorkerLost(_first(error)) from error

    def end(self) -> None:
        with suppress(
            ValueError, RuntimeError, self._ray.exceptions.RayError
        ):  # it is gone already, and so may be its cluster
            self._ray.kill(self._actor)


def _import_ray() -> Any:
    # Else whoever asks after the end starts a cluster, and the program waits for it before it ends.
    os.environ.setdefault("RAY_ENABLE_AUTO_CONNECT", "0")
    try:
        import ray
        import ray.exceptions
    except ModuleNotFoundError as error:
        raise Unavailable(
            f"A cluster needs {error.name}: run `pip install 'hallascope[cluster]'`."
        ) from error
    return ray


def _node(said: dict[str, Any], alone: bool) -> ClusterNode:
    has = said["Resources"]
    host = said["NodeManagerHostname"]
    name = host if alone else f"{host} ({said['NodeID'][:6]})"
    return ClusterNode(
        said["NodeID"], name, has.get("CPU", 0.0), has.get("GPU", 0.0), has.get("memory", 0.0)
    )


def _first(error: BaseException) -> str:
    """The first line of what ray says."""
    lines = str(error).strip().splitlines()
    return (
        f"{type(error).__name__}: {lines[0].strip().rstrip('.')[:200]}"
        if lines
        else type(error).__name__
    )
