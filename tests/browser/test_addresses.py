"""The address names what is open, however it was opened, and opens it again."""

import re

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.support.browser import ready, visit

pytestmark = pytest.mark.browser
PHONE: ViewportSize = {"width": 390, "height": 844}


def is_open(page: Page, *titles: str) -> None:
    expect(page.locator("#tabs [role=tab][aria-selected=true]:visible")).to_have_text(list(titles))


def choose(page: Page, title: str) -> None:
    page.get_by_role("tab", name=title, exact=True).click()


def test_the_parts_of_a_tab_stand_in_the_address_and_open_again(
    browser: Browser, address: str
) -> None:
    with visit(browser, address) as page:
        ready(page, "metrics")
        choose(page, "Teach")
        for title, query in (
            ("Break it yourself", "?tab=teach&part=break"),
            ("How it works", "?tab=teach&part=how"),
            ("For teachers", "?tab=teach&part=sets"),
            ("Find it", "?tab=teach"),
        ):
            choose(page, title)
            expect(page).to_have_url(f"{address}{query}")
        choose(page, "For teachers")
        choose(page, "FiG")
        expect(page).to_have_url(f"{address}?tab=fig")
        choose(page, "Teach")
        expect(page).to_have_url(f"{address}?tab=teach&part=sets")
        page.reload()
        is_open(page, "Teach", "For teachers")
        choose(page, "Explore")
        expect(page).to_have_url(address)


@pytest.mark.parametrize(
    ("query", "part"),
    [("?tab=find", "Find it"), ("?tab=how", "How it works"), ("?tab=sets", "For teachers")],
)
def test_an_address_that_an_earlier_version_wrote_opens_the_part_it_names(
    browser: Browser, address: str, query: str, part: str
) -> None:
    with visit(browser, address, query) as page:
        is_open(page, "Teach", part)


def test_on_a_phone_a_tab_of_the_menu_changes_the_address_and_escape_closes_the_menu(
    browser: Browser, address: str
) -> None:
    with visit(browser, address) as page:
        page.set_viewport_size(PHONE)
        ready(page, "metrics")
        menu = page.get_by_role("button", name="More tabs")
        menu.click()
        other = page.locator(".overflow-dropdown").get_by_role("button", name="Judges")
        expect(other).to_be_visible()
        page.keyboard.press("Escape")
        expect(other).to_be_hidden()
        expect(menu).to_be_focused()
        menu.click()
        other.click()
        expect(page).to_have_url(re.compile(r"\?tab=judges$"))
        page.reload()
        is_open(page, "Judges")
