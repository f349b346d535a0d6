"""The Leaderboard tab in a browser: from a composition of interest to a bar, its prompts and their
evidence, and a link back.
"""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.support.browser import middle_of, ready, shot, too_wide, visit
from tests.support.drawn_plan import TITLE
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
def labeling(apps: SharedApps) -> str:
    """The address of a dashboard with a plan of which a rater has labeled a part."""
    return apps.shared("labeling", 0)


@pytest.fixture
def page(browser: Browser, ranked: str) -> Iterator[Page]:
    with visit(browser, ranked, "?tab=leaderboard") as found:
        yield found


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
    return middle_of(page, find, model, group)


def test_from_compositions_to_a_bar_to_a_prompt_to_its_evidence_and_back_by_a_link(
    page: Page,
) -> None:
    ready(page, "board")
    expect(page.locator("#board-table tbody tr [data-pick]")).to_have_count(3)
    page.locator("#board .chip", has_text="Composition of interest").click()
    expect(page.locator("#board-table thead th").nth(1)).to_have_text("composition of interest")
    expect(page.locator("#board-figure .js-plotly-plot")).to_have_attribute("role", "img")
    expect(page).to_have_url(re.compile("board-by=coi"))

    page.mouse.click(*dot_of(page, HASTY, "color"))
    expect(page.locator("#board-behind h2")).to_contain_text("Behind hasty · color")
    page.locator("#board-behind .lead-button").first.click()
    expect(page.locator("#board-evidence .exhibit")).to_have_count(1)
    prompt = page.locator("#board-behind li.chosen .lead-button").inner_text()
    expect(page).to_have_url(re.compile("board-group=color"))
    shot(page, "leaderboard")

    page.reload()
    expect(page.locator("#board-behind li.chosen .lead-button")).to_have_text(prompt)
    expect(page.locator("#board-evidence .exhibit")).to_have_count(1)
    expect(page.locator("#board-table tr.chosen th")).to_have_text("hasty")

    page.locator("#board .chip", has_text="Heat map").click()
    expect(
        page.locator("#board-figure .heatmaplayer image, #board-figure .heatmaplayer path").first
    ).to_be_attached()
    expect(page.locator("#board-behind li.chosen")).to_have_count(1)
    page.locator("#board .chip", has_text="Category").click()
    expect(page.locator("#board-behind section")).to_have_count(0)
    expect(page.locator("#board-evidence .exhibit")).to_have_count(0)
    expect(page).not_to_have_url(re.compile("board-group"))

    expect(page.locator("#board-table thead").first).to_contain_text("category")
    page.locator("#board-table input[type=search]").fill("hasty biology")
    expect(page.locator("#board-table tbody tr:visible")).to_have_count(1)
    page.locator("[data-look]").click()
    page.set_viewport_size({"width": 390, "height": 844})
    shot(page, "leaderboard-phone")
    assert not too_wide(page)


@pytest.mark.full
def test_opened_on_a_phone_the_legend_stands_above_the_bars(browser: Browser, ranked: str) -> None:
    with visit(browser, ranked, "?tab=leaderboard&board-results=reference") as page:
        page.set_viewport_size({"width": 390, "height": 844})
        page.reload()
        expect(page.locator("#board-figure .bars .point")).to_have_count(6)
        # The figure is wider than the phone and is moved sideways there.
        page.wait_for_function(
            "document.querySelector('#board-figure .main-svg').clientWidth > 600"
        )
        legend, bars = (
            page.locator(f"#board-figure {part}").first.bounding_box()
            for part in (".legend", ".barlayer")
        )
        assert legend
        assert bars
        assert legend["y"] + legend["height"] <= bars["y"]


def chosen_results(page: Page) -> Locator:
    return page.locator("#board input[name=board-results]:checked")


@pytest.mark.full
def test_a_run_of_ones_own_never_hides_the_reference_whose_images_are_drawn_again(
    page: Page,
) -> None:
    ready(page, "board")
    expect(chosen_results(page)).to_have_value("mine")
    page.locator("#board .chip", has_text="Reference").click()
    expect(page.locator("#board-label")).to_contain_text("results of a run that ships")
    expect(page).to_have_url(re.compile("board-results=reference"))
    rows = page.locator("#board-table tbody tr [data-pick]")
    expect(rows).to_have_count(6)
    rows.filter(has_text="careless").click()
    expect(page.locator("#board-behind h2")).to_contain_text("Behind careless")
    expect(page.locator("#board-behind .thumbnail img")).to_have_count(10)
    page.wait_for_function(
        """[...document.querySelectorAll("#board-behind .thumbnail img")].every(
          (image) => image.complete && image.naturalWidth > 0
        )"""
    )
    page.locator("#board-behind .thumbnail").first.click()
    expect(page.locator("#board-evidence .redrawn img")).to_have_count(1)
    page.set_viewport_size({"width": 1366, "height": 768})
    shot(page, "leaderboard-reference")

    page.reload()
    expect(chosen_results(page)).to_have_value("reference")
    expect(page.locator("#board-behind .thumbnail img")).to_have_count(10)
    expect(page.locator("#board-evidence .redrawn img")).to_have_count(1)

    page.locator("#board .chip", has_text="Published").click()
    expect(page).to_have_url(re.compile("board-results=published"))
    expect(page.locator("#board-label")).to_contain_text("numbers that papers print")
    expect(page.locator("#board-behind section")).to_have_count(0)
    expect(page.locator("#board-table tbody tr").first).to_contain_text("I-HallA, table 3")
    page.reload()
    expect(chosen_results(page)).to_have_value("published")
    shot(page, "leaderboard-published")

    page.locator("#board .chip", has_text="Mine").click()
    expect(page).to_have_url(re.compile("board-results=mine"))
    expect(rows).to_have_count(3)


