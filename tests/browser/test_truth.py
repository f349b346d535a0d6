"""The truth beside the judge's verdicts in a browser: said in words, switched off and on, and the
judge's errors alone, all kept in the address.
"""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import choose_chips, fits_a_phone, generate, open_tab, ready, visit

pytestmark = [pytest.mark.browser, pytest.mark.full]
# The scripted judge takes what a factual picture would show, but finds nothing to fit the first
# question: on violated drawings it is wrong.
PROMPT = "a molecule of methane"
WRONG = "Judge: None of the above · drawn: Four · the judge is wrong"
RATE = re.compile(r"The judge is wrong on [1-9]\d? of 10 answers that can be checked\.")


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """Explore after a run of a draughtsman without faults and of one with many."""
    with visit(browser, address) as found:
        ready(found, "prompts-to-try")
        choose_chips(found, "models", "primer/exact", "primer/careless")
        generate(found, PROMPT)
        expect(found.locator("#cards .frame img")).to_have_count(2)
        expect(found.locator("#cards .truth-bar")).to_be_visible()
        expect(found.locator("#evidence .question")).to_have_count(5)
        yield found


def press(page: Page, name: str, pressed: bool) -> None:
    button = page.locator("#cards .truth-bar").get_by_role("button", name=name)
    button.click()
    expect(button).to_have_attribute("aria-pressed", str(pressed).lower())


def test_the_truth_is_shown_and_a_switch_hides_it_and_keeps_that_in_the_address(
    page: Page,
) -> None:
    page.locator("#cards .pick").first.click()
    expect(page.locator("#evidence .truth-line.wrong")).to_have_text(WRONG)
    expect(page.locator("#evidence .question.judge-wrong")).to_have_count(1)
    expect(page.locator("#cards .truth-rate")).to_have_text(RATE)
    press(page, "Show the truth", False)
    for place in ("#evidence .truth-line.wrong", "#cards .truth-rate", "#cards .outcomes"):
        expect(page.locator(place).first).to_be_hidden()
    expect(page).to_have_url(re.compile(r"truth=off"))
    page.reload()
    expect(page.locator("#evidence .question")).to_have_count(5)
    expect(page.locator("#evidence .truth-line.wrong")).to_be_hidden()
    press(page, "Show the truth", True)
    expect(page.locator("#evidence .truth-line.wrong")).to_be_visible()
    expect(page).not_to_have_url(re.compile(r"truth="))


def test_a_filter_keeps_the_errors_of_the_judge_alone_also_on_another_tab(page: Page) -> None:
    page.locator("#cards .pick").first.click()
    expect(page.locator("#evidence .which")).to_have_text("exact")
    press(page, "Judge is wrong", True)
    expect(page).to_have_url(re.compile(r"verdicts=wrong"))
    expect(page.locator("#evidence .question:visible")).to_have_count(1)
    expect(page.locator("#evidence .question:visible")).to_contain_text(WRONG)
    # arrow keys go through what is there
    page.locator("#evidence .question:visible .question-title").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#evidence .question:visible .question-title")).to_be_focused()

    open_tab(page, "I-HallA")
    table = page.locator("#answers .compare")
    rows = table.locator("tbody tr:visible")
    expect(rows.first).to_contain_text("the judge is wrong")
    expect(rows.filter(has_not_text="the judge is wrong")).to_have_count(0)
    expect(rows).not_to_have_count(5)
    page.locator("#answers .truth-bar").get_by_role("button", name="Judge is wrong").click()
    expect(page).not_to_have_url(re.compile(r"verdicts="))
    expect(rows).to_have_count(5)
    fits_a_phone(page)
