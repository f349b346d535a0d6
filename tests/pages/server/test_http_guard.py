"""The guard refuses a request before the app sees any of it, with the status and one sentence."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from hallascope.engine.deployment.hosts import AllowedHosts
from hallascope.engine.deployment.rate_limit import UploadLimits, UploadQuota
from hallascope.pages.server import http_guard
from hallascope.pages.server.http_guard import MAX_JSON, MAX_UPLOAD, UPLOAD, HttpGuard
from tests.support.coroutines import run_apart

CALL = "/gradio_api/call/models"
JSON = {"content-type": "application/json"}
HOSTS = AllowedHosts(listed=("scope.example.org",))
DAY = UploadLimits(visitor=10 * 2**20)


@dataclass
class Exchange:
    """One request through the guard: what the app behind it was given, and what was answered."""

    passed: list[dict[str, Any]] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    sent: list[Any] = field(default_factory=list)

    @property
    def status(self) -> int | None:
        """The status of a refusal, None where the app was asked."""
        return None if self.passed else self.sent[0]["status"]

    @property
    def sentence(self) -> str:
        return str(json.loads(self.sent[1]["body"])["error"])


def request(
    path: str = CALL,
    headers: dict[str, str] | None = None,
    *,
    method: str = "POST",
    chunks: Sequence[bytes] = (b"{}",),
    query: bytes = b"",
    kind: str = "http",
    uploads: UploadQuota | None = None,
) -> Exchange:
    """Send a request through the guard; `chunks` are the parts in which its body arrives."""
    exchange = Exchange()
    named = {"host": "127.0.0.1:7860", **(JSON if headers is None else headers)}
    scope = {
        "type": kind,
        "method": method,
        "path": path,
        "query_string": query,
        "headers": [(name.encode(), value.encode()) for name, value in named.items()],
        "client": ("91.198.174.192", 1),
    }
    messages = [
        {"type": "http.request", "body": chunk, "more_body": i < len(chunks) - 1}
        for i, chunk in enumerate(chunks)
    ]

    async def receive() -> Any:
        return messages.pop(0) if messages else await asyncio.Event().wait()

    async def send(message: Any) -> None:
        exchange.sent.append(message)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        exchange.passed.append(scope)
        if scope["type"] == "http" and scope["method"] == "POST":
            exchange.bodies.append((await receive())["body"])

    call = HttpGuard(app, HOSTS, uploads)(scope, receive, send)
    run_apart(call)
    return exchange


def test_a_call_in_pieces_reaches_the_app_as_a_whole() -> None:
    assert request(chunks=(b'{"data": ', b"[1]", b"}")).bodies == [b'{"data": [1]}']


@pytest.mark.parametrize(
    "path", ["/", "/config", "/config/", "/assets/x.js", "/gradio_api/file=/tmp/a.png"]
)
def test_what_the_page_is_made_of_is_served(path: str) -> None:
    assert request(path, {}, method="GET").status is None


@pytest.mark.parametrize("path", ["/docs", "/monitoring", "/gradio_api/deep_link", "/gradio_api/"])
def test_an_address_that_the_app_does_not_use_is_not_there(path: str) -> None:
    answer = request(path, {}, method="GET")
    assert (answer.status, answer.sentence) == (404, "There is nothing at this address.")


def test_another_name_and_a_page_of_another_site_get_nothing() -> None:
    foreign = request(headers={**JSON, "host": "evil.example"})
    assert foreign.status == 403
    assert "does not answer to the name 'evil.example'" in foreign.sentence
    called = request(headers={**JSON, "origin": "http://evil.example"})
    assert called.status == 403
    assert "takes no calls from pages of 'http://evil.example'" in called.sentence
    assert request(headers={**JSON, "origin": "https://scope.example.org"}).status is None


@pytest.mark.parametrize("kind", ["text/plain", "multipart/form-data; boundary=x", ""])
def test_a_call_is_taken_as_json_alone(kind: str) -> None:
    assert request(headers={"content-type": kind, "content-length": "2"}).status == 415


def test_a_call_without_a_body_needs_no_type() -> None:
    assert request(headers={}, chunks=(b"",)).status is None


def test_a_call_that_says_that_it_is_too_large_is_not_read() -> None:
    answer = request(headers={**JSON, "content-length": str(MAX_JSON + 1)}, chunks=())
    assert answer.status == 413
    assert "larger than 4 MB" in answer.sentence
    assert (b"connection", b"close") in answer.sent[0]["headers"]


def test_a_call_that_does_not_say_its_size_is_read_no_further_than_it_may_be_long() -> None:
    endless = {**JSON, "transfer-encoding": "chunked"}
    assert request(headers=endless, chunks=(b"x" * MAX_JSON,)).status is None
    assert request(headers=endless, chunks=(b"x" * MAX_JSON, b"x", b"x")).status == 413


def test_a_call_that_does_not_arrive_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_guard, "SECONDS", 0.0)
    assert request(headers={**JSON, "content-length": "2"}, chunks=()).status == 408


def test_an_upload_says_its_size_and_keeps_to_the_limits_of_its_visitor() -> None:
    uploads = UploadQuota(DAY, lambda: 0.0)
    assert request(UPLOAD, {}, uploads=uploads).status == 411
    large = request(UPLOAD, {"content-length": str(MAX_UPLOAD + 1)}, uploads=uploads)
    assert large.status == 413
    assert "at most 64 MB" in large.sentence
    size = {"content-length": str(8 * 2**20)}
    assert request(UPLOAD, size, uploads=uploads).status is None
    assert request(UPLOAD, size, uploads=uploads).status == 429


def test_on_ones_own_machine_uploads_are_not_limited() -> None:
    assert request(UPLOAD, {"content-length": str(MAX_UPLOAD + 1)}).status is None


def test_the_name_of_a_saved_state_is_taken_out_of_the_address() -> None:
    answer = request("/", {}, method="GET", query=b"tab=fig&deep_link=abc&x=")
    assert answer.passed[0]["query_string"] == b"tab=fig&x="


def test_a_refused_socket_is_closed() -> None:
    answer = request("/docs", {}, kind="websocket")
    assert answer.sent == [{"type": "websocket.close", "code": 1008}]


def test_a_refusal_of_head_has_no_body() -> None:
    assert request("/docs", {}, method="HEAD").sent[1]["body"] == b""
