"""The address names what is open, however it was opened, and opens it again."""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.browser.test_accessibility import settled
from tests.support.browser import (
    PHONE,
    choose_chips,
    expect_answers,
    generate,
    open_tab,
    ready,
    visit,
)

pytestmark = pytest.mark.browser


def is_open(page: Page, *titles: str) -> None:
    expect(page.locator("#tabs [role=tab][aria-selected=true]:visible")).to_have_text(list(titles))


@pytest.mark.full
def test_on_a_phone_a_part_in_the_menu_changes_the_address_and_escape_closes_the_menu(
    page: Page,
) -> None:
    page.set_viewport_size(PHONE)
    menu = page.get_by_role("button", name="More tabs")
    menu.click()
    other = page.locator(".overflow-dropdown").get_by_role("button", name="Scene graph")
    expect(other).to_be_visible()
    page.keyboard.press("Escape")
    expect(other).to_be_hidden()
    expect(menu).to_be_focused()
    menu.click()
    other.click()
    expect(page).to_have_url(re.compile("part=scene_graph"))
    page.reload()
    expect(page.locator("#scene-graph-go")).to_be_visible()


# Whether the evidence is that of the chosen image, which comes a moment after its choice.
EVIDENCE_IS_THERE = """() => {
  const tile = document.querySelector("#cards .tile.chosen");
  const exhibit = document.querySelector("#evidence .exhibit");
  return !tile || exhibit?.dataset.key === tile.dataset.key;
}"""

# What can be seen of what was opened and chosen.
SEEN = """() => {
  const tabs = document.querySelector("#tabs");
  const prompt = document.querySelector("#prompt input");
  if (!tabs || !prompt) return "";
  const visible = (query) =>
    [...document.querySelectorAll(`#tabs ${query}`)].filter((node) => node.checkVisibility());
  const words = (node) => (node.getAttribute("aria-label") || node.textContent).trim();
  const { truth, verdicts } = tabs.dataset;
  return JSON.stringify({
    prompt: prompt.value,
    tabs: visible("[role=tab][aria-selected=true]").map(words),
    images: visible(".exhibit").map((node) => `${node.dataset.metric} ${node.dataset.key}`),
    tile: visible(".tile.chosen").map((node) => node.dataset.key),
    lit: visible(".lit[data-keys]").map((node) => node.dataset.keys),
    pressed: visible(".tabitem [aria-pressed=true]:not([data-show])").map(words),
    chosen: visible("tr.chosen").map(words),
    truth,
    verdicts,
  });
}"""


def evaluate(page: Page) -> None:
    choose_chips(page, "models", "primer/exact", "primer/careless")
    generate(page, "a molecule of methane")
    expect_answers(page, 10)
    expect(page.locator("#generate")).to_be_enabled()
    expect(page.locator("#evidence .exhibit")).to_have_count(1)


def choose_other_image(page: Page) -> None:
    page.locator("#cards .tile:not(.chosen)").first.click()


def choose_question(page: Page) -> None:
    page.locator("#evidence .question-title").nth(2).click()
    expect(page.locator("#evidence .question.lit")).to_have_count(1)


def hide_truth(page: Page) -> None:
    page.locator(".tabitem:visible [data-truth-switch]").first.click()
    expect(page).to_have_url(re.compile("truth=off"))


def show_judge_errors(page: Page) -> None:
    page.locator(".tabitem:visible [data-truth-switch]").first.click()
    page.locator(".tabitem:visible [data-wrong-filter]").first.click()
    expect(page).to_have_url(re.compile("verdicts=wrong"))


def show_all_verdicts(page: Page) -> None:
    page.locator(".tabitem:visible [data-wrong-filter]").first.click()
    expect(page).not_to_have_url(re.compile("verdicts="))


def compare_answers(page: Page) -> None:
    open_tab(page, "I-HallA")
    page.locator("#answers tbody tr").nth(1).locator("button").first.click()
    expect(page.locator("#ihalla-evidence .question.lit")).to_have_count(1)


def look_by_fig(page: Page) -> None:
    open_tab(page, "FiG")
    page.locator("#fig-go").click()
    expect(page.locator("#fig-table .head-cell")).to_have_count(2)
    expect(page.locator("#fig-go")).to_be_enabled()
    page.locator("#fig-evidence .lead-button:visible").first.click()


def leave_fig(page: Page) -> None:
    open_tab(page, "Evaluate")


def choose_judge(page: Page) -> None:
    open_tab(page, "Judges")
    page.locator("#judges-table button[data-judge]").nth(1).click()
    expect(page.locator("#judges-table tr.chosen")).to_have_count(1)


