"""Serves share cards, and says which card a link to the page shows elsewhere."""

import functools
from dataclasses import replace
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from hallascope.components.html.link_tags import APP, LinkCard
from hallascope.components.share.card import ShareCard, draw_png
from hallascope.engine.errors import HallaScopeError
from hallascope.engine.services import Services
from hallascope.pages.sharing.addresses import PREFIX, CardAddress, CardSigner
from hallascope.pages.sharing.card_text import share_card

_KEPT = 32  # cards that are kept in memory, about 100 kB each
_SECONDS = 3600  # that others may keep a card: what people label can change what it says
_MOST_WORDS = 300  # characters of a description


class ShareLinks:
    """Makes the cards of links; `signer` says which of them may be seen."""

    def __init__(self, services: Services, signer: CardSigner) -> None:
        self._services = services
        self._signer = signer

    def card(self, address: CardAddress, root: str) -> ShareCard:
        """Return the card of an address. `root`: the address of the app as the visitor has it.

        Raises HallaScopeError where the run has no such image.
        """
        place = urlsplit(root)
        link = f"{place.netloc}{place.path}/?run={address.run}"
        return share_card(self._services, address, link)

    def png(self, path: str, root: str) -> bytes | None:
        """Return the file at a path; None where there is none for who has no signature."""
        address = self._signer.read_path(path)
        if address is None:
            return None
        try:
            return _kept_png(self.card(address, root))
        except HallaScopeError:
            return None

    def link_card(self, names: dict[str, str], root: str) -> tuple[LinkCard, str] | None:
        """Return what a link with this query shows elsewhere, and its address below the root.

        None where the query names no card.
        """
        address = self._signer.read_query(names)
        if address is None:
            return None
        try:
            card = self.card(address, root)
        except HallaScopeError:
            return None
        shown = replace(
            APP,
            title=f"{card.headline} · {card.prompt}"[:_MOST_WORDS],
            description=card.alt[:_MOST_WORDS],
            address=self._signer.path(address),
            alt=card.alt[:_MOST_WORDS],
        )
        return shown, f"/?{self._signer.query(address)}"


@functools.lru_cache(maxsize=_KEPT)
def _kept_png(card: ShareCard) -> bytes:
    return draw_png(card)


class ShareCards:
    """Serves the PNG files of share cards, as ASGI middleware."""

    def __init__(self, app: ASGIApp, links: ShareLinks) -> None:
        self._app = app
        self._links = links

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = str(scope.get("path"))
        if scope["type"] != "http" or not path.startswith(PREFIX):
            await self._app(scope, receive, send)
            return
        root = base(Request(scope))
        png = await run_in_threadpool(self._links.png, path, root)
        response: Response = PlainTextResponse("There is nothing at this address.", 404)
        if png is not None:
            headers = {"cache-control": f"public, max-age={_SECONDS}"}
            response = Response(png, media_type="image/png", headers=headers)
        await response(scope, receive, send)


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
