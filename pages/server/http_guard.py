"""Guards Gradio against the network: from whom, how large, and to which addresses.

Gradio 6.31 has addresses that the app does not use (one writes what a visitor typed to the disk),
takes calls from pages of other sites, and reads bodies of any size.
"""

import asyncio
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode

import gradio as gr
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hallascope.engine.access.limits import MIN_UPLOAD
from hallascope.engine.access.visitors import Visitor, believes_proxies
from hallascope.engine.deployment.hosts import VARIABLE, AllowedHosts, allowed_hosts
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.services import Services
from hallascope.pages.shared.visitor import visitor_of

MAX_JSON = 4 * 2**20  # bytes of a call; files come as uploads, which have limits of their own
MAX_UPLOAD = 64 * 2**20  # bytes of all files that are uploaded at once to a public app
SECONDS = 60.0  # that the body of a call may take to arrive
UPLOAD = "/gradio_api/upload"
_WITHOUT_BODY = ("GET", "HEAD", "OPTIONS")
_SERVED = (
    "/",
    "/class",
    "/config",
    "/favicon.ico",
    "/label",
    "/logout",
    "/manifest.json",
    "/pwa_icon",
    "/robots.txt",
    "/theme.css",
)
_BELOW = (
    "/assets/",
    "/class/",
    "/images/",
    "/scripts/",
    "/static/",
    "/svelte/",
    "/login/",
    "/pwa_icon/",
    "/gradio_api/",
)
_OF_GRADIO = frozenset(
    (
        "api",
        "app_id",
        "call",
        "cancel",
        "component_server",
        "file",
        "heartbeat",
        "info",
        "login_check",
        "mcp",
        "openapi.json",
        "queue",
        "reset",
        "run",
        "startup-events",
        "theme.css",
        "upload",
        "upload_progress",
        "user",
    )
)


@dataclass(frozen=True)
class Refusal:
    """Says why a request is refused: the HTTP status, and one sentence."""

    status: int
    sentence: str


class HttpGuard:
    """Refuses requests as ASGI middleware; `services` count what visitors upload, None nobody."""

    def __init__(self, app: ASGIApp, hosts: AllowedHosts, services: Services | None) -> None:
        self._app = app
        self._hosts = hosts
        self._services = services
        # a Space is shown in a frame of the Hub's page
        frames = "'self' https://huggingface.co https://*.hf.space" if hosts.embedding else "'self'"
        self._headers = [
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"same-origin"),
            (b"content-security-policy", f"frame-ancestors {frames}".encode()),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        send = self._with_headers(send)
        if refusal := self._refusal(scope):
            await _refuse(scope, refusal, receive, send)
            return
        scope["headers"] = [each for each in scope["headers"] if self._is_believed(*each)]
        scope["query_string"] = _without_deep_link(scope.get("query_string", b""))
        if scope["type"] == "http" and _has_json(scope):
            body = await _read_body(receive)
            if isinstance(body, Refusal):
                await _refuse(scope, body, receive, send)
                return
            receive = _replay_body(body, receive)
        await self._app(scope, receive, send)

    def _with_headers(self, send: Send) -> Send:
        async def forward(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], *self._headers]}
            await send(message)

        return forward

    def _is_believed(self, name: bytes, value: bytes) -> bool:
        """Return whether a header is passed on.

        Gradio and our pages build their own address from these three: a proxy alone may name it,
        and by no name to which the app does not answer.
        """
        if name == b"x-forwarded-host":
            host = value.decode("latin-1").partition(",")[0].strip()
            return believes_proxies() and self._hosts.answers_to(host)
        return name != b"x-gradio-server" and (name != b"x-forwarded-proto" or believes_proxies())

    def _refusal(self, scope: Scope) -> Refusal | None:
        headers = Headers(scope=scope)
        path = scope["path"]
        if refusal := self._from_elsewhere(headers) or _unknown_address(path):
            return refusal
        if scope["type"] != "http":
            return None
        if path.rstrip("/") == UPLOAD:
            return self._of_upload(scope, headers)
        return None if scope["method"] in _WITHOUT_BODY else _of_body(headers)

    def _from_elsewhere(self, headers: Headers) -> Refusal | None:
        host = headers.get("host", "")
        origin = headers.get("origin")
        if host and not self._hosts.answers_to(host):
            return Refusal(
                403,
                f"The app does not answer to the name {host[:80]!r}: whoever runs it can list the"
                f" name in {VARIABLE}.",
            )
        if origin is not None and not self._hosts.takes_calls_from(origin, host):
            return Refusal(
                403,
                f"The app takes no calls from pages of {origin[:80]!r}: open its own page, or list"
                f" that site in {VARIABLE}.",
            )
        return None

    def _of_upload(self, scope: Scope, headers: Headers) -> Refusal | None:
        services = self._services
        if services is None or services.quotas is None or scope["method"] != "POST":
            return None
        visitor = visitor_of(services, gr.Request(Request(scope))) or Visitor()
        size = headers.get("content-length", "")
        if not size.isdigit():
            return Refusal(
                411, "The upload does not say how large it is: send it with a Content-Length."
            )
        if int(size) > MAX_UPLOAD:
            return Refusal(
                413,
                f"The upload has {int(size) / 2**20:.0f} MB; at most {MAX_UPLOAD // 2**20} MB are"
                " taken at once.",
            )
        try:
            services.quotas.uploads.take(visitor.network, max(int(size), MIN_UPLOAD))
        except HallaScopeError as sentence:
            return Refusal(429, str(sentence))
        return None


