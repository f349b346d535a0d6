"""A written site is complete: every link and every picture of its pages is one of its files."""

import re
from pathlib import Path
from typing import Any

import pytest

from hallascope.engine.export.folder import ExportFolder
from hallascope.engine.export.formats import ExportSource
from hallascope.engine.export.secret_scan import Secrets
from hallascope.engine.services import Services
from hallascope.pages.site import writer
from tests.support.ranked_store import MODELS, PROMPTS


def write(services: Any, root: Path) -> ExportSource:
    root.mkdir()
    source = ExportSource(services=services, runs=[run.id for run in services.store.runs()])
    writer.write(source, ExportFolder(root, Secrets({})))
    return source


@pytest.fixture
def site(ranked: Services, tmp_path: Path) -> Path:
    write(ranked, tmp_path / "site")
    return tmp_path / "site"


def test_every_link_of_every_page_leads_to_a_file_of_the_site(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) == 1 + len(PROMPTS) + len(PROMPTS) * len(MODELS)
    for page in pages:
        links = re.findall(r'(?:href|src)="([^"#]+)', page.read_text("utf-8"))
        local = [link for link in links if not link.startswith("data:")]
        assert local
        assert [link for link in local if not (page.parent / link).is_file()] == []


def test_pictures_are_counted_and_copied_with_their_thumbnails(
    ranked: Services, tmp_path: Path
) -> None:
    source = write(ranked, tmp_path / "site")
    counted = source.summary
    assert (counted.runs, counted.pictures) == (len(PROMPTS), len(PROMPTS) * len(MODELS))
    assert counted.evaluations == counted.pictures
    images = list((tmp_path / "site" / "images").iterdir())
    assert counted.images == len(images) == len(list((tmp_path / "site" / "thumbs").iterdir()))
    assert counted.missing == []


def test_a_picture_that_is_gone_is_named_and_has_no_image(
    make_services: Any, tmp_path: Path
) -> None:
    from hallascope.engine.events import EvaluateRequest
    from tests.conftest import says

    services = make_services(says)
    list(services.evaluate(EvaluateRequest(prompt=PROMPTS[0], models=("primer/exact",))))
    run, *_ = services.store.runs()
    (shot,) = services.store.generated_pictures(run.id)
    services.store.images.path(shot.image).unlink()
    source = write(services, tmp_path / "site")
    assert source.summary.missing == [shot.image]
    assert not (tmp_path / "site" / "images").exists()
    (page,) = (tmp_path / "site" / "runs").iterdir()
    assert "<img" not in page.read_text("utf-8")
