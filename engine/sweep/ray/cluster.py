"""Starts workers on the nodes of a Ray cluster; ray is imported when one is joined.

Ray chooses the node of each worker, among those on which its model can run, and reserves its
accelerator and memory there.
"""

import logging
import os
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from hallascope.backends.base import Unavailable
from hallascope.data.models.specs import GB, ModelSpec
from hallascope.data.requests import Reply, Request
from hallascope.engine.sweep.ray.worker import (
    Fitness,
    Worker,
    fitness,
    pack,
    version,
)

POLL = 1.0  # seconds between checks whether anybody still waits for a reply
FITNESS_TIMEOUT = 240.0  # seconds for a node to say what can run on it
START_TIMEOUT = 300.0  # seconds for a worker to be started
INSTALL = "see that HallaScope is installed there with `pip install 'hallascope[cluster]'`"
OnWait = Callable[[], object]


class WorkerLost(Exception):
    """Raised where a worker's process or node died, or it could not be started.

    The message says what is known.
    """


class ClusterNode(NamedTuple):
    """Describes a machine of the cluster: its processors and accelerators."""

    id: str
    name: str
    cpus: float
    gpus: float = 0.0


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
        return [
            ClusterNode(
                record["NodeID"],
                record["NodeManagerHostname"],
                record["Resources"].get("CPU", 0.0),
                record["Resources"].get("GPU", 0.0),
            )
            for record in records
        ]

    def fitness(self, spec: ModelSpec, nodes: Sequence[ClusterNode]) -> list[Fitness]:
        """Return of each node whether the model can run there; all are asked at once."""
        ray = self._ray
        task = ray.remote(fitness)
        refs = [
            task.options(num_cpus=0, max_retries=0, **_on([node])).remote(spec, version())
            for node in nodes
        ]
        ray.wait(refs, num_returns=len(refs), timeout=FITNESS_TIMEOUT)
        found = []
        for ref in refs:
            try:
                found.append(ray.get(ref, timeout=0))
            except ray.exceptions.RayError as error:
                reason = f"it could not be asked what runs on it ({_first_line(error)}); {INSTALL}."
                found.append(Fitness(reason))
        return found

    def start(
        self, spec: ModelSpec, nodes: Sequence[ClusterNode], concurrency: int, gpus: float
    ) -> "RayWorker":
        """Start a worker on one of the nodes, which Ray chooses."""
        actor = self._ray.remote(Worker).options(
            num_cpus=0,  # so that a model always has a worker, however few processors there are
            num_gpus=gpus,
            scheduling_strategy="SPREAD",
            memory=0 if gpus else (spec.memory_gb or 0) * GB,
            max_concurrency=concurrency + 1,
            **_on(nodes),
        )
        return RayWorker(self._ray, actor.remote(spec))

    def close(self) -> None:
        """Leave the cluster; one that was started for this process ends."""
        if self._owned:
            self._ray.shutdown()


class RayWorker:
    """Calls a worker that is a Ray actor."""

    def __init__(self, ray: Any, actor: Any) -> None:
        self._ray = ray
        self._actor = actor
        self._ready = actor.__ray_ready__.remote()
        self._start_end = time.monotonic() + START_TIMEOUT

    def ask(self, requests: Sequence[Request], on_wait: OnWait) -> list[Reply] | Exception:
        """Return one reply a request; `on_wait` is called meanwhile. Raises WorkerLost."""
        try:
            while not self._ray.wait([self._ready], timeout=POLL)[0]:
                on_wait()
                if time.monotonic() > self._start_end:
                    raise WorkerLost(f"no node has had room for it for {START_TIMEOUT:g} seconds")
            self._ray.get(self._ready)
            ref = self._actor.ask.remote(pack(requests))
            while not self._ray.wait([ref], timeout=POLL)[0]:
                on_wait()
            replies: list[Reply] | Exception = self._ray.get(ref)
        except self._ray.exceptions.RayError as error:
            raise WorkerLost(_first_line(error)) from error
        return replies

    def end(self) -> None:
        """End its process."""
        # the actor may be gone already, and so may its cluster
        with suppress(ValueError, RuntimeError, self._ray.exceptions.RayError):
            self._ray.kill(self._actor)


def _on(nodes: Sequence[ClusterNode]) -> dict[str, Any]:
    """Return the option that lets Ray choose one of these nodes."""
    return {"label_selector": {"ray.io/node-id": f"in({','.join(node.id for node in nodes)})"}}


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
