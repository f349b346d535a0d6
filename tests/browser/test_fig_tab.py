"""The FiG tab in a browser: the pictures of a run are looked at by two line-ups, a row leads to its
segment, a person disagrees.
"""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import (
    choose_chips,
    expect_ended,
    fits_a_phone,
    generate,
    open_tab,
    ready,
    set_chip,
    unfold_settings,
    visit,
)
from tests.support.fake_vision import made
from tests.support.shared_apps import SharedApps

pytestmark = pytest.mark.browser


@pytest.fixture
def address(apps: SharedApps) -> str:
    return apps.fresh("looking")


def draw(page: Page) -> None:
    choose_chips(page, "models", "eyes/painter", "eyes/other-painter")
    generate(page, made().prompt)
    expect_ended(page, 2)


def look(page: Page) -> None:
    open_tab(page, "FiG")
    expect(page.locator("#fig-status")).to_contain_text("press Run")
    page.locator("#fig-go").click()
    expect(page.locator("#fig-go")).to_be_enabled()


def test_from_the_pictures_of_a_run_to_the_segment_of_an_extra_that_a_person_does_not_mind(
    page: Page,
) -> None:
    draw(page)
    look(page)
    expect(page.locator("#fig-table .head-cell")).to_have_count(2)
    viewer = page.locator("#fig-evidence")
    expect(viewer.locator(".exhibit")).to_have_count(1)
    viewer.locator(".extras .lead-button").first.click()
    expect(viewer.locator(".region.lit")).not_to_have_count(0)
    expect(page).to_have_url(re.compile(r"run=\w+&image=\w+.*finding=\d"))

    fine = viewer.locator(".fine").first
    fine.click()
    expect(viewer.locator(".hint")).to_contain_text("does not count it")
    expect(fine).to_have_attribute("aria-pressed", "true")
    page.locator("#fig-table .head-cell").nth(1).click()
    expect(viewer.locator(".which")).to_have_text("eyes/other-painter")
    # Nothing is pressed any more, as it is another picture.
    expect(viewer.locator(".fine").first).to_have_attribute("aria-pressed", "false")
    page.locator("#fig-table .head-cell").first.click()
    expect(viewer.locator(".which")).to_have_text("eyes/painter")
    expect(viewer.locator(".numbers")).to_contain_text("1 of 1 extras are fine")
    viewer.locator(".extras .lead-button").first.click()
    page.reload()
    expect(page.locator("#fig-evidence .rows tr.lit")).not_to_have_count(0)
    expect(page.locator("#fig-evidence .fine").first).to_have_attribute("aria-pressed", "true")


@pytest.mark.full
def test_two_line_ups_look_at_the_same_picture_side_by_side_and_on_a_phone(page: Page) -> None:
    draw(page)
    open_tab(page, "FiG")
    page.locator("#fig-go").click()
    expect(page.locator("#fig-table .head-cell")).to_have_count(2)
    expect(page.locator("#fig-go")).to_be_enabled()
    page.get_by_label("Keep these results beside").check()
    unfold_settings(page)
    page.get_by_role("button", name="More models and wording").click()
    set_chip(page, "captioner", "eyes/grey")
    page.locator("#fig-go").click()
    expect(page.locator("#fig-table .head-cell")).to_have_count(4)
    expect(page.locator("#fig-evidence .exhibit")).to_have_count(2)
    expect(page.locator("#fig-evidence .facts").nth(1)).to_contain_text("eyes/grey")
    page.locator("[data-look]").click()
    fits_a_phone(page)


@pytest.mark.full
def test_a_persons_own_attributes_are_looked_for(browser: Browser, shipped: str) -> None:
    with visit(browser, shipped) as page:
        ready(page, "prompts-to-try")
        choose_chips(page, "models", "primer/exact")
        generate(page, "three red circles")
        expect_ended(page, 1)
        open_tab(page, "FiG")
        # it has begun to open: results of another test about the same image may be there, or not
        expect(page.locator("#fig-status")).not_to_contain_text("Generate images")
        page.get_by_role("button", name="Your own attributes").click()
        page.locator("#fig-attributes textarea").fill("circle, material, wooden")
        page.locator("#fig-go").click()
        expect(page.locator("#fig-evidence")).to_contain_text("wooden")
        expect(page.locator("#fig-go")).to_be_enabled()
