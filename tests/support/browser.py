"""What all tests in a browser share: chromium, a page that must neither ask elsewhere nor stumble,
screenshots.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from playwright.sync_api import Browser, Page, TimeoutError, expect, sync_playwright

# Opens the viewer with something that `tests.support.viewer_app` knows.
Show = Callable[[str], Page]
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
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
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        found = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield found
        found.close()


def ready(page: Page, elem_id: str) -> None:
    """Wait until a component of ours listens."""
    expect(page.locator(f"#{elem_id}[data-ready], #{elem_id} [data-ready]")).to_have_count(1)


def unfold_settings(page: Page) -> None:
    """Show the settings of Explore, which are folded into one line at first."""
    toggle = page.locator(".settings-toggle")
    if toggle.get_attribute("aria-expanded") == "false":
        toggle.click()
    expect(page.locator("#settings.unfolded")).to_be_visible()


def set_chip(page: Page, elem_id: str, value: str, checked: bool = True) -> None:
    """Set one chip of a picker by a click on its label, as a person does.

    Its input is a hidden pixel, which a click at its place misses where the page moves.
    """
    chip = page.locator(f"#{elem_id} label", has=page.locator(f"input[value='{value}']"))
    box = chip.locator("input")
    expect(box).to_have_count(1)
    if page.locator("#settings", has=chip).count():
        unfold_settings(page)
    if box.is_checked() != checked:
        chip.click()
    expect(box).to_be_checked(checked=checked)


def choose_chips(page: Page, elem_id: str, *values: str) -> None:
    """Choose these chips of a picker, and no other of those that can be chosen."""
    ready(page, elem_id)
    boxes = page.locator(f"#{elem_id} input:enabled")
    offered = [box.input_value() for box in boxes.all()]
    assert set(values) <= set(offered)
    for value in offered:
        set_chip(page, elem_id, value, value in values)


def expect_answers(page: Page, number: int) -> None:
    """Wait until the judge has given so many answers about the images of the run on Explore."""
    on_cards = "#cards .strip[aria-label='Answers of the judge'] .sign:not(.waiting)"
    answered = f"{on_cards}, #cards .matrix-strip path:not(.matrix-wrong)"
    expect(page.locator(answered)).to_have_count(number)


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
