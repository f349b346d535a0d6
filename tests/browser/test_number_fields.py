"""A number out of bounds is said beside its field.

It locks nothing, and all works once it is right.
"""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import ready, unfold_settings, visit

pytestmark = pytest.mark.browser
WRONG = [
    ("Pictures a model", "20", "Give a whole number from 1 to 16."),
    ("Pictures a model", "0", "Give a whole number from 1 to 16."),
    ("Pictures a model", "1.5", "Give a whole number from 1 to 16."),
    ("Trials of the judge", "99", "Give a whole number from 1 to 9."),
    ("Trials of the judge", "", "Give a whole number from 1 to 9."),
    ("Seed", "-1", "Give a whole number from 0 to 2,147,483,647."),
]


def wrong_then_right(
    page: Page, label: str, value: str, said: str, right: str, go: str, status: str
) -> None:
    """Type a wrong number, ask for the run, and type a right one.

    `go`, `status`: the button and the line of the run.
    """
    box = page.locator("#tabs .tabitem:visible").get_by_label(label, exact=True)
    note = page.locator("#tabs .tabitem:visible .out-of-bounds")
    box.fill(value)
    expect(note).to_have_text(said)
    expect(box).to_have_accessible_description(said)
    page.locator(go).click()
    expect(page.locator(f"{status} [role=alert]")).to_contain_text("give a whole number from")
    expect(page.locator(go)).to_be_enabled()
    box.fill(right)
    expect(note).to_have_count(0)


def test_generate_works_again_as_soon_as_the_number_is_right(
    browser: Browser, address: str
) -> None:
    with visit(browser, address) as page:
        ready(page, "metrics")
        unfold_settings(page)
        page.locator("#prompt input").fill("a ladybug")
        for label, value, said in WRONG:
            wrong_then_right(
                page, label, value, said, "3" if label == "Seed" else "1", "#go", "#status"
            )
        page.locator("#go").click()
        expect(page.locator("#cards .frame img")).to_have_count(3)


def test_the_same_holds_on_judges(browser: Browser, address: str) -> None:
    with visit(browser, address, "?tab=judges") as page:
        ready(page, "trial-judge")
        wrong_then_right(
            page,
            "Pictures",
            "201",
            "Give a whole number from 1 to 200.",
            "2",
            "#judges-go",
            "#judges-status",
        )
        page.locator("#judges-go").click()
        expect(page.locator("#judges-status")).to_contain_text("questions answered")


def test_a_cap_below_zero_is_said_and_locks_nothing(browser: Browser, address: str) -> None:
    with visit(browser, address) as page:
        ready(page, "metrics")
        page.locator("#terms > button").click()
        page.locator("#cap-run input").fill("-3")
        expect(page.locator("#cap-run .out-of-bounds")).to_have_text("Give a number from 0.")
        page.locator("#prompt input").fill("a ladybug")
        page.locator("#prompt input").press("Enter")
        expect(page.locator("#status [role=alert]")).to_contain_text("give an amount")
        expect(page.locator("#go")).to_be_enabled()
