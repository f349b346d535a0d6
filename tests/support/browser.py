"""What all tests in a browser share: chromium, a page that must neither ask elsewhere nor stumble,
and what a person does on it.
"""

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from playwright.sync_api import (
    Browser,
    Page,
    TimeoutError,
    ViewportSize,
    expect,
    sync_playwright,
)

from hallascope.app import tabs_by_title

# Opens the viewer with something that `tests.support.viewer_app` knows.
Show = Callable[[str], Page]
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SCREENSHOTS = Path(__file__).parents[1] / "screenshots"  # of the pages of tests that failed
PHONE: ViewportSize = {"width": 390, "height": 844}
# Gradio only logs these faults of ours, and the browser what the policy of the page forbids.
CAUGHT = (
    "Error evaluating template",
    "Error executing js_on_load",
    "Error in watch callback",
    "Content Security Policy",
)
# What is chosen in an input of Gradio: in a list, the words before the colon.
CHOSEN = """(id) => {
  const owner = document.getElementById(id);
  if (!owner) return [];
  const name = (words) => words.trim().split(": ")[0];
  const tokens = [...owner.querySelectorAll(".token > span")].map((one) => name(one.textContent));
  const list = owner.querySelector("[role=combobox]");
  if (tokens.length || list) return tokens.length || !list.value ? tokens : [name(list.value)];
  const boxes = [...owner.querySelectorAll("input:checked")];
  return boxes.map((box) => (box.type === "radio" ? box.value : box.name));
}"""
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
    """Wait until a component of ours listens, or an input of Gradio is there."""
    ours = f"#{elem_id}[data-ready], #{elem_id} [data-ready]"
    expect(page.locator(f"{ours}, #{elem_id} input, button#{elem_id}").first).to_be_attached()


def open_tab(page: Page, title: str) -> None:
    """Open a tab, or one within a tab, by its title."""
    place = tabs_by_title()[title]
    tab = page.locator(f"#tabs > .tab-wrapper [role=tab][data-tab-id={place['tab']}]")
    if place["part"] is None or tab.get_attribute("aria-selected") != "true":
        tab.click()
    if place["part"]:
        page.locator(f"#{place['tab']}-parts").get_by_role("tab", name=title, exact=True).click()


def unfold_settings(page: Page, elem_id: str = "settings") -> None:
    """Show settings that are folded into one line at first: those of Evaluate, or others."""
    toggle = page.locator(f"#{elem_id} > button")
    if "open" not in (toggle.get_attribute("class") or "").split():
        toggle.click()
    expect(page.locator(f"#{elem_id} input").first).to_be_visible()


def reach(page: Page, elem_id: str) -> None:
    """Unfold the settings where an input of them is asked for, or one that is not drawn yet."""
    owner = page.locator(f"#{elem_id}")
    if not owner.count() or page.locator("#settings", has=owner).count():
        unfold_settings(page)
    expect(owner).to_be_attached()


def set_chip(page: Page, elem_id: str, value: str, checked: bool = True) -> None:
    """Choose one thing in an input, or take it back, by clicks, as a person does."""
    owner = page.locator(f"#{elem_id}")
    reach(page, elem_id)
    if (value in chosen_chips(page, elem_id)) != checked:
        field = owner.get_by_role("combobox")
        says = re.compile(rf"^\W*{re.escape(value)}(:|$)")
        if not field.count():
            box = page.locator(f"input[type=radio][value='{value}'], input[name='{value}']")
            owner.locator("label", has=box).click()
        elif checked:
            field.blur()  # Gradio opens the list when the field gets the focus
            field.click()
            options = page.locator(f"#{field.get_attribute('aria-controls')} [role=option]")
            options.filter(has_text=says).click()
            page.keyboard.press("Escape")
        else:
            owner.locator(".token", has_text=says).get_by_role("button").click()
    included = f"([id, value]) => ({CHOSEN})(id).includes(value) === {str(checked).lower()}"
    page.wait_for_function(included, arg=[elem_id, value])


def choose_chips(page: Page, elem_id: str, *values: str) -> None:
    """Choose these things in an input for several, and no other."""
    reach(page, elem_id)
    for value in chosen_chips(page, elem_id):
        if value not in values:
            set_chip(page, elem_id, value, False)
    for value in values:
        set_chip(page, elem_id, value)
    expect_chosen(page, elem_id, *values)


def chosen_chips(page: Page, elem_id: str) -> list[str]:
    """What is chosen in an input: a model by its name, which what it is follows."""
    found: list[str] = page.evaluate(CHOSEN, elem_id)
    return found


def expect_chosen(page: Page, elem_id: str, *values: str) -> None:
    """Wait until exactly these things are chosen in an input."""
    reach(page, elem_id)
    page.wait_for_function(
        f"([id, values]) => String(({CHOSEN})(id).sort()) === values",
        arg=[elem_id, ",".join(sorted(values))],
    )


def generate(page: Page, prompt: str) -> None:
    """Ask on Evaluate for images of a prompt."""
    page.locator("#prompt input").fill(prompt)
    page.locator("#generate").click()


def expect_ended(page: Page, images: int) -> None:
    """Wait until the run on Evaluate has made so many images and has ended."""
    expect(page.locator("#cards .frame img")).to_have_count(images)
    expect(page.locator("#generate")).to_be_enabled()


def expect_answers(page: Page, number: int) -> None:
    """Wait until the judge has given so many answers about the images of the run on Evaluate."""
    on_cards = "#cards .strip[aria-label='Answers of the judge'] .sign:not(.waiting)"
    answered = f"{on_cards}, #cards .matrix-strip path:not(.matrix-wrong)"
    expect(page.locator(answered)).to_have_count(number)


@contextmanager
def visit(browser: Browser, address: str, query: str = "") -> Iterator[Page]:
    """The dashboard, opened.

    Before it acts, and before what it expects counts, all that is to be seen has begun to listen.
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
    page.add_locator_handler(page.locator("[data-starting]:visible").first, lambda: None)
    page.goto(f"{address}{query}")
    yield page
    page.close()
    assert not foreign, f"the page asked for {foreign}"
    assert not faults, f"the page stumbled: {faults}"


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


def fits_a_phone(page: Page) -> None:
    """On a phone nothing reaches over the edge."""
    page.set_viewport_size(PHONE)
    assert not too_wide(page)


def click_at(page: Page, selector: str, x: float, y: float) -> None:
    """Click on an image in its frame, at shares of its width and height, once it is drawn."""
    frame = page.locator(selector)
    expect(frame.locator("img")).to_have_js_property("complete", True)
    box = frame.bounding_box()
    assert box
    frame.click(position={"x": x * box["width"], "y": y * box["height"]})


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
