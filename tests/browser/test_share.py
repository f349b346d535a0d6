"""Share, Export and Cite above the evidence: a card with its link, files, and a text to copy."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.test_accessibility import AXE
from tests.support.browser import PHONE, choose_chips, ready, visit

pytestmark = pytest.mark.browser
PROMPT = "a molecule of methane"


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """Explore after a run of two draughtsmen; the judge says of one question that nothing fits."""
    with visit(browser, address) as found:
        ready(found, "prompts-to-try")
        choose_chips(found, "models", "primer/exact", "primer/careless")
        found.locator("#prompt input").fill(PROMPT)
        expect(found.locator("#share .share-row")).to_be_hidden()
        found.locator("#generate").click()
        expect(found.locator("#cards .frame img")).to_have_count(2)
        expect(found.locator("#evidence .question .state:not(.waiting)")).to_have_count(5)
        found.locator("#cards .pick").first.click()
        expect(found.locator("#evidence .which")).to_have_text("exact")
        yield found


def open_dialog(page: Page, button: str) -> Locator:
    page.locator("#share").get_by_role("button", name=button, exact=True).click()
    dialog = page.locator(".share-dialog[open]")
    expect(dialog).to_be_visible()
    return dialog


def fits(page: Page, dialog: Locator) -> None:
    """Axe finds nothing in the dialog, which a phone shows whole."""
    page.evaluate(AXE)
    assert page.evaluate("() => axe.run('.share-dialog')")["violations"] == []
    page.set_viewport_size(PHONE)
    expect(dialog).to_be_in_viewport()
    box = dialog.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["width"]


def download(page: Page, dialog: Locator, tmp_path: Path) -> Path:
    with page.expect_download() as started:
        dialog.get_by_role("button", name="Download", exact=True).click()
    path = tmp_path / started.value.suggested_filename
    started.value.save_as(path)
    return path


@pytest.mark.full
def test_a_card_says_that_the_judge_is_wrong_and_its_link_opens_the_question(
    page: Page, address: str, browser: Browser
) -> None:
    page.locator("#evidence .question-title").first.click()
    question = page.locator("#evidence .question-title").first.inner_text()
    dialog = open_dialog(page, "Share")
    card = dialog.locator(".share-card")
    expect(card).to_have_attribute("alt", re.compile(r"^False alarm: the judge is wrong"))
    expect(card).to_have_attribute("alt", re.compile(re.escape(question)))
    expect(card).to_have_js_property("naturalWidth", 1200)
    fits(page, dialog)

    link = dialog.get_by_label("Link").input_value()
    assert link.startswith(address)
    with page.expect_download() as started:
        dialog.get_by_role("link", name="Download card (PNG)").click()
    with Image.open(started.value.path()) as drawn:
        assert drawn.size == (1200, 630)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    with visit(browser, address, link.removeprefix(address)) as opened:
        expect(opened.locator("#evidence .question.lit .question-title")).to_have_text(question)


@pytest.mark.full
def test_checked_images_leave_in_every_format(page: Page, tmp_path: Path) -> None:
    dialog = open_dialog(page, "Export")
    expect(dialog.locator(".share-image")).to_have_count(2)
    fits(page, dialog)
    with download(page, dialog, tmp_path).open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert {row["model"] for row in rows} == {"primer/exact", "primer/careless"}
    expect(dialog.get_by_role("status")).to_have_text("Exported 2 images, 10 verdicts.")

    dialog.locator(".share-image input").last.uncheck()
    expect(dialog.locator("legend")).to_contain_text("1 of 2 images")
    dialog.get_by_label("Verdicts", exact=True).select_option("false alarm")
    with download(page, dialog, tmp_path).open(encoding="utf-8", newline="") as stream:
        (row,) = csv.DictReader(stream)
    assert (row["model"], row["state"]) == ("primer/exact", "abstained")
    dialog.get_by_label("Format", exact=True).select_option("latex")
    assert r"\toprule" in download(page, dialog, tmp_path).read_text("utf-8")

    dialog.locator(".share-image input").first.uncheck()
    expect(dialog.get_by_role("button", name="Download", exact=True)).to_be_disabled()


@pytest.mark.full
def test_the_methods_paragraph_and_bibtex_are_copied(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    dialog = open_dialog(page, "Cite")
    fits(page, dialog)
    expect(dialog.get_by_label("Methods paragraph", exact=True)).to_have_value(
        re.compile(r"^We generated 2 images of the prompt “a molecule of methane”")
    )
    for name, begins in (("Copy paragraph", "We generated 2"), ("Copy BibTeX", "@software")):
        dialog.get_by_role("button", name=name).click()
        expect(dialog.get_by_role("status")).to_have_text("Copied.")
        assert page.evaluate("navigator.clipboard.readText()").startswith(begins)
