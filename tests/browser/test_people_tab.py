"""The Labels tab in two browsers at once: nobody's answers are lost, and metrics are set
beside what people said.
"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import (
    expect_ended,
    fits_a_phone,
    generate,
    middle_of,
    open_tab,
    ready,
    set_chip,
    visit,
)
from tests.support.shared_apps import SharedApps

pytestmark = [pytest.mark.browser, pytest.mark.full]
PROMPT = "a molecule of methane"


@pytest.fixture
def address(apps: SharedApps) -> str:
    return apps.fresh()


def draw(page: Page) -> None:
    ready(page, "prompts-to-try")
    generate(page, PROMPT)
    expect_ended(page, 4)


def start(page: Page, name: str, mode: str = "questions") -> None:
    open_tab(page, "Labels")
    page.locator("#people-name input").fill(name)
    set_chip(page, "people-mode", mode)
    page.locator("#people-go").click()
    expect(page.locator("#people-status")).to_contain_text(f"4 images for {name}")
    expect(page.locator("#people-desk fieldset")).to_have_count(1 if mode == "grade" else 5)


def saved(page: Page) -> None:
    expect(page.locator("#people-desk .told")).to_have_text("Saved.")


def test_two_raters_at_once_lose_nothing_and_each_goes_on_where_they_left_off(
    browser: Browser, address: str
) -> None:
    with visit(browser, address) as ann, visit(browser, address) as bo:
        draw(ann)
        start(ann, "Ann 12")
        ready(bo, "prompts-to-try")
        start(bo, "Bo")
        assert PROMPT not in ann.locator("#people-desk").inner_html()
        for _ in range(2):
            for _ in range(5):
                ann.keyboard.press("1")
                bo.keyboard.press("2")
            for page in (ann, bo):
                saved(page)
        expect(ann.locator("#people-desk .done")).to_have_text("2 of 4 labeled")
        expect(bo.locator("#people-desk .done")).to_have_text("2 of 4 labeled")
        ann.locator("#people-refresh").click()
        numbers = ann.locator("#people-numbers tbody").first
        expect(numbers.locator("tr")).to_have_count(2)
        expect(numbers.locator("tr").nth(0)).to_contain_text("Ann 12")
        for row in (0, 1):
            expect(numbers.locator("tr").nth(row).locator("td").first).to_have_text("10")
        expect(ann.locator("#people-figure .js-plotly-plot")).to_have_count(1)

        bo.reload()
        ready(bo, "prompts-to-try")
        start(bo, "Bo")
        expect(bo.locator("#people-desk .done")).to_have_text("2 of 4 labeled")
        bo.keyboard.press("p")
        expect(bo.locator("#people-desk input:checked")).to_have_count(5)
        expect(bo.locator("#people-desk input:checked").first).to_have_value("B")


def test_keys_answer_only_while_the_desk_is_in_sight_and_nobody_types(
    browser: Browser, address: str
) -> None:
    with visit(browser, address) as page:
        draw(page)
        start(page, "Ann")
        page.locator("#people-name input").press("End")
        page.locator("#people-name input").press_sequentially("123pn")
        expect(page.locator("#people-name input")).to_have_value("Ann123pn")
        expect(page.locator("#people-desk input:checked")).to_have_count(0)
        expect(page.locator("#people-desk .number")).to_have_text("Image 1")
        open_tab(page, "Evaluate")
        page.keyboard.press("1")
        open_tab(page, "Labels")
        expect(page.locator("#people-desk input:checked")).to_have_count(0)


def test_grades_lead_to_agreement_with_the_picture_beside_a_point(
    browser: Browser, address: str
) -> None:
    with visit(browser, address) as page:
        draw(page)
        start(page, "Ann", "grade")
        expect(page.locator("#people-desk .meant")).to_contain_text(PROMPT)
        for number, key in enumerate("741", 1):
            page.keyboard.press(key)
            expect(page.locator("#people-desk .done")).to_have_text(f"{number} of 4 labeled")
        page.keyboard.press("u")
        expect(page.locator("#people-desk .done")).to_have_text("2 of 4 labeled")
        saved(page)
        page.keyboard.press("1")
        expect(page.locator("#people-desk .done")).to_have_text("3 of 4 labeled")
        with page.expect_download() as download:
            page.get_by_role("button", name="Export a table").click()
        assert Path(download.value.path()).read_text("utf-8").count(",grade,,Ann,") == 3

        open_tab(page, "Agreement")
        set_chip(page, "agreement-source", "grade")
        page.locator("#agreement-go").click()
        expect(page.locator("#agreement-numbers")).to_contain_text("Kendall tau-b")
        page.locator("#agreement-figure .point").first.scroll_into_view_if_needed()
        page.mouse.move(
            *middle_of(page, "() => document.querySelector('#agreement-figure .point')")
        )
        expect(page.locator(".hovered")).to_be_visible()
        expect(page.locator(".hovered img")).to_have_attribute("src", re.compile(r"\.webp$"))
        fits_a_phone(page)
