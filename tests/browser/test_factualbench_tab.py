"""The FactualBench tab in a browser: pictures beside their references, the slider, knowledge, the
figure, light, dark and small.
"""

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import choose_chips, fits_a_phone, set_chip
from tests.support.shared_apps import SharedApps

pytestmark = pytest.mark.browser


@pytest.fixture
def address(apps: SharedApps) -> str:
    return apps.fresh("comparing")


def judged(page: Page, prompt: str) -> None:
    """A run of two painters, judged with definitions beside the prompt alone."""
    choose_chips(page, "models", "primer/careless", "knowing/painter")
    page.locator("#prompt input, #prompt textarea").first.fill(prompt)
    page.locator("#generate").click()
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
    page.locator("[data-look]").click()
    fits_a_phone(page)
