"""The foot of the page defines the scores that are shown, in a browser."""

import pytest
from playwright.sync_api import Page, expect

from hallascope import metrics
from tests.support.browser import open_tab, set_chip

pytestmark = [pytest.mark.browser, pytest.mark.full]


def test_the_foot_defines_the_scores_that_are_shown(page: Page) -> None:
    shown = page.locator("#footer [data-defines]:visible")
    expect(shown).to_have_count(1)
    expect(shown).to_contain_text(metrics.get("ihalla").definition)
    set_chip(page, "metrics", "tifa")
    page.get_by_role("button", name="a gentoo penguin").click()
    expect(shown).to_have_count(2)
    open_tab(page, "Scene graph")
    expect(shown).to_have_count(1)
    expect(shown).to_contain_text(metrics.get("scene-graph").caveat)
    open_tab(page, "Judges")
    expect(shown).to_have_count(0)
