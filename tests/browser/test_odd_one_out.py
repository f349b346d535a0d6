"""Rounds of Learn: an image with its truth and a verdict, and twelve rounds to play."""

import pytest
from playwright.sync_api import Browser, Page, expect

from hallascope.data.teaching.odd_one_out import judge_score, read_rounds
from tests.browser.test_accessibility import faultless
from tests.support.browser import ready, too_wide, visit

pytestmark = pytest.mark.browser
PLACE = "?tab=learn"
ROUNDS = read_rounds().rounds
SIZES = {"laptop": (1366, 768), "phone": (390, 844)}


def pick(page: Page, image: int) -> None:
    page.locator("#odd-one-out .round-pick").nth(image).click()
    expect(page.locator("#odd-one-out .round-result")).to_be_visible()


def all_visible(page: Page, selector: str, count: int) -> None:
    """All of them lie on the first screen."""
    found = page.locator(selector)
    expect(found).to_have_count(count)
    for node in found.all():
        expect(node).to_be_in_viewport(ratio=0.99)
    assert page.evaluate("scrollY") == 0


@pytest.mark.full
@pytest.mark.parametrize("size", SIZES)
def test_a_cold_page_shows_an_image_with_its_truth_and_a_verdict(
    browser: Browser, address: str, size: str
) -> None:
    width, height = SIZES[size]
    with visit(browser, address, PLACE) as page:
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        ready(page, "odd-one-out")
        all_visible(page, "#odd-one-out .round-example img", 1)
        all_visible(page, "#odd-one-out .round-example .round-outline", 1)
        all_visible(page, "#odd-one-out .round-example .round-strip .sign.incorrect", 2)
        all_visible(page, "#odd-one-out .round-example .round-word.found", 1)
        all_visible(page, "#odd-one-out .round-pick img", 4)
        all_visible(page, "#odd-one-out h2", 1)
        assert not too_wide(page)


def test_a_right_guess_lights_the_wrong_part_and_shows_truth_and_judge(
    browser: Browser, address: str
) -> None:
    first = ROUNDS[0]
    with visit(browser, address, PLACE) as page:
        page.set_viewport_size({"width": 1366, "height": 768})
        panel = page.locator("#odd-one-out")
        ready(page, "odd-one-out")
        expect(panel.locator("h2")).to_have_text(f"Which of these is not {first.name}?")
        expect(panel.locator(".round-tile .round-outline")).to_have_count(0)
        pick(page, first.odd)
        expect(panel.locator(".round-result h3")).to_have_text("You found it")
        all_visible(page, "#odd-one-out .round-tile .round-outline", 1)
        all_visible(page, "#odd-one-out .round-tile .round-strip", 8)
        expect(panel.locator(".round-tile .sign:not(.correct)")).to_have_count(2)
        expect(panel.locator(".round-tile.odd .round-word")).to_have_text(["found"])
        expect(panel.locator(".tally strong")).to_have_text(["1", "1"])
        expect(panel.locator(".rounds-said")).to_contain_text("You found it.")
        expect(panel.locator(".rounds-said")).to_contain_text("You 1, judge 1.")
        faultless(page)
        page.locator("[data-look]").click()
        faultless(page, ["color-contrast"])


@pytest.mark.full
def test_a_wrong_guess_by_keyboard_says_which_it_is_and_goes_on(
    browser: Browser, address: str
) -> None:
    first = ROUNDS[0]
    with visit(browser, address, PLACE) as page:
        panel = page.locator("#odd-one-out")
        ready(page, "odd-one-out")
        wrong = (first.odd + 1) % 4
        panel.locator(".round-pick").nth(wrong).focus()
        page.keyboard.press("Enter")
        expect(panel.locator(".round-result h3")).to_have_text(f"It is image {first.odd + 1}")
        expect(panel.locator(".tally strong")).to_have_text(["0", "1"])
        expect(panel.locator(".rounds-next")).to_be_focused()
        page.keyboard.press("Enter")
        expect(panel.locator("h2")).to_have_text(f"Which of these is not {ROUNDS[1].name}?")
        expect(panel.locator(".round-pick").first).to_be_focused()


@pytest.mark.full
def test_after_twelve_rounds_both_scores_and_what_the_judge_missed_are_shown(
    browser: Browser, address: str
) -> None:
    with visit(browser, address, PLACE) as page:
        panel = page.locator("#odd-one-out")
        ready(page, "odd-one-out")
        for number, each in enumerate(ROUNDS):
            expect(panel.locator(f".rounds[data-round='{number + 1}'] .round-pick")).to_have_count(
                4
            )
            pick(page, each.odd if number != 4 else (each.odd + 1) % 4)
            if each.judge_choice is None:
                expect(panel.locator(".round-judge")).to_contain_text("a tie is not a hit")
            panel.locator(".rounds-next").click()
        expect(panel.locator("h2")).to_have_text(f"You 11, judge {judge_score(ROUNDS)}")
        missed = panel.locator(".round-errors li")
        expect(missed.first).to_be_visible()
        assert missed.count() >= 12 - judge_score(ROUNDS)
        faultless(page)
        panel.get_by_role("button", name="Find more errors").click()
        expect(page.locator("#teach-desk")).to_be_visible()