@pytest.mark.full
def test_words_typed_into_the_search_stay_when_the_table_is_drawn_again(page: Page) -> None:
    ready(page, "board")
    search = page.locator("#board-table input[type=search]")
    shown = page.locator("#board-table tbody tr:visible")
    search.fill("hasty")
    expect(shown).to_have_count(1)
    page.locator("#board .chip", has_text="Category").click()
    expect(page.locator("#board-table thead").first).to_contain_text("category")
    expect(search).to_have_value("hasty")
    expect(shown).to_have_count(2)
    expect(shown.filter(has_text="hasty")).to_have_count(2)
    search.fill("")
    expect(shown).to_have_count(6)


@pytest.mark.full
def test_the_labels_of_a_plan_are_chosen_and_stand_in_the_address(
    browser: Browser, labeling: str
) -> None:
    with visit(browser, labeling, "?tab=leaderboard") as page:
        ready(page, "board")
        labels = page.locator("#board label", has_text="Labels").locator("select")
        expect(labels).to_have_value("")
        drawn = page.locator("#board-words", has_text="drawn with known probabilities")
        expect(drawn).to_have_count(0)
        labels.select_option(label=f"plan {TITLE}")
        expect(drawn).to_have_count(1)
        expect(page).to_have_url(re.compile("board-plan=[0-9a-f]{12}"))
        page.reload()
        expect(drawn).to_have_count(1)
        plan = labels.input_value()
        assert f"board-plan={plan}" in page.url
        page.set_viewport_size({"width": 390, "height": 844})
        shot(page, "leaderboard-plan-phone")
        assert not too_wide(page)
    with visit(browser, labeling, "?tab=leaderboard&board-plan=nothing") as page:
        complaint = page.locator("#board-label [role=alert]")
        expect(complaint).to_have_text(
            "There is no labeling plan 'nothing' here. All labels count here."
        )
        expect(page.locator("#board-table tbody tr [data-pick]")).to_have_count(2)


def diamond_of(page: Page, model: str) -> tuple[float, float]:
    """Where in the window the diamond of a model is."""
    find = """(model) => {
      const plot = document.querySelector("#board-figure .js-plotly-plot");
      const trace = ((plot && plot.data) || []).find((one) => one.name === "corrected by people");
      const point = trace ? trace.customdata.findIndex((one) => one[0] === model) : -1;
      const drawn = plot ? plot.querySelectorAll(".scatterlayer path.point") : [];
      return point >= 0 && drawn.length === trace.customdata.length ? drawn[point] : null;
    }"""
    return middle_of(page, find, model)


@pytest.mark.full
def test_scores_corrected_by_people_are_diamonds_and_sentences_that_can_be_hidden(
    browser: Browser, labeled: str
) -> None:
    worst = list(MODELS)[-1]
    with visit(browser, labeled, "?tab=leaderboard&board-published=hidden") as page:
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
            "aria-label", re.compile("6 values are corrected by people")
        )
        expect(named).not_to_have_attribute("aria-label", re.compile("the judge says"))

        page.mouse.click(*diamond)
        expect(page.locator("#board-behind h2")).to_contain_text(f"Behind {worst}")
        page.locator("#board label", has_text="Corrected by people").locator(
            "select"
        ).select_option("hidden")
        expect(sentence).to_have_count(0)
        expect(page.locator("#board-figure .scatterlayer path.point")).to_have_count(0)
        expect(page).to_have_url(re.compile("board-corrected=hidden"))
        expect(page.locator("#board-behind h2")).to_contain_text(f"Behind {worst}")


@pytest.mark.full
def test_heat_map_and_radar_show_corrected_scores_too(browser: Browser, labeled: str) -> None:
    with visit(browser, labeled, "?tab=leaderboard&board-by=coi&board-view=heat") as page:
        page.set_viewport_size({"width": 1366, "height": 768})
        cells = page.locator("#board-figure .heatmap-label", has_text="◆")
        expect(cells).to_have_count(len(MODELS) * 9)
        expect(page.locator("#board-figure .legendtext")).to_have_text("corrected by people")
        page.locator("#board .chip", has_text="Radar").click()
        diamonds = """() => {
          const plot = document.querySelector("#board-figure .js-plotly-plot");
          const traces = ((plot && plot.data) || []).filter(({ type }) => type === "scatterpolar");
          const drawn = plot ? plot.querySelectorAll(".polarlayer path.point") : [];
          return traces.length === 13 && drawn.length;
        }"""
        assert page.wait_for_function(diamonds).json_value() == len(MODELS) * (10 + 9)
        find = """(model) => {
          const plot = document.querySelector("#board-figure .js-plotly-plot");
          const place = plot.data.findIndex(
            ({ name, customdata }) =>
              name === "corrected by people" && customdata && customdata[0][0] === model
          );
          return plot.querySelectorAll(".polarlayer .trace")[place].querySelector("path.point");
        }"""
        page.mouse.click(*middle_of(page, find, next(iter(MODELS))))
        expect(page.locator("#board-behind h2")).to_contain_text("Behind ")


@pytest.mark.full
def test_many_bars_with_diamonds_keep_their_room_on_a_phone(browser: Browser, labeled: str) -> None:
    with visit(browser, labeled, "?tab=leaderboard&board-by=coi") as page:
        page.set_viewport_size({"width": 390, "height": 844})
        page.reload()
        page.wait_for_function(
            "document.querySelector('#board-figure .main-svg')?.clientWidth >= 1000"
        )
        legend, bars = (
            page.locator(f"#board-figure {part}").first.bounding_box()
            for part in (".legend", ".barlayer")
        )
        assert legend
        assert bars
        assert legend["y"] + legend["height"] <= bars["y"]
        assert not too_wide(page)
