"""The Agreement tab in a browser: an example of each kind fills it, a table that is brought
is recognized and can be read as another kind, and a bad file leaves what was shown.
"""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from hallascope.engine.human_agreement.comparison import EXAMPLES
from tests.support.browser import fits_a_phone, ready, set_chip, unfold_settings, visit
from tests.support.shared_apps import SharedApps

pytestmark = pytest.mark.browser


@pytest.fixture
def address(apps: SharedApps) -> str:
    return apps.fresh()


def open_tab(page: Page) -> None:
    ready(page, "agreement-source")
    expect(page.locator("#agreement-go")).to_be_visible()


def test_each_kind_can_be_tried_and_its_result_downloaded(browser: Browser, address: str) -> None:
    with visit(browser, address, "?tab=agreement") as page:
        open_tab(page)
        for kind, words in (
            ("ratings", "Kendall tau-b"),
            ("answers", "Question by question"),
            ("preferences", "of decided pairs"),
        ):
            page.locator(f"#agreement-try-{kind}").click()
            expect(page.locator("#agreement-numbers")).to_contain_text(words)
            expect(page.locator("#agreement-figure .point").first).to_be_visible()
            expect(page.locator("#agreement-ratings")).to_contain_text(kind)
        expect(page.locator("#agreement-figure .xerror").first).to_be_visible()
        with page.expect_download() as download:
            page.locator("#agreement-download").click()
        document = json.loads(Path(download.value.path()).read_text("utf-8"))
        assert set(document["metrics"]) == {"vqa", "reward", "length"}
        assert download.value.suggested_filename == "agreement.json"
        fits_a_phone(page)


@pytest.mark.full
def test_a_table_is_recognized_and_another_kind_can_be_chosen(
    browser: Browser, address: str
) -> None:
    with visit(browser, address, "?tab=agreement") as page:
        open_tab(page)
        table = page.locator("#agreement-ratings input[type=file]")
        table.set_input_files(EXAMPLES["answers"].people)
        line = page.locator("#agreement-status")
        expect(line).to_contain_text("recognized as answers to questions")
        page.locator("#agreement-go").click()
        expect(page.locator("#agreement-numbers")).to_contain_text("Question by question")
        unfold_settings(page, "agreement-settings")
        set_chip(page, "agreement-kind", "preferences")
        expect(line).to_contain_text("is read as preferences between two items")
        page.locator("#agreement-go").click()
        expect(line).to_contain_text("The table of scores is missing")
        expect(page.locator("#agreement-numbers")).to_contain_text("Question by question")
