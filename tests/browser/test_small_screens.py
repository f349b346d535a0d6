"""On a phone and on a tablet every tab fits: no control lies outside the screen, no word is broken,
every button can be read.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from hallascope.app import tabs_by_title
from hallascope.engine.storage.store import Store
from tests.browser.test_accessibility import settled
from tests.browser.test_static_site import keep
from tests.support import viewer_app
from tests.support.browser import PHONE, open_tab, ready, too_wide, visit
from tests.support.shared_apps import SharedApps

pytestmark = [pytest.mark.browser, pytest.mark.full]
RUN = "run1"
DESK: ViewportSize = {"width": 1440, "height": 1180}
# Controls that the screen does not show whole, but for what can be scrolled sideways by itself.
OUTSIDE = """() => {
  const wide = document.documentElement.clientWidth;
  const controls = "input, button, select, textarea, a[href], summary, .chip";
  const scrolls = (node) => ["auto", "scroll"].includes(getComputedStyle(node).overflowX)
    && node.scrollWidth > node.clientWidth;
  const scrolled = (node) => {
    for (let on = node.parentElement; on; on = on.parentElement) if (scrolls(on)) return true;
    return false;
  };
  const visible = (node) =>
    node.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    && !node.closest("[aria-hidden=true]");
  const sticksOut = (node) => {
    const box = node.getBoundingClientRect();
    return box.width && (box.left < -1 || box.right > wide + 1);
  };
  return [...document.querySelectorAll("#header, #terms, #tabs, #footer")]
    .flatMap((part) => [...part.querySelectorAll(controls)])
    .filter((node) => visible(node) && !scrolled(node) && sticksOut(node))
    .map((node) => node.outerHTML.slice(0, 120));
}"""
# Words of some letters that go on in another line, though no hyphen or slash stands there.
BROKEN = """() => {
  const found = [];
  const takesLines = (node, start, end) => {
    const range = document.createRange();
    range.setStart(node, start);
    range.setEnd(node, end);
    return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1;
  };
  const walk = document.createTreeWalker(document.querySelector("#tabs"), NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const parent = node.parentElement;
    if (!parent.checkVisibility() || parent.closest("svg, textarea, pre")) continue;
    if (parent.matches("a") && !/\\s/.test(node.data)) continue; // an address
    if (!takesLines(node, 0, node.data.length)) continue;
    for (const word of node.data.matchAll(/\\p{L}{2,24}/gu)) {
      const end = word.index + word[0].length;
      if (takesLines(node, word.index, end)) found.push(`${word[0]} in ${node.data.slice(0, 60)}`);
    }
  }
  return found;
}"""
# The marked buttons whose words are too pale for what lies behind them.
PALE = """() => {
  const parts = (color) => color.match(/[\\d.]+/g).map(Number);
  const behind = (node) => {
    for (let on = node; on; on = on.parentElement) {
      const found = parts(getComputedStyle(on).backgroundColor);
      if ((found[3] ?? 1) > 0.9) return found;
    }
    return [255, 255, 255];
  };
  const linear = (x) => (x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
  const light = (color) => {
    const [r, g, b] = color.slice(0, 3).map((x) => linear(x / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (button) => {
    const words = light(parts(getComputedStyle(button).color));
    const ground = light(behind(button));
    return (Math.max(words, ground) + 0.05) / (Math.min(words, ground) + 0.05);
  };
  return [...document.querySelectorAll("#tabs button[data-kind]")]
    .filter((button) => contrast(button) < 4.5)
    .map((button) => button.innerText);
}"""
# One button of each kind is marked; those that cannot be pressed yet are made so that they can.
MARK = """() => {
  const kinds = new Set();
  document.querySelectorAll("#tabs .tabitem button").forEach((button) => {
    const kind = `${button.id} ${button.className} ${button.parentElement.className}`;
    if (!button.checkVisibility() || !button.innerText.trim() || kinds.has(kind)) return;
    kinds.add(kind);
    button.disabled = false;
    button.dataset.kind = "1";
  });
}"""
UNFOLD = """() => {
  document.querySelectorAll("#tabs details").forEach((fold) => { fold.open = true; });
  document.querySelectorAll("#tabs button.label-wrap:not(.open)").forEach((fold) => {
    if (fold.checkVisibility()) fold.click();
  });
}"""


@pytest.fixture
def app(apps: SharedApps, tmp_path: Path) -> str:
    """The dashboard on a store with a run whose images were judged, segmented and asked about."""
    store = Store(folder=tmp_path / "home")
    keep(store, RUN, viewer_app.PROMPT)
    store.close()
    return apps.fresh(folder=tmp_path / "home")


@pytest.fixture
def page(browser: Browser, app: str) -> Iterator[Page]:
    with visit(browser, app, f"?run={RUN}") as found:
        ready(found, "prompts-to-try")
        yield found


def faults_at(page: Page, width: int) -> list[str]:
    """What does not fit a window of this width, in words."""
    page.set_viewport_size({"width": width, "height": 844})
    settled(page)
    wide = [f"{over} px too wide"] if (over := too_wide(page)) else []
    return [*wide, *page.evaluate(OUTSIDE), *page.evaluate(BROKEN)]


def point_at_marked_buttons(page: Page) -> None:
    """Have the marked buttons, and what they lie in, look as under a mouse."""
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    pointed = "#tabs button[data-kind], #tabs :has(button[data-kind])"
    nodes = session.send("DOM.querySelectorAll", {"nodeId": root, "selector": pointed})["nodeIds"]
    assert nodes
    for node in nodes:
        forced = {"nodeId": node, "forcedPseudoClasses": ["hover"]}
        session.send("CSS.forcePseudoState", forced)


def open_unfolded(page: Page) -> Iterator[str]:
    """Open each tab, and each part of one, with all that it can unfold."""
    for title in tabs_by_title():
        page.set_viewport_size(DESK)
        open_tab(page, title)
        settled(page)
        page.evaluate(UNFOLD)
        settled(page)
        yield title


@pytest.mark.parametrize("width", [PHONE["width"], 768])
def test_every_tab_fits_the_width_and_no_word_is_broken(page: Page, width: int) -> None:
    found = {title: faults_at(page, width) for title in open_unfolded(page)}
    assert {name: faults for name, faults in found.items() if faults} == {}


def test_every_button_can_be_read_while_it_is_pointed_at(page: Page) -> None:
    pale = {}
    for title in open_unfolded(page):
        page.evaluate(MARK)
        point_at_marked_buttons(page)
        pale[title] = page.evaluate(PALE)
        page.locator("[data-look]").click()
        pale[title] += page.evaluate(PALE)
        page.locator("[data-look]").click()
    assert {title: words for title, words in pale.items() if words} == {}
