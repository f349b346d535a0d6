"""What all tests in a browser share: chromium, a page that must neither ask elsewhere nor stumble,
screenshots.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from playwright.sync_api import Browser, Page, TimeoutError, expect

from bench.support.browser import choose_chips, chromium, ready, set_chip, unfold_settings

__all__ = [
    "PATIENCE",
    "Show",
    "choose_chips",
    "chromium",
    "middle_of",
    "ready",
    "set_chip",
    "shot",
    "too_wide",
    "unfold_settings",
    "visit",
]

# Opens the viewer with something that `tests.support.viewer_app` knows.
Show = Callable[[str], Page]
SCREENSHOTS = Path(__file__).parents[1] / "screenshots"
# Gradio only logs these faults of ours, and the browser what the policy of the page forbids.
CAUGHT = (
    "Error evaluating template",
    "Error executing js_on_load",
    "Error in watch callback",
    "Content Security Policy",
)
# milliseconds until something expected counts as missing; nothing waits that long where all is well
PATIENCE = 20_000


@contextmanager
def visit(browser: Browser, address: str, query: str = "") -> Iterator[Page]:
    """The dashboard, opened.

    In the end it must have asked no other server for anything and no script or template may have
    failed.
    """
    expect.set_options(timeout=PATIENCE)
    page = browser.new_page(viewport={"width": 1440, "height": 1180}, reduced_motion="reduce")
    page.set_default_timeout(PATIENCE)
    foreign: list[str] = []
    faults: list[str] = []
    ours = (address, "data:", "blob:")
    page.on(
        "request",
        lambda request: foreign.append(request.url) if not request.url.startswith(ours) else None,
    )
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on(
        "console",
        lambda line: (
            faults.append(line.text) if any(words in line.text for words in CAUGHT) else None
        ),
    )
    page.goto(f"{address}{query}")
    yield page
    page.close()
    assert not foreign, f"the page asked for {foreign}"
    assert not faults, f"the page stumbled: {faults}"


def shot(page: Page, name: str) -> None:
    SCREENSHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=True)


def too_wide(page: Page) -> int:
    """By how many pixels the page reaches over the edge, once what follows the width of the window
    has followed it.
    """
    over = (
        "Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)"
    )
    with suppress(TimeoutError):
        page.wait_for_function(f"{over} === 0")
    return int(page.evaluate(over))


def middle_of(page: Page, find: str, *given: str) -> tuple[float, float]:
    """Where in the window the middle of what a script finds is, once it is drawn and has rested
    from one frame to the next.
    """
    script = f"""(given) => {{
      const node = ({find})(...given);
      const box = node && node.getBoundingClientRect();
      const place = box && box.width ? [box.x + box.width / 2, box.y + box.height / 2] : null;
      const rests = place && String(place) === String(window.placeBefore);
      window.placeBefore = place;
      return rests && place;
    }}"""
    x, y = page.wait_for_function(script, arg=list(given)).json_value()
    return x, y
