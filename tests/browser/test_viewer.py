"""The evidence viewer alone in a browser: what belongs together lights up together, by mouse, by
keyboard and by the address.
"""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.browser import Show

pytestmark = pytest.mark.browser
WRONG = "two red circles"  # the finding that is asked for and wrong, the fourth of all


@pytest.fixture
def page(show: Show) -> Page:
    return show("one&run=run1&image=picture1")


def row(page: Page, words: str = WRONG) -> Locator:
    return page.locator(
        ".rows tr", has=page.get_by_role("button", name=re.compile(re.escape(words)))
    ).first


def expect_marks(page: Page, *parts: str) -> None:
    """Wait until the marks of these parts of the image are lit, and no others."""
    marks = page.locator(".region.lit")
    expect(marks).to_have_count(len(parts))
    for mark, part in zip(marks.all(), parts, strict=True):
        expect(mark).to_have_attribute("data-part", part)


def scale(page: Page, nth: int = 0) -> float:
    return float(
        page.locator(".canvas")
        .nth(nth)
        .evaluate("node => new DOMMatrix(getComputedStyle(node).transform).a")
    )


def offset(page: Page, nth: int = 0) -> tuple[float, float]:
    place = (
        page.locator(".canvas")
        .nth(nth)
        .evaluate(
            "node => { const m = new DOMMatrix(getComputedStyle(node).transform); return [m.e,"
            " m.f]; }"
        )
    )
    return round(place[0], 1), round(place[1], 1)


# --- what belongs together
# --------------------------------------------------------------------------------------------------


def test_choosing_a_row_marks_its_segments_and_its_words_and_the_rest_fades(page: Page) -> None:
    row(page).click()
    expect_marks(page, "circle", "circle")
    expect(page.locator(".word.lit")).to_have_text(
        ["red", "circles", "red circle", "green circle"], use_inner_text=True
    )
    expect(page.locator(".hint")).to_have_text(
        "One red and one green circle instead of two red circles."
    )
    expect(row(page).get_by_role("button")).to_have_attribute("aria-pressed", "true")
    assert float(row(page, "no tulip").evaluate("node => getComputedStyle(node).opacity")) < 1
    row(page).click()
    expect(page.locator(".lit")).to_have_count(0)


@pytest.mark.full
def test_choosing_a_segment_leads_to_what_is_wrong_with_it_first_then_to_the_rest(
    page: Page,
) -> None:
    red = page.locator('.region[data-order="0"]')
    for words in (WRONG, "circle", "two circles", "circle"):
        red.click()
        expect(page.locator(".rows tr.lit .lead-button").first).to_have_text(words)
    # the last it leads to is its own row
    expect(page.locator(".segments tr.lit").first).to_have_text(re.compile("^circle"))


@pytest.mark.full
def test_things_that_are_counted_are_numbered_from_left_to_right(page: Page) -> None:
    row(page, "two circles, as in the prompt").click()
    expect(page.locator(".count.lit")).to_have_text(["1", "2"])
    expect(page.locator(".count.lit").first).to_be_visible()
    row(page).click()
    expect(page.locator(".count.lit").first).to_be_hidden()


def test_the_choice_is_in_the_address_reaches_python_and_comes_back_with_both(page: Page) -> None:
    row(page).click()
    expect(page).to_have_url(re.compile("run=run1&image=picture1&finding=4"))
    expect(page.locator("#told")).to_contain_text("finding=4")
    expect(page.locator("#told")).to_contain_text("picture1")
    page.reload()
    expect(page.locator(".finding.lit")).to_have_count(1)
    expect_marks(page, "circle", "circle")
    row(page).get_by_role("button").focus()
    page.keyboard.press("Escape")
    expect(page.locator(".lit")).to_have_count(0)
    expect(page).not_to_have_url(re.compile("finding"))


# --- by keyboard
# --------------------------------------------------------------------------------------------------


