"""A helpful no: an unknown prompt gets images to click, and a photograph no score."""

import pytest
from playwright.sync_api import Browser, Page, expect

from bench.style_trial import OTHER_STYLES
from hallascope.components.models.prompt_help import KEYS_PAGE
from tests.support.browser import choose_chips, expect_answers, generate, unfold_settings, visit
from tests.support.shared_apps import SharedApps

pytestmark = [pytest.mark.browser, pytest.mark.full]
PHOTOGRAPH = OTHER_STYLES / "images" / "300.webp"


@pytest.fixture
def page(page: Page) -> Page:
    choose_chips(page, "models", "primer/exact")
    return page


def test_an_unknown_prompt_shows_near_images_and_a_click_runs_one(page: Page) -> None:
    generate(page, "seven penguins")
    expect(page.locator("#prompt-help [role=alert]")).to_contain_text(
        "cannot draw “seven penguins”"
    )
    near = page.locator("#prompt-help .near-prompts button")
    expect(near.first).to_contain_text("four gentoo penguins")
    expect(near.first.locator("img")).to_be_visible()
    near.first.click()
    expect(page.locator("#prompt input")).to_have_value("four gentoo penguins")
    expect(page.locator("#cards .frame img")).to_have_count(1)
    expect_answers(page, 5)
    expect(near).to_have_count(0)


def test_the_buttons_lead_to_where_a_key_is_made_and_to_the_field_for_it(page: Page) -> None:
    generate(page, "a unicorn")
    link = page.get_by_role("link", name="Get a Hugging Face key")
    expect(link).to_have_attribute("href", KEYS_PAGE)
    page.get_by_role("button", name="Paste a key").click()
    expect(page.locator("#terms input").first).to_be_focused()


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
