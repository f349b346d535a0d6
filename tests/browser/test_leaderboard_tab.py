"""The Leaderboard tab in a browser: from a composition of interest to a bar, its prompts and their
evidence, and a link back.
"""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import PHONE, fits_a_phone, middle_of, ready, too_wide, visit
from tests.support.labeled_board import LABELED, MODELS
from tests.support.shared_apps import SharedApps

pytestmark = pytest.mark.browser
HASTY = "primer/hasty"


@pytest.fixture
def ranked(apps: SharedApps) -> str:
    """The address of a dashboard with something to rank, which these tests only look at."""
    return apps.shared("ranking", 0)


@pytest.fixture
def labeled(apps: SharedApps) -> str:
    """The address of a dashboard with people's answers beside those of a judge."""
    return apps.shared("labeled", 0)


@pytest.fixture
def page(browser: Browser, ranked: str) -> Iterator[Page]:
    with visit(browser, ranked, "?tab=leaderboard") as found:
        yield found


def choose(page: Page, control: str, words: str) -> None:
    """Choose one of the options of a drop-down list."""
    page.locator(f"#board-{control} input").click()
    page.locator(f"#board-{control}").get_by_role("option", name=words, exact=True).click()


def dot_of(page: Page, model: str, group: str) -> tuple[float, float]:
    """Where in the window the dot of a model is, once the dots of these groups are drawn."""
    find = """(model, group) => {
      const plot = document.querySelector("#board-figure .js-plotly-plot");
      const traces = ((plot && plot.data) || []).filter(({ type }) => type === "scatter");
      const trace = traces.findIndex((one) => one.customdata && one.customdata[0][0] === model);
      const point = trace < 0 ? -1 : traces[trace].customdata.findIndex((one) => one[1] === group);
      const dots = point < 0 ? null : plot.querySelectorAll(".scatterlayer .trace")[trace];
      const drawn = dots ? dots.querySelectorAll("path.point") : [];
      return point >= 0 && drawn.length === traces[trace].customdata.length ? drawn[point] : null;
    }"""
    page.locator("#board-figure").scroll_into_view_if_needed()
    return middle_of(page, find, model, group)


def test_from_compositions_to_a_bar_to_a_prompt_to_its_evidence_and_back_by_a_link(
    page: Page,
) -> None:
    ready(page, "board")
    expect(page.locator("#board-table tbody tr [data-pick]")).to_have_count(3)
    choose(page, "by", "Composition of interest")
    expect(page.locator("#board-table thead th").nth(1)).to_have_text("composition of interest")
    expect(page.locator("#board-figure .js-plotly-plot")).to_have_attribute("role", "img")
    expect(page).to_have_url(re.compile("board-by=coi"))

    page.mouse.click(*dot_of(page, HASTY, "color"))
    expect(page.locator("#board-behind h2")).to_contain_text("Behind hasty · color")
    page.locator("#board-behind .lead-button").first.click()
    expect(page.locator("#board-evidence .exhibit")).to_have_count(1)
    page.evaluate("window.isLoadedOnce = true")
    page.get_by_role("link", name="All images of this run").click()
    expect(page.locator("#answers .head-cell").first).to_be_visible()
    assert page.evaluate("window.isLoadedOnce"), "a reload forgets the typed keys"
    page.go_back()
    expect(page.locator("#board-evidence .exhibit")).to_be_visible()
    prompt = page.locator("#board-behind li.chosen .lead-button").inner_text()
    expect(page).to_have_url(re.compile("board-group=color"))

    page.reload()
    expect(page.locator("#board-behind li.chosen .lead-button")).to_have_text(prompt)
    expect(page.locator("#board-evidence .exhibit")).to_have_count(1)
    expect(page.locator("#board-table tr.chosen th")).to_have_text("hasty")

    page.go_back()
    expect(page.locator("#board-evidence .exhibit")).to_have_count(0)
    expect(page.locator("#board-behind h2")).to_contain_text("Behind hasty · color")
    page.go_forward()
    expect(page.locator("#board-evidence .exhibit")).to_have_count(1)

    choose(page, "view", "Heat map")
    expect(
        page.locator("#board-figure .heatmaplayer image, #board-figure .heatmaplayer path").first
    ).to_be_attached()
    expect(page.locator("#board-behind li.chosen")).to_have_count(1)
    choose(page, "by", "Category")
    expect(page.locator("#board-behind section")).to_have_count(0)
    expect(page.locator("#board-evidence .exhibit")).to_have_count(0)
    expect(page).not_to_have_url(re.compile("board-group"))

    expect(page.locator("#board-table thead").first).to_contain_text("category")
    choose(page, "models", "hasty")
    expect(page.locator("#board-table tbody tr [data-pick]")).to_have_count(2)
    expect(page).to_have_url(re.compile("board-models=primer%2Fhasty"))
    page.keyboard.press("Escape")
    page.locator("[data-look]").click()
    fits_a_phone(page)


