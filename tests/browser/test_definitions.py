"""The foot of the page defines the scores that are shown, in a browser."""

import pytest
from playwright.sync_api import Browser, expect

from hallascope import metrics
from tests.support.browser import ready, set_chip, visit

pytestmark = [pytest.mark.browser, pytest.mark.full]


def test_the_foot_defines_the_scores_that_are_shown(browser: Browser, address: str) -> None:
    with visit(browser, address) as page:
        ready(page, "metrics")
        shown = page.locator("#footer [data-defines]:visible")
        expect(shown).to_have_count(1)
        expect(shown).to_contain_text(metrics.get("ihalla").definition)
        set_chip(page, "metrics", "tifa")
        expect(shown).to_have_count(2)
        page.get_by_role("tab", name="Scene graph").click()
        expect(shown).to_have_count(1)
        expect(shown).to_contain_text(metrics.get("scene-graph").caveat)
        page.get_by_role("tab", name="Judges").click()
        expect(shown).to_have_count(0)
