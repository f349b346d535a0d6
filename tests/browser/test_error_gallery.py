"""The gallery and the grid of the Errors tab in a browser: images are tagged by keyboard, and of
3,000 images only those in sight are in the page.
"""

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.support.browser import shot, too_wide, visit
from tests.support.judged_grid import MODELS, PROMPTS
from tests.support.shared_apps import SharedApps

pytestmark = pytest.mark.browser
ADDRESS = "?tab=errors&part=grid"
MOST_CELLS = 160  # that may be in the page, in a window of this size


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
    images = page.locator("#errors-gallery .gallery-list")
    expect(images.locator(".cell-frame img").first).to_be_visible()
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
        expect(images.locator(".cell-tags", has_text="green fur")).to_have_count(1)
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
        expect(images.locator(".cell-tags", has_text="green fur")).to_have_count(4)
        page.keyboard.press("Escape")
        expect(images.locator("[aria-selected=true]")).to_have_count(0)
        shot(page, "error_gallery")
        assert too_wide(page) == 0


@pytest.mark.full
def test_a_tag_filters_the_grid(browser: Browser, judged: str) -> None:
    with visit(browser, judged, f"{ADDRESS}&slice=tag%3Anobody%20gave%20this") as page:
        expect(page.locator("#errors-selection")).to_contain_text("No judged image meets this")
        expect(page.locator("#errors-grid .image-grid")).to_be_hidden()


@pytest.mark.full
def test_of_a_large_grid_only_the_cells_in_sight_are_in_the_page(
    browser: Browser, large: str
) -> None:
    with visit(browser, large, ADDRESS) as page:
        grid = page.locator("#errors-grid")
        cells = grid.locator(".grid-cell")
        expect(grid.locator(".gallery-count")).to_contain_text(
            f"{PROMPTS} rows by {MODELS} columns"
        )
        expect(cells.first).to_be_visible()
        assert 0 < cells.count() < MOST_CELLS
        # to the last corner by keyboard: other cells are in the page now
        grid.locator(".grid-cells").focus()
        page.keyboard.press("End")
        for _ in range(PROMPTS // 5):
            page.keyboard.press("PageDown")
        corner = grid.locator(f"[data-row='{PROMPTS - 1}'][data-column='{MODELS - 1}']")
        expect(corner).to_be_visible()
        expect(corner).to_have_attribute("aria-selected", "true")
        expect(corner).to_have_attribute("aria-label", "prompt 99, m/29: 0 of 2 wrong")
        assert cells.count() < MOST_CELLS
        expect(grid.locator("[data-row='0']")).to_have_count(0)
        shot(page, "error_grid")


@pytest.mark.full
def test_what_changed_from_a_column_is_marked(browser: Browser, large: str) -> None:
    with visit(browser, large, ADDRESS) as page:
        grid = page.locator("#errors-grid")
        grid.locator("[data-grid=baseline]").select_option(label="m/00")
        changed = grid.locator("[data-row='0'][data-column='1']")
        expect(changed).to_have_attribute(
            "aria-label", "prompt 0, m/01: 0 of 2 wrong, 1 better than m/00"
        )
        same = grid.locator("[data-row='0'][data-column='3']")
        expect(same).to_have_attribute("aria-label", "prompt 0, m/03: 1 of 2 wrong")
        assert "grid-baseline=m%2F00" in page.url
        # all images zoom together
        width = changed.bounding_box()
        grid.get_by_role("button", name="Larger images").click()
        wider = grid.locator("[data-row='0'][data-column='1']").bounding_box()
        assert width
        assert wider
        assert wider["width"] > width["width"]


@pytest.mark.full
def test_rows_and_columns_change_places(browser: Browser, large: str) -> None:
    with visit(browser, large, ADDRESS) as page:
        grid = page.locator("#errors-grid")
        expect(grid.locator(".grid-cell").first).to_be_visible()
        grid.locator("[data-grid=rows]").select_option(value="model")
        expect(grid.locator(".gallery-count")).to_contain_text(
            f"{MODELS} rows by {PROMPTS} columns"
        )
        assert "grid-rows=model&grid-columns=prompt" in page.url
