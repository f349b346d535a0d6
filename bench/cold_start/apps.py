"""Starts the dashboard and an empty Gradio app, each in a process and a home folder of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
START_TIMEOUT = 120.0  # seconds
POLL = 0.02  # seconds between two looks for the first page
EMPTY_APP = (
    "import os, gradio as gr\nwith gr.Blocks() as demo:\n    gr.Markdown('empty')\n"
    "demo.launch(server_port=int(os.environ['GRADIO_SERVER_PORT']), ssr_mode=False, quiet=True)"
)
DASHBOARD = (sys.executable, "app.py")
EMPTY = (sys.executable, "-c", EMPTY_APP)


@dataclass(frozen=True)
class ServedApp:
    """Holds the address of a running app, and the seconds from its command to its first page."""

    address: str
    start_seconds: float


@contextmanager
def serve_app(command: Sequence[str], timeout: float = START_TIMEOUT) -> Iterator[ServedApp]:
    """Yield the app once it has served its first page; it is ended then.

    Raises TimeoutError where it serves none.
    """
    port = _free_port()
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "GRADIO_SERVER_PORT": str(port),
            "GRADIO_ANALYTICS_ENABLED": "False",
            "PYTHONDONTWRITEBYTECODE": "",  # an installed program has its bytecode
            "HALLASCOPE_HOME": folder,
        }
        address = f"http://127.0.0.1:{port}/"
        began = time.perf_counter()
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            while not _serves_page(address):
                if process.poll() is not None or time.perf_counter() - began > timeout:
                    raise TimeoutError(
                        f"{' '.join(command)[:60]!r} served no page: start it by hand and look."
                    )
                time.sleep(POLL)
            yield ServedApp(address, time.perf_counter() - began)
        finally:
            process.terminate()
            process.wait()


def measure_start(command: Sequence[str]) -> float:
    """Return the seconds from the command to its first page. Raises TimeoutError."""
    with serve_app(command) as app:
        return app.start_seconds


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _serves_page(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=START_TIMEOUT) as page:
            return bool(page.status == 200)
    except OSError:
        return False
