"""A service that bills, for tests: it counts and charges every call when it comes, however that
call ends; and a process that asks it.

``python -m tests.support.billing_server FOLDER ADDRESS CAP`` runs one evaluation on the store in
FOLDER and prints the cost that its run has come to.
"""

import hashlib
import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from bench.support.billed_services import COST, READ, WRITTEN, services

PICTURES, QUESTIONS = 12, 5


class Bill:
    """What was billed: USD in all, and how often each question was asked.

    `delay`: seconds that a reply takes.
    """

    def __init__(self, delay: float = 0.02) -> None:
        self.delay = delay
        self.asked: Counter[str] = Counter()
        self.came = threading.Condition()

    @property
    def calls(self) -> int:
        return sum(self.asked.values())

    @property
    def amount(self) -> float:
        return self.calls * COST

    @property
    def twice(self) -> int:
        """Calls for questions that had been asked before."""
        return self.calls - len(self.asked)

    def add(self, body: bytes) -> None:
        with self.came:
            self.asked[hashlib.sha256(body).hexdigest()] += 1
            self.came.notify_all()

    def wait_for(self, calls: int, seconds: float = 60.0) -> bool:
        """Wait until so many calls have come; False where they do not."""
        with self.came:
            return self.came.wait_for(lambda: self.calls >= calls, seconds)


@contextmanager
def served(bill: Bill) -> Iterator[str]:
    """The address of the service, for as long as the block lasts."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers["content-length"])
            body = self.rfile.read(length)
            if len(body) < length:  # its process was killed while it sent it: nothing was asked
                self.close_connection = True
                return
            bill.add(body)
            time.sleep(bill.delay)
            choice = {
                "index": 0,
                "message": {"role": "assistant", "content": '{"answer": "A"}'},
                "finish_reason": "stop",
            }
            usage = {
                "prompt_tokens": READ,
                "completion_tokens": WRITTEN,
                "total_tokens": READ + WRITTEN,
            }
            said = json.dumps({"choices": [choice], "usage": usage}).encode()
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

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


def evaluate(folder: Path, address: str, cap: float) -> Any:
    """The last event of an evaluation of `PICTURES` pictures with `QUESTIONS` questions each."""
    from hallascope.engine.events import EvaluateRequest
    from hallascope.engine.money.budget import SpendingPolicy

    request = EvaluateRequest(
        prompt="a molecule of methane",
        models=("free/painter",),
        judge="billed/judge",
        count=PICTURES,
    )
    with services(folder, address) as ready:
        return list(ready.evaluate(request, terms=SpendingPolicy(run=cap)))[-1]


if __name__ == "__main__":
    print(evaluate(Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])).spent)
