"""What is chosen on one tab stays chosen whatever other tabs are opened."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_accessibility import settled
from tests.browser.test_every_control import inner_tabs, top_tabs, unfold
from tests.support.browser import CHOSEN, choose_chips, expect_answers, expect_chosen, generate

pytestmark = [pytest.mark.browser, pytest.mark.full]
# The inputs of which one thing must be chosen, and none is.
WITHOUT = """() => [...document.querySelectorAll('#tabs fieldset.block:has(input[type=radio])')]
  .filter((group) => !group.querySelector('input:checked'))
  .map((group) => group.id)"""
# What is chosen in every input, by its element id, also on tabs that are not open.
CHOSEN_IN_ALL = f"""() => {{
  const chosen = {CHOSEN};
  const inputs = "#tabs :is(fieldset, .block:has([role=combobox]))[id]";
  const ids = [...document.querySelectorAll(inputs)].map((input) => input.id);
  return Object.fromEntries(ids.map((id) => [id, chosen(id)]));
}}"""


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
    found: dict[str, Any] = page.evaluate(CHOSEN_IN_ALL)
    return found


def test_every_picker_keeps_its_choice_while_all_tabs_are_opened_in_order_and_back(
    page: Page,
) -> None:
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
    expect_chosen(page, "judge", "primer/judge")
    choose_chips(page, "models", "primer/hasty")
    generate(page, "a ladybug")
    expect_answers(page, 5)
