"""What is chosen on one tab stays chosen whatever other tabs are opened."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_accessibility import settled
from tests.browser.test_every_control import inner_tabs, top_tabs, unfold
from tests.support.browser import choose_chips, expect_answers, ready, visit

pytestmark = [pytest.mark.browser, pytest.mark.full]
WITHOUT = """() => [...document.querySelectorAll('#tabs [role=radiogroup]')]
  .filter((group) => group.querySelector('input:enabled') && !group.querySelector('input:checked'))
  .map((group) => group.getAttribute('aria-label'))"""
# What is chosen in every picker, by the element id of the picker, also on tabs that are not open.
CHOSEN = """() => {
  const found = {};
  document.querySelectorAll('#tabs :is([role=radiogroup], [role=group])').forEach((group) => {
    const inputs = [...group.querySelectorAll('input')].filter((input) => input.checked);
    const owner = group.closest('[id]');
    const name = `${owner ? owner.id : ''} ${group.getAttribute('aria-label')}`;
    if (group.querySelector('input')) found[name] = inputs.map((input) => input.value);
  });
  return found;
}"""


def open_all(page: Page, *, backwards: bool = False) -> None:
    """Open every tab and every part of one, in their order or from the last to the first."""
    tabs = top_tabs(page)
    for tab in reversed(tabs) if backwards else tabs:
        tab.click()
        expect(tab).to_have_attribute("aria-selected", "true")
        parts = inner_tabs(page)
        for part in reversed(parts) if backwards else parts:
            part.click()
            unfold(page)
        unfold(page)
    settled(page)


def chosen(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(CHOSEN)
    return found


def test_every_picker_keeps_its_choice_while_all_tabs_are_opened_in_order_and_back(
    browser: Browser, address: str
) -> None:
    with visit(browser, address) as page:
        ready(page, "metrics")
        first = chosen(page)
        open_all(page)
        expect(page.locator("#how-steps input:checked")).to_be_attached()
        after = chosen(page)
        assert len(after) > 15, "pickers of all tabs"
        assert {name: after[name] for name in first} == first
        assert page.evaluate(WITHOUT) == []
        open_all(page, backwards=True)
        assert chosen(page) == after
        assert page.evaluate(WITHOUT) == []
        expect(page.locator("#judge input:checked")).to_have_value("primer/judge")
        choose_chips(page, "models", "primer/hasty")
        page.locator("#prompt input").fill("a ladybug")
        page.locator("#go").click()
        expect_answers(page, 5)
