"""On the I-HallA tab the prompt of the worst image is refined round by round, and each round is
shown.
"""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser import choose_chips, generate, open_tab, ready, visit

pytestmark = [pytest.mark.browser, pytest.mark.full]


def test_rounds_stand_beside_each_other_until_all_is_right_or_they_are_used_up(
    browser: Browser, shipped: str
) -> None:
    with visit(browser, shipped) as page:
        ready(page, "prompts-to-try")
        choose_chips(page, "models", "primer/careless")
        generate(page, "three red circles")
        expect(page.locator("#cards .score-chip:not(.none)")).to_have_count(1)
        expect(page.locator("#generate")).to_be_enabled()
        open_tab(page, "I-HallA")
        page.get_by_role("button", name="Repair the prompt").click()
        page.locator("#repair-rounds input").fill("1")
        page.locator("#repair-go").click()
        rounds = page.locator("#repair-rounds-strip .prompt-round")
        expect(rounds).to_have_count(2)
        expect(rounds.locator("img")).to_have_count(2)
        expect(rounds.locator(".about")).to_have_text([re.compile(r"score \d\.\d\d")] * 2)
        expect(page.locator("#repair-status")).to_contain_text("careless, seed 0: ")
        expect(page.locator("#repair-go")).to_be_enabled()
