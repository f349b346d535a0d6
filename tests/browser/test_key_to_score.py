"""From a key or a login to a first score in a browser: the key is checked when it is pasted, models
are chosen with their prices, questions are written on the way.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import expect_answers, expect_chosen, ready, visit
from tests.support.service import KEY, Service, served
from tests.support.shared_apps import SharedApps
from tests.support.shipped_app import running_app

pytestmark = pytest.mark.browser

# in a process of its own, since the packages read these variables when they are imported
ROUTER = (sys.executable, "-m", "tests.support.serve", "0.05", "router")
# what Gradio takes for the token of whoever logs in outside a Space
LOGGED_IN = "mock-oauth-token-for-local-dev"


@pytest.fixture
def service(openai: tuple[str, Service]) -> Service:
    """The service, asked for nothing yet."""
    openai[1].requests.clear()
    return openai[1]


@pytest.fixture
def page(browser: Browser, apps: SharedApps) -> Iterator[Page]:
    with visit(browser, apps.fresh("shipped")) as found:
        ready(found, "prompts-to-try")
        yield found


def paste(page: Page, text: str) -> None:
    """Paste a text as a person does, by the clipboard."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+V")


def test_four_actions_lead_from_a_key_to_a_score_and_the_questions_can_be_reviewed(
    page: Page, service: Service
) -> None:
    page.get_by_role("button", name="API keys and budget").click()  # 1
    page.get_by_label("OPENAI_API_KEY", exact=True).focus()
    paste(page, KEY)  # 2
    line = page.locator("#key-check")
    expect(line).to_contain_text("OPENAI_API_KEY is accepted.")
    expect(line).to_contain_text("gpt-image-2.5-flare draws, about 0.03")
    expect(line).to_contain_text("gpt-5.4-mini judges, about 0.00")
    expect(page.get_by_label("OPENAI_API_KEY", exact=True)).to_have_value("")
    page.locator("#prompt input").fill("Albert Einstein holding a sunflower")  # 3
    page.locator("#generate").click()  # 4
    expect_answers(page, 5)
    status = page.locator("#status")
    expect(status).to_contain_text(
        "openai/gpt-5.4-mini wrote 5 questions for this prompt, and no person has reviewed them."
    )
    expect(page.locator(".tile-judge").first).to_contain_text("at the service's own temperature")
    page.get_by_role("button", name="API keys and budget").click()
    page.get_by_role("button", name="API keys and budget").click()
    expect(page.locator("#spent-today")).to_contain_text(f"{service.bill:.4f} USD spent today")
    refused = [request.refusal for request in service.requests if request.status == 400]
    assert sorted(refused) == ["logprobs", "temperature"], "each once in a session"
    page.get_by_role("button", name="Review these questions").click()
    cards = page.locator(".draft")
    expect(cards).to_have_count(5)
    expect(cards.first).to_contain_text("not reviewed")


@pytest.mark.full
def test_three_actions_lead_from_a_login_on_a_space_to_a_score(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with served("router", key=LOGGED_IN) as (address, service):
        # Gradio's login then needs no page of the Hub, but the account of a token
        space = {
            "HF_ENDPOINT": address.removesuffix("/v1"),
            "HF_TOKEN": LOGGED_IN,
            "OAUTH_CLIENT_ID": "an-app-of-the-hub",
            "SPACE_ID": "team/hallascope",
        }
        with (
            running_app(tmp_path / "home", ROUTER, **space) as app,
            visit(browser, app.address) as page,
        ):
            ready(page, "prompts-to-try")
            page.get_by_role("button", name="Hugging Face").first.click()  # 1
            expect(page.locator("#login-check")).to_contain_text("judges, about 0.00")
            page.locator("#prompt input").fill("Albert Einstein holding a sunflower")  # 2
            page.locator("#generate").click()  # 3
            expect_answers(page, 5)
            expect(page.locator("#status")).to_contain_text("no person has reviewed them")
        assert service.bill > 0


@pytest.mark.full
def test_a_rejected_key_says_so_and_changes_nothing(page: Page) -> None:
    page.get_by_role("button", name="API keys and budget").click()
    page.get_by_label("OPENAI_API_KEY", exact=True).focus()
    paste(page, "sk-of-somebody-else")
    expect(page.locator("#key-check [role=alert]")).to_contain_text("does not take the key")
    expect_chosen(page, "judge", "primer/judge")
