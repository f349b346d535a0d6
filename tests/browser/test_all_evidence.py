"""One image, all evidence: every metric that is chosen stands in one panel, what belongs together
lights up across metrics, and keys lead through images and errors and keep what a person says.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from tests.browser.test_accessibility import AXE, LOOK
from tests.support.browser import choose_chips, generate, ready, too_wide, visit
from tests.support.shared_apps import SharedApps

pytestmark = pytest.mark.browser
PROMPT = "a red circle above a blue square"
METRICS = ("ihalla", "fig", "scene-graph", "clipscore")
TITLES = ["CLIPScore"]  # of the metrics that have no section of their own
LAPTOP: ViewportSize = {"width": 1366, "height": 768}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the store of these tests is: they keep verdicts in it."""
    return tmp_path_factory.mktemp("evidence")


@pytest.fixture
def app(apps: SharedApps, folder: Path) -> str:
    """The address of a dashboard with the models that ship."""
    return apps.fresh("shipped", folder=folder)


@pytest.fixture(scope="module")
def run(browser: Browser, apps: SharedApps, folder: Path) -> str:
    """The address of a run of two models with four metrics, the first with an error not asked."""
    with visit(browser, apps.fresh("shipped", folder=folder)) as page:
        ready(page, "prompts-to-try")
        choose_chips(page, "models", "primer/hasty", "primer/careless")
        choose_chips(page, "metrics", *METRICS)
        generate(page, PROMPT)
        for done in range(1, 2 * len(METRICS) + 1):  # one after the other: together they take long
            expect(page.locator("#cards .score-chip:not(.none)").nth(done - 1)).to_be_visible()
        expect(page.locator("#generate")).to_be_enabled()
        expect(page.locator("#evidence .method")).to_have_count(2)
        found = re.search(r"run=\w+", page.url)
        assert found
        return f"?{found[0]}"


@pytest.fixture
def page(browser: Browser, app: str, run: str) -> Iterator[Page]:
    """The run with its first image chosen, by a model that draws three green squares."""
    with visit(browser, app, run) as found:
        found.set_viewport_size(LAPTOP)
        expect(found.locator("#evidence .method")).to_have_count(2)
        found.locator("#cards .pick").first.click()
        expect(found.locator("#evidence .panel.picture .which")).to_have_text("hasty")
        yield found


def method(page: Page, metric: str) -> Locator:
    return page.locator(f"#evidence .method[data-metric={metric}]")


def question(page: Page, words: str) -> Locator:
    return page.locator("#evidence .question").filter(
        has=page.get_by_role("button", name=words, exact=True)
    )


def lit_row(page: Page, words: str) -> Locator:
    """A row of FiG, if it is lit."""
    buttons = method(page, "fig").locator("tr.lit .lead-button")
    return buttons.filter(has_text=re.compile(rf"^\s*{re.escape(words)}\s*$"))


def choose(page: Page, row: Locator) -> None:
    row.locator(".lead-button").click()
    page.mouse.move(0, 0)


# --- one panel for all metrics --------------------------------------------------------------------


def test_one_panel_shows_what_every_metric_says_of_the_image(page: Page) -> None:
    expect(page.locator("#evidence .question[data-question]")).to_have_count(5)
    fig = method(page, "fig")
    expect(fig.locator("h3")).to_contain_text(
        ["Stage 1: objects", "Stage 2", "Stage 2", "Stage 3: not in the prompt"]
    )
    expect(fig.locator("tr.finding", has_text="blue square")).to_contain_text("green")
    graph = method(page, "scene-graph")
    expect(graph.locator(".graph .node").first).to_be_visible()
    expect(graph.get_by_role("button", name=re.compile("^Is the circle red"))).to_be_visible()
    strips = page.locator("#evidence .all-scores tr")
    expect(strips.locator("th")).to_contain_text(TITLES)
    for strip in strips.all():
        expect(strip).to_contain_text("higher is better")
    assert not too_wide(page)


# --- what belongs together ------------------------------------------------------------------------


@pytest.mark.full
def test_a_row_of_fig_leads_back_to_questions_graph_and_image_and_stands_in_the_address(
    page: Page,
) -> None:
    choose(page, method(page, "fig").locator("tr.finding", has_text="blue square"))
    expect(page).to_have_url(re.compile(r"fig\.finding=\d"))
    lit = page.locator("#evidence .question.lit")
    expect(lit.filter(has_text="How many squares are in the image?")).to_have_count(1)
    expect(lit.filter(has_text="What color is the circle")).to_have_count(0)
    expect(method(page, "scene-graph").locator(".node.lit").first).to_be_visible()
    expect(page.locator("#evidence .region.lit").first).to_have_attribute("data-part", "square")
    page.reload()
    expect(method(page, "fig").locator("tr.finding.lit")).to_have_text(re.compile("blue square"))
    expect(lit.filter(has_text="How many squares are in the image?")).to_have_count(1)


