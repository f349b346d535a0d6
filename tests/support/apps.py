"""Starts apps for tests, each in a process of its own that is forked where everything is imported:
to import takes longer than to start.

It does not know what a test looks at; what is started gives its address and stays until the test is
done with it.
"""

import multiprocessing
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

LAUNCH: dict[str, Any] = {
    "server_name": "127.0.0.1",
    "prevent_thread_lock": True,
    # else Gradio gives up where the first page takes over three seconds, as it may on a busy
    # machine
    "_frontend": False,
}
FORKING = multiprocessing.get_context("forkserver")
FORKING.set_forkserver_preload(["tests.support.preload"])


@contextmanager
def running(folder: Path, module: str, *arguments: Any) -> Iterator[str]:
    """The address of what the `launch` of a module starts; HALLASCOPE_HOME is the folder there.

    In the end its process is ended.
    """
    heard, told = FORKING.Pipe(duplex=False)
    process = FORKING.Process(
        target=_stay,
        args=(told, os.environ | {"HALLASCOPE_HOME": str(folder)}, module, arguments),
        daemon=True,
    )
    process.start()
    told.close()
    try:
        yield _address(heard)
    finally:
        process.terminate()
        process.join()


def _address(heard: Connection) -> str:
    try:
        return str(heard.recv())
    except EOFError:
        raise AssertionError("the app ended before it was up: what it said stands above") from None


def _stay(
    told: Connection, environment: dict[str, str], module: str, arguments: tuple[Any, ...]
) -> None:
    os.environ.update(environment)
    demo = import_module(module).launch(*arguments)
    told.send(demo.local_url)
    demo.block_thread()
