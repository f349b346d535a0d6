"""Makes the picture of the README from the running app and the embedded models: ``python -m tests.browser.screenshots``."""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.driving import chromium, ready
from tests.conftest import ROOT, served

MODELS = ("primer/exact", "primer/careful", "primer/hasty", "primer/careless")
PROMPT, SEED = "a molecule of methane", 6
SHOWN = "careless"
FILE = ROOT / "docs" / "explore.png"


def serve() -> None:
    """What the started process does: the dashboard as a user has it."""
    from engine.services import create_services
    from tests.serve import launched

    launched(create_services()).block_thread()


def show(page: Page) -> None:
    """Generate, choose a picture, and choose the first of its questions that is answered wrongly."""
    ready(page, "metrics")
    for box in page.locator("#models input:enabled").all():
        box.set_checked(box.get_attribute("value") in MODELS, force=True)
    page.get_by_label("Seed").fill(str(SEED))
    page.locator("#prompt input").fill(PROMPT)
    page.locator("#go").click()
    expect(page.locator("#cards .sign:not(.waiting)")).to_have_count(5 * len(MODELS))
    expect(page.locator("#go")).to_be_enabled()
    page.locator("#cards .tile", has=page.get_by_role("heading", name=SHOWN, exact=True)).click()
    expect(page.locator("#evidence .which")).to_have_text(SHOWN)
    wrong, any_question = page.locator("#evidence .question.incorrect .question-title"), page.locator("#evidence .question-title")
    (wrong if wrong.count() else any_question).first.click()
    page.mouse.move(0, 0)


def main() -> None:
    FILE.parent.mkdir(exist_ok=True)
    expect.set_options(timeout=120_000)
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder), "tests.browser.screenshots", "serve") as address,
        chromium() as browser,
    ):
        page = browser.new_page(viewport={"width": 1440, "height": 1100}, reduced_motion="reduce")
        page.goto(address)
        show(page)
        page.screenshot(path=FILE, full_page=True)
    print(FILE.relative_to(ROOT))


if __name__ == "__main__":
    serve() if sys.argv[1:] == ["serve"] else main()
