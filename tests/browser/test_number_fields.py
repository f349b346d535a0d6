"""A number out of bounds is said in one sentence where it is used.

It locks nothing, and all works once it is right.
"""

import re
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.test_every_control import inner_tabs, top_tabs, unfold
from tests.support.browser import ready, visit

pytestmark = [pytest.mark.browser, pytest.mark.full]


class Use(NamedTuple):
    """The button that uses the numbers of a part of the page, and where it says what is wrong."""

    button: str
    said: str


# By the title of the tab, and the label of the field where a tab has several buttons.
USES = {
    ("Evaluate", ""): Use("#generate", "#status [role=alert]"),
    ("All", ""): Use("#generate", "#status [role=alert]"),
    ("I-HallA", ""): Use("#repair-go", "#repair-status [role=alert]"),
    ("Probe", ""): Use("#errors-probe-go", "#errors-probe-status [role=alert]"),
    ("Repair", ""): Use("#errors-remedies-go", "#errors-remedies-status [role=alert]"),
    ("Judges", ""): Use("#judges-go", "#judges-status [role=alert]"),
    ("Labels", ""): Use("#queue-create", "#queue-created [role=alert]"),
    ("For teachers", "Number of exercises"): Use(
        "#sets-add-random-exercises", "#set-status [role=alert]"
    ),
    ("For teachers", "Seed"): Use("#sets-add-the-drawing", "#set-status [role=alert]"),
}


def tries_wrong_numbers(box: Locator, tab: str) -> None:
    """Ask for a run with a number below, above, with a fraction and with none, and put back what
    stood there.
    """
    page = box.page
    use = USES.get((tab, "")) or USES[tab, str(box.get_attribute("aria-label"))]
    before = box.input_value()
    for value in ("-1", "99999999999", "1.5", ""):
        box.fill(value)
        page.locator(use.button).click()
        told = page.locator(use.said)
        sentence = rf"is {value or 'missing'}(\.0)?: give a whole number from \d to [\d,]+\.$"
        expect(told).to_have_text(re.compile(sentence))
        expect(page.locator(use.button)).to_be_enabled()
        assert box.input_value() == value, "what was typed stays"
    box.fill(before)


def test_no_number_of_any_tab_locks_anything_and_each_says_what_is_allowed(
    browser: Browser, address: str
) -> None:
    tried = 0
    with visit(browser, address) as page:
        ready(page, "prompts-to-try")
        # the settings of Evaluate stand above its parts: they are tried once
        unfold(page)
        seen: set[str] = set()
        for tab in top_tabs(page):
            tab.click()
            for part in inner_tabs(page) or [tab]:
                part.click()
                unfold(page)
                title = part.inner_text().strip()
                for box in page.locator(".tabitem:visible input[type=number]:visible").all():
                    place = str(box.evaluate("box => box.closest('#settings')?.id ?? ''"))
                    label = str(box.get_attribute("aria-label")) if place else ""
                    if place and label in seen:
                        continue
                    seen.add(label)
                    tries_wrong_numbers(box, "Evaluate" if place else title)
                    tried += 1
    assert tried >= 12, "Evaluate has three, I-HallA one, Errors three, Judges four, and others"


def test_a_cap_below_zero_is_said_and_locks_nothing(page: Page) -> None:
    page.locator("#terms > button").click()
    page.locator("#cap-run input").fill("-3")
    page.locator("#prompt input").fill("a ladybug")
    page.locator("#prompt input").press("Enter")
    expect(page.locator("#status [role=alert]")).to_contain_text("give an amount")
    expect(page.locator("#generate")).to_be_enabled()
    page.locator("#cap-run input").fill("")
    page.locator("#prompt input").press("Enter")
    expect(page.locator("#cards .frame img")).to_have_count(4)