# --- errors that no question asks for -------------------------------------------------------------


@pytest.mark.full
def test_an_error_that_no_question_asks_for_is_shown_and_lights_its_part(page: Page) -> None:
    expect(page.locator("#cards .tile").first.locator(".outcomes")).to_contain_text("1 not asked")
    row = question(page, "What color is the square in the image?")
    expect(row).to_contain_text("wrong, not asked")
    expect(row).to_contain_text("Blue expected")
    expect(row).to_contain_text("Green drawn")
    choose(page, row)
    expect(page.locator("#evidence .region.lit").first).to_have_attribute("data-part", "square")
    expect(page.locator("#evidence .hint")).to_have_text(
        "Not asked: the image shows Green, expected is Blue."
    )
    expect(lit_row(page, "blue square")).to_have_count(1)
    page.locator("#cards .truth-bar").get_by_role("button", name="Show the truth").click()
    expect(row).to_be_hidden()


# --- keys -----------------------------------------------------------------------------------------


def test_keys_lead_through_images_and_errors(page: Page) -> None:
    name = page.locator("#evidence .panel.picture .which")
    page.keyboard.press("j")
    expect(name).to_have_text("careless")
    page.keyboard.press("k")
    expect(name).to_have_text("hasty")
    errors = page.locator("#evidence .question.incorrect")
    page.keyboard.press("n")
    expect(errors.nth(0).locator(".lead-button")).to_be_focused()
    page.keyboard.press("n")
    expect(errors.nth(1).locator(".lead-button")).to_be_focused()
    expect(errors.nth(1)).to_have_class(re.compile(r"\blit\b"))


@pytest.mark.full
def test_keys_do_nothing_while_a_person_types(page: Page) -> None:
    page.locator("#prompt input").fill("")
    page.locator("#prompt input").press_sequentially("jkt?h")
    expect(page.locator("#prompt input")).to_have_value("jkt?h")
    expect(page.locator("#evidence .panel.picture .which")).to_have_text("hasty")
    expect(page.locator("dialog[open]")).to_have_count(0)


def test_a_person_says_that_the_judge_is_wrong_and_it_is_kept_with_the_name(page: Page) -> None:
    card = question(page, "What color is the circle in the image?")
    choose(page, card)
    page.keyboard.press("h")
    dialog = page.get_by_role("dialog", name="Your verdict")
    expect(dialog.locator(".question-text")).to_have_text("What color is the circle in the image?")
    dialog.get_by_role("button", name=re.compile("the judge is right")).click()
    expect(dialog.get_by_role("alert")).to_contain_text("Type your name first")
    dialog.get_by_label("Your name").fill("Ann")
    dialog.get_by_role("button", name=re.compile("^Black · the judge is wrong")).click()
    expect(dialog).to_have_count(0)
    line = card.locator(".human-line")
    expect(line).to_have_text(re.compile("Ann: Black · the judge is wrong"))
    page.reload()
    expect(line).to_have_text(re.compile("Ann: Black · the judge is wrong"))
    # a second verdict of the same person takes the place of the first
    card.get_by_role("button", name="Your verdict").click()
    expect(dialog.get_by_label("Your name")).to_have_value("Ann")
    dialog.get_by_role("button", name=re.compile("the judge is right")).click()
    expect(line).to_have_text(re.compile("the judge is right"))


@pytest.mark.full
def test_tags_are_kept_with_the_image_and_can_be_removed(page: Page) -> None:
    page.keyboard.press("t")
    dialog = page.get_by_role("dialog", name="Tag the image")
    page.keyboard.press("Enter")
    expect(dialog.get_by_role("alert")).to_contain_text("The tag is empty")
    page.keyboard.type("Wrong  color <b>")
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    chips = page.locator("#evidence .tag-chip > span")
    expect(chips).to_have_text(["wrong color <b>"])
    page.reload()
    expect(chips).to_have_text(["wrong color <b>"])
    page.get_by_role("button", name="Remove the tag wrong color <b>").click()
    expect(chips).to_have_count(0)


@pytest.mark.full
def test_axe_finds_nothing_in_the_panel_and_its_dialogs(page: Page) -> None:
    page.evaluate(AXE)
    assert page.evaluate(LOOK, None) == []
    for key, name in (("?", "Keys"), ("h", "Your verdict"), ("t", "Tag the image")):
        page.keyboard.press(key)
        expect(page.get_by_role("dialog", name=name)).to_be_visible()
        assert page.evaluate(LOOK, None) == [], f"the dialog {name!r}"
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
