"""What is chosen on one tab stays chosen whatever other tabs are opened."""

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser import ready, visit
from tests.support.cards import expect_answers

pytestmark = pytest.mark.browser
WITHOUT = """() => [...document.querySelectorAll('#tabs [role=radiogroup]')]
  .filter((group) => group.querySelector('input:enabled') && !group.querySelector('input:checked'))
  .map((group) => group.getAttribute('aria-label'))"""


def test_every_radio_group_has_a_choice_after_all_tabs_were_opened(
    browser: Browser, address: str
) -> None:
    with visit(browser, address) as page:
        ready(page, "metrics")
        for tab in page.locator("#tabs > .tab-wrapper [role=tab][data-tab-id]").all():
            tab.click()
            for part in page.locator(
                "#tabs .tabitem:visible [role=tab][data-tab-id]:visible"
            ).all():
                part.click()
        expect(page.locator("#how-steps input:checked")).to_be_attached()
        assert page.evaluate(WITHOUT) == []
        page.get_by_role("tab", name="Explore").click()
        expect(page.locator("#judge input:checked")).to_have_value("primer/judge")
        page.locator("#prompt input").fill("a ladybug")
        page.locator("#go").click()
        expect_answers(page, 15)
