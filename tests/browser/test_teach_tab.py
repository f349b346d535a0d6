"""The Learn tab in a browser, one app for all of it: found by mouse and by keyboard, a set for a
class, a page without a server.
"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_accessibility import faultless
from tests.support.browser import click_at, fits_a_phone, ready, visit

pytestmark = pytest.mark.browser
HOSTILE = "<img src=x onerror=alert(1)> & Co"


def begun(page: Page) -> None:
    """The desk shows its first picture: methane with five hydrogens."""
    expect(page.locator(".teach .meant")).to_contain_text("a molecule of methane")
    expect(page.locator(".teach .field img")).to_be_visible()


def finished(page: Page, heading: str) -> None:
    expect(page.locator(".teach .verdict h3")).to_have_text(heading)
    expect(page.locator(".teach .exercise-truth .exhibit")).to_have_count(2)
    expect(page.locator(".teach .exercise-truth .region.lit")).to_have_count(1)
    expect(page.locator(".teach .exercise-truth .count.lit")).to_have_count(5)


def test_a_newcomer_finds_what_is_wrong_with_methane_by_mouse(
    browser: Browser, address: str
) -> None:
    with visit(browser, address, "?tab=learn&part=find") as page:
        begun(page)
        page.locator(".teach .check").click()
        expect(page.locator(".teach .told.wrong")).to_contain_text("Mark the place first")
        click_at(page, ".teach .field", 0.52, 0.21)  # the fifth hydrogen atom
        expect(page.locator(".teach .told")).to_contain_text(
            "Marked: 52 % from the left, 21 % from the top."
        )
        page.locator(".teach .which label", has_text="How many outer atoms").click()
        page.locator(".teach .check").click()
        finished(page, "Found")
        expect(page.locator(".teach .judge")).to_contain_text(
            "The judge primer/judge answers “None of the above”. It cannot tell."
        )
        expect(page.locator(".teach .fault")).to_contain_text(
            "In this image: five. It should be: four. Methane is the simplest"
        )
        assert "run=" not in page.url, "an image of no run is not named in the address"
        faultless(page)
        page.locator("[data-look]").click()
        faultless(page, ["color-contrast"])
        fits_a_phone(page)


@pytest.mark.full
def test_the_keyboard_alone_marks_names_chooses_and_goes_on(browser: Browser, address: str) -> None:
    with visit(browser, address, "?tab=learn&part=find") as page:
        begun(page)
        page.locator(".teach .name").focus()
        page.keyboard.type("Ann")
        page.keyboard.press("Tab")
        expect(page.locator(".teach .field")).to_be_focused()
        page.keyboard.press("ArrowRight")
        for _ in range(7):
            page.keyboard.press("ArrowUp")
        for _ in range(2):
            page.keyboard.press("Shift+ArrowUp")
        expect(page.locator(".teach .crosshair")).to_be_visible()
        page.keyboard.press("Enter")
        expect(page.locator(".teach .told")).to_contain_text(
            "Marked: 52 % from the left, 20 % from the top."
        )
        for _ in range(3):
            page.keyboard.press("Tab")  # the parts by name, what is missing, the facts
        page.keyboard.press("Space")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Tab")
        expect(page.locator(".teach .check")).to_be_focused()
        page.keyboard.press("Enter")
        finished(page, "Half right")
        expect(page.locator(".teach .verdict h3")).to_be_focused()
        expect(page.locator(".teach .standing")).to_have_text(
            "Ann, in all: 0 of 1 questions, 1 of 1 places"
        )
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.locator(".teach .number")).to_have_text("Image 2 of 12")
        page.locator(".teach .previous").press("Enter")
        finished(page, "Half right")
        expect(page.locator(".teach .which input:checked")).to_have_value("1")
        page.locator(".teach [name=coi]").select_option("counting")
        expect(page.locator(".teach .score")).to_have_text("Nothing answered yet")


@pytest.mark.full
def test_how_it_works_goes_step_by_step_and_what_belongs_together_lights_up(
    browser: Browser, address: str
) -> None:
    with visit(browser, address) as page:
        page.get_by_role("link", name="How the metrics work").click()
        expect(page.locator("#how-words h2")).to_have_text("The image")
        expect(page.locator("#how-evidence .region.lit")).to_have_count(1)
        for number, title in enumerate(
            ("I-HallA", "FiG", "Scene graph", "FactualBench", "HaloQuest"), 1
        ):
            page.locator("#how-next").click()
            expect(page.locator("#how-words h2")).to_have_text(f"Step {number} of 5: {title}")
            if title == "I-HallA":
                page.locator("#how-evidence .question.incorrect .question-title").click()
                expect(page.locator("#how-evidence .region.lit")).to_have_count(1)
        faultless(page)
        page.locator("#how-evidence .lead-button").first.click()
        expect(page.locator("#how-evidence .region.lit")).to_have_count(1)


@pytest.mark.full
def test_a_teacher_makes_a_set_and_sees_what_the_class_answers(
    browser: Browser, address: str, tmp_path: Path
) -> None:
    with visit(browser, address, "?tab=learn&part=sets") as page:
        bench = page.locator("#sets-bench")
        ready(page, "sets-bench")
        page.get_by_label("Title of the set").fill(HOSTILE)
        page.get_by_role("button", name="A drawing with a mistake").press("Enter")
        prompt = bench.get_by_label("Prompt", exact=True)
        prompt.fill("a molecule of methane")
        page.keyboard.press("Enter")
        expect(bench.get_by_label("Mistake", exact=True)).to_have_value(
            "How many outer atoms surround the central atom? Five"
        )
        bench.get_by_role("button", name="Add the drawing").press("Enter")
        items = bench.locator("#set-items label")
        expect(items).to_have_text(
            [re.compile("How many outer atoms surround the central atom\\? Five")]
        )
        bench.get_by_label("Number of exercises").fill("1")
        bench.get_by_role("button", name="Add random exercises").press("Enter")
        expect(items).to_have_count(2)
        items.first.locator("input").press("Space")
        bench.get_by_role("button", name="Move down").press("Enter")
        expect(items.nth(1)).to_contain_text("How many outer atoms")
        expect(items.nth(1).locator("input")).to_be_checked()
        bench.get_by_role("button", name="Move up").press("Enter")
        expect(items.first).to_contain_text("How many outer atoms")
        bench.get_by_role("button", name="Make the set").press("Enter")
        links = (bench.get_by_label(f"Link for {who}") for who in ("learners", "you alone"))
        link, own = (found.input_value() for found in links)
        page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
        bench.get_by_role("button", name="Copy the link").click()
        expect(bench.locator("#set-status")).to_contain_text("Copied.")
        read = "(paste) => { window.pasted = paste.clipboardData.getData('text'); }"
        page.evaluate(f"addEventListener('paste', {read})")
        bench.get_by_label("Number of exercises").press("Control+V")
        assert page.evaluate("window.pasted") == link
        _answered(browser, address, link)
        bench.get_by_role("button", name="Show the answers").click()
        row = bench.locator("#set-class table").nth(1).locator("tbody tr")
        expect(row).to_contain_text([f"{HOSTILE}1a molecule of methanerightwrong"])
        with page.expect_download() as answers:
            bench.get_by_text("Download the answers").click()
        assert "<img src=x onerror=alert(1)> & Co,1,a molecule of methane,right,wrong," in Path(
            answers.value.path()
        ).read_text("utf-8")
        bench.get_by_role("button", name="Make a page without a server").click()
        with page.expect_download() as saved:
            bench.get_by_text("Download the page").click()
        saved.value.save_as(tmp_path / "set.html")
        faultless(page)
        page.goto(own)
        expect(page.locator("#set-class table")).to_have_count(2)
    _without_a_server(browser, tmp_path / "set.html")


def _answered(browser: Browser, address: str, link: str) -> None:
    """A learner follows the link, names the part and takes a wrong fact."""
    assert "key=" not in link
    with visit(browser, address, link.removeprefix(address)) as page:
        expect(page.locator(".teach .lesson")).to_have_text(HOSTILE)
        begun(page)
        page.locator(".teach .name").fill(HOSTILE)
        page.locator(".teach .parts").select_option("hydrogen atom")
        page.locator(".teach .which label", has_text="Which atoms are larger?").click()
        page.locator(".teach .check").click()
        finished(page, "Half right")


def _without_a_server(browser: Browser, file: Path) -> None:
    with visit(browser, f"{file.as_uri()}") as page:
        expect(page.locator(".teach .lesson")).to_have_text(HOSTILE)
        begun(page)
        page.locator(".teach .missing").click()
        page.locator(".teach .which label", has_text="How many outer atoms").click()
        page.locator(".teach .check").click()
        finished(page, "Half right")
        expect(page.locator(".teach .judge")).to_contain_text("The judge primer/judge answers")
        expect(page.locator(".teach .verdict li").first).to_contain_text("Not the right place.")
        with page.expect_download() as table:
            page.get_by_role("button", name="Save my answers").click()
        assert ",1,a molecule of methane,wrong,right," in Path(table.value.path()).read_text(
            "utf-8"
        )
        fits_a_phone(page)
