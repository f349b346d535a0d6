"""The Errors tab in a browser: gallery, grid, slices, two runs compared, a probe and a repair."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.support.browser import choose_chips, fits_a_phone, open_tab, set_chip, too_wide, visit
from tests.support.judged_grid import MODELS, PROMPTS
from tests.support.shared_apps import SharedApps

pytestmark = pytest.mark.browser
ADDRESS = "?tab=errors&part=grid"
MOST_TILES = 160  # that may be in the page


@pytest.fixture
def judged(apps: SharedApps) -> str:
    """The address of a dashboard with a few judged images and their evidence."""
    return apps.fresh("ranking")


@pytest.fixture
def large(apps: SharedApps) -> str:
    """The address of a dashboard with 3,000 judged images."""
    return apps.shared("judged-grid", 0)


def open_list(page: Page) -> Locator:
    """Unfold the list of all images, and return it when its images are there."""
    page.get_by_role("button", name="All images as a list").click()
    images = page.locator("#errors-gallery .tiles")
    expect(images.locator(".tile-frame img").first).to_be_visible()
    return images


def test_images_are_opened_and_tagged_by_keyboard(browser: Browser, judged: str) -> None:
    with visit(browser, judged, ADDRESS) as page:
        images = open_list(page)
        status = page.locator("#errors-gallery .gallery-count")
        expect(status).to_have_text("6 images")
        images.focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        evidence = page.locator("#errors-gallery-evidence .exhibit")
        expect(evidence).to_be_in_viewport()
        prompt = images.locator(".opened .tile-prompt").inner_text()
        caption = page.locator("#errors-gallery-evidence .image-caption")
        expect(caption.locator(".caption-prompt")).to_have_text(prompt)
        first = evidence.get_attribute("data-key")
        page.keyboard.press("k")
        expect(evidence).not_to_have_attribute("data-key", str(first))
        page.keyboard.press("j")
        expect(evidence).to_have_attribute("data-key", str(first))
        page.keyboard.press("t")
        dialog = page.get_by_role("dialog", name="Tag 1 image")
        expect(dialog.get_by_label("Tag", exact=True)).to_be_focused()
        expect(dialog.get_by_role("button", name="feature mixture")).to_be_visible()
        page.keyboard.type("Green  Fur")
        page.keyboard.press("Enter")
        expect(status).to_contain_text("“green fur” added to 1 image")
        expect(images.locator(".tile-tags", has_text="green fur")).to_have_count(1)
        # a range, and the tag that was used last by its digit
        page.keyboard.press("Home")
        page.keyboard.press("Space")
        page.keyboard.press("End")
        page.keyboard.press("Shift+ArrowLeft")
        expect(images.locator("[aria-selected=true]")).to_have_count(3)
        page.keyboard.press("t")
        expect(page.get_by_role("dialog", name="Tag 3 images")).to_be_visible()
        page.keyboard.press("1")
        expect(status).to_contain_text("“green fur” added to 3 images")
        expect(images.locator(".tile-tags", has_text="green fur")).to_have_count(4)
        page.keyboard.press("Escape")
        expect(images.locator("[aria-selected=true]")).to_have_count(0)
        assert too_wide(page) == 0


def choose(page: Page, label: str, words: str) -> None:
    """Choose in one of the lists above the grid."""
    page.get_by_label(label, exact=True).click()
    page.get_by_role("option", name=words, exact=True).click()


@pytest.mark.full
def test_of_a_large_grid_a_page_is_shown(browser: Browser, large: str) -> None:
    with visit(browser, large, ADDRESS) as page:
        grid = page.locator("#errors-grid")
        tiles = grid.locator(".tile")
        count = grid.locator(".gallery-count")
        expect(count).to_contain_text(f"of {PROMPTS} rows by {MODELS} columns")
        expect(tiles.first).to_be_visible()
        assert 0 < tiles.count() < MOST_TILES
        grid.locator(".tiles").focus()
        page.keyboard.press("End")
        expect(tiles.last).to_be_in_viewport()
        grid.get_by_role("button", name="Next").click()
        expect(count).not_to_contain_text("Rows 1 to")
        assert 0 < tiles.count() < MOST_TILES


@pytest.mark.full
def test_what_changed_from_a_column_is_marked(browser: Browser, large: str) -> None:
    with visit(browser, large, ADDRESS) as page:
        grid = page.locator("#errors-grid")
        expect(grid.locator(".tile").first).to_be_visible()
        choose(page, "Compare with", "m/00")
        changed = grid.locator('.tile[aria-label^="prompt 0, m/01: 0 of 2 wrong"]')
        expect(changed).to_have_attribute("aria-label", re.compile(r"1 better than m/00"))
        same = grid.locator('.tile[aria-label^="prompt 0, m/03: 1 of 2 wrong"]')
        expect(same).not_to_have_attribute("aria-label", re.compile("than m/00"))
        expect(page).to_have_url(re.compile("grid-baseline=m%2F00"))
        # all images change their size together
        width = changed.evaluate("(tile) => tile.clientWidth")
        grid.get_by_label("Size").fill("300")
        tiles = "[...document.querySelectorAll('#errors-grid .tile')]"
        page.wait_for_function(
            f"(width) => {tiles}.every((tile) => tile.clientWidth > width)", arg=width
        )
        choose(page, "Rows", f"model ({MODELS})")
        expect(grid.locator(".gallery-count")).to_contain_text(
            f"{MODELS} rows by {PROMPTS} columns"
        )
        expect(page).to_have_url(re.compile("grid-rows=model&grid-columns=prompt"))


@pytest.fixture
def ranked(apps: SharedApps) -> str:
    """The address of a dashboard with six judged images of two prompts, each a run."""
    return apps.shared("ranking", 0)


def test_a_slice_becomes_a_filter(browser: Browser, large: str) -> None:
    with visit(browser, large, "?tab=errors&part=slices") as page:
        first = page.locator("#errors-slices .slice-row").first
        expect(first).to_contain_text("% wrong")
        first.get_by_role("link", name="Use as filter").click()
        expect(page.get_by_role("button", name="Filter: ")).to_be_visible()
        expect(page).to_have_url(re.compile("(?=.*slice=).*part=slices"))
        fits_a_phone(page)


@pytest.mark.full
def test_two_models_are_compared_and_a_link_compares_them_again(
    browser: Browser, ranked: str
) -> None:
    with visit(browser, ranked, "?tab=errors&part=runs") as page:
        expect(page.get_by_label("Models", exact=True)).to_be_enabled()
        page.get_by_label("Models", exact=True).check()
        expect(page.get_by_label("First")).to_have_value(re.compile("^[a-z]+$"))
        names = [page.get_by_label(label).input_value() for label in ("First", "Second")]
        page.get_by_role("button", name="Compare", exact=True).click()
        expect(page.locator("#errors-runs [data-kind=model]")).to_be_visible()
        expect(page).to_have_url(re.compile("compare=model.*second="))
        query = urlsplit(page.url).query
    with visit(browser, ranked, f"?{query}") as page:
        expect(page.locator("#errors-runs [data-kind=model]")).to_be_visible()
        for label, name in zip(("First", "Second"), names, strict=True):
            expect(page.get_by_label(label)).to_have_value(name)


PROMPT = "two red circles"


@pytest.fixture
def page(browser: Browser, apps: SharedApps) -> Iterator[Page]:
    with visit(browser, apps.fresh("shipped"), "?tab=errors&part=probe") as found:
        expect(found.locator("#errors-probe-go")).to_be_visible()
        yield found


def test_a_prompt_is_probed_and_what_failed_is_repaired_beside_fresh_images(page: Page) -> None:
    expect(page.locator("#errors-probe-figure")).to_be_hidden()
    choose_chips(page, "errors-probe-models", "primer/careless")
    page.locator("#errors-probe-images input").fill("8")
    page.locator("#errors-probe-go").click()
    expect(page.locator("#errors-probe-status")).to_contain_text("8 images judged.")
    expect(page.locator("#errors-probe-figure .js-plotly-plot")).to_be_visible()
    found = page.locator("#errors-probe-findings")
    expect(found.locator(".findings li")).to_contain_text(["primer/careless"])
    expect(found.locator("tbody tr")).to_have_count(4)
    page.locator("#errors-probe-level label").first.click()
    expect(page.locator("#errors-probe-gallery img").first).to_be_visible()

    open_tab(page, "Repair")
    set_chip(page, "errors-remedies-names", "prompt-repair", checked=False)
    page.get_by_label("Images per remedy").fill("2")
    page.get_by_label("Failing images").fill("2")
    page.locator("#errors-remedies-go").click()
    status = page.locator("#errors-remedies-status")
    expect(status).to_contain_text(re.compile(r"2 failing images of primer/careless drawn again\."))
    rows = page.locator("#errors-remedies-findings tbody tr")
    expect(rows).to_contain_text(["primer/judge (selects)", "primer/counter", "the truth"])
    page.locator("#errors-remedies-prompt label").first.click()
    expect(page.locator("#errors-remedies-gallery img").first).to_be_visible()
    fits_a_phone(page)
