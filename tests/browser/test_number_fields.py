"""A number out of bounds is said beside its field.

It locks nothing, and all works once it is right.
"""

import re
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.test_every_control import inner_tabs, top_tabs, unfold
from tests.support.browser import ready, unfold_settings, visit

pytestmark = [pytest.mark.browser, pytest.mark.full]
WRONG = [
    ("Images per model", "20", "Give a whole number from 1 to 16."),
    ("Images per model", "1.5", "Give a whole number from 1 to 16."),
    ("Seed", "-1", "Give a whole number from 0 to 2,147,483,647."),
]
# What a number field takes, and the fieldset that it belongs to, if any.
BOUNDS = """(box) => {
  const field = box.closest(".bounded");
  const bound = (name) => field.className.match(new RegExp(`${name}-(\\\\S+)`))[1];
  const form = box.closest("fieldset");
  return {
    low: Number(bound("least")),
    high: Number(bound("most")),
    form: form ? form.querySelector("legend").textContent : "",
  };
}"""


class Use(NamedTuple):
    """The button that uses the numbers of a part of the page, and where it says what is wrong."""

    button: str
    said: str


# By the title of the tab, and the title of the form where a tab has several.
USES = {
    ("Evaluate", ""): Use("#go", "#status [role=alert]"),
    ("I-HallA", ""): Use("#repair-go", "#repair-status [role=alert]"),
    ("Probe", ""): Use("#errors-probe-go", "#errors-probe-status [role=alert]"),
    ("Repair", ""): Use("#errors-remedies-go", "#errors-remedies-status [role=alert]"),
    ("Judges", ""): Use("#judges-go", "#judges-status [role=alert]"),
    ("Labels", ""): Use("#queue-create", "#queue-created [role=alert]"),
    ("For teachers", "A drawing"): Use(".add-drawing", ".bench .told.wrong"),
    ("For teachers", "By chance"): Use(".add-chance", ".bench .told.wrong"),
}


def tries_all_wrong_numbers(box: Locator, tab: str) -> None:
    """Ask for a run with a number below, above and with none, and put back what stood there."""
    page = box.page
    bounds = box.evaluate(BOUNDS)
    low, high = bounds["low"], bounds["high"]
    use = USES[tab, bounds["form"]]
    before = box.input_value()
    allowed = f"ive a whole number from {low:,} to {high:,}."
    for value in (str(low - 1), str(high + 1), ""):
        box.fill(value)
        expect(box).to_have_accessible_description(f"G{allowed}")
        page.locator(use.button).click()
        told = page.locator(use.said)
        expect(told).to_have_text(re.compile(rf"is {value or 'missing'}: g{re.escape(allowed)}$"))
        expect(page.locator(use.button)).to_be_enabled()
        assert box.input_value() == value, "what was typed stays"
    box.fill(before)
    expect(page.locator(".tabitem:visible .out-of-bounds")).to_have_count(0)


def test_no_number_of_any_tab_locks_anything_and_each_says_what_is_allowed(
    browser: Browser, address: str
) -> None:
    tried = 0
    with visit(browser, address) as page:
        ready(page, "metrics")
        for tab in top_tabs(page):
            tab.click()
            for part in inner_tabs(page) or [tab]:
                part.click()
                unfold(page)
                for box in page.locator(".tabitem:visible input[type=number]:visible").all():
                    tries_all_wrong_numbers(box, part.inner_text().strip())
                    tried += 1
    assert tried >= 12, "Evaluate has three, I-HallA one, Errors three, Judges four, and others"


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
        expect(page.locator("#cards .frame img")).to_have_count(4)


def test_the_same_holds_on_judges(browser: Browser, address: str) -> None:
    with visit(browser, address, "?tab=judges") as page:
        ready(page, "trial-judge")
        wrong_then_right(
            page,
            "Images",
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
        note = page.locator("#cap-run .out-of-bounds")
        page.locator("#cap-run input").fill("")
        expect(note).to_have_count(0)  # the usual cap holds then
        page.locator("#cap-run input").fill("-3")
        expect(note).to_have_text("Give a number from 0.")
        page.locator("#prompt input").fill("a ladybug")
        page.locator("#prompt input").press("Enter")
        expect(page.locator("#status [role=alert]")).to_contain_text("give an amount")
        expect(page.locator("#go")).to_be_enabled()