def test_two_models_are_compared_and_the_files_are_downloaded(page: Page) -> None:
    page.locator("#board-pair button").click()
    choose(page, "one", "exact")
    expect(page).to_have_url(re.compile("board-one="))  # every field has been filled again
    choose(page, "other", "hasty")
    sentence = page.locator("#board-difference p").first
    expect(sentence).to_have_text(re.compile(r"^exact minus hasty: .*2 prompts\)\."))
    expect(page.locator("#board-pair button")).to_contain_text("Compare: exact, hasty")
    expect(page.locator("#board-figure .js-plotly-plot")).to_be_visible()
    begins = {"SVG": b"<svg", "PNG": b"\x89PNG", "CSV": b"model,", "LaTeX": b"% In the preamble"}
    for kind, begin in begins.items():
        with page.expect_download() as download:
            page.get_by_text(f"Download {kind}", exact=True).click()
        assert download.value.path().read_bytes().startswith(begin)


def diamond_of(page: Page, model: str) -> tuple[float, float]:
    """Where in the window the diamond of a model is."""
    find = """(model) => {
      const plot = document.querySelector("#board-figure .js-plotly-plot");
      const trace = ((plot && plot.data) || []).find((one) => one.name === "corrected by people");
      const point = trace ? trace.customdata.findIndex((one) => one[0] === model) : -1;
      const drawn = plot ? plot.querySelectorAll(".scatterlayer path.point") : [];
      return point >= 0 && drawn.length === trace.customdata.length ? drawn[point] : null;
    }"""
    page.locator("#board-figure").scroll_into_view_if_needed()
    return middle_of(page, find, model)


@pytest.mark.full
def test_scores_corrected_by_people_are_diamonds_and_sentences_that_can_be_hidden(
    browser: Browser, labeled: str
) -> None:
    worst = list(MODELS)[-1]
    with visit(browser, labeled, "?tab=leaderboard") as page:
        ready(page, "board")
        diamond = diamond_of(page, worst)
        expect(page.locator("#board-figure .scatterlayer path.point")).to_have_count(len(MODELS))
        expect(page.locator("#board-figure .legendtext")).to_have_text("corrected by people")
        sentence = page.locator("#board-words li", has_text=worst)
        expect(sentence).to_have_text(
            re.compile(rf"the judge says 0\.\d\d more than people .*{LABELED}")
        )
        named = page.locator("#board-figure .js-plotly-plot")
        expect(named).to_have_attribute(
            "aria-label", re.compile("Filled diamond: corrected by people")
        )
        expect(named).not_to_have_attribute("aria-label", re.compile("the judge says"))

        page.mouse.click(*diamond)
        expect(page.locator("#board-behind h2")).to_contain_text(f"Behind {worst}")
        page.locator("#board-filters button").first.click()
        page.locator("#board-corrected input").uncheck()
        expect(sentence).to_have_count(0)
        expect(page.locator("#board-figure .scatterlayer path.point")).to_have_count(0)
        expect(page).to_have_url(re.compile("board-corrected=hidden"))
        expect(page.locator("#board-behind h2")).to_contain_text(f"Behind {worst}")


@pytest.mark.full
@pytest.mark.parametrize(
    "kind, query, width",
    [
        ("ranking", "board-results=reference&board-published=shown", 601),
        ("labeled", "board-by=coi", 1000),
    ],
)
def test_on_a_phone_many_bars_keep_their_room_below_the_legend(
    browser: Browser, apps: SharedApps, kind: str, query: str, width: int
) -> None:
    with visit(browser, apps.shared(kind, 0), f"?tab=leaderboard&{query}") as page:
        page.set_viewport_size(PHONE)
        page.reload()
        # The figure is wider than the phone and is moved sideways there.
        page.wait_for_function(
            "(width) => document.querySelector('#board-figure .main-svg')?.clientWidth >= width",
            arg=width,
        )
        legend, bars = (
            page.locator(f"#board-figure {part}").first.bounding_box()
            for part in (".legend", ".barlayer")
        )
        assert legend
        assert bars
        assert legend["y"] + legend["height"] <= bars["y"]
        assert not too_wide(page)
