"""On a phone and on a tablet every tab fits: no control lies outside the screen, no word is broken,
every button can be read.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from hallascope.engine.storage.store import Store
from hallascope.pages import PAGES
from hallascope.pages.teach import page as teach
from tests.browser.test_accessibility import settled
from tests.browser.test_static_site import keep
from tests.conftest import served
from tests.support import viewer_app
from tests.support.browser import too_wide, visit

pytestmark = pytest.mark.browser
RUN = "run1"
PLACES = [f"&tab={name}" for name in PAGES] + [
    f"&tab={teach.NAME}&part={part}" for part in teach.PARTS
]
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
  const walk = document.createTreeWalker(document.querySelector("#tabs"), NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const parent = node.parentElement;
    if (!parent.checkVisibility() || parent.closest("svg, textarea, pre")) continue;
    for (const word of node.data.matchAll(/\\p{L}{2,24}/gu)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
      if (lines.size > 1) found.push(`${word[0]} in ${node.data.trim().slice(0, 60)}`);
    }
  }
  return found;
}"""
# The contrast of a button's words with what lies behind them.
CONTRAST = """(button) => {
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
  const words = light(parts(getComputedStyle(button).color));
  const ground = light(behind(button));
  return (Math.max(words, ground) + 0.05) / (Math.min(words, ground) + 0.05);
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


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The dashboard on a store with a run whose pictures were judged, segmented and asked about."""
    folder = tmp_path_factory.mktemp("kept")
    store = Store(folder=folder / "home")
    keep(store, RUN, viewer_app.PROMPT, folder)
    store.close()
    with served(folder / "home", "tests.support.serve", "0") as found:
        yield found


def opened(page: Page, app: str, place: str) -> None:
    page.goto(f"{app}?run={RUN}{place}")
    name = place.split("&")[1].removeprefix("tab=")
    expect(
        page.locator(
            f"#tabs > .tab-wrapper [data-tab-id={name}][aria-selected=true], .overflow-menu"
        ).first
    ).to_be_visible()
    expect(page.locator("#tabs .tabitem:visible .block:visible").first).to_be_visible()
    settled(page)
    page.evaluate(UNFOLD)


@pytest.mark.parametrize("width", [390, 768])
def test_every_tab_fits_and_no_word_is_broken(browser: Browser, app: str, width: int) -> None:
    found: dict[str, Any] = {}
    with visit(browser, app) as page:
        page.set_viewport_size({"width": width, "height": 844})
        for place in PLACES:
            opened(page, app, place)
            found[place] = {
                "over": too_wide(page),
                "outside": page.evaluate(OUTSIDE),
                "broken": page.evaluate(BROKEN),
            }
    assert {place: what for place, what in found.items() if any(what.values())} == {}


def test_every_button_can_be_read_while_it_is_pointed_at(browser: Browser, app: str) -> None:
    pale = []
    with visit(browser, app) as page:
        for look in ("light", "dark"):
            for place in PLACES:
                opened(page, app, f"{place}&__theme={look}")
                page.evaluate(MARK)
                for button in page.locator("#tabs button[data-kind]").all():
                    button.hover(force=True)
                    if button.evaluate(CONTRAST) < 4.5:
                        pale.append(f"{place} {look}: {button.inner_text()}")
    assert pale == []
