"""The Judges tab in a browser: a judge is put on trial, and the chip beside a
score elsewhere leads to it.
"""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import (
    fits_a_phone,
    generate,
    open_tab,
    ready,
    unfold_settings,
    visit,
)
from tests.support.shared_apps import SharedApps

pytestmark = pytest.mark.browser
JUDGE = "primer/judge"


@pytest.fixture
def page(browser: Browser, apps: SharedApps) -> Iterator[Page]:
    with visit(browser, apps.fresh()) as found:
        ready(found, "prompts-to-try")
        yield found


def test_from_a_score_by_its_judges_chip_to_a_trial_of_that_judge(page: Page) -> None:
    generate(page, "a molecule of methane")
    chip = page.locator("#cards a.judge-chip").first
    expect(chip).to_contain_text(f"{JUDGE}: not tested on such images")
    expect(page.locator("#generate")).to_be_enabled()
    chip.click()
    expect(page.get_by_role("tab", name="Judges")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#judges-table tr.chosen .judge-name")).to_have_attribute(
        "data-judge", JUDGE
    )
    expect(page.locator("#judge-detail")).to_contain_text("put it on trial below")
    expect(page).to_have_url(re.compile("(?=.*tab=trust).*run="))

    unfold_settings(page, "trial-settings")
    page.locator("#trial-pictures input").fill("2")
    page.locator("#judges-go").click()
    expect(page.locator("#judges-status")).to_contain_text("questions answered")
    expect(page.locator("#judge-detail .panel")).not_to_have_count(0)
    expect(page.locator("#judges-published tr.noted")).to_have_count(2)

    page.reload()
    expect(page.locator("#judges-table tr.chosen .judge-name")).to_have_attribute(
        "data-judge", JUDGE
    )
    expect(page.locator("#judge-detail")).to_contain_text("By composition of interest")
    page.locator("[data-look]").click()
    fits_a_phone(page)


@pytest.mark.full
def test_a_judge_that_was_not_tried_is_tried_with_one_click(page: Page) -> None:
    open_tab(page, "Judges")
    row = page.locator(f"#judges-table tr[data-judge='{JUDGE}']")
    expect(row.locator("td")).to_have_text("not measured")
    expect(row).to_contain_text("40 images, about 220 questions; free")
    page.get_by_role("button", name=f"Try this judge {JUDGE}").click()
    expect(page.locator("#judges-status")).to_contain_text("questions answered")
    expect(row.locator("td .bar")).not_to_have_count(0)
    expect(row.locator(".try-judge")).to_have_count(0)
    expect(page.locator("#judge-detail")).to_contain_text("40 Primer images")
    expect(page.locator("#judges-go")).to_be_enabled()