def opening(title: str) -> Callable[[Page], None]:
    return lambda page: open_tab(page, title)


def open_evaluated(title: str, name: str, metric: str) -> Callable[[Page], None]:
    """Open a tab, evaluate the run there, and wait until its results are there."""

    def step(page: Page) -> None:
        open_tab(page, title)
        page.locator(f"#{name}-go").click()
        expect(page.locator(f"#{name}-go")).to_be_enabled()
        expect(page.locator(f"#{name}-evidence .exhibit").first).to_have_attribute(
            "data-metric", metric
        )

    return step


STEPS: list[Callable[[Page], None]] = [
    evaluate,
    choose_other_image,
    choose_question,
    hide_truth,
    show_judge_errors,
    show_all_verdicts,
    compare_answers,
    choose_judge,
    opening("Questions"),
    open_evaluated("Scene graph", "scene-graph", "scene-graph"),
    open_evaluated("FactualBench", "factual", "factualbench"),
    *(opening(title) for title in ("Leaderboard", "Labels", "Agreement")),
    *(opening(title) for title in ("Learn", "How it works", "For teachers")),
    look_by_fig,
    leave_fig,
]


@pytest.mark.full
def test_every_address_on_a_way_through_all_tabs_opens_the_same_view(
    browser: Browser, shipped: str
) -> None:
    assert different_views(browser, shipped, STEPS) == {}


def different_views(
    browser: Browser, address: str, steps: Sequence[Callable[[Page], None]]
) -> dict[str, tuple[Any, Any]]:
    """Take the steps, and open each address on the way again: what is seen there and what was."""
    different = {}
    with visit(browser, address) as page, visit(browser, address) as again:
        ready(page, "prompts-to-try")
        for step in steps:
            step(page)
            page.wait_for_function(EVIDENCE_IS_THERE)
            settled(page)
            wanted = page.evaluate(SEEN)
            again.goto(page.url)
            try:
                again.wait_for_function(f"(wanted) => ({SEEN})() === wanted", arg=wanted)
            except PlaywrightTimeout:
                different[page.url] = (json.loads(again.evaluate(SEEN)), json.loads(wanted))
    return different


NAMED = {
    "?tab=errors": ["Errors", "Slices"],
    "?tab=learn&part=sets": ["Learn", "For teachers"],
    "?tab=learn&part=nothing": ["Learn", "Odd one out"],
    "?tab=nothing": ["Evaluate", "All"],
    # as earlier versions wrote them
    "?tab=find": ["Learn", "Find it"],
    "?tab=how": ["Learn", "How it works"],
    "?tab=teach&part=sets": ["Learn", "For teachers"],
    "?tab=fig": ["Evaluate", "FiG"],
    "?tab=questions": ["Evaluate", "Questions"],
    "?tab=people": ["Trust", "Labels"],
    "?tab=judges": ["Trust", "Judges"],
    "?tab=explore": ["Evaluate", "All"],
}


@pytest.mark.full
def test_an_address_opens_its_tab_and_part_and_back_leaves_the_page_at_once(
    browser: Browser, address: str
) -> None:
    with visit(browser, address) as page:
        for query, opened in NAMED.items():
            page.goto("about:blank")
            page.goto(f"{address}{query}")
            is_open(page, *opened)
            page.go_back()
            expect(page).to_have_url("about:blank")


@pytest.mark.full
def test_back_to_the_first_address_opens_the_first_part_and_forward_the_last(
    browser: Browser, address: str
) -> None:
    with visit(browser, address) as page:
        open_tab(page, "Questions")
        open_tab(page, "Learn")
        page.go_back()
        is_open(page, "Evaluate", "Questions")
        page.go_back()
        expect(page).to_have_url(address)
        is_open(page, "Evaluate", "All")
        page.go_forward()
        page.go_forward()
        is_open(page, "Learn", "Odd one out")


@pytest.mark.full
def test_evidence_of_another_image_that_comes_late_gives_way_to_that_of_the_chosen_one(
    browser: Browser, shipped: str
) -> None:
    with visit(browser, shipped) as page:
        ready(page, "prompts-to-try")
        evaluate(page)
        page.wait_for_function(EVIDENCE_IS_THERE)
        chosen = page.locator("#cards .tile.chosen").get_attribute("data-key")
        assert chosen
        with page.expect_request(
            lambda asked: "/queue/join" in asked.url and chosen in (asked.post_data or "")
        ):
            page.evaluate(
                """() => document.dispatchEvent(new CustomEvent("hallascope:evidence", { detail: {
                  element: document.querySelector("#evidence > *"), run: "other", key: "other",
                } }))"""
            )