def test_the_keyboard_alone_reaches_marks_words_and_rows(page: Page) -> None:
    page.locator(".stage").focus()
    page.keyboard.press("Tab")
    expect(page.locator(".region:focus")).to_have_attribute("data-order", "0")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".region:focus")).to_have_attribute("data-part", "square")
    expect(page.locator(".word.near").first).to_be_visible()
    page.keyboard.press("Enter")
    expect_marks(page, "square")
    expect(page.locator(".rows tr.lit")).not_to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(".lit")).to_have_count(0)

    page.locator(".word").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".word:focus")).to_have_text("red")
    page.keyboard.press(" ")
    expect(row(page)).to_have_class(re.compile("lit"))

    row(page, "circle, as in the prompt").get_by_role("button").focus()
    page.keyboard.press("ArrowDown")
    expect(row(page, "square, as in the prompt")).to_have_class(re.compile("lit"))


# --- zoom and layers
# --------------------------------------------------------------------------------------------------


@pytest.mark.full
def test_zoom_by_buttons_and_keys_stays_within_its_bounds_and_arrows_move_the_picture(
    page: Page,
) -> None:
    closer = page.get_by_role("button", name="Zoom in")
    for _ in range(6):
        closer.click()
    assert scale(page) == 8
    expect(closer).to_have_attribute("aria-disabled", "true")
    page.locator(".stage").focus()
    before = offset(page)
    page.keyboard.press("ArrowRight")
    assert offset(page)[0] < before[0]
    page.keyboard.press("0")
    assert scale(page) == 1
    page.keyboard.press("ArrowRight")
    assert offset(page) == (0, 0), "at its own size the image stays where it is"
    page.keyboard.press("+")
    assert scale(page) == 1.5


@pytest.mark.full
def test_two_fingers_zoom_and_one_moves(page: Page) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2})
    frame = page.locator(".stage").bounding_box()
    assert frame
    x, y = frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2

    def touch(kind: str, *places: tuple[float, float]) -> None:
        points = [{"x": px, "y": py, "id": i} for i, (px, py) in enumerate(places)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", (x - 40, y), (x + 40, y))
    for apart in (60, 80, 100, 120):
        touch("touchMove", (x - apart, y), (x + apart, y))
    touch("touchEnd")
    assert 2 < scale(page) < 4
    before = offset(page)
    touch("touchStart", (x, y))
    touch("touchMove", (x - 10, y))
    touch("touchMove", (x - 50, y))
    touch("touchEnd")
    assert offset(page)[0] < before[0]
    expect(page.locator(".lit")).to_have_count(0)


@pytest.mark.full
def test_outlines_boxes_and_labels_are_switched_and_the_browser_remembers(page: Page) -> None:
    expect(page.locator(".tag")).to_have_count(0)
    page.get_by_role("button", name="Labels").click()
    page.get_by_role("button", name="Boxes").click()
    page.get_by_role("button", name="Masks").click()
    expect(page.locator(".tag").first).to_be_visible()
    assert (
        page.locator(".region .box").first.evaluate("node => getComputedStyle(node).opacity") == "1"
    )
    page.reload()
    expect(page.locator("#evidence .exhibit")).to_be_visible()
    for name, pressed in (("Masks", "false"), ("Boxes", "true"), ("Labels", "true")):
        button = page.get_by_role("button", name=name)
        expect(button).to_have_attribute("aria-pressed", pressed)
    shape = page.locator(".region .shape").first
    assert "rgba(0, 0, 0, 0)" in shape.evaluate("node => getComputedStyle(node).stroke"), (
        "nothing is drawn where outlines are off"
    )


# --- every look, every text
# --------------------------------------------------------------------------------------------------


def test_text_that_tries_to_be_markup_is_shown_and_runs_nothing(show: Show) -> None:
    page = show("hostile")
    page.locator(".rows .lead-button").first.click()
    page.locator(".region").first.dispatch_event("click")
    expect(page.locator(".hint")).to_contain_text("<img src=x")
    assert page.evaluate("window.hit") is None
    assert page.locator("#evidence img").count() == 1
