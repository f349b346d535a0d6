"""The scene-graph tab in a browser: a node lights up its segment, its questions and their memory,
by mouse and by keyboard alike.
"""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.support.browser import (
    Show,
    choose_chips,
    expect_ended,
    fits_a_phone,
    generate,
    open_tab,
    ready,
    too_wide,
    visit,
)
from tests.support.fake_vision import made
from tests.support.shared_apps import SharedApps

pytestmark = pytest.mark.browser


def seen(page: Page, label: str) -> Locator:
    return page.get_by_role("group", name="The graph of the image").get_by_role(
        "button", name=re.compile(f"^{label}")
    )


def asked(page: Page, label: str) -> Locator:
    return page.get_by_role("group", name="The graph of the prompt").get_by_role(
        "button", name=re.compile(f"^{label}")
    )


def is_chosen(page: Page) -> None:
    """The circle: its place in the picture, its three questions, the triples of their answers."""
    expect(page.locator(".region.lit")).to_have_attribute("data-part", "circle")
    expect(page.locator(".asked-of-graph tr.lit .lead-button")).to_have_text(
        ["Is there a circle?", "Is the circle red?", "Is the circle left of the square?"]
    )
    expect(page.locator(".recall.lit li")).to_have_text(
        ["circle 1 is green", "circle 1 right of square 1"] * 2
    )
    expect(page.locator(".hint")).to_have_text("Circle: asked red, seen green.")
    expect(page).to_have_url(re.compile("image=picture1&node=1"))


def test_a_node_lights_up_its_segment_its_questions_and_their_memory(show: Show) -> None:
    page = show("graph")
    expect(page.locator(".recall").first).to_be_hidden()
    seen(page, "circle, red").click()
    is_chosen(page)
    seen(page, "circle, red").click()
    expect(page.locator(".lit")).to_have_count(0)
    expect(page.locator(".memory .idle")).to_be_visible()


@pytest.mark.full
def test_the_keyboard_does_the_same(show: Show) -> None:
    page = show("graph")
    asked(page, "circle, red").focus()
    page.keyboard.press("ArrowDown")
    expect(asked(page, "square, blue")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    is_chosen(page)
    page.keyboard.press("Tab")
    expect(seen(page, "circle, red")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("svg.graph .edge:focus")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".lit")).to_have_count(0)


@pytest.mark.full
def test_from_the_picture_from_a_question_and_from_a_word_one_comes_to_the_node(show: Show) -> None:
    page = show("graph")
    page.locator('.region[data-part="square"]').click()
    expect(asked(page, "square, blue")).to_have_class(re.compile(r"\blit\b"))
    page.get_by_role("button", name=re.compile("^Is there a tulip")).click()
    expect(asked(page, "tulip")).to_have_class(re.compile(r"\blit\b"))
    expect(page.locator(".recall.lit")).to_contain_text("says nothing about this")
    page.locator(".word", has_text=re.compile("^hat$")).click()
    expect(asked(page, "no hat")).to_have_class(re.compile(r"\blit\b"))


@pytest.mark.full
def test_forty_nodes_are_all_in_sight_and_a_hostile_text_runs_nothing(show: Show) -> None:
    page = show("crowded-graph")
    expect(page.locator(".node:not(.ghost)")).to_have_count(80)
    assert not too_wide(page)
    page = show("hostile-graph")
    page.locator(".node").first.click()
    page.locator(".asked-of-graph .lead-button").first.click()
    assert page.evaluate("window.hit") is None
    expect(page.locator("#evidence img")).to_have_count(1)
    fits_a_phone(show("two-graphs"))


def test_from_the_pictures_of_a_run_to_the_graph_and_its_files(
    browser: Browser, apps: SharedApps
) -> None:
    with visit(browser, apps.fresh("looking")) as page:
        ready(page, "prompts-to-try")
        choose_chips(page, "models", "eyes/painter", "eyes/other-painter")
        generate(page, made().prompt)
        expect_ended(page, 2)
        open_tab(page, "Scene graph")
        expect(page.locator("#scene-graph-status")).to_contain_text("press Run")
        page.locator("#scene-graph-go").click()
        expect(page.locator("#scene-graph-table .head-cell")).to_have_count(2)
        expect(page.locator("#scene-graph-evidence svg.graph")).to_have_count(1)
        extra = page.locator("#scene-graph-evidence .extras .lead-button")
        extra.click()
        expect(page.locator("#scene-graph-evidence .node.incorrect.lit")).to_have_count(1)
        expect(page.locator("#scene-graph-evidence .region.lit")).to_have_count(1)
        with page.expect_download() as kept:
            page.get_by_role("button", name="Graphs as JSON").click()
        assert json.loads(Path(kept.value.path()).read_text("utf-8"))["grade"] == 5
        expect(page.get_by_role("button", name="Graphs as PNG")).to_be_visible()
        page.reload()
        expect(page.locator("#scene-graph-evidence .node.incorrect.lit")).to_have_count(1)
