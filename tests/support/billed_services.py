"""A service that bills: it counts and charges every call when it comes, however that call ends.

Beside it the services of the engine with its judge, and with a painter that costs nothing.
"""

import hashlib
import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx2

from hallascope.backends.base import CallLimits
from hallascope.backends.openai.adapter import OpenAICompatible
from hallascope.data.models.specs import ModelSpec, Price
from hallascope.data.requests import Generate, Generated
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.images import png
from tests.support.scripted_models import scripted, serve

READ, WRITTEN = 100, 5  # tokens of every call
PRICE = {"input": 10.0, "output": 200.0}  # USD for a million tokens
COST = (READ * PRICE["input"] + WRITTEN * PRICE["output"]) / 1e6
AT_ONCE = 4  # calls of the judge


@contextmanager
def services(
    folder: Path, address: str, url: str | None = None, at_once: int = AT_ONCE
) -> Iterator[Services]:
    """Yield services on a store in `folder`, or in the database at `url`.

    The judge at that address costs `COST` a call, the painter costs nothing.
    """
    price = Price("2026-01-01", PRICE["input"], PRICE["output"], picture_tokens=10)
    spec = ModelSpec(
        id="billed/judge",
        title="Billed judge",
        roles=("judge",),
        backend="openai",
        kind="api",
        base_url=address,
        price=price,
        settings={"max_tokens": 10},
    )
    client = httpx2.Client(timeout=60)
    judge = OpenAICompatible(spec, client=client)
    judge.limits = CallLimits(1, at_once)

    def draw(request: Generate) -> Generated:
        """Return another image for every seed."""
        return Generated(png(f"{request.seed}", 16 + request.seed % 64))

    store = Store(url, folder)
    yield serve(store, judge, scripted("free/painter", "generator", draw))
    store.close()
    client.close()


class Bill:
    """What was billed: USD in all, and how often each question was asked.

    `delay`: seconds that a reply takes.
    """

    def __init__(self, delay: float = 0.02) -> None:
        self.delay = delay
        self.calls = 0
        self.asked: Counter[str] = Counter()
        self.came = threading.Condition()

    @property
    def amount(self) -> float:
        return self.calls * COST

    @property
    def twice(self) -> int:
        """Calls for questions that had been asked before."""
        return self.calls - len(self.asked)

    def add(self, body: bytes) -> str:
        """Charge a call, and return the letter that always answers its question: A or B."""
        question = hashlib.sha256(body).hexdigest()
        with self.came:
            self.calls += 1
            self.asked[question] += 1
            self.came.notify_all()
        return "AB"[int(question, 16) % 2]

    def wait_for(self, calls: int, seconds: float = 60.0) -> bool:
        """Wait until so many calls have come; False where they do not."""
        with self.came:
            return self.came.wait_for(lambda: self.calls >= calls, seconds)


@contextmanager
def served(bill: Bill) -> Iterator[str]:
    """The address of the service, for as long as the block lasts."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            length = int(self.headers["content-length"])
            body = self.rfile.read(length)
            if len(body) < length:  # its process was killed while it sent it: nothing was asked
                self.close_connection = True
                return
            letter = bill.add(body)
            time.sleep(bill.delay)
            choice = {
                "index": 0,
                "message": {"role": "assistant", "content": json.dumps({"answer": letter})},
                "finish_reason": "stop",
            }
            usage = {
                "prompt_tokens": READ,
                "completion_tokens": WRITTEN,
                "total_tokens": READ + WRITTEN,
            }
            kind = {"id": "reply", "object": "chat.completion", "created": 0, "model": "judge"}
            said = json.dumps(kind | {"choices": [choice], "usage": usage}).encode()
            try:
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(said)))
                self.end_headers()
                self.wfile.write(said)
            except ConnectionError:
                self.close_connection = True  # who asked is gone; it is billed all the same

        def log_message(self, *said: object) -> None:
            """Say nothing."""

    class QuietServer(ThreadingHTTPServer):
        request_queue_size = 64

        def handle_error(self, request: Any, client_address: Any) -> None:
            """Say nothing of clients that are killed."""

    server = QuietServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
