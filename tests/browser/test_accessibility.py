"""Every tab can be used by everybody: axe finds nothing serious by day or by night, the keyboard
alone reaches all, nothing moves.
"""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from hallascope.app import tabs_by_title
from hallascope.engine.storage.store import Store
from tests.browser.test_static_site import keep
from tests.support import viewer_app
from tests.support.browser import ready, visit
from tests.support.shared_apps import SharedApps

pytestmark = pytest.mark.browser
RUN = "run1"
ROUND = 30
"""So many presses in a row without a new stop, and the keyboard has been everywhere: more than
there are stops before a tab's own.
"""
AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
# Looks at the header, the tabs and what is open of them, not at what is hidden.
LOOK = """(rules) => axe.run({ include: [...document.querySelectorAll(
  "#header, #tabs > .tab-wrapper, #tabs > .tabitem"
)].filter((part) => part.checkVisibility()), exclude: [".toast-wrap"] }, {
  resultTypes: ["violations"],
  preload: false,
  iframes: false,
  elementRef: false,
  ...(rules && { runOnly: rules }),
}).then((found) => found.violations
  .filter((one) => ["serious", "critical"].includes(one.impact))
  .flatMap((one) => one.nodes.map((node) => {
    const summary = node.failureSummary.slice(0, 200);
    return `${one.id}: ${node.html.slice(0, 160)} (${summary})`;
  })))"""


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
        expect(found.locator("#cards .frame img")).to_have_count(3)
        yield found


# The tabs, and those within the tabs that have a page for each.
TITLES = [
    title
    for title, place in tabs_by_title().items()
    if (place["part"] is None) != (place["tab"] in ("evaluate", "trust"))
]


def settled(page: Page) -> None:
    """Wait until the page has come to rest: a quarter of a second in which nothing of it changes,
    at most three seconds.
    """
    page.evaluate("""() => new Promise((done) => {
      let timer = setTimeout(done, 250);
      const watch = new MutationObserver(() => {
        clearTimeout(timer);
        timer = setTimeout(done, 250);
      });
      const all = { childList: true, subtree: true, attributes: true, characterData: true };
      watch.observe(document.body, all);
      setTimeout(() => { watch.disconnect(); done(); }, 3000);
    })""")


def start_rating(page: Page) -> None:
    page.locator("#people-name input").fill("Ada")
    page.locator("#people-go").click()
    expect(
        page.locator("#people-desk [role=radiogroup], #people-desk button").first
    ).to_be_visible()


def name_of_a_judge(page: Page) -> None:
    page.locator("#judges-table button").first.click()
    expect(page.locator("#judge-detail").get_by_role("heading").first).to_be_visible()


def what_lies_behind(page: Page) -> None:
    page.locator("#board-table button").first.click()
    expect(page.locator("#board-behind h2").first).to_be_visible()


FILLED = {"Labels": start_rating, "Judges": name_of_a_judge, "Leaderboard": what_lies_behind}


def open_by_keyboard(page: Page, title: str) -> None:
    """Choose a tab, or one within a tab, by the keyboard."""
    place = tabs_by_title()[title]
    rows = ["#tabs > .tab-wrapper", *([f"#{place['tab']}-parts"] if place["part"] else [])]
    for row, name in zip(rows, (place["tab"], place["part"]), strict=False):
        tab = page.locator(f"{row} [role=tab][data-tab-id={name}]").first
        tab.focus()
        page.keyboard.press("Enter")
        expect(tab).to_have_attribute("aria-selected", "true")
    settled(page)


def faultless(page: Page, rules: list[str] | None = None) -> None:
    """Axe finds nothing serious in what is shown, by all its rules or by these."""
    page.evaluate(AXE)
    assert page.evaluate(LOOK, rules) == []


def axe_faults(page: Page) -> dict[str, Any]:
    """What axe finds in the tabs, each filled as far as it can be, by the title of the tab."""
    found: dict[str, Any] = {}
    for title in TITLES:
        open_by_keyboard(page, title)
        if title in FILLED:
            FILLED[title](page)
        found[title] = page.evaluate(LOOK, None)
    return {name: said for name, said in found.items() if said}


def test_axe_finds_nothing_serious_in_any_tab_by_night(page: Page) -> None:
    page.evaluate(AXE)
    page.locator("[data-look]").click()
    assert axe_faults(page) == {}


@pytest.mark.full
def test_axe_finds_nothing_serious_in_any_tab_by_day(page: Page) -> None:
    page.evaluate(AXE)
    assert axe_faults(page) == {}


FAULTS = ("unseen", "nameless", "missed", "crowded")
# Gradio's lists come and go in a fifth of a second; what moves on is a fault.
RESTS = "document.getAnimations().every(({ playState }) => playState !== 'running')"


def gone_round(page: Page) -> dict[str, Any]:
    """What the Tab key comes by on its way round the page."""
    page.evaluate("keys.begin()")
    for press in range(1, 601):
        page.keyboard.press("Tab")
        if press % 10 == 0 and page.evaluate("keys.idle()") >= ROUND:
            break
    found: dict[str, Any] = page.evaluate("keys.end()")
    return found


@pytest.mark.full
def test_the_keyboard_reaches_all_of_every_tab_and_shows_where_it_is(page: Page) -> None:
    page.evaluate(AXE)
    page.evaluate((Path(__file__).parent / "watching_keys.js").read_text(encoding="utf-8"))
    found: dict[str, Any] = {}
    for name in TITLES:
        open_by_keyboard(page, name)
        # What comes to the page during a round of the keyboard is reached by the next round.
        for _ in range(3):
            found[name] = gone_round(page)
            if not any(found[name][fault] for fault in FAULTS):
                break
        assert found[name]["reached"], "stops in the tab itself"
        page.wait_for_function(RESTS)
    assert {
        name: said for name, said in found.items() if any(said[fault] for fault in FAULTS)
    } == {}
