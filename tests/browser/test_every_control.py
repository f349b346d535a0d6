"""Everything that can be opened or chosen can be: no tab, chip or fold of the page breaks where it
is drawn.
"""

from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.test_accessibility import settled
from tests.support.browser import choose_chips, expect_chosen, ready, set_chip, visit

pytestmark = [pytest.mark.browser, pytest.mark.full]
# Finds the boxes that can be chosen: Gradio's, and the chips of the Leaderboard and of Errors.
# Gradio gives a radio button another name whenever it draws it.
BOXES = """[...document.querySelectorAll(
  ".tabitem fieldset.block label input:enabled, .tabitem .chip input:enabled"
)].filter((input) => input.closest("label").checkVisibility()).map((input) => ({
  input, owner: input.closest("[id]").id, name: input.type === "radio" ? "" : input.name,
}))"""
# The owner, name, value and sort of every box of the open tab, and whether it is chosen.
CHIPS = f"""() => {BOXES}
  .map(({{ input, owner, name }}) => [owner, name, input.value, input.type, input.checked])"""

# Clicks boxes by owner, name and value, a frame each; those that are gone by then are left out.
CLICK = f"""async (chips) => {{
  const frame = () => new Promise((done) => {{ requestAnimationFrame(() => setTimeout(done)); }});
  for (const chip of chips) {{
    const box = {BOXES}.find(({{ input, owner, name }}) =>
      [owner, name, input.value].every((part, i) => part === chip[i]));
    if (box) box.input.closest("label").click();
    await frame();
  }}
}}"""


class Chip(NamedTuple):
    """Names a box, and the input that it belongs to."""

    owner: str
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
        "details:not([open]) > summary",
        "button.label-wrap:not(.open)",
    ):
        left = page.locator(f".tabitem:visible {folded}:visible")
        while left.count():
            fold = left.first.element_handle()
            fold.click()
            page.wait_for_function("(fold) => fold.matches('.open, [open] > *')", arg=fold)


def chips_of(page: Page) -> dict[Chip, bool]:
    """The chips of the open tab that can be chosen, and which of them are."""
    return {Chip(*key): checked for *key, checked in page.evaluate(CHIPS)}


def click_chips(page: Page, chips: list[Chip]) -> None:
    page.evaluate(CLICK, [[chip.owner, chip.name, chip.value] for chip in chips])
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


def open_every_list(page: Page) -> int:
    """Open all lists of the tab in which something is chosen, and return how many there were."""
    lists = page.locator(".tabitem:visible .wrap-inner:visible").all()
    filled = [
        one.get_by_role("combobox")
        for one in lists
        if one.locator(".token").count() or one.get_by_role("combobox").input_value()
    ]
    for field in filled:
        field.click()
        options = page.locator(f"#{field.get_attribute('aria-controls')} [role=option]")
        expect(options.first).to_be_visible()
        page.keyboard.press("Escape")
    return len(filled)


def test_every_tab_chip_and_fold_is_drawn(browser: Browser, address: str) -> None:
    errors: list[str] = []
    with visit(browser, address) as page:
        page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
        ready(page, "prompts-to-try")
        chips = lists = 0
        for tab in top_tabs(page):
            tab.click()
            expect(tab).to_have_attribute("aria-selected", "true")
            for inner in inner_tabs(page) or [tab]:
                inner.click()
                unfold(page)
                chips += choose_every_chip(page)
                lists += open_every_list(page)
        assert chips > 40
        assert lists > 20
        expect(page.get_by_text("Error rendering")).to_have_count(0)
    assert errors == []


def test_choosing_tifa_offers_its_writers(page: Page) -> None:
    choose_chips(page, "metrics", "fig")
    expect(page.locator("#writer")).to_have_count(0)
    set_chip(page, "metrics", "tifa")
    expect_chosen(page, "writer", "none")
    set_chip(page, "metrics", "tifa", checked=False)
    expect(page.locator("#writer")).to_have_count(0)
    set_chip(page, "metrics", "tifa")
    expect_chosen(page, "writer", "none")
