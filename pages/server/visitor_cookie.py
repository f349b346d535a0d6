"""Gives every browser that opens a public app a signed cookie, by which it is known again."""

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hallascope.engine.access.visitors import COOKIE, Signer
from hallascope.engine.deployment.hosting import public
from hallascope.pages.server.response_cache import PAGES

_YEAR = 31_536_000  # seconds


class VisitorCookie:
    """Adds the cookie to pages that a browser asks for without one, as ASGI middleware."""

    def __init__(self, app: ASGIApp, signer: Signer) -> None:
        self._app = app
        self._signer = signer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_page = scope["type"] == "http" and (scope["path"].rstrip("/") or "/") in PAGES
        if not is_page or not public() or self._is_known(Request(scope)):
            await self._app(scope, receive, send)
            return

        async def add_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=list(message["headers"]))
                headers.append("set-cookie", self._cookie(Request(scope)))
                headers["cache-control"] = "private, no-cache"
                message = {**message, "headers": headers.raw}
            await send(message)

        await self._app(scope, receive, add_cookie)

    def _is_known(self, request: Request) -> bool:
        return self._signer.is_cookie(request.cookies.get(COOKIE, ""))

    def _cookie(self, request: Request) -> str:
        """Return the header; in a frame of another site (a Space) a cookie must be for the frame.

        Starlette writes no `Partitioned` under Python 3.11.
        """
        scheme = request.headers.get("x-forwarded-proto", request.url.scheme)
        reach = "SameSite=None; Secure; Partitioned" if scheme == "https" else "SameSite=Lax"
        value = self._signer.new_cookie()
        return f"{COOKIE}={value}; Path=/; Max-Age={_YEAR}; HttpOnly; {reach}"
