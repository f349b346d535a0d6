"""The Slices and Compare parts of the Errors tab in a browser: a slice becomes a filter, and two
runs are compared.
"""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser import fits_a_phone, visit
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


def test_a_slice_becomes_a_filter(browser: Browser, large: str) -> None:
    with visit(browser, large, "?tab=errors&part=slices") as page:
        first = page.locator("#errors-slices .slice-row").first
        expect(first).to_contain_text("% wrong")
        first.get_by_role("link", name="Use as filter").click()
        expect(page.get_by_role("button", name="Filter: ")).to_be_visible()
        expect(page).to_have_url(re.compile("slice="))
        fits_a_phone(page)


@pytest.mark.full
def test_two_models_are_compared_and_a_link_compares_them_again(
    browser: Browser, ranked: str
) -> None:
    with visit(browser, ranked, "?tab=errors&part=runs") as page:
        expect(page.get_by_label("Models", exact=True)).to_be_enabled()
        page.get_by_label("Models", exact=True).check()
        expect(page.get_by_label("First")).to_have_value(re.compile("^[a-z]+$"))
        names = [page.get_by_label(label).input_value() for label in ("First", "Second")]
        page.get_by_role("button", name="Compare", exact=True).click()
        expect(page.locator("#errors-runs [data-kind=model]")).to_be_visible()
        expect(page).to_have_url(re.compile("compare=model.*second="))
        query = urlsplit(page.url).query
    with visit(browser, ranked, f"?{query}") as page:
        expect(page.locator("#errors-runs [data-kind=model]")).to_be_visible()
        for label, name in zip(("First", "Second"), names, strict=True):
            expect(page.get_by_label(label)).to_have_value(name)
