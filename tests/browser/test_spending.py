"""Money and keys in a browser: an estimate before the run, the sum as it goes, the cap, consent,
and a key that goes nowhere.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import (
    choose_chips,
    expect_answers,
    expect_chosen,
    open_tab,
    ready,
    set_chip,
    visit,
)
from tests.support.service import KEY
from tests.support.shared_apps import SharedApps

pytestmark = pytest.mark.browser
PROMPT = "a molecule of methane"


@pytest.fixture
def page(browser: Browser, apps: SharedApps) -> Iterator[Page]:
    with visit(browser, apps.fresh("looking", 0.05)) as found:
        ready(found, "prompts-to-try")
        yield found


def allow(page: Page) -> None:
    page.get_by_role("button", name="API keys and budget").click()
    expect(page.locator("#spent-today")).to_contain_text("spent today")


def choose(page: Page, judge: str) -> None:
    choose_chips(page, "models", "paid/painter")
    set_chip(page, "judge", judge)
    page.locator("#prompt input").fill(PROMPT)
    page.locator("#prompt input").blur()


def test_what_a_run_costs_is_said_before_it_as_it_goes_and_in_the_end(page: Page) -> None:
    choose(page, "paid/judge")
    expect(page.locator("#estimate")).to_contain_text(
        "Estimated cost: about 0.51 USD in all, at most 5.00 USD: paid/painter 1 call"
    )
    allow(page)
    page.get_by_label("Budget per run (USD)").fill("0.03")
    expect(page.locator("#estimate")).to_contain_text("more than the budget of a run")
    page.get_by_role("button", name="API keys and budget").click()
    page.locator("#generate").click()
    expect(page.locator("#status")).to_contain_text("0.0300 USD is left of the budget")
    expect(page.locator("#status")).to_contain_text("No image was bought.")
    allow(page)
    expect(page.locator("#spent-today")).to_contain_text("0.00 USD")
    page.get_by_label("Budget per run (USD)").fill("1")
    page.get_by_role("button", name="API keys and budget").click()
    page.locator("#generate").click()
    expect(page.locator("#status")).to_contain_text("0.0700 USD of at most 1.00 USD spent.")
    expect_answers(page, 5)
    expect(page.locator("#evidence .revised")).to_contain_text("The provider rewrote the prompt")
    expect(page.locator("#estimate .status")).to_have_count(0)


@pytest.mark.full
def test_a_model_without_a_price_has_to_be_allowed(page: Page) -> None:
    choose(page, "unknown/judge")
    expect(page.locator("#estimate")).to_contain_text("unknown/judge 5 calls")
    page.locator("#generate").click()
    expect(page.locator("#status [role=alert]")).to_contain_text(
        "It is unknown what 'unknown/judge' costs"
    )
    allow(page)
    page.get_by_label("Allow models with unknown prices").check()
    page.get_by_role("button", name="API keys and budget").click()
    page.locator("#generate").click()
    expect_answers(page, 5)


@pytest.mark.full
def test_a_key_that_is_typed_opens_its_models_on_all_tabs_and_goes_nowhere_else(page: Page) -> None:
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.post_data or ""))
    choose(page, "paid/judge")
    allow(page)
    page.get_by_label("OPENAI_API_KEY", exact=True).fill(KEY)
    page.get_by_label("OPENAI_API_KEY", exact=True).blur()
    expect(page.get_by_label("OPENAI_API_KEY", exact=True)).to_have_value("")
    expect(page.get_by_label("OPENAI_API_KEY", exact=True)).to_have_attribute(
        "placeholder", "Set; type another to replace it"
    )
    expect_chosen(page, "judge", "openai/gpt-5.4-mini")
    expect_chosen(page, "models", "openai/gpt-image-2.5-flare")
    page.get_by_role("button", name="API keys and budget").click()
    choose(page, "paid/judge")
    page.locator("#generate").click()
    expect_answers(page, 5)
    open_tab(page, "Questions")
    expect_chosen(page, "q-writer", "openai/gpt-5.4-mini")

    assert KEY not in page.url
    assert KEY not in page.content()
    assert sum(KEY in body for body in sent) == 1

    open_tab(page, "Evaluate")
    choose_chips(page, "models", "openai/gpt-image-2.5-flare", "paid/painter")
    allow(page)
    page.get_by_role("button", name="Forget typed keys").click()
    expect_chosen(page, "models", "paid/painter")
    page.get_by_role("button", name="API keys and budget").click()
    page.locator("#models").get_by_role("combobox").click()
    expect(page.get_by_role("option", name="paid/painter")).to_be_visible()
    expect(page.get_by_role("option", name="openai/gpt-image-2.5-flare")).to_have_count(0)
