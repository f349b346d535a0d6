"""In a browser, on a phone too: every chosen metric has its score on the card of each image and in
the panel beneath.
"""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from hallascope import metrics
from hallascope.pages.explore.page import EXAMPLES
from tests.support.browser import (
    choose_chips,
    ready,
    set_chip,
    shot,
    too_wide,
    unfold_settings,
    visit,
)

pytestmark = [pytest.mark.browser, pytest.mark.full]
PHONE: ViewportSize = {"width": 390, "height": 844}
NUMBER = re.compile(r"\d\.\d\d")
# Metrics that count what the first example does not ask for, with an example that does.
COUNTED = {
    "compbench-spatial": "a red circle above a blue square",
    "compbench-numeracy": "three red circles",
    "compbench-3-in-1": "a red circle above a blue square",
}


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    with visit(browser, address) as found:
        ready(found, "metrics")
        yield found


def test_every_chosen_metric_is_seen_on_a_phone(page: Page) -> None:
    titles = ("I-HallA", "CLIPScore", "CLIP-T", "CLIP-I")
    choose_chips(page, "metrics", "ihalla", "clipscore", "clip-t", "clip-i")
    page.locator("#prompt input").fill("a molecule of methane")
    page.locator("#go").click()
    expect(page.locator("#cards .score-chip:not(.none)")).to_have_count(4 * len(titles))
    card = page.locator("#cards .tile").first
    expect(card.locator(".score-chip .called")).to_have_text(titles)
    expect(card.locator(".score-chip .number")).to_have_text([NUMBER] * len(titles))
    lines = page.locator("#evidence .all-scores tr")
    expect(lines).to_have_count(len(titles))
    expect(lines.locator("td")).to_have_text([NUMBER] * len(titles))
    expect(page.locator("#go")).to_be_enabled()
    shot(page, "scores")
    page.set_viewport_size(PHONE)
    assert not too_wide(page), "on a phone nothing reaches over the edge"
    frame = card.bounding_box()
    assert frame
    for chip in card.locator(".score-chip").all():
        box = chip.bounding_box()
        assert box
        assert frame["x"] <= box["x"] < box["x"] + box["width"] <= frame["x"] + frame["width"], (
            "a chip stays on its card"
        )
    shot(page, "scores-phone")


def test_every_metric_that_can_be_chosen_runs_alone_on_an_example(
    browser: Browser, shipped: str
) -> None:
    with visit(browser, shipped) as page:
        ready(page, "metrics")
        choose_chips(page, "models", "primer/hasty")
        names = [box.input_value() for box in page.locator("#metrics input:enabled").all()]
        assert len(names) >= 10
        for name in names:
            choose_chips(page, "metrics", name)
            page.get_by_role("button", name=COUNTED.get(name, EXAMPLES[0]), exact=True).click()
            chips = page.locator("#cards .score-chip")
            expect(chips.locator(".called")).to_have_text([metrics.get(name).title])
            expect(chips.locator(".number")).to_have_text([NUMBER])
            expect(page.locator("#status")).to_contain_text("1 of 1 image, 1 judged")
            expect(page.locator("#go")).to_be_enabled()
            expect(page.locator("#evidence .exhibit")).to_have_count(1)
            expect(page.locator("#status .troubles")).to_have_count(0)


def test_a_metric_that_cannot_run_says_why_and_cannot_be_chosen(page: Page) -> None:
    unfold_settings(page)
    picker = page.locator("#metrics")
    expect(picker.locator("input:disabled")).to_have_count(4)
    picker.locator("summary").click()
    expect(picker).to_contain_text(
        "Download what they need under Download models, or type an API key under API keys and"
        " budget."
    )
    chip = picker.locator("label", has=page.locator('input[value="dino"]'))
    expect(chip).to_contain_text("dinov2-base is needed, and it is not downloaded")
    chip.click(force=True)
    expect(chip.locator("input")).not_to_be_checked()
    expect(picker.locator("input:checked")).to_have_count(1)


def test_a_typed_key_makes_a_metric_choosable_and_shows_its_writers(page: Page) -> None:
    page.get_by_role("button", name="API keys and budget").click()
    page.get_by_label("OPENAI_API_KEY", exact=True).fill("sk-typed")
    page.get_by_label("OPENAI_API_KEY", exact=True).blur()
    box = page.locator('#metrics input[value="llmscore"]')
    expect(box).to_be_enabled()
    expect(page.locator("#metrics input:checked")).to_have_count(1)
    page.get_by_role("button", name="API keys and budget").click()
    expect(page.locator("#writer")).to_be_hidden()
    set_chip(page, "metrics", "llmscore")
    expect(page.locator("#writer")).to_be_visible()
