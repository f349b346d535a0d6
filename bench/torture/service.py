"""Stands in for a paid service that fails: ``python -m bench.torture.service SHARE SEED``.

It prints its port. Every call is billed when it comes, however it ends. The answer to a question
is always the same letter; a share of the calls (0 to 1) fails in one of the ways of FAULTS instead.
How the n-th call for a question ends is decided by the seed, so that two services of one seed do
the same. ``GET /stats`` tells how many calls came, and for how many questions.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from bench.support.billed_services import READ, WRITTEN

USAGE = {
    "prompt_tokens": READ,
    "completion_tokens": WRITTEN,
    "total_tokens": READ + WRITTEN,
}
RIGHT = "right"
DELAY = 0.02  # seconds that every reply takes
STATUSES = {
    "too many": 429,
    "bad request": 400,
    "server error": 500,
    "bad gateway": 502,
    "overloaded": 503,
    "gateway timeout": 504,
}
CONTENTS: Mapping[str, str | None] = {
    "nothing": "",
    "null": None,
    "words": "I would rather talk about something else.",
    "unknown letter": '{"answer": "Q"}',
    "half an object": '{"answ',
    "another object": '{"color": "red"}',
    "a long reply": "la " * 20_000,
}
BROKEN = ("closed", "cut off", "no JSON", "no choices", "refusal", "another length")
FAULTS = (*STATUSES, *CONTENTS, *BROKEN)


def choose_fault(share: float, seed: int, question: str, number: int) -> str:
    """Return how the call of that number for a question ends: RIGHT, or one of FAULTS."""
    chance = random.Random(f"{seed} {question} {number}")
    return chance.choice(FAULTS) if chance.random() < share else RIGHT


def right_letter(question: str) -> str:
    """Return the letter that always answers a question, known by the hash of its call."""
    return "AB"[int(question, 16) % 2]


class _Counter:
    """Counts the calls for each question; safe to use from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: Counter[str] = Counter()
        self._ends: Counter[str] = Counter()

    def count(self, question: str) -> int:
        """Return the number of this call for the question, from 0."""
        with self._lock:
            self._calls[question] += 1
            return self._calls[question] - 1

    def note(self, end: str) -> None:
        with self._lock:
            self._ends[end] += 1

    def stats(self) -> dict[str, Any]:
        with self._lock:
            return {
                "calls": self._calls.total(),
                "questions": len(self._calls),
                "ends": dict(self._ends),
            }


def make_handler(share: float, seed: int) -> type[BaseHTTPRequestHandler]:
    """Return the class that answers calls, with counts of its own."""
    counter = _Counter()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._send(200, json.dumps(counter.stats()))

        def do_POST(self) -> None:
            length = int(self.headers["content-length"])
            body = self.rfile.read(length)
            if len(body) < length:  # its process was killed while it sent it: nothing was asked
                self.close_connection = True
                return
            question = hashlib.sha256(body).hexdigest()
            end = choose_fault(share, seed, question, counter.count(question))
            counter.note(end)
            time.sleep(DELAY)
            try:
                self._answer(end, right_letter(question))
            except ConnectionError:
                self.close_connection = True  # who asked is gone; it is billed all the same

        def _answer(self, end: str, letter: str) -> None:
            if end in STATUSES:
                error = {"error": {"message": f"The service says: {end}.", "code": end}}
                self._send(STATUSES[end], json.dumps(error))
            elif end in CONTENTS:
                self._send(200, completion(CONTENTS[end]))
            elif end == "closed":
                self.close_connection = True
            elif end == "cut off":
                text = completion(f'{{"answer": "{letter}"}}')
                self._send(200, text[: len(text) // 2], length=len(text))
                self.close_connection = True
            elif end == "no JSON":
                self._send(200, "<html>Down for maintenance</html>", kind="text/html")
            elif end == "no choices":
                self._send(200, json.dumps({"choices": [], "usage": USAGE}))
            elif end == "refusal":
                self._send(200, completion(None, refusal="I cannot help with that."))
            elif end == "another length":
                self._send(200, completion('{"answer": "', reason="length"))
            else:
                self._send(200, completion(f'{{"answer": "{letter}"}}'))

        def _send(
            self, status: int, text: str, kind: str = "application/json", length: int | None = None
        ) -> None:
            data = text.encode()
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data) if length is None else length))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *said: object) -> None:
            """Say nothing."""

    return Handler


def completion(content: str | None, reason: str = "stop", refusal: str | None = None) -> str:
    """Return the body of a reply, as services of OpenAI's kind write it."""
    message = {"role": "assistant", "content": content, "refusal": refusal}
    choice = {"index": 0, "message": message, "finish_reason": reason}
    return json.dumps({"choices": [choice], "usage": USAGE})


class _QuietServer(ThreadingHTTPServer):
    """Says nothing of clients that are killed."""

    def handle_error(self, request: Any, client_address: Any) -> None: ...


def main(share: float, seed: int) -> None:
    server = _QuietServer(("127.0.0.1", 0), make_handler(share, seed))
    server.daemon_threads = True
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]))
