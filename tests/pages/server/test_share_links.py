"""A link to an image shows its card elsewhere, for those alone who were given the link."""

import io
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from PIL import Image
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse
from starlette.routing import Route

from hallascope.components.html.link_tags import ADDRESS, SIZE
from hallascope.engine.access.visitors import Signer
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.pages.server.link_preview import LinkPreview
from hallascope.pages.server.share_links import ShareCards, ShareLinks
from hallascope.pages.sharing.addresses import CardAddress, CardSigner
from tests.pages.server.test_link_preview import metas
from tests.support.coroutines import run_apart
from tests.support.shared_runs import EVIL, keep

ROOT = "https://example.org"
QUESTION = CardAddress("run1", "run1-1", "ihalla", "question=1")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(folder=tmp_path / "home")
    keep(opened)
    keep(opened, "evil", EVIL)
    yield opened
    opened.close()


@pytest.fixture
def signer(store: Store) -> CardSigner:
    return CardSigner(Signer(store.folder))


@pytest.fixture
def app(store: Store, signer: CardSigner) -> Starlette:
    links = ShareLinks(Services(store, {}), signer)
    page = Route("/", lambda _: HTMLResponse("<html><head></head><body></body></html>"))
    middleware = [Middleware(LinkPreview, links=links), Middleware(ShareCards, links=links)]
    return Starlette(routes=[page], middleware=middleware)


def get(app: Starlette, address: str) -> httpx.Response:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url=ROOT) as client:
            return await client.get(address)

    return run_apart(ask())


def test_the_link_names_the_card_and_the_card_is_there(app: Starlette, signer: CardSigner) -> None:
    said = dict(metas(get(app, f"/?{signer.query(QUESTION)}").text))
    assert said["og:image"] == f"{ROOT}{signer.path(QUESTION)}"
    assert said["twitter:card"] == "summary_large_image"
    assert "How many hydrogen atoms are there?" in said["og:description"]
    assert said["og:url"].startswith(f"{ROOT}/?run=run1&amp;image=run1-1&amp;question=1&amp;share=")
    card = get(app, said["og:image"])
    assert card.headers["content-type"] == "image/png"
    with Image.open(io.BytesIO(card.content)) as image:
        assert image.size == SIZE


def test_without_its_signature_a_link_shows_the_page_and_there_is_no_card(
    app: Starlette, signer: CardSigner
) -> None:
    query = signer.query(QUESTION)
    for guessed in (query.partition("&share")[0], f"{query}x", query.replace("=1&", "=2&")):
        said = dict(metas(get(app, f"/?{guessed}").text))
        assert said["og:image"] == f"{ROOT}{ADDRESS}"
        assert "hydrogen" not in str(said)
    path = signer.path(QUESTION)
    for guessed in (path.replace("run1-1", "run1-0"), path.replace(".png", "x.png"), f"{path}/"):
        assert get(app, guessed).status_code == 404


def test_a_card_of_what_is_gone_is_not_there(app: Starlette, signer: CardSigner) -> None:
    for gone in (QUESTION._replace(run="run9"), QUESTION._replace(choice="question=9")):
        assert get(app, signer.path(gone)).status_code == 404
        said = dict(metas(get(app, f"/?{signer.query(gone)}").text))
        assert said["og:image"] == f"{ROOT}{ADDRESS}"


def test_a_prompt_is_no_markup_in_the_head(app: Starlette, signer: CardSigner) -> None:
    address = CardAddress("evil", "evil-0", "ihalla", "image")
    html = get(app, f"/?{signer.query(address)}").text
    assert "<img" not in html
    assert get(app, signer.path(address)).status_code == 200
