"""Puts title, sentence, picture and icon of the app into the head of its pages.

Services that preview links read them there.
"""

import re
from collections.abc import Mapping

from markupsafe import Markup
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import FileResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hallascope.components.html.link_tags import ADDRESS, PREVIEW, TITLE, icon_tag, link_tags
from hallascope.components.html.markup import tag

_OTHERS = re.compile(r'<meta\s+(?:property|name)="(?:og|twitter):[^>]*>\s*')


class LinkPreview:
    """Serves the pages with our head, and the picture that it names, as ASGI middleware.

    `titles`: what each page is called, by its path.
    """

    def __init__(self, app: ASGIApp, titles: Mapping[str, str]) -> None:
        self._app = app
        self._titles = titles

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] == ADDRESS:
            await FileResponse(PREVIEW, headers={"cache-control": "public, max-age=86400"})(
                scope, receive, send
            )
        elif scope["type"] == "http" and scope["path"] in self._titles and scope["method"] == "GET":
            title = self._titles[scope["path"]]
            root = base(Request(scope))
            await self._app(scope, receive, _rewritten(title, root, send))
        else:
            await self._app(scope, receive, send)


def _rewritten(title: str, root: str, send: Send) -> Send:
    """Return a `send` that sends a page with our head, once the whole of it is there.

    Other responses are sent as they are.
    """
    start: list[Message] = []
    parts: list[bytes] = []

    async def forward(message: Message) -> None:
        if message["type"] == "http.response.start":
            start.append(message)
            return
        parts.append(message.get("body", b""))
        if message.get("more_body"):
            return
        headers = MutableHeaders(scope=start[0])
        body = b"".join(parts)
        if (
            headers.get("content-type", "").startswith("text/html")
            and "content-encoding" not in headers
        ):
            body = with_preview(body.decode(), root, title).encode()
            headers["content-length"] = str(len(body))
        await send(start[0])
        await send({"type": "http.response.body", "body": body})

    return forward


def base(request: Request) -> str:
    """Return the app's address as the visitor has it, also behind a proxy.

    Services that preview links need whole addresses.
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


def with_preview(html: str, root: str, title: str = TITLE) -> str:
    """Return the page with our preview and icon in its head, in place of Gradio's."""
    shown_title = Markup() if Markup("<title>") in html else tag("title", title)
    end = Markup("</head>")
    tags = shown_title + icon_tag(root) + link_tags(title, root) + end
    return _OTHERS.sub("", html).replace(end, tags, 1)
