"""Keeps what all visitors get alike in memory, compressed: the pages, their scripts and styles.

Gradio 6.31 copies its settings (1.4 MB) for every visitor of a page, sends them as they are,
compresses each script at every request, and tells no browser how long it may keep one.
"""

import asyncio
import gzip
import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from weakref import WeakValueDictionary

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PAGES = ("/", "/label")
THEME = "/theme.css"
# names of assets hold a hash of their content
ASSETS = "/assets/"
FILES = ("/static/", "/svelte/")
SCRIPTS = "/scripts/"  # of our own; after an upgrade they may be others
MAX_BYTES = 32 * 2**20  # that are kept of all responses together
MAX_RESPONSES = 2000  # that are kept: Gradio has 900 scripts and styles, compressed and not
MIN_COMPRESSED = 400  # bytes of a body that is worth compressing
IMMUTABLE = "public, max-age=31536000, immutable"
FOR_A_DAY = "public, max-age=86400"
CHECKED = "no-cache"  # the browser keeps it, and asks each time whether it is still the same
# what a page names: links carry a signature, the page of raters a plan
_PERSONAL = ("share", "plan", "deep_link")
# the guard before this drops what no trusted proxy has written
_FORWARDED = ("host", "x-forwarded-host", "x-forwarded-proto")
_TEXT = ("text/", "application/javascript", "application/json", "image/svg")


@dataclass(frozen=True)
class CachedResponse:
    """Holds a whole response: status, headers as they are sent, and the body."""

    status: int
    headers: MutableHeaders
    body: bytes

    @property
    def size(self) -> int:
        return len(self.body)


class ResponseCache:
    """Answers with what it keeps, as ASGI middleware; what it lacks it asks the app for once."""

    def __init__(self, app: ASGIApp, max_bytes: int = MAX_BYTES) -> None:
        self._app = app
        self._max_bytes = max_bytes
        self._bytes = 0
        self._kept: OrderedDict[tuple[str, ...], CachedResponse] = OrderedDict()
        # a lock is there while somebody waits for its response: none keeps others waiting
        self._locks = WeakValueDictionary[tuple[str, ...], asyncio.Lock]()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        lifetime = _lifetime(scope)
        if lifetime is None:
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        is_compressed = "gzip" in headers.get("accept-encoding", "")
        key = _key(scope, headers, is_compressed)
        response = self._kept.get(key)
        if response is None:
            # a crowd that comes at once has it made once
            async with self._locks.setdefault(key, asyncio.Lock()):
                response = self._kept.get(key)
                if response is None:
                    response = await _ask(self._app, scope, lifetime, is_compressed)
                    self._keep(key, response)
        else:
            self._kept.move_to_end(key)
        await _send(response, headers, send)

    def _keep(self, key: tuple[str, ...], response: CachedResponse) -> None:
        """Keep a response that succeeded; what was asked for longest ago is forgotten first."""
        if response.status != 200 or response.size > self._max_bytes:
            return
        self._kept[key] = response
        self._bytes += response.size
        while self._bytes > self._max_bytes or len(self._kept) > MAX_RESPONSES:
            _, forgotten = self._kept.popitem(last=False)
            self._bytes -= forgotten.size


def _lifetime(scope: Scope) -> str | None:
    """Return how long a browser may keep the response; None where it is not for everybody."""
    if scope["type"] != "http" or scope["method"] != "GET" or "range" in Headers(scope=scope):
        return None
    path = str(scope["path"])
    query = QueryParams(scope.get("query_string", b""))
    if path in PAGES:
        return None if any(name in query for name in _PERSONAL) else CHECKED
    if path == THEME:
        return IMMUTABLE if "v" in query else CHECKED
    if path.startswith(ASSETS):
        return IMMUTABLE
    if path.startswith(SCRIPTS):
        return CHECKED
    return FOR_A_DAY if path.startswith(FILES) else None


def _key(scope: Scope, headers: Headers, is_compressed: bool) -> tuple[str, ...]:
    """Return what a response depends on; a page holds the address at which the visitor has it."""
    path = str(scope["path"])
    names = () if path.startswith((ASSETS, SCRIPTS, *FILES)) else _FORWARDED
    origin = (str(scope.get("scheme")), str(scope.get("root_path"))) if names else ()
    return (path, str(is_compressed), *origin, *(headers.get(name, "") for name in names))


async def _ask(app: ASGIApp, scope: Scope, lifetime: str, is_compressed: bool) -> CachedResponse:
    """Return the app's response to a visitor of whom it knows no cookie."""
    hidden = (b"accept-encoding", b"cookie", b"if-none-match", b"if-modified-since")
    asked = [(name, value) for name, value in scope["headers"] if name not in hidden]
    messages: list[Message] = []

    async def keep(message: Message) -> None:
        messages.append(message)

    await app({**scope, "headers": asked, "query_string": b""}, _no_body(), keep)
    body = b"".join(message.get("body", b"") for message in messages)
    start = next(message for message in messages if message["type"] == "http.response.start")
    headers = MutableHeaders(raw=list(start["headers"]))
    if start["status"] == 200:
        headers["cache-control"] = lifetime
        headers["etag"] = f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
        headers["vary"] = "Accept-Encoding"
        is_text = headers.get("content-type", "").startswith(_TEXT)
        if is_compressed and is_text and len(body) >= MIN_COMPRESSED:
            body = await run_in_threadpool(gzip.compress, body, 6)
            headers["content-encoding"] = "gzip"
    headers["content-length"] = str(len(body))
    return CachedResponse(start["status"], headers, body)


def _no_body() -> Receive:
    """Return a `receive` that gives an empty body; the app may then wait for the visitor to go."""
    pending: list[Message] = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> Message:
        if not pending:
            await asyncio.Event().wait()
        return pending.pop()

    return receive


async def _send(response: CachedResponse, asked: Headers, send: Send) -> None:
    """Send a response, or only that it is what the browser has."""
    tag = response.headers.get("etag")
    is_known = tag is not None and tag in asked.get("if-none-match", "")
    headers = response.headers.raw
    if is_known:
        headers = [(name, value) for name, value in headers if name != b"content-length"]
    status = 304 if is_known else response.status
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if is_known else response.body})
