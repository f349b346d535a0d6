"""Break it yourself in a browser: a fact is switched, the verdicts change, an address reopens, an
error goes into the class set.

The scripted judge of the tests always gives methane's factual answers, but says of the first
question that nothing fits.
"""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_accessibility import faultless
from tests.support.browser import fits_a_phone, open_tab, ready, visit

pytestmark = [pytest.mark.browser, pytest.mark.full]
PART = "?tab=learn&part=break"
SEEN_NOT = "You found an error that the judge does not see"


def outcomes(page: Page, *expected: str) -> None:
    expect(page.locator("#break-it .outcome")).to_have_text(list(expected))


def test_a_switch_changes_the_drawing_and_the_verdicts_and_stands_in_the_address(
    browser: Browser, address: str
) -> None:
    with visit(browser, address, PART) as page:
        ready(page, "break-it")
        panel = page.locator("#break-it")
        outcomes(page, "false alarm", "right", "right", "right", "right", "not asked")
        expect(panel.locator(".outcome-title")).to_have_text("A false alarm")
        before = panel.locator(".stage img").get_attribute("src")
        center = panel.locator(".fact", has_text="Which atom is at the center")
        center.locator("label", has_text="An oxygen atom").click()
        outcomes(page, "false alarm", "missed", "right", "right", "right", "not asked")
        expect(panel.locator(".stage img")).not_to_have_attribute("src", str(before))
        expect(panel.locator(".overlay .over")).to_have_count(1)
        expect(panel.locator(".outcome-title")).to_have_text(SEEN_NOT)
        expect(panel.locator(".tally")).to_contain_text(
            "1error that the judge does not see, of 1 that"
        )
        expect(page).to_have_url(f"{address}{PART}&concept=methane&facts=centre.red")
        faultless(page)
        page.locator("[data-look]").click()
        faultless(page, ["color-contrast"])
        fits_a_phone(page)
        page.reload()
        outcomes(page, "false alarm", "missed", "right", "right", "right", "not asked")
        expect(panel.locator(".outcome-title")).to_contain_text("an error that the judge does not")
        expect(panel.locator(".tally")).to_contain_text(
            "1error that the judge does not see, of 1 that"
        )
        panel.locator(".reset").click()
        outcomes(page, "false alarm", "right", "right", "right", "right", "not asked")
        expect(page).to_have_url(f"{address}{PART}&concept=methane")


def test_of_quick_clicks_the_last_counts(browser: Browser, address: str) -> None:
    with visit(browser, address, PART) as page:
        ready(page, "break-it")
        for value in ("2", "3", "5", "6"):
            page.locator(f"#break-it input[value='{value}']").check(force=True)
        lines = page.locator("#break-it .fact").first.locator(".answer-line")
        expect(lines.first).to_contain_text("Six")
        expect(lines.nth(1)).to_contain_text("found")
        expect(page).to_have_url(f"{address}{PART}&concept=methane&facts=hydrogens.6")


def test_the_keyboard_alone_chooses_a_concept_and_switches_a_fact(
    browser: Browser, address: str
) -> None:
    with visit(browser, address, PART) as page:
        ready(page, "break-it")
        page.locator("#break-it .concept-choice").press("Enter")
        search = page.get_by_role("searchbox", name="Search the concepts")
        expect(search).to_be_focused()
        expect(page.locator(".concept-tiles li:visible")).to_have_count(65)
        faultless(page)
        page.keyboard.type("unicorn")
        expect(page.locator(".concepts .none")).to_contain_text("No concept is called “unicorn”")
        search.fill("gentoo")
        page.keyboard.press("Enter")
        expect(page.locator("#break-it .concept-name")).to_have_text("a gentoo penguin")
        page.locator("#break-it .fact input:checked").first.focus()
        page.keyboard.press("ArrowRight")
        expect(page).to_have_url(f"{address}{PART}&concept=penguin&facts=stance.lying")
        expect(page.locator("#break-it .fact input:checked").first).to_be_focused()
        page.locator("#break-it .another").press("Enter")
        expect(page).to_have_url(f"{address}{PART}&concept=penguin&facts=stance.lying&seed=1")
        expect(page.locator("#break-it .seed")).to_have_text("Drawing 1")
        page.locator("#break-it .surprise").press("Enter")
        expect(page.locator("#break-it .overlay .over").first).to_be_attached()


def test_one_click_puts_the_error_into_the_class_set(browser: Browser, address: str) -> None:
    with visit(browser, address, f"{PART}&concept=methane&facts=hydrogens.5&seed=6") as page:
        ready(page, "break-it")
        added = page.locator("#break-it-set")
        page.locator("#break-it .add-to-set").click()
        expect(added).to_contain_text("Added: a molecule of methane")
        page.locator("#break-it .add-to-set").click()
        expect(added).to_contain_text("in your class set already")
        page.get_by_role("button", name="Open my class set").press("Enter")
        ready(page, "sets-bench")
        items = page.locator("#set-items label")
        expect(items).to_contain_text(["How many outer atoms surround the central atom? Five"])
        open_tab(page, "Break it yourself")
        page.locator("#break-it input[value=red]").check(force=True)
        expect(page).to_have_url(
            f"{address}{PART}&concept=methane&facts=hydrogens.5_centre.red&seed=6"
        )
        expect(page.locator("#break-it .overlay .over")).to_have_count(2)
        page.locator("#break-it .add-to-set").click()
        open_tab(page, "For teachers")
        expect(items).to_have_count(2)
        page.reload()
        expect(items).to_have_count(2)
        page.get_by_label("Title of the set").fill("Broken")
        page.get_by_role("button", name="Make the set").click()
        expect(page.get_by_label("Link for learners")).to_have_value(re.compile("set="))
