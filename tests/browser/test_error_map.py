"""The map of the Errors tab in a browser: images are embedded, drawn, selected by a lasso and by
keys, and shown with their evidence.
"""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import ready, too_wide, visit
from tests.support.shared_apps import SharedApps

pytestmark = [pytest.mark.browser, pytest.mark.full]
IMAGES = "#errors-map-gallery [role=option]"


@pytest.fixture
def ranked(apps: SharedApps) -> str:
    """The address of a dashboard with six judged images."""
    return apps.shared("ranking", 0)


@pytest.fixture
def page(browser: Browser, ranked: str) -> Iterator[Page]:
    with visit(browser, ranked, "?tab=errors&part=map") as found:
        expect(found.locator(".map-words")).to_contain_text("6 images as points")
        yield found


def drag(page: Page, *corners: tuple[float, float]) -> None:
    """Drag over the map along corners that are shares of its width and height."""
    stage = page.locator(".map-stage")
    stage.scroll_into_view_if_needed()
    box = stage.bounding_box()
    assert box is not None
    spots = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in corners]
    page.mouse.move(*spots[0])
    page.mouse.down()
    for spot in spots[1:]:
        page.mouse.move(*spot, steps=5)
    page.mouse.up()


def test_a_lasso_leads_to_the_gallery_and_its_evidence(page: Page) -> None:
    drag(page, (0.005, 0.01), (0.995, 0.01), (0.995, 0.99), (0.005, 0.99), (0.005, 0.02))
    expect(page.locator(".map-status")).to_contain_text("6 images selected")
    expect(page.locator(IMAGES)).to_have_count(6)
    page.locator(IMAGES).first.click()
    expect(page.locator("#errors-map-gallery-evidence .exhibit")).to_be_visible()
    page.get_by_role("button", name="Clear selection").first.click()
    expect(page.locator(IMAGES)).to_have_count(0)


def test_keys_select_a_group_and_the_address_keeps_the_color(page: Page) -> None:
    page.locator("select[data-map=color]").select_option("model")
    expect(page).to_have_url(re.compile("map-color=model"))
    group = page.locator(".map-legend button", has_text="hasty")
    group.focus()
    page.keyboard.press("Enter")
    expect(group).to_have_attribute("aria-pressed", "true")
    expect(page.locator(IMAGES)).to_have_count(2)
    page.locator(".map-stage").focus()
    page.keyboard.press("Escape")
    expect(page.locator(IMAGES)).to_have_count(0)


def test_a_condition_narrows_the_map_and_its_chip_removes_it(page: Page) -> None:
    ready(page, "errors-selection")
    page.locator("#errors-selection select[data-add]").select_option("model:primer%2Fhasty")
    expect(page.locator(".selection-summary")).to_contain_text("2 judged images")
    expect(page.locator(".map-words")).to_contain_text("2 images as points")
    expect(page).to_have_url(re.compile("slice=model"))
    page.locator(".condition-chip").click()
    expect(page.locator(".map-words")).to_contain_text("6 images as points")


def test_a_link_restores_the_choice(browser: Browser, ranked: str) -> None:
    query = "?tab=errors&part=map&slice=model:primer/careless&map-color=model"
    with visit(browser, ranked, query) as page:
        expect(page.locator(".map-words")).to_contain_text("2 images as points")
        expect(page.locator(".condition-chip")).to_contain_text("model: careless")
        page.set_viewport_size({"width": 390, "height": 844})
        expect(page.locator(".map-stage")).to_be_visible()
        assert too_wide(page) == 0
