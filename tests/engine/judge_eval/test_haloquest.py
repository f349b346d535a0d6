"""HaloQuest's items have their pictures, and what was asked of a judge is not asked again."""

import shutil
from pathlib import Path

import httpx
import pytest

from hallascope.data.benchmarks.haloquest import read_haloquest
from hallascope.engine.images.downloads import Downloads
from hallascope.engine.judge_eval.haloquest import haloquest_items, primer_items, try_halo
from tests.support.halo_trials import services_on, write_table
from tests.support.small_pictures import png


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write_table(tmp_path)


def test_what_was_asked_is_not_asked_again(tmp_path: Path) -> None:
    services = services_on(tmp_path)
    items = list(primer_items(3, 0, tmp_path))
    for _ in range(2):
        try_halo(services, items, "scripted/judge", "scripted/grader")
    assert services.registry.backend("scripted/judge").requests == 3  # type: ignore[attr-defined]
    assert services.registry.backend("scripted/grader").requests == 3  # type: ignore[attr-defined]
    services.store.close()


def test_pictures_come_from_the_folder_first_and_else_from_the_web(
    table: Path, tmp_path: Path
) -> None:
    asked: list[str] = []

    def web(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.path)
        return (
            httpx.Response(200, content=png("w", 8), headers={"content-type": "image/png"})
            if "b.png" in request.url.path
            else httpx.Response(404)
        )

    (table.parent / "pictures" / "b.png").unlink()
    (table.parent / "pictures" / "a.png").write_bytes(b"no image")
    services = services_on(tmp_path)
    downloads = Downloads(
        tmp_path / "web",
        httpx.Client(transport=httpx.MockTransport(web)),
        lambda _: ["93.184.216.34"],
        sleep=lambda _: None,
    )
    found = list(
        haloquest_items(
            read_haloquest(table).rows,
            table.parent / "pictures",
            downloads,
            services.import_picture,
        )
    )
    assert [item.picture is not None for item in found] == [False, True, False]
    assert "'a.png' is no image" in found[0].why
    assert "is gone from the web" in found[2].why
    assert asked == ["/b.png", "/gone.png"]
    services.store.close()
    shutil.rmtree(tmp_path / "web")
