"""What a prompt asks for stands in chips before a run; a person corrects it, and the run is judged
by the correction.
"""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.test_accessibility import AXE, LOOK
from tests.support.browser import choose_chips, ready, shot, too_wide, visit
from tests.support.fake_vision import made
from tests.support.shared_apps import SharedApps

pytestmark = pytest.mark.browser
NEAR = re.compile(r"\bnear\b")


@pytest.fixture
def page(browser: Browser, apps: SharedApps) -> Iterator[Page]:
    """The dashboard; the picture of its painter shows three triangles and two hamburgers."""
    with visit(browser, apps.fresh("looking")) as found:
        ready(found, "asked")
        yield found


def type_prompt(page: Page, prompt: str) -> None:
    page.locator("#prompt input").fill(prompt)
    expect(page.locator("#asked .asked-chip").first).to_be_visible()


def chip(page: Page, words: str, panel: str = "asked") -> Locator:
    return page.locator(f"#{panel}").get_by_role("button", name=f"{words}: correct this")


def word(page: Page, words: str) -> Locator:
    return page.locator("#asked .words").get_by_role("button", name=words, exact=True)


def field(page: Page, label: str) -> Locator:
    return page.locator("#asked .asked-form").get_by_label(label, exact=True)


def name_author(page: Page, name: str) -> None:
    field(page, "Your name").fill(name)


def save(page: Page) -> None:
    page.locator("#asked").get_by_role("button", name="Save").click()
    expect(page.locator("#asked .asked-form")).to_have_count(0)


def test_a_reading_that_the_rules_are_not_sure_of_is_confirmed_by_one_click(page: Page) -> None:
    type_prompt(page, "the man a woman near a dog sees holds what none of them ever had")
    doubt = page.locator("#asked .asked-doubt")
    expect(doubt).to_contain_text("may be read wrong")
    doubt.get_by_role("button", name="Confirm").click()
    expect(page.locator("#asked .asked-author")).to_contain_text("Corrected by")
    expect(doubt).to_have_count(0)


@pytest.mark.full
def test_a_count_is_corrected_by_keyboard_and_the_run_is_judged_by_it(page: Page) -> None:
    type_prompt(page, made().prompt)
    chip(page, "triangle").focus()
    expect(word(page, "triangles")).to_have_class(NEAR)
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(chip(page, "two")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("No name is given")
    page.keyboard.type("Ada")
    page.keyboard.press("Enter")
    expect(page.locator("#asked .asked-author")).to_have_text("Corrected by Ada")
    expect(chip(page, "three")).to_have_count(2)
    expect(chip(page, "three").last).to_be_focused()
    shot(page, "asked")

    choose_chips(page, "models", "eyes/painter")
    page.locator("#go").click()
    expect(page.locator("#cards .frame img")).to_have_count(1)
    expect(page.locator("#go")).to_be_enabled()
    page.get_by_role("tab", name="FiG").click()
    expect(chip(page, "three", "fig-asked")).to_have_count(2)
    page.locator("#fig-go").click()
    expect(page.locator("#fig-go")).to_be_enabled()
    viewer = page.locator("#fig-evidence")
    expect(viewer).to_contain_text("corrected by Ada")
    row = viewer.locator(".finding.incorrect", has_text="three hamburgers")
    row.locator(".lead-button").click()
    expect(row).to_have_class(re.compile(r"\blit\b"))
    shot(page, "asked-fig")
    page.reload()
    expect(viewer).to_contain_text("corrected by Ada")
    expect(page.locator("#fig-asked .asked-author")).to_have_text("Corrected by Ada")
    page.get_by_role("tab", name="Evaluate").click()
    expect(page.locator("#asked .asked-author")).to_have_text("Corrected by Ada")
    page.locator("#asked").get_by_role("button", name="Use what the rules read").click()
    expect(chip(page, "two")).to_be_visible()
    expect(page.locator("#asked")).to_contain_text("read by rules")


@pytest.mark.full
def test_things_are_added_and_deleted_by_mouse_and_brought_back(page: Page) -> None:
    type_prompt(page, "a red cat beside a dog")
    word(page, "cat").hover()
    expect(chip(page, "cat")).to_have_class(NEAR)
    chip(page, "red").click()
    name_author(page, "Ada")
    page.get_by_role("button", name="Delete red").click()
    expect(chip(page, "red")).to_have_count(0)
    page.get_by_role("button", name="Add object").click()
    field(page, "Object").fill("hat")
    field(page, "must not appear").check()
    save(page)
    expect(chip(page, "no hat")).to_be_focused()
    page.get_by_role("button", name="Add relation").click()
    field(page, "Relation").fill("to the left of")
    save(page)
    expect(chip(page, "to the left of the dog")).to_be_visible()
    page.get_by_role("button", name="Add text").click()
    field(page, "Text").fill("<b>GO</b>")
    page.get_by_role("combobox", name="Written on").select_option(label="dog")
    save(page)
    expect(chip(page, "“<b>GO</b>” on the dog")).to_be_focused()
    for gone in ("“<b>GO</b>” on the dog", "to the left of the dog", "no hat"):
        page.get_by_role("button", name="Undo").click()
        expect(chip(page, gone)).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(chip(page, "red")).to_be_visible()
    expect(page.locator("#asked")).to_contain_text("read by rules")


@pytest.mark.full
def test_a_wrong_input_gets_one_sentence_and_nothing_is_lost(page: Page) -> None:
    type_prompt(page, "two cats")
    chip(page, "two").click()
    form = page.locator("#asked .asked-form")
    field(page, "Number").fill("2.5")
    field(page, "Attributes").fill("red, small")
    name_author(page, "Ada")
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_role("alert")).to_contain_text("whole number from 1")
    expect(field(page, "Attributes")).to_have_value("red, small")
    page.keyboard.press("Escape")
    expect(form).to_have_count(0)
    expect(chip(page, "two")).to_be_focused()


@pytest.mark.full
def test_a_prompt_that_cannot_be_read_says_why_and_a_person_can_read_it(page: Page) -> None:
    page.locator("#prompt input").fill("ein roter Kreis links von einem blauen Quadrat")
    expect(page.locator("#asked .asked-unreadable")).to_contain_text("does not read as English")
    page.get_by_role("button", name="Add object").click()
    field(page, "Object").fill("circle")
    name_author(page, "Ada")
    save(page)
    expect(chip(page, "circle")).to_be_visible()


@pytest.mark.full
def test_it_fits_a_phone_by_day_and_by_night(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    type_prompt(page, 'two red cats left of a dog, no hat, a sign that says "GO", oil painting')
    chip(page, "to the left of the dog").click()
    assert not too_wide(page)
    shot(page, "asked-phone-day")
    page.evaluate(AXE)
    assert page.evaluate(LOOK, None) == []
    page.locator("[data-look]").click()
    shot(page, "asked-phone-night")
    assert page.evaluate(LOOK, ["color-contrast"]) == []
