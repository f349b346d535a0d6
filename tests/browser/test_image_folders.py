"""Images that exist already are dropped on the Evaluate tab, judged and ranked, in a browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.engine.image_folders.test_archive import zip_folder
from tests.support.browser import ready, too_wide, unfold_settings, visit
from tests.support.image_folders import write, write_geneval
from tests.support.shared_apps import SharedApps

pytestmark = pytest.mark.browser


@pytest.fixture
def own_address(apps: SharedApps) -> str:
    """The address of a dashboard of these tests alone."""
    return apps.fresh()


@pytest.fixture
def page(browser: Browser, own_address: str) -> Iterator[Page]:
    with visit(browser, own_address) as found:
        ready(found, "prompts-to-try")
        unfold_settings(found)
        found.get_by_role("button", name="Judge existing images").click()
        yield found


def test_a_zip_is_judged_under_the_models_name_and_what_is_left_out_is_listed(
    page: Page, own_address: str, browser: Browser, tmp_path: Path
) -> None:
    folder = write_geneval(tmp_path / "images")
    write(folder / "00000" / "samples" / "0009.png", "no image")
    page.get_by_label("Model of the images").fill("dalle-3")
    dropped = page.locator("#image-files")
    dropped.locator("input[type=file]").set_input_files(zip_folder(folder, tmp_path / "images.zip"))
    expect(dropped.get_by_role("row", name="images.zip")).to_be_visible()
    page.locator("#judge-images").click()
    line = page.locator("#images-status")
    expect(line).to_contain_text("6 images new, 0 stored before, 1 left out", timeout=60_000)
    expect(line).to_contain_text("Left out: 00000/samples/0009.png")
    assert not too_wide(page)
    with visit(browser, own_address, "?tab=leaderboard") as board:
        expect(board.get_by_text("dalle-3").first).to_be_visible(timeout=60_000)
