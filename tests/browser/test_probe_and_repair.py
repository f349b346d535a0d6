"""On the Errors tab a prompt is probed, and what failed is repaired beside a control."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import choose_chips, fits_a_phone, open_tab, set_chip, visit
from tests.support.shared_apps import SharedApps

pytestmark = pytest.mark.browser
PROMPT = "two red circles"


@pytest.fixture
def page(browser: Browser, apps: SharedApps) -> Iterator[Page]:
    with visit(browser, apps.fresh("shipped"), "?tab=errors&part=probe") as found:
        expect(found.locator("#errors-probe-go")).to_be_visible()
        yield found


def test_a_prompt_is_probed_and_what_failed_is_repaired_beside_fresh_images(page: Page) -> None:
    expect(page.locator("#errors-probe-figure")).to_be_hidden()
    choose_chips(page, "errors-probe-models", "primer/careless")
    page.locator("#errors-probe-images input").fill("8")
    page.locator("#errors-probe-go").click()
    expect(page.locator("#errors-probe-status")).to_contain_text("8 images are judged.")
    expect(page.locator("#errors-probe-figure .js-plotly-plot")).to_be_visible()
    found = page.locator("#errors-probe-findings")
    expect(found.locator(".findings li")).to_contain_text(["primer/careless"])
    expect(found.locator("tbody tr")).to_have_count(4)
    page.locator("#errors-probe-level label").first.click()
    expect(page.locator("#errors-probe-gallery img").first).to_be_visible()

    open_tab(page, "Repair")
    set_chip(page, "errors-remedies-names", "prompt-repair", checked=False)
    page.get_by_label("Images per remedy").fill("2")
    page.get_by_label("Failing images").fill("2")
    page.locator("#errors-remedies-go").click()
    status = page.locator("#errors-remedies-status")
    expect(status).to_contain_text(re.compile(r"2 failing images of primer/careless are treated\."))
    rows = page.locator("#errors-remedies-findings tbody tr")
    expect(rows).to_contain_text(["primer/judge (selects)", "primer/counter", "the truth"])
    page.locator("#errors-remedies-prompt label").first.click()
    expect(page.locator("#errors-remedies-gallery img").first).to_be_visible()
    fits_a_phone(page)
