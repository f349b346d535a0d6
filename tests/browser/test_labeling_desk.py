"""Labels set by keys or mouse are saved at once, and the work goes on where it was left."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from hallascope.data.files.label_folder import LabelItem, read_labels
from tests.conftest import served
from tests.support import label_folder
from tests.support.browser import fits_a_phone, ready, visit
from tests.support.label_folder import label

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("labels")


@pytest.fixture(scope="module")
def items(folder: Path) -> list[LabelItem]:
    return label_folder.write(folder)


@pytest.fixture(scope="module")
def desk(folder: Path, items: list[LabelItem]) -> Iterator[str]:
    with served(
        folder / "home", "hallascope.pages.labeling", str(folder), "--labeler", "ada"
    ) as found:
        yield found


@pytest.fixture
def page(browser: Browser, desk: str) -> Iterator[Page]:
    with visit(browser, desk) as found:
        ready(found, "desk")
        yield found


def saved(page: Page) -> None:
    expect(page.locator(".told")).to_have_text("Saved.")


@pytest.mark.full
def test_a_picture_is_labelled_by_keys_saved_at_once_and_the_next_visit_goes_on(
    page: Page, folder: Path, items: list[LabelItem]
) -> None:
    expect(page.locator(".number")).to_have_text("Image 001")
    expect(page.locator("#desk fieldset")).to_have_count(5)
    expect(page.locator("#desk img")).to_have_js_property("naturalWidth", 128)
    assert page.locator("#desk img").evaluate("one => one.clientWidth") > 400
    for key in "21365":
        page.keyboard.press(key)
    expect(page.locator(".done")).to_have_text("1 of 3 labeled")
    saved(page)
    assert read_labels(folder, items)[0]["ada"] == {"001": label(items[0], "BAC?E")}

    expect(page.locator(".number")).to_have_text("Image 002")
    page.locator("#desk fieldset").nth(2).get_by_label("Cannot tell").check()
    page.keyboard.press("1")
    saved(page)
    assert read_labels(folder, items)[0]["ada"]["002"] == label(items[1], "..?A.")
    page.keyboard.press("Backspace")
    saved(page)
    assert read_labels(folder, items)[0]["ada"]["002"] == label(items[1], "..?..")

    page.reload()
    ready(page, "desk")
    expect(page.locator(".number")).to_have_text("Image 002")
    expect(page.locator("#desk input:checked")).to_have_count(1)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".number")).to_have_text("Image 001")
    expect(page.locator("#desk input:checked")).to_have_count(5)
    page.get_by_role("button", name="Next unfinished").click()
    expect(page.locator(".number")).to_have_text("Image 002")
    expect(page.locator(".keys dl")).not_to_be_visible()
    page.keyboard.press("?")
    expect(page.locator(".keys dl")).to_be_visible()
    expect(page.locator("#desk input:focus")).to_have_count(1)
    assert items[0].prompt not in page.content()
    fits_a_phone(page)
