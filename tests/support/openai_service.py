"""A service that speaks OpenAI's language on loopback, for tests of the page: it lists models to
those who have the key, writes questions about a cat, generates an image and answers A.
"""

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from bench.support.images import png
from tests.support.question_making import SETS

KEY = "sk-secret-of-a-test-4711"
MODELS = ("gpt-4o", "gpt-4.1-mini", "gpt-image-1", "dall-e-3")
USAGE = {"prompt_tokens": 100, "completion_tokens": 5, "total_tokens": 105}


def _content(body: dict[str, Any]) -> str:
    form = json.dumps(body.get("response_format", ""))
    if '"sets"' in form:
        return json.dumps({"sets": SETS})
    return '{"answer": "A"}' if '"answer"' in form else "A cat has four paws."


def _reply(path: str, body: dict[str, Any]) -> dict[str, Any]:
    if path.endswith("/images/generations"):
        return {"data": [{"b64_json": base64.b64encode(png()).decode()}], "usage": USAGE}
    message = {"role": "assistant", "content": _content(body)}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {"choices": [choice], "usage": USAGE}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.headers["authorization"] == f"Bearer {KEY}":
            self._send(200, {"data": [{"id": name} for name in MODELS]})
        else:
            self._send(401, {"error": {"message": "no such key", "code": "invalid_api_key"}})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if body.get("stream"):
            self._stream(_content(body))
        else:
            self._send(200, _reply(self.path, body))

    def _send(self, status: int, document: dict[str, Any]) -> None:
        data = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, text: str) -> None:
        piece = {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": "stop"}]}
        end = {"choices": [], "usage": USAGE}
        events = "".join(f"data: {json.dumps(each)}\n\n" for each in (piece, end))
        data = f"{events}data: [DONE]\n\n".encode()
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *said: object) -> None:
        """Say nothing."""


@contextmanager
def served() -> Iterator[str]:
    """The address of the service, for as long as the block lasts."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
