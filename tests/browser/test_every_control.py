"""Everything that can be opened or chosen can be: no tab, chip or fold of the page breaks where it
is drawn.
"""

from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.test_accessibility import settled
from tests.support.browser import choose_chips, ready, set_chip, visit

pytestmark = [pytest.mark.browser, pytest.mark.full]
# The name, value and sort of every chip of the open tab, and whether it is chosen.
CHIPS = """() => [...document.querySelectorAll(".tabitem .chip input:enabled")]
  .filter((input) => input.closest(".chip").checkVisibility())
  .map((input) => [input.name, input.value, input.type, input.checked])"""

# Clicks chips by name and value, a frame each; those that are gone by then are left out.
CLICK = """async (chips) => {
  const frame = () => new Promise((done) => { requestAnimationFrame(() => setTimeout(done)); });
  for (const [name, value] of chips) {
    const box = [...document.querySelectorAll(".tabitem .chip input:enabled")].find(
      (input) => input.name === name && input.value === value
        && input.closest(".chip").checkVisibility());
    if (box) box.closest(".chip").click();
    await frame();
  }
}"""


class Chip(NamedTuple):
    """Names a chip of a picker."""

    name: str
    value: str
    sort: str


def top_tabs(page: Page) -> list[Locator]:
    """The tabs of the dashboard, whatever tabs there are; not those within one."""
    return page.locator("#tabs > .tab-wrapper [role=tab][data-tab-id]").all()


def inner_tabs(page: Page) -> list[Locator]:
    return page.locator("#tabs .tabitem:visible [role=tab][data-tab-id]:visible").all()


def unfold(page: Page) -> None:
    """Open every fold that is to be seen on the tab."""
    for folded in (
        ".settings-toggle[aria-expanded=false]",
        "details:not([open]) > summary",
        "button.label-wrap:not(.open)",
    ):
        left = page.locator(f".tabitem:visible {folded}:visible")
        while left.count():
            left.first.click()


def chips_of(page: Page) -> dict[Chip, bool]:
    """The chips of the open tab that can be chosen, and which of them are."""
    return {Chip(*key): checked for *key, checked in page.evaluate(CHIPS)}


def click_chips(page: Page, chips: list[Chip]) -> None:
    page.evaluate(CLICK, [[chip.name, chip.value] for chip in chips])
    settled(page)


def choose_every_chip(page: Page) -> int:
    """Choose all chips of the tab one after the other, also those that only come by a choice.

    In the end what was chosen before is chosen again. Returns how many chips there were.
    """
    before = chips_of(page)
    tried: set[Chip] = set()
    while left := chips_of(page).keys() - tried:
        tried |= left
        click_chips(page, sorted(chip for chip in left if not before.get(chip)))
    after = chips_of(page)
    changed = [chip for chip, checked in before.items() if after.get(chip, checked) != checked]
    click_chips(page, [chip for chip in changed if before[chip] or chip.sort == "checkbox"])
    return len(tried)


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
        choose_chips(page, "metrics", "fig")
        expect(page.locator("#writer")).to_have_count(0)
        set_chip(page, "metrics", "tifa")
        expect(page.locator("#writer input[value=none]")).to_be_checked()
        set_chip(page, "metrics", "tifa", checked=False)
        expect(page.locator("#writer")).to_have_count(0)
        set_chip(page, "metrics", "tifa")
        expect(page.locator("#writer input[value=none]")).to_be_checked()
