"""Starts apps for tests, each in a process of its own that is forked where everything is imported:
to import takes longer than to start.

It does not know what a test looks at; what is started gives its address and stays until the test is
done with it.
"""

import multiprocessing
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any, NamedTuple

LAUNCH: dict[str, Any] = {
    "server_name": "127.0.0.1",
    "prevent_thread_lock": True,
    # else Gradio gives up where the first page takes over three seconds, as it may on a busy
    # machine
    "_frontend": False,
}
FORKING = multiprocessing.get_context("forkserver")
FORKING.set_forkserver_preload(["tests.support.preload"])
IMPORTED = ("GRADIO_ANALYTICS_ENABLED", "OMP_NUM_THREADS", "OMP_WAIT_POLICY")
"""Variables that modules of the product set when they are imported, as `preload` does."""
STARTED_WITHIN = 60  # seconds; an app that is not there by then has failed


class AppProcess(NamedTuple):
    """Holds the process of an app, and the connection to it."""

    process: ForkServerProcess
    pipe: Connection

    def address(self) -> str:
        """Wait for the address that the app sends next."""
        assert self.pipe.poll(STARTED_WITHIN), f"the app said nothing in {STARTED_WITHIN} s"
        try:
            return str(self.pipe.recv())
        except EOFError:
            raise AssertionError("the app ended: what it said stands above") from None

    def end(self) -> None:
        self.process.terminate()
        self.process.join()


def start(
    environment: Mapping[str, str], target: Callable[..., object], *arguments: Any
) -> AppProcess:
    """Call a function with a connection and arguments in a process with this environment."""
    ours, theirs = FORKING.Pipe()
    process = FORKING.Process(
        target=_call, args=(dict(environment), target, theirs, *arguments), daemon=True
    )
    process.start()
    theirs.close()
    return AppProcess(process, ours)


def replace_environment(environment: Mapping[str, str]) -> None:
    """Forget the environment of the test that came first, from whose process all are forked."""
    kept = {name: os.environ[name] for name in IMPORTED if name in os.environ}
    os.environ.clear()
    os.environ.update({**kept, **environment})


def _call(environment: dict[str, str], target: Callable[..., object], *arguments: Any) -> None:
    replace_environment(environment)
    target(*arguments)


@contextmanager
def running(folder: Path, module: str, *arguments: Any) -> Iterator[str]:
    """The address of what the `launch` of a module starts; HALLASCOPE_HOME is the folder there.

    In the end its process is ended.
    """
    app = start(os.environ | {"HALLASCOPE_HOME": str(folder)}, _stay, module, arguments)
    try:
        yield app.address()
    finally:
        app.end()


def _stay(told: Connection, module: str, arguments: tuple[Any, ...]) -> None:
    demo = import_module(module).launch(*arguments)
    told.send(demo.local_url)
    demo.block_thread()
