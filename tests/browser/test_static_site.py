"""The static site of two runs, opened from the disk: what belongs together lights up together, by
day, by night and on a phone.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from hallascope.data.models.specs import read_models
from hallascope.engine.export.formats import ExportSource, export
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support import scene_graphs, shared_runs, viewer_app
from tests.support.browser import PHONE, too_wide, visit

pytestmark = pytest.mark.browser
HOSTILE = viewer_app.EVIL[:60]


def keep(store: Store, run: str, prompt: str) -> None:
    """Three pictures by questions, stages and graphs, and one that could not be made."""
    shared_runs.keep(store, run, prompt, ("primer/exact", "primer/hasty", "primer/careful"))
    looked_at = [one for one in store.evaluations(run) if one.metric == "fig"]
    for one in looked_at:
        for judge, report in (
            (None, viewer_app.report(viewer_app.evidence())),
            ("primer/judge", scene_graphs.report(scene_graphs.evidence())),
        ):
            shown = replace(report, prompt=prompt, image=one.image)
            evaluation = replace(one, metric=shown.metric, judge=judge, report=shown)
            store.keep_evaluation(run, evaluation)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    store = Store(folder=folder / "home")
    keep(store, "run1", viewer_app.PROMPT)
    keep(store, "run2", HOSTILE)
    export(
        ExportSource(services=Services(store, read_models()), runs=["run1", "run2"]),
        "site",
        folder / "out",
    )
    store.close()
    return folder / "out"


@pytest.fixture
def page(browser: Browser, site: Path) -> Iterator[Page]:
    """The page of the second picture."""
    with visit(browser, f"{site.as_uri()}/", "pictures/run1.run1-1.html") as opened:
        expect(opened.locator("[data-viewer][data-ready]")).to_have_count(3)
        yield opened


def by(page: Page, metric: str) -> Locator:
    return page.locator(f"#{metric}")


def test_what_is_chosen_of_one_metric_leaves_the_others_alone_and_stands_in_the_address(
    page: Page,
) -> None:
    suggested = by(page, "ihalla").locator(".question.lit .question-title")
    expect(suggested).to_have_count(1)  # the first that is wrong
    before = suggested.inner_text()
    fig = by(page, "fig")
    fig.locator(
        ".rows tr", has=page.get_by_role("button", name=re.compile("two red circles"))
    ).first.click()
    expect(fig.locator(".region.lit[data-part=circle]")).to_have_count(2)
    expect(suggested).to_have_text(before)
    expect(by(page, "scene-graph").locator(".lit")).to_have_count(0)
    expect(page).to_have_url(re.compile("finding=4"))
    page.reload()
    expect(by(page, "fig").locator(".region.lit")).to_have_count(2)
    expect(by(page, "scene-graph").locator(".lit")).to_have_count(0)


@pytest.mark.full
def test_texts_that_try_to_be_markup_are_texts(browser: Browser, site: Path) -> None:
    for name in ("index.html", "runs/run2.html", "pictures/run2.run2-0.html"):
        with visit(browser, f"{site.as_uri()}/", name) as page:
            expect(page.locator("body")).to_contain_text(HOSTILE)
            assert page.evaluate("window.hit") is None


@pytest.mark.full
def test_the_look_is_kept_and_a_phone_shows_everything(browser: Browser, site: Path) -> None:
    with visit(browser, f"{site.as_uri()}/", "pictures/run1.run1-1.html") as page:
        page.locator("[data-look]").click()
        expect(page.locator("body")).to_have_class("dark")
        page.reload()
        expect(page.locator("body")).to_have_class("dark")
        page.set_viewport_size(PHONE)
        for name in ("pictures/run1.run1-1.html", "runs/run1.html", "index.html"):
            page.goto(f"{site.as_uri()}/{name}")
            assert too_wide(page) == 0, name
