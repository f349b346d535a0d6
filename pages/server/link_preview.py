"""Puts title, sentence, picture and icon of a page into its head.

Services that preview links read them there.
"""

import re
from collections.abc import Mapping
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import FileResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hallascope.components.html.link_tags import APP, LABELING, LinkCard, icon_tag, link_tags
from hallascope.components.html.markup import tag
from hallascope.components.html.scripts import policy_hash
from hallascope.pages.server.share_links import ShareLinks, base

_OTHERS = re.compile(r'<meta\s+(?:property|name)="(?:og|twitter):[^>]*>\s*')
CARDS: Mapping[str, LinkCard] = {"/": APP, "/label": LABELING}  # by the address of the page
_PICTURES = {card.address: card.picture for card in CARDS.values()}
_INLINE = re.compile(r"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>", re.DOTALL)
# Gradio 6.31 writes the settings of a page into scripts of it, which are told by their hashes; it
# compiles templates and `js_on_load` of HTML components (unsafe-eval), sets styles on elements, and
# shows small images from data: and dropped ones from blob:
_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-eval' {}; style-src 'self' 'unsafe-inline';"
    " img-src 'self' data: blob:; object-src 'none'; base-uri 'self'; form-action 'self'"
)
_PLAN = {"plan": re.compile(r"[0-9a-f]{1,12}"), "key": re.compile(r"[\w-]{1,64}", re.ASCII)}


class LinkPreview:
    """Serves pages with our head, and the images that they name, as ASGI middleware.

    `links` says what links to single images show.
    """

    def __init__(self, app: ASGIApp, links: ShareLinks) -> None:
        self._app = app
        self._links = links

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = str(scope.get("path"))
        page = path.rstrip("/") or "/"
        if scope["type"] == "http" and path in _PICTURES:
            headers = {"cache-control": "public, max-age=86400"}
            await FileResponse(_PICTURES[path], headers=headers)(scope, receive, send)
        elif scope["type"] == "http" and page in CARDS and scope["method"] == "GET":
            request = Request(scope)
            root = base(request)
            shown = CARDS[page], _place(page, request.query_params)
            if page == "/" and "share" in request.query_params:
                names = dict(request.query_params)
                card = await run_in_threadpool(self._links.link_card, names, root)
                shown = shown if card is None else card
            await self._app(scope, receive, _rewritten(root, *shown, send))
        else:
            await self._app(scope, receive, send)


def _place(page: str, query: Mapping[str, str]) -> str:
    """Return the address by which a page is shared: that of raters names their plan and its key."""
    named = {name: query[name] for name in _PLAN if _PLAN[name].fullmatch(query.get(name, ""))}
    return f"{page}?{urlencode(named)}" if page != "/" and "plan" in named else page


def _rewritten(root: str, card: LinkCard, place: str, send: Send) -> Send:
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
            body = with_preview(body.decode(), root, card, place).encode()
            headers["content-length"] = str(len(body))
            headers["content-security-policy"] = script_policy(body.decode())
        await send(start[0])
        await send({"type": "http.response.body", "body": body})

    return forward


def script_policy(html: str) -> str:
    """Return the Content-Security-Policy by which a page of Gradio runs its own scripts alone."""
    return _POLICY.format(" ".join(map(policy_hash, _INLINE.findall(html))))


def with_preview(html: str, root: str, card: LinkCard, place: str) -> str:
    """Return the page with our preview and icon in its head, in place of Gradio's."""
    title = Markup() if Markup("<title>") in html else tag("title", card.title)
    end = Markup("</head>")
    tags = title + icon_tag(root) + link_tags(card.title, root, card, place) + end
    return _OTHERS.sub("", html).replace(end, tags, 1)
