"""In a browser, on a phone too: every chosen metric has its score on the card of each image and in
the panel beneath, the foot of the page defines it, and rounds of a repair raise it.
"""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from hallascope import metrics
from hallascope.pages.evaluate.page import EXAMPLES
from tests.support.browser import (
    choose_chips,
    fits_a_phone,
    generate,
    open_tab,
    ready,
    set_chip,
    visit,
)

pytestmark = [pytest.mark.browser, pytest.mark.full]
NUMBER = re.compile(r"\d\.\d\d")
# Metrics that count what the first example does not ask for, with a prompt that does.
COUNTED = {
    "compbench-spatial": "a red circle above a blue square",
    "compbench-numeracy": "three red circles",
    "compbench-3-in-1": "a red circle above a blue square",
}


def test_every_chosen_metric_is_seen_on_a_phone(page: Page) -> None:
    titles = ("I-HallA", "CLIPScore", "CLIP-T", "CLIP-I")
    choose_chips(page, "metrics", "ihalla", "clipscore", "clip-t", "clip-i")
    generate(page, "a molecule of methane")
    expect(page.locator("#cards .score-chip:not(.none)")).to_have_count(4 * len(titles))
    card = page.locator("#cards .tile").first
    expect(card.locator(".score-chip .called")).to_have_text(titles)
    expect(card.locator(".score-chip .number")).to_have_text([NUMBER] * len(titles))
    own = page.locator("#evidence .group h2", has_text=titles[0])  # stands with its questions
    expect(own.locator(".score")).to_contain_text(re.compile(r"\d\.\d\d, \d of \d questions"))
    lines = page.locator("#evidence .all-scores tr")
    expect(lines.locator("th")).to_contain_text(titles[1:])
    expect(lines.locator("td")).to_have_text([NUMBER] * len(titles[1:]))
    expect(page.locator("#generate")).to_be_enabled()
    fits_a_phone(page)
    frame = card.bounding_box()
    assert frame
    for chip in card.locator(".score-chip").all():
        box = chip.bounding_box()
        assert box
        assert frame["x"] <= box["x"] < box["x"] + box["width"] <= frame["x"] + frame["width"], (
            "a chip stays on its card"
        )


def test_every_metric_that_can_be_chosen_runs_alone_on_an_example(
    browser: Browser, shipped: str
) -> None:
    with visit(browser, shipped) as page:
        ready(page, "prompts-to-try")
        choose_chips(page, "models", "primer/hasty")
        names = [box.get_attribute("name") or "" for box in page.locator("#metrics input").all()]
        assert len(names) >= 10
        for name in names:
            choose_chips(page, "metrics", name)
            if name in COUNTED:
                generate(page, COUNTED[name])
            else:
                page.get_by_role("button", name=EXAMPLES[0], exact=True).click()
            chips = page.locator("#cards .score-chip")
            expect(chips.locator(".called")).to_have_text([metrics.get(name).title])
            expect(chips.locator(".number")).to_have_text([NUMBER])
            expect(page.locator("#status")).to_contain_text("1 of 1 image, 1 judged")
            expect(page.locator("#generate")).to_be_enabled()
            expect(page.locator("#evidence .exhibit")).to_have_count(1)
            expect(page.locator("#status .troubles")).to_have_count(0)


def test_the_foot_defines_the_scores_that_are_shown(page: Page) -> None:
    shown = page.locator("#footer [data-defines]:visible")
    expect(shown).to_have_count(1)
    expect(shown).to_contain_text(metrics.get("ihalla").definition)
    set_chip(page, "metrics", "tifa")
    page.get_by_role("button", name="a gentoo penguin").click()
    expect(shown).to_have_count(2)
    open_tab(page, "Scene graph")
    expect(shown).to_have_count(1)
    expect(shown).to_contain_text(metrics.get("scene-graph").caveat)
    open_tab(page, "Judges")
    expect(shown).to_have_count(0)


def test_rounds_stand_beside_each_other_until_all_is_right_or_they_are_used_up(
    browser: Browser, shipped: str
) -> None:
    with visit(browser, shipped) as page:
        ready(page, "prompts-to-try")
        choose_chips(page, "models", "primer/careless")
        generate(page, "three red circles")
        expect(page.locator("#cards .score-chip:not(.none)")).to_have_count(1)
        expect(page.locator("#generate")).to_be_enabled()
        open_tab(page, "I-HallA")
        page.get_by_role("button", name="Repair the prompt").click()
        page.locator("#repair-rounds input").fill("1")
        page.locator("#repair-go").click()
        rounds = page.locator("#repair-rounds-strip .prompt-round")
        expect(rounds).to_have_count(2)
        expect(rounds.locator("img")).to_have_count(2)
        expect(rounds.locator(".about")).to_have_text([re.compile(r"score \d\.\d\d")] * 2)
        expect(page.locator("#repair-status")).to_contain_text("careless, seed 0: ")
        expect(page.locator("#repair-go")).to_be_enabled()
