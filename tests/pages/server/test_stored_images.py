"""Stored images are served by their hashes, and a thumbnail is rendered when it is asked for."""

from pathlib import Path

from starlette.applications import Starlette
from starlette.testclient import TestClient

from hallascope.pages.server.stored_images import StoredImages
from tests.conftest import build
from tests.support.images import png


def test_a_thumbnail_is_rendered_when_the_page_asks_for_it(tmp_path: Path) -> None:
    services = build(tmp_path / "home")
    image = services.store.keep_image(png(size=500))
    client = TestClient(StoredImages(Starlette(), services))
    address = f"/images/{image.path.parent.name}/{image.path.stem}"
    small = client.get(f"{address}.webp")
    assert (small.status_code, small.headers["content-type"]) == (200, "image/webp")
    assert len(small.content) < len(client.get(f"{address}.png").content)
    image.path.unlink()
    assert client.get(f"{address}.webp").status_code == 200, "it stays once it is there"
    gone = f"/images/ab/{'0' * 62}.webp"
    assert client.get(gone).status_code == 404
    services.store.close()
