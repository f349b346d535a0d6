"""The guard refuses a request before the app sees any of it, with the status and one sentence."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from hallascope.engine.access.visitors import PROXIES
from hallascope.engine.deployment.hosts import AllowedHosts, allowed_hosts
from hallascope.pages.server import http_guard
from hallascope.pages.server.http_guard import MAX_JSON, MAX_UPLOAD, UPLOAD, HttpGuard
from tests.support.coroutines import run_apart

CALL = "/gradio_api/call/models"
JSON = {"content-type": "application/json"}
HOSTS = AllowedHosts(listed=("scope.example.org",))


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
    services: Any = None,
    hosts: AllowedHosts = HOSTS,
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
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})

    call = HttpGuard(app, hosts, services)(scope, receive, send)
    run_apart(call)
    return exchange


def test_a_call_in_pieces_reaches_the_app_as_a_whole() -> None:
    assert request(chunks=(b'{"data": ', b"[1]", b"}")).bodies == [b'{"data": [1]}']


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


def test_on_ones_own_machine_uploads_are_not_limited() -> None:
    assert request(UPLOAD, {"content-length": str(MAX_UPLOAD + 1)}).status is None


@pytest.mark.parametrize("name", [b"deep_link", b"deep%5flink", b"%64eep%5Flin%6b"])
def test_the_name_of_a_saved_state_is_taken_out_of_the_address(name: bytes) -> None:
    answer = request("/", {}, method="GET", query=b"tab=fig&" + name + b"=abc&x=")
    assert answer.passed[0]["query_string"] == b"tab=fig&x="


def test_other_queries_are_passed_on_as_they_are() -> None:
    query = b"tab=fi%67&x&deep%255flink=a"
    assert request("/", {}, method="GET", query=query).passed[0]["query_string"] == query


@pytest.mark.parametrize("proxy", ["", "1"])
@pytest.mark.parametrize("host", ["evil.example", "scope.example.org"])
def test_only_a_proxy_names_the_host_and_only_one_of_the_app(
    proxy: str, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PROXIES, proxy)
    sent = {
        "x-forwarded-host": host,
        "x-forwarded-proto": "https",
        "x-gradio-server": "http://evil.example",
    }
    passed = dict(request("/", sent, method="GET").passed[0]["headers"])
    assert passed.get(b"x-forwarded-proto") == (b"https" if proxy else None)
    is_named = proxy and host == "scope.example.org"
    assert passed.get(b"x-forwarded-host") == (host.encode() if is_named else None)
    assert b"x-gradio-server" not in passed


@pytest.mark.parametrize("path", ["/", "/docs", CALL, UPLOAD])
def test_every_answer_says_how_a_browser_may_use_it(path: str) -> None:
    sent = request(path, {}, method="GET").sent
    headers = dict(sent[0]["headers"]) if sent else {}
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert headers[b"referrer-policy"] == b"same-origin"
    assert headers[b"content-security-policy"] == b"frame-ancestors 'self'"


def test_a_space_is_shown_in_a_frame_of_the_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPACE_ID", "someone/scope")
    sent = request("/", {}, method="GET", hosts=allowed_hosts()).sent
    assert dict(sent[0]["headers"])[b"content-security-policy"] == (
        b"frame-ancestors 'self' https://huggingface.co https://*.hf.space"
    )


def test_a_refused_socket_is_closed() -> None:
    answer = request("/docs", {}, kind="websocket")
    assert answer.sent == [{"type": "websocket.close", "code": 1008}]
