"""Everything that can be opened or chosen can be: no tab, chip or fold of the page breaks where it
is drawn.
"""

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.support.browser import ready, set_chip, visit

pytestmark = pytest.mark.browser


def top_tabs(page: Page) -> list[Locator]:
    """The tabs of the dashboard, whatever tabs there are; not those within one."""
    return page.locator("#tabs > .tab-wrapper [role=tab][data-tab-id]").all()


def inner_tabs(page: Page) -> list[Locator]:
    return page.locator("#tabs .tabitem:visible [role=tab][data-tab-id]:visible").all()


def unfold(page: Page) -> None:
    """Open every fold that is to be seen on the tab."""
    for folded in ("details:not([open]) > summary", "button.label-wrap:not(.open)"):
        left = page.locator(f".tabitem:visible {folded}:visible")
        while left.count():
            left.first.click()


def choose_every_chip(page: Page) -> None:
    """Choose all chips of the tab one after the other; check boxes are given back as they were."""
    for box in page.locator(".tabitem:visible .chip:visible input:enabled").all():
        box.click(force=True)
        if box.get_attribute("type") == "checkbox":
            box.click(force=True)


def test_every_tab_chip_and_fold_is_drawn(browser: Browser, address: str) -> None:
    errors: list[str] = []
    with visit(browser, address) as page:
        page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
        ready(page, "metrics")
        for tab in top_tabs(page):
            tab.click()
            expect(tab).to_have_attribute("aria-selected", "true")
            for inner in inner_tabs(page) or [tab]:
                inner.click()
                unfold(page)
                choose_every_chip(page)
        expect(page.get_by_text("Error rendering")).to_have_count(0)
    assert errors == []


def test_choosing_tifa_offers_its_writers(browser: Browser, address: str) -> None:
    with visit(browser, address) as page:
        ready(page, "metrics")
        set_chip(page, "metrics", "tifa")
        expect(page.locator("#writer input[value=none]")).to_be_checked()
        set_chip(page, "metrics", "tifa", checked=False)
        expect(page.locator("#writer")).to_have_count(0)
        set_chip(page, "metrics", "tifa")
        expect(page.locator("#writer input[value=none]")).to_be_checked()
