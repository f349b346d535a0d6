"""Starts the dashboard as it ships, in a process of its own on a free port of this machine."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DASHBOARD = (sys.executable, "app.py")
START_LIMIT = 600.0  # seconds until the first page
PATIENCE = 120_000  # milliseconds until something expected on a page counts as missing
POLL = 0.02  # seconds between two looks for it


class RunningApp(NamedTuple):
    """Holds a running app: its address, its process, and the seconds until its first page."""

    address: str
    process: "subprocess.Popen[bytes]"
    start_seconds: float


@contextmanager
def running_app(
    home: Path, command: Sequence[str] = DASHBOARD, **variables: str
) -> Iterator[RunningApp]:
    """Yield an app on the store in a folder once it has served its first page; end it after.

    `variables` are added to its environment. What it prints is in the folder, in `app.log`. Raises
    RuntimeError with the end of that where no page comes.
    """
    home.mkdir(exist_ok=True)
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    environment = {
        **os.environ,
        "GRADIO_ANALYTICS_ENABLED": "False",
        **variables,
        "GRADIO_SERVER_PORT": str(port),
        "HALLASCOPE_HOME": str(home),
    }
    log = home / "app.log"
    began = time.perf_counter()
    with (
        log.open("w") as printed,
        subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=printed, stderr=subprocess.STDOUT
        ) as process,
    ):
        try:
            while not _serves_page(address):
                if process.poll() is not None or time.perf_counter() - began > START_LIMIT:
                    raise RuntimeError(f"The app serves no page:\n{log.read_text()[-3000:]}")
                time.sleep(POLL)
            yield RunningApp(address, process, time.perf_counter() - began)
        finally:
            process.terminate()


def free_port() -> int:
    """Return a port that nobody listens on, and that is not soon given again."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _serves_page(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=START_LIMIT) as page:
            return bool(page.status == 200)
    except OSError:
        return False
