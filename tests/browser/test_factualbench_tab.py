"""The FactualBench tab in a browser: pictures beside their references, the slider, knowledge, the
figure, light, dark and small.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import choose_chips, ready, set_chip, shot, too_wide, visit
from tests.support.shared_apps import SharedApps

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser: Browser, apps: SharedApps) -> Iterator[Page]:
    with visit(browser, apps.fresh("comparing")) as found:
        ready(found, "metrics")
        yield found


def judged(page: Page, prompt: str) -> None:
    """A run of two painters, judged with definitions beside the prompt alone."""
    choose_chips(page, "models", "primer/careless", "knowing/painter")
    page.locator("#prompt input, #prompt textarea").first.fill(prompt)
    page.locator("#go").click()
    expect(page.locator("#status")).to_contain_text("2 of 2 images")
    page.locator("[role=tab][data-tab-id=factualbench]").click()
    expect(page.locator("#factual-status")).to_contain_text("press Run")
    set_chip(page, "factual-inject", "text")
    page.locator("#factual-go").click()
    expect(page.locator("#factual-status")).to_contain_text(
        "Primer careless cannot use definitions"
    )


def test_a_concept_is_seen_beside_its_reference_and_with_knowledge(page: Page) -> None:
    judged(page, "a ladybug to the left of a sunflower")
    evidence = page.locator("#factual-evidence")
    expect(evidence.locator(".exhibit")).to_have_count(3)
    evidence.locator("[data-zoom=in]").nth(1).click()
    for stage in evidence.locator(".canvas").all():
        expect(stage).to_have_attribute("style", "transform: translate(-25%, -25%) scale(1.5);")
    page.keyboard.press("0")
    evidence.get_by_role("button", name="color of ladybug").click()
    expect(evidence.locator(".word.lit").first).to_have_text("ladybug")
    slide = page.locator("#factual-slides input").first
    slide.focus()
    slide.press("End")
    expect(page.locator("#factual-slides .slide").first).to_have_attribute("style", "--edge: 100%;")
    expect(page.locator("#factual-injected")).to_contain_text("higher")
    expect(page.locator("#factual-domains .js-plotly-plot")).to_be_visible()
    expect(page.locator("#factual-paper")).to_contain_text("+20.5 (corrected)")
    shot(page, "factualbench")
    page.locator("[data-look]").click()
    shot(page, "factualbench-dark")
    page.set_viewport_size({"width": 390, "height": 844})
    assert too_wide(page) == 0
    shot(page, "factualbench-phone")
