"""The map of the Errors tab in a browser: images are embedded, drawn, selected by a lasso and by
keys, and shown with their evidence.
"""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import PHONE, too_wide, visit
from tests.support.shared_apps import SharedApps

pytestmark = [pytest.mark.browser, pytest.mark.full]
IMAGES = "#errors-map-gallery .tile"


@pytest.fixture
def ranked(apps: SharedApps) -> str:
    """The address of a dashboard with six judged images."""
    return apps.fresh("ranking")


@pytest.fixture
def page(browser: Browser, ranked: str) -> Iterator[Page]:
    with visit(browser, ranked, "?tab=errors&part=map") as found:
        note = found.locator("#errors-map [role=status]")
        expect(note).to_contain_text("6 images have no embedding yet: press “Compute embeddings”")
        found.get_by_role("button", name="Compute embeddings").click()
        expect(found.locator(".map-words")).to_contain_text("6 images as points")
        yield found


def drag(page: Page, *corners: tuple[float, float]) -> None:
    """Drag over the map along corners that are shares of its width and height."""
    stage = page.locator("#errors-map-plot .nsewdrag")
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
    expect(page.locator(IMAGES)).to_have_count(6)
    page.locator(IMAGES).first.click()
    expect(page.locator("#errors-map-gallery-evidence .exhibit")).to_be_visible()


def test_keys_select_a_group_and_the_address_keeps_the_color(page: Page) -> None:
    page.get_by_label("Color by").click()
    page.get_by_role("option", name="Model", exact=True).click()
    expect(page).to_have_url(re.compile("map-color=model"))
    page.get_by_role("combobox", name="Show images of").focus()
    page.keyboard.type("hasty")
    page.keyboard.press("Enter")
    expect(page.locator(IMAGES)).to_have_count(2)
    page.set_viewport_size(PHONE)
    expect(page.locator("#errors-map-plot .js-plotly-plot")).to_be_visible()
    assert too_wide(page) == 0
