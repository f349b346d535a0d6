"""The Leaderboard tab in a browser: from a composition of interest to a bar, its prompts and their evidence, and a link back."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.driving import ready, shot, too_wide, visit
from tests.conftest import served

pytestmark = pytest.mark.browser
HASTY = "primer/hasty"


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    with served(tmp_path / "home", "tests.serve", "0", "ranking") as address, visit(browser, address, "?tab=leaderboard") as found:
        yield found


def bar_of(page: Page, model: str, group: str) -> tuple[float, float]:
    """Where in the window the middle of a bar is."""
    script = """([model, group]) => {
      const plot = document.querySelector("#board-figure .js-plotly-plot");
      const trace = plot.data.findIndex((one) => one.type === "bar" && one.customdata[0][0] === model);
      const point = plot.data[trace].customdata.findIndex((one) => one[1] === group);
      const bar = plot.querySelectorAll(".bars")[trace].querySelectorAll(".point path")[point].getBoundingClientRect();
      return [bar.x + bar.width / 2, bar.y + bar.height / 2];
    }"""
    x, y = page.evaluate(script, [model, group])
    return x, y


def test_from_compositions_to_a_bar_to_a_prompt_to_its_evidence_and_back_by_a_link(page: Page) -> None:
    ready(page, "board")
    expect(page.locator("#board-table tbody tr [data-pick]")).to_have_count(3)
    page.locator("#board .chip", has_text="Composition of interest").click()
    expect(page.locator("#board-table thead th").nth(1)).to_have_text("composition of interest")
    expect(page.locator("#board-figure .js-plotly-plot")).to_have_attribute("role", "img")
    assert "board-by=coi" in page.url

    page.locator("#board-figure .bars .point").first.wait_for(state="attached")
    page.mouse.click(*bar_of(page, HASTY, "color"))
    expect(page.locator("#board-behind h2")).to_contain_text("Behind hasty · color")
    page.locator("#board-behind .lead-button").first.click()
    expect(page.locator("#board-evidence .exhibit")).to_have_count(1)
    prompt = page.locator("#board-behind li.chosen .lead-button").inner_text()
    assert "board-group=color" in page.url
    shot(page, "leaderboard")

    page.reload()
    expect(page.locator("#board-behind li.chosen .lead-button")).to_have_text(prompt)
    expect(page.locator("#board-evidence .exhibit")).to_have_count(1)
    expect(page.locator("#board-table tr.chosen th")).to_have_text("hasty")

    page.locator("#board .chip", has_text="Heat map").click()
    expect(page.locator("#board-figure .heatmaplayer image, #board-figure .heatmaplayer path").first).to_be_attached()
    expect(page.locator("#board-behind li.chosen")).to_have_count(1)
    page.locator("#board .chip", has_text="Category").click()
    expect(page.locator("#board-behind section")).to_have_count(0)
    expect(page.locator("#board-evidence .exhibit")).to_have_count(0)
    assert "board-group" not in page.url

    page.locator("#board-table input[type=search]").fill("hasty biology")
    expect(page.locator("#board-table tbody tr:visible")).to_have_count(1)
    page.locator("[data-look]").click()
    page.set_viewport_size({"width": 390, "height": 844})
    shot(page, "leaderboard-phone")
    assert not too_wide(page)


def test_all_tabs_stand_in_one_line_at_1280_pixels(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    tabs = page.locator("#tabs > .tab-wrapper [role=tab][data-tab-id]:visible")
    expect(tabs.filter(has_text="Agreement")).to_have_count(1)
    expect(page.locator("#tabs > .tab-wrapper .overflow-menu button:visible")).to_have_count(0)
