"""Everything that can be opened or chosen can be: no tab, chip or fold of the page breaks where it
is drawn.
"""

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.test_accessibility import settled
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


def choose_every_chip(page: Page) -> int:
    """Choose all chips of the tab one after the other, also those that only come by a choice.

    In the end what was chosen before is chosen again. Returns how many chips there were.
    """
    chips = page.locator(".tabitem:visible .chip:visible input:enabled")
    before = {name_of(box): box.is_checked() for box in chips.all()}
    tried: set[str] = set()
    while left := [box for box in chips.all() if name_of(box) not in tried]:
        for box in left:
            tried.add(name_of(box))
            if box.get_attribute("type") == "radio" or not box.is_checked():
                box.click(force=True)
                expect(box).to_be_checked()
        settled(page)
    for box in chips.all():
        wanted = before.get(name_of(box))
        is_radio = box.get_attribute("type") == "radio"
        if wanted is not None and wanted != box.is_checked() and (wanted or not is_radio):
            box.click(force=True)
    return len(tried)


def name_of(box: Locator) -> str:
    return f"{box.get_attribute('name')} {box.get_attribute('value')}"


def test_every_tab_chip_and_fold_is_drawn(browser: Browser, address: str) -> None:
    errors: list[str] = []
    with visit(browser, address) as page:
        page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
        ready(page, "metrics")
        chips = 0
        for tab in top_tabs(page):
            tab.click()
            expect(tab).to_have_attribute("aria-selected", "true")
            for inner in inner_tabs(page) or [tab]:
                inner.click()
                unfold(page)
                chips += choose_every_chip(page)
        assert chips > 50
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
