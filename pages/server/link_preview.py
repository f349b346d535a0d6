"""Makes what a link to the app shows elsewhere: title, sentence and picture in the head.

They are in the place of Gradio's own.
"""

import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import FileResponse

from hallascope.components.html.link_tags import ADDRESS, PREVIEW, TITLE, tags

PreviewMessage = MutableMapping[str, Any]
PreviewReceive = Callable[[], Awaitable[PreviewMessage]]
PreviewSend = Callable[[PreviewMessage], Awaitable[None]]
PreviewedApp = Callable[[PreviewMessage, PreviewReceive, PreviewSend], Awaitable[None]]

_OTHERS = re.compile(r'<meta\s+(?:property|name)="(?:og|twitter):[^>]*>\s*')


class LinkPreview:
    """ASGI middleware: the first page with our head, and the picture that it names."""

    def __init__(self, app: PreviewedApp) -> None:
        self._app = app

    async def __call__(
        self, scope: PreviewMessage, receive: PreviewReceive, send: PreviewSend
    ) -> None:
        if scope["type"] == "http" and scope["path"] == ADDRESS:
            await FileResponse(PREVIEW, headers={"cache-control": "public, max-age=86400"})(
                scope, receive, send
            )
        elif scope["type"] == "http" and scope["path"] == "/" and scope["method"] == "GET":
            await self._app(scope, receive, _rewritten(base(Request(scope)), send))
        else:
            await self._app(scope, receive, send)


def _rewritten(root: str, send: PreviewSend) -> PreviewSend:
    """Sends a page with our head, once the whole of it is there.

    What is no page is sent as it is.
    """
    began: list[PreviewMessage] = []
    parts: list[bytes] = []

    async def forward(message: PreviewMessage) -> None:
        if message["type"] == "http.response.start":
            began.append(message)
            return
        parts.append(message.get("body", b""))
        if message.get("more_body"):
            return
        headers = MutableHeaders(scope=began[0])
        body = b"".join(parts)
        if (
            headers.get("content-type", "").startswith("text/html")
            and "content-encoding" not in headers
        ):
            body = with_preview(body.decode(), root).encode()
            headers["content-length"] = str(len(body))
        await send(began[0])
        await send({"type": "http.response.body", "body": body})

    return forward


def base(request: Request) -> str:
    """Return the app's address as the visitor has it, also behind a proxy.

    Services that show links want whole addresses.
    """
    headers = request.headers
    scheme = headers.get("x-forwarded-proto", request.url.scheme).split(",")[0].strip()
    host = (
        headers.get("x-forwarded-host", headers.get("host", request.url.netloc))
        .split(",")[0]
        .strip()
    )
    path = str(request.scope.get("root_path", "")).rstrip("/")
    return f"{'https' if scheme == 'https' else 'http'}://{host}{path}"


def with_preview(html: str, root: str) -> str:
    """The page with what our link shows, and without what Gradio's would."""
    title = "" if "<title>" in html else f"<title>{TITLE}</title>"
    return _OTHERS.sub("", html).replace("</head>", f"{title}{tags(TITLE, root)}</head>", 1)
