"""The Questions tab in a browser: reason, make, review by mouse and keyboard, save, find the
questions again on Explore.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import open_tab, ready, visit
from tests.support.question_writers import PROMPT, REASONING
from tests.support.shared_apps import SharedApps

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser: Browser, apps: SharedApps) -> Iterator[Page]:
    with visit(browser, apps.fresh("looking"), "?tab=questions") as found:
        ready(found, "review")
        yield found


def reason(page: Page) -> None:
    page.locator("#q-prompt input").fill(PROMPT)
    page.locator("#q-reason").click()
    expect(page.locator("#q-reasoning textarea")).to_have_value(REASONING)
    expect(page.locator("#q-make")).to_be_enabled()


def make(page: Page) -> None:
    page.locator("#q-make").click()
    expect(page.locator(".draft")).to_have_count(4)
    expect(page.locator("#q-others")).to_be_enabled()


def expect_texts(page: Page, texts: list[str]) -> None:
    boxes = page.locator(".draft .text")
    expect(boxes).to_have_count(len(texts))
    for box, text in zip(boxes.all(), texts, strict=True):
        expect(box).to_have_value(text)


def test_from_pictures_to_questions_that_explore_asks(page: Page, tmp_path: Path) -> None:
    for name, color in (("right", "green"), ("wrong", "red")):
        Image.new("RGB", (80, 60), color).save(tmp_path / f"{name}.png")
        page.locator(f"#q-{name} input[type=file]").set_input_files(tmp_path / f"{name}.png")
        expect(page.locator(f"#q-{name}")).to_contain_text(".png")
    reason(page)
    expect(page.locator("#q-told .answer .sign.correct")).to_have_count(4)
    expect(page.locator("#q-told .answer .sign.left-out")).to_have_count(2)
    make(page)
    expect(page.locator("#q-rejected")).to_contain_text("Set 5: it has no answer")
    page.get_by_label("Text of question 1").fill("How many atoms are bound to the middle one?")
    expect(page.locator(".draft .origin").first).to_have_text("made by scripted/writer, edited")
    page.get_by_label("Move question 1 down").click()
    page.get_by_label("Delete question 4").click()
    page.get_by_label("Delete question 3").click()
    page.get_by_role("button", name="Bring back").first.click()
    expect(page.locator(".draft .text")).to_have_count(3)
    kept = [box.input_value() for box in page.locator(".draft .text").all()]
    page.locator("#q-accept").click()
    expect(page.locator("#q-saved")).to_contain_text("3 questions saved")
    expect(page.locator("#q-sets .set")).to_have_count(1)

    page.locator("#q-show").click()
    expect(page.locator("#prompt input")).to_have_value(PROMPT)
    page.locator("#generate").click()
    expect(page.locator("#evidence .question-title")).to_have_text(kept)
    expect(page.locator("#evidence .question .state:not(.waiting)")).to_have_count(3)
    assert page.evaluate("window.hit") is None
    open_tab(page, "Questions")
    expect_texts(page, kept)


@pytest.mark.full
def test_the_keyboard_alone_is_enough_and_the_focus_stays_where_the_hand_is(page: Page) -> None:
    page.get_by_label("For the prompt").fill("a cat")
    page.get_by_role("button", name="Add a question").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Text of question 1")).to_be_focused()
    page.keyboard.type("First?")
    page.get_by_role("button", name="Add a question").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Text of question 2")).to_be_focused()
    page.keyboard.type("Second?")
    page.keyboard.press("Alt+ArrowUp")
    expect(page.get_by_label("Text of question 1")).to_be_focused()
    expect_texts(page, ["Second?", "First?"])
    page.get_by_label("Move question 1 down").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Move question 2 down")).to_be_focused()
    page.get_by_label("Delete question 1").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Delete question 1")).to_be_focused()
    expect(page.locator(".told-last")).to_have_text("Question 1 is dropped.")

    page.get_by_label("Composition of interest of question 1").select_option("size")
    for letter, words in zip("ABCD", ("One", "Two", "Three", "Four"), strict=True):
        page.get_by_label(f"Choice {letter}").fill(words)
    page.locator("#q-accept").click()
    expect(page.locator("#q-saved [role=alert]")).to_contain_text("Question 1: the right answer")
    expect_texts(page, ["Second?"])
    page.get_by_label("A is the right answer").focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_label("B is the right answer")).to_be_checked()
    page.locator("#q-accept").click()
    expect(page.locator("#q-saved")).to_contain_text("1 question saved for “a cat”")
    expect(page.locator("#q-sets")).to_contain_text("1 question · by hand")
