"""What all tests in a browser share: chromium, a page that must neither ask elsewhere nor stumble, screenshots."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

Show = Callable[[str], Page]  # opens the viewer with something that `tests.viewing` knows
SCREENSHOTS = Path(__file__).parents[1] / "screenshots"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PATIENCE = 120_000  # milliseconds until something expected counts as missing; nothing waits that long where all is well


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        yield found
        found.close()


@contextmanager
def visit(browser: Browser, address: str, query: str = "") -> Iterator[Page]:
    """The dashboard, opened; in the end it must have asked no other server for anything and no script may have failed."""
    expect.set_options(timeout=PATIENCE)
    page = browser.new_page(viewport={"width": 1440, "height": 1180}, reduced_motion="reduce")
    page.set_default_timeout(PATIENCE)
    foreign: list[str] = []
    faults: list[str] = []
    ours = (address, "data:", "blob:")
    page.on("request", lambda request: foreign.append(request.url) if not request.url.startswith(ours) else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{address}{query}")
    yield page
    page.close()
    assert not foreign, f"the page asked for {foreign}"
    assert not faults, f"the page stumbled: {faults}"


def ready(page: Page, elem_id: str) -> None:
    """Wait until a component of ours listens."""
    expect(page.locator(f"#{elem_id}[data-ready], #{elem_id} [data-ready]")).to_have_count(1)


def shot(page: Page, name: str) -> None:
    SCREENSHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=True)


def too_wide(page: Page) -> int:
    """By how many pixels the page reaches over the edge."""
    return int(page.evaluate("Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)"))
