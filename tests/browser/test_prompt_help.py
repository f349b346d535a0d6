"""A helpful no: an unknown prompt gets images to click, and a photograph no score."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from bench.style_trial import OTHER_STYLES
from tests.support.browser import choose_chips, expect_answers, ready, unfold_settings, visit
from tests.support.shared_apps import SharedApps

pytestmark = [pytest.mark.browser, pytest.mark.full]
PHOTOGRAPH = OTHER_STYLES / "images" / "300.webp"


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    with visit(browser, address) as found:
        ready(found, "metrics")
        choose_chips(found, "models", "primer/exact")
        yield found


def generate(page: Page, prompt: str) -> None:
    page.locator("#prompt input").fill(prompt)
    page.locator("#go").click()


def test_an_unknown_prompt_shows_near_images_and_a_click_runs_one(page: Page) -> None:
    generate(page, "seven penguins")
    expect(page.locator("#status")).to_contain_text("cannot draw “seven penguins”")
    near = page.locator("#prompt-help .near-prompts button")
    expect(near.first).to_contain_text("four gentoo penguins")
    expect(near.first.locator("img")).to_be_visible()
    near.first.click()
    expect(page.locator("#prompt input")).to_have_value("four gentoo penguins")
    expect(page.locator("#cards .frame img")).to_have_count(1)
    expect_answers(page, 5)
    expect(near).to_have_count(0)


def test_all_concepts_can_be_browsed_and_one_chosen(page: Page) -> None:
    generate(page, "a unicorn")
    page.get_by_role("button", name="Browse all 65 concepts").click()
    dialog = page.get_by_role("dialog", name="Choose a concept")
    expect(dialog.locator("li img")).to_have_count(65)
    dialog.get_by_role("button", name="octopus").click()
    expect(page.locator("#prompt input")).to_have_value("an octopus")
    expect(page.locator("#cards .frame img")).to_have_count(1)


def test_the_other_ways_lead_to_the_keys_and_to_the_upload(page: Page) -> None:
    generate(page, "a unicorn")
    page.get_by_role("button", name="Use your own API key").click()
    expect(page.locator("#terms input").first).to_be_focused()
    with page.expect_file_chooser():
        page.get_by_role("button", name="Upload an image").click()


def test_other_words_are_understood_and_the_page_says_what_is_drawn(page: Page) -> None:
    generate(page, "A photo of two ladybirds on a table")
    expect(page.locator("#prompt-help")).to_have_text("Drawn as: Two ladybugs.")
    expect(page.locator("#cards .frame img")).to_have_count(1)
    expect_answers(page, 5)


def test_a_photograph_gets_no_score_and_one_sentence(browser: Browser, apps: SharedApps) -> None:
    with visit(browser, apps.fresh("shipped")) as page:
        unfold_settings(page)
        page.locator("#upload input[type=file]").set_input_files(PHOTOGRAPH)
        generate(page, "a gentoo penguin")
        expect(page.locator("#status")).to_contain_text(
            "The built-in judge cannot see photos or other images outside its drawn style."
            " Choose another judge."
        )
        expect(page.locator("#cards .tile")).to_have_count(1)
        expect(page.locator("#cards")).not_to_contain_text("0.00")
