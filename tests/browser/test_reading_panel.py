"""What a prompt asks for stands in tables; a person corrects them, and runs are judged by that."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_accessibility import faultless
from tests.support.browser import (
    PHONE,
    choose_chips,
    expect_ended,
    open_tab,
    ready,
    too_wide,
    visit,
)
from tests.support.fake_vision import made
from tests.support.shared_apps import SharedApps

pytestmark = pytest.mark.browser


@pytest.fixture
def address(apps: SharedApps) -> str:
    return apps.fresh()


def open_reading(page: Page, prompt: str) -> None:
    page.locator("#prompt input").fill(prompt)
    page.locator("#asked > button").click()
    expect(page.locator("#asked .asked-box")).to_be_visible()


def type_into(page: Page, table: str, row: int, column: int, text: str) -> None:
    """Type into a cell of one of the tables, as a person does."""
    cell = page.locator(f"#asked-{table} [data-testid=cell-{row}-{column}]").last
    cell.dblclick()
    page.keyboard.press("Control+A")
    page.keyboard.type(text)
    page.keyboard.press("Enter")
    expect(cell).to_contain_text(text)


def save(page: Page, name: str) -> None:
    page.locator("#asked").get_by_label("Your name").fill(name)
    page.locator("#asked").get_by_role("button", name="Save reading").click()


def test_a_reading_that_the_rules_are_not_sure_of_is_confirmed(page: Page) -> None:
    open_reading(page, "the man a woman near a dog sees holds what none of them ever had")
    expect(page.locator("#asked .asked-doubt")).to_contain_text("may be read wrong")
    save(page, "Ada")
    expect(page.locator("#asked .asked-source")).to_have_text("Corrected by Ada.")
    expect(page.locator("#asked .asked-doubt")).to_have_count(0)


@pytest.mark.full
def test_a_count_is_corrected_and_the_run_is_judged_by_it(
    browser: Browser, apps: SharedApps
) -> None:
    """The image of the painter shows three triangles and two hamburgers."""
    with visit(browser, apps.fresh("looking")) as page:
        ready(page, "prompts-to-try")
        _correct_a_count(page)


def _correct_a_count(page: Page) -> None:
    open_reading(page, made().prompt)
    type_into(page, "objects", 1, 1, "3")
    save(page, "Ada")
    expect(page.locator("#asked .asked-source")).to_have_text("Corrected by Ada.")
    expect(page.locator("#asked .asked-count", has_text="three")).to_have_count(2)

    choose_chips(page, "models", "eyes/painter")
    page.locator("#generate").click()
    expect_ended(page, 1)
    open_tab(page, "FiG")
    page.locator("#fig-go").click()
    expect(page.locator("#fig-go")).to_be_enabled()
    viewer = page.locator("#fig-evidence")
    expect(viewer).to_contain_text("corrected by Ada")
    expect(viewer.locator(".finding.incorrect", has_text="three hamburgers")).to_be_visible()
    open_tab(page, "All")
    page.locator("#asked").get_by_role("button", name="Remove correction").click()
    expect(page.locator("#asked .asked-source")).to_contain_text("Read by rules")


@pytest.mark.full
def test_things_are_added_in_the_empty_rows(page: Page) -> None:
    open_reading(page, "a red cat beside a dog")
    type_into(page, "objects", 2, 0, "hat")
    type_into(page, "texts", 0, 0, "<b>GO</b>")
    type_into(page, "texts", 0, 1, "dog")
    save(page, "Ada")
    expect(page.locator("#asked .asked-object", has_text="hat")).to_be_visible()
    expect(page.locator("#asked .asked-text")).to_have_text("“<b>GO</b>” on the dog")


@pytest.mark.full
def test_it_fits_a_phone_by_day_and_by_night(page: Page) -> None:
    page.set_viewport_size(PHONE)
    open_reading(page, 'two red cats left of a dog, no hat, a sign that says "GO", oil painting')
    assert not too_wide(page)
    faultless(page)
    page.locator("[data-look]").click()
    faultless(page, ["color-contrast"])
