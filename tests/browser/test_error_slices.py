"""The Slices and Compare runs parts of the Errors tab in a browser: a slice shows its images and
becomes a filter, and two runs are compared.
"""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser import too_wide, visit
from tests.support.shared_apps import SharedApps

pytestmark = pytest.mark.browser


@pytest.fixture
def ranked(apps: SharedApps) -> str:
    """The address of a dashboard with six judged images of two prompts, each a run."""
    return apps.shared("ranking", 0)


@pytest.fixture
def large(apps: SharedApps) -> str:
    """The address of a dashboard with 3,000 judged images, some models of which are worse."""
    return apps.shared("judged-grid", 0)


def test_a_slice_shows_its_images_and_becomes_a_filter(browser: Browser, large: str) -> None:
    with visit(browser, large, "?tab=errors&part=slices") as page:
        first = page.locator("#errors-slices .slice-row").first
        expect(first).to_contain_text("% wrong")
        first.get_by_role("button", name="Show images").click()
        expect(page.locator("#errors-slices-gallery [role=option]").first).to_be_visible()
        first.get_by_role("link", name="Use as filter").click()
        expect(page.locator(".condition-chip").first).to_be_visible()
        expect(page.locator("#errors-slices-gallery [role=option]")).to_have_count(0)
        assert "slice=" in page.url
        page.set_viewport_size({"width": 390, "height": 844})
        assert not too_wide(page)


@pytest.mark.full
def test_two_runs_without_a_common_prompt_are_refused_in_one_sentence(
    browser: Browser, ranked: str
) -> None:
    with visit(browser, ranked, "?tab=errors&part=runs") as page:
        page.get_by_role("button", name="Compare", exact=True).click()
        expect(page.locator("#errors-runs .status.wrong")).to_contain_text("can be paired")
        expect(page.locator("#errors-runs select").first).to_be_visible()
        page.set_viewport_size({"width": 390, "height": 844})
        assert not too_wide(page)


@pytest.mark.full
def test_a_link_compares_the_runs_that_it_names(browser: Browser, ranked: str) -> None:
    with visit(browser, ranked, "?tab=errors&part=runs") as page:
        lists = page.locator("#errors-runs select")
        expect(lists).to_have_count(2)
        first, second = lists.all()
        older, newer = first.input_value(), second.input_value()
        first.select_option(newer)
        second.select_option(older)
        page.get_by_role("button", name="Compare", exact=True).click()
        expect(page.locator("#errors-runs [data-compared]")).to_be_visible()
        query = urlsplit(page.url).query
    with visit(browser, ranked, f"?{query}") as page:
        expect(page.locator("#errors-runs [data-compared]")).to_be_visible()
        expect(page.locator("#errors-runs select").first).to_have_value(newer)
        expect(page.locator("#errors-runs select").last).to_have_value(older)