def middleware(services: Services | None) -> tuple[Any, ...]:
    """Return the guard as an app is launched with it.

    Raises BadRequest where HALLASCOPE_HOSTS cannot be read.
    """
    return (Middleware(HttpGuard, hosts=allowed_hosts(), services=services),)


def _unknown_address(path: str) -> Refusal | None:
    name = path.removeprefix("/gradio_api/").partition("/")[0].partition("=")[0]
    is_served = path in _SERVED or path.rstrip("/") in _SERVED or path.startswith(_BELOW)
    if is_served and (not path.startswith("/gradio_api/") or name in _OF_GRADIO):
        return None
    return Refusal(404, "There is nothing at this address.")


def _of_body(headers: Headers) -> Refusal | None:
    """Return what is wrong with how a call announces its body."""
    size = headers.get("content-length", "0")
    if size == "0" and "transfer-encoding" not in headers:
        return None
    kind = headers.get("content-type", "").partition(";")[0].strip().casefold()
    if kind != "application/json":
        return Refusal(
            415, "Calls are taken as JSON: send them with Content-Type: application/json."
        )
    return _TOO_LARGE if size.isdigit() and int(size) > MAX_JSON else None


_TOO_LARGE = Refusal(
    413, f"The call is larger than {MAX_JSON // 2**20} MB: send less at once, and files as uploads."
)
_TOO_SLOW = Refusal(408, f"The call did not arrive within {SECONDS:.0f} s: send it again.")


def _has_json(scope: Scope) -> bool:
    return scope["method"] not in _WITHOUT_BODY and scope["path"].rstrip("/") != UPLOAD


async def _read_body(receive: Receive) -> bytes | Refusal:
    """Read the body of a call, no further than it may be long."""
    body = bytearray()
    try:
        async with asyncio.timeout(SECONDS):
            while True:
                message = await receive()
                body += message.get("body", b"")
                if len(body) > MAX_JSON:
                    return _TOO_LARGE
                if message["type"] != "http.request" or not message.get("more_body", False):
                    return bytes(body)
    except TimeoutError:
        return _TOO_SLOW


def _replay_body(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives a body that has been read, and then what comes after it."""
    pending = [body]

    async def messages() -> Message:
        if pending:
            return {"type": "http.request", "body": pending.pop(), "more_body": False}
        return await receive()

    return messages


def _without_deep_link(query: bytes) -> bytes:
    """Return the query without the name of a saved state, which would be read from the disk."""
    parameters = parse_qsl(query.decode("latin-1"), keep_blank_values=True)
    others = [parameter for parameter in parameters if parameter[0] != "deep_link"]
    return query if others == parameters else urlencode(others).encode("latin-1")


async def _refuse(scope: Scope, refusal: Refusal, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    # what is left of the body is not read
    headers = {"connection": "close"} if refusal.status in (408, 411, 413) else None
    words = {"detail": refusal.sentence, "error": refusal.sentence}
    await JSONResponse(words, refusal.status, headers)(scope, receive, send)
