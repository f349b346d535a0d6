"""A Ray cluster of two small nodes on this machine.

It starts only what they need.

All that Ray writes, the file with the address of the last cluster included, lies in a folder of its
own: Ray reads its default folder from RAY_TMPDIR. Without it the nodes find their folder, but the
address file is looked for in a folder that only an earlier Ray has made.
"""

import socket
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest

NODE = {"num_cpus": 1, "object_store_memory": 80 * 2**20, "include_log_monitor": False}
PATIENT = {  # a busy machine takes its time
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_enable_worker_prestart": "0",
    "RAY_prestart_worker_first_driver": "0",
    "RAY_agent_register_timeout_ms": "240000",
    "RAY_worker_register_timeout_seconds": "240",
}
SOCKET_PATH = 107  # bytes at most in the path of a Unix socket on Linux
# about what Ray adds to its folder
SESSION = "/ray/session_2026-01-01_00-00-00_000000_0000000/sockets/plasma_store.0"
PORTS = (
    "metrics_agent_port",
    "metrics_export_port",
    "dashboard_agent_listen_port",
    "runtime_env_agent_port",
)


class Nodes(NamedTuple):
    """The cluster, with its second node, which can be removed."""

    cluster: Any
    second: Any

    @property
    def address(self) -> str:
        return str(self.cluster.address)

    def actors_on_second(self) -> list[str]:
        from ray._private.state import actors

        own = (each for each in actors().values() if each["State"] == "ALIVE")
        return [each["ActorID"] for each in own if each["Address"]["NodeID"] == self.second.node_id]

    def remove_second(self) -> None:
        self.cluster.remove_node(self.second)


@contextmanager
def two_nodes(**head: Any) -> Iterator[Nodes]:
    """The cluster, until the end of the block; `head` is more for its first node."""
    with (
        TemporaryDirectory(
            prefix="ray-", dir=_short_folder(), ignore_cleanup_errors=True
        ) as folder,
        pytest.MonkeyPatch.context() as patched,
    ):
        for name, value in {**PATIENT, "RAY_TMPDIR": folder}.items():
            patched.setenv(name, value)
        import ray
        from ray.cluster_utils import Cluster

        _started_lightly(patched)
        first = {**NODE, **_ports(), "include_dashboard": False, "no_monitor": True, **head}
        made = Cluster(initialize_head=True, head_node_args=first)
        try:
            yield Nodes(made, made.add_node(**NODE, **_ports()))
        finally:
            ray.shutdown()
            made.shutdown()


def _short_folder() -> str:
    """A folder for temporary files in which the sockets of Ray have paths that the system takes."""
    usual = tempfile.gettempdir()
    longest = len(f"{usual}/ray-12345678{SESSION}".encode())
    return usual if longest <= SOCKET_PATH else "/tmp"


def _started_lightly(patched: pytest.MonkeyPatch) -> None:
    """Without a dashboard.

    And a node tells the ports of its agents itself: it ends where they are not up in 15 seconds.
    """
    from ray import _raylet
    from ray._private.node import Node

    start = Node.start_ray_processes

    def told(node: Any) -> None:
        for name in PORTS:
            _raylet.persist_port(  # type: ignore[attr-defined]
                node._session_dir,
                node._node_id,
                getattr(_raylet, f"{name.upper()}_NAME"),
                getattr(node._ray_params, name),
            )
        start(node)

    patched.setattr(Node, "start_ray_processes", told)
    patched.setattr(Node, "start_api_server", lambda node, **options: None)


def _ports() -> dict[str, int]:
    """Ports that nobody has."""
    with ExitStack() as lent:
        sockets = [lent.enter_context(socket.socket()) for _ in PORTS]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return {name: one.getsockname()[1] for name, one in zip(PORTS, sockets, strict=True)}
