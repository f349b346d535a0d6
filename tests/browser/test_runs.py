"""Runs in a browser: the panel that lists them, several images per model, and Back."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from hallascope.engine.events import EvaluateRequest, Queued
from tests.conftest import build
from tests.support.browser import (
    choose_chips,
    expect_answers,
    fits_a_phone,
    generate,
    open_tab,
    ready,
    unfold_settings,
    visit,
)
from tests.support.shared_apps import SharedApps

pytestmark = pytest.mark.browser
METHANE, PENGUIN = "a molecule of methane", "a gentoo penguin"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def many(folder: Path) -> str:
    """The id of a stored run with 16 images of each of four models."""
    models = tuple(f"primer/{name}" for name in ("exact", "careful", "hasty", "careless"))
    services = build(folder)
    events = list(services.evaluate(EvaluateRequest(prompt=METHANE, models=models, count=16)))
    first = events[0]
    assert isinstance(first, Queued)
    services.store.close()
    return first.run


@pytest.fixture
def own_address(apps: SharedApps, folder: Path) -> str:
    """The address of a dashboard whose runs are those of these tests alone."""
    return apps.fresh(folder=folder)


@pytest.fixture
def page(browser: Browser, own_address: str) -> Iterator[Page]:
    with visit(browser, own_address) as found:
        ready(found, "prompts-to-try")
        yield found


def evaluate(page: Page, prompt: str, *models: str, count: int = 1) -> str:
    """Run the models on a prompt, and return the run's id."""
    choose_chips(page, "models", *(models or ("primer/exact", "primer/careless")))
    unfold_settings(page)
    page.get_by_label("Images per model").fill(str(count))
    generate(page, prompt)
    expect(page.locator("#cards .pictures")).to_have_attribute("data-prompt", prompt)
    expect_answers(page, 5 * count * len(models or ("", "")))
    expect(page.locator("#generate")).to_be_enabled()
    run = page.locator("#cards .pictures").get_attribute("data-run") or ""
    expect(page.locator("#evidence .exhibit")).to_have_attribute("data-run", run)
    return run


def open_panel(page: Page) -> Locator:
    page.get_by_role("button", name="Runs", exact=True).click()
    dialog = page.get_by_role("dialog", name="Runs")
    expect(dialog.locator(".run-card, .runs-empty").first).to_be_visible()
    return dialog


def card(dialog: Locator, run: str) -> Locator:
    return dialog.locator(f".run-card[data-run='{run}']")


def expect_run(page: Page, run: str) -> None:
    expect(page.locator("#cards .pictures")).to_have_attribute("data-run", run)


def test_runs_are_listed_named_pinned_found_and_opened(page: Page) -> None:
    first, second = evaluate(page, METHANE), evaluate(page, PENGUIN)
    dialog = open_panel(page)
    expect(page).to_have_url(re.compile(r"panel=runs"))
    expect(card(dialog, first)).to_contain_text(METHANE)
    expect(card(dialog, first)).to_contain_text("judge primer/judge · 2 images")
    expect(card(dialog, first).locator("img")).to_have_count(1)
    expect(dialog.locator(".run-card").first).to_have_attribute("data-run", second)

    card(dialog, first).get_by_role("button", name="Pin").click()
    expect(dialog.locator(".run-card").first).to_have_attribute("data-run", first)
    expect(dialog.get_by_role("status").first).to_have_text("The run is pinned.")

    card(dialog, first).get_by_role("button", name="Rename").click()
    dialog.get_by_label("Name", exact=True).fill("My <b>first</b>")
    page.keyboard.press("Enter")
    expect(card(dialog, first).locator(".run-name")).to_have_text("My <b>first</b>")

    dialog.get_by_role("searchbox").fill("MY <B>")
    expect(dialog.locator(".run-card")).to_have_count(1)
    expect(page).to_have_url(re.compile(r"find=MY"))
    page.reload()
    dialog = page.get_by_role("dialog", name="Runs")
    expect(dialog.get_by_role("searchbox")).to_have_value("MY <B>")
    expect(dialog.locator(".run-card")).to_have_count(1)

    dialog.locator(".run-name").click()
    expect(dialog).to_be_hidden()
    expect_run(page, first)
    expect(page.locator("#prompt input")).to_have_value(METHANE)
    expect(page).to_have_url(re.compile(rf"run={first}"))
    expect(page).not_to_have_url(re.compile(r"panel="))


@pytest.mark.full
def test_a_deletion_says_what_goes_and_empties_the_page_of_that_run(page: Page) -> None:
    run = evaluate(page, "the planet Saturn", "primer/exact")
    dialog = open_panel(page)
    card(dialog, run).get_by_role("button", name="Delete").click()
    alert = dialog.get_by_role("alert")
    expect(alert).to_contain_text("1 evaluation, 5 verdicts and 1 image")
    dialog.get_by_role("button", name="Cancel").click()
    expect(alert).to_be_hidden()
    card(dialog, run).get_by_role("button", name="Delete").click()
    expect(alert).to_be_visible()
    page.keyboard.press("Escape")
    expect(alert).to_be_hidden()
    expect(dialog).to_be_visible()
    card(dialog, run).get_by_role("button", name="Delete").click()
    dialog.get_by_role("button", name="Delete run").click()
    expect(card(dialog, run)).to_have_count(0)
    expect(page.locator("#cards .pictures[data-unnamed]")).to_have_count(1)
    expect(page).not_to_have_url(re.compile(run))


@pytest.mark.full
def test_two_chosen_runs_are_compared_on_the_errors_tab(page: Page) -> None:
    first = evaluate(page, METHANE)
    second = evaluate(page, METHANE, "primer/exact")
    dialog = open_panel(page)
    compare = dialog.get_by_role("button", name="Compare two runs")
    expect(compare).to_be_disabled()
    for run in (first, second):
        card(dialog, run).get_by_label("Compare").check()
    page.evaluate("window.isLoadedOnce = true")
    compare.click()
    changes = page.locator("#errors-runs .run-changes")
    expect(changes).to_have_attribute("data-one", first)
    expect(changes).to_have_attribute("data-other", second)
    open_tab(page, "Evaluate")
    dialog = open_panel(page)
    for run in (second, first):
        card(dialog, run).get_by_label("Compare").check()
    compare.click()
    expect(changes).to_have_attribute("data-one", second)
    expect(changes).to_have_attribute("data-other", first)
    page.get_by_role("link", name="How the metrics work").click()
    expect(page.get_by_role("tab", name="Learn")).to_have_attribute("aria-selected", "true")
    assert page.evaluate("window.isLoadedOnce"), "a reload forgets the typed keys"


@pytest.mark.full
def test_back_closes_and_returns_and_forward_goes_there_again(page: Page, own_address: str) -> None:
    first = evaluate(page, METHANE)
    chosen = page.locator("#cards .tile.chosen")
    before = chosen.get_attribute("data-key") or ""
    page.locator("#cards .tile:not(.chosen)").first.click()
    after = chosen.get_attribute("data-key") or ""
    assert before != after
    page.go_back()
    expect(chosen).to_have_attribute("data-key", before)
    expect(page.locator("#evidence .exhibit")).to_have_attribute("data-key", before)
    page.go_forward()
    expect(chosen).to_have_attribute("data-key", after)
    expect(page.locator("#evidence .exhibit")).to_have_attribute("data-key", after)

    second = evaluate(page, PENGUIN)
    dialog = open_panel(page)
    page.go_back()
    expect(dialog).to_be_hidden()
    expect_run(page, second)
    page.go_back()
    expect_run(page, first)
    expect(page.locator("#prompt input")).to_have_value(METHANE)
    page.go_forward()
    expect_run(page, second)

    open_tab(page, "Leaderboard")
    open_tab(page, "Learn")
    open_tab(page, "How it works")
    selected = page.locator("#tabs [role=tab][aria-selected=true]:visible")
    page.go_back()
    expect(selected).to_have_text(["Learn", "Odd one out"])
    page.go_back()
    expect(selected).to_have_text(["Leaderboard"])
    page.go_back()
    expect(page.locator("#cards .pictures")).to_be_visible()
    expect_run(page, second)
    for _ in range(3):  # second run, the other image, the first run
        page.go_back()
    expect(page).to_have_url(own_address)
    expect(page.locator("#cards .pictures[data-unnamed]")).to_have_count(1)
    page.go_forward()
    expect_run(page, first)
    expect(page.locator("#evidence .exhibit")).to_have_attribute("data-key", before)


# --- several images per model ---


@pytest.mark.full
def test_several_images_per_model_are_a_table_whose_cells_open_the_evidence(page: Page) -> None:
    evaluate(page, METHANE, count=3)
    table = page.get_by_role("region", name="Images by model and seed")
    expect(table.locator("thead th")).to_have_count(5)
    expect(table.locator("tbody tr")).to_have_count(2)
    expect(table.locator(".matrix-mean").first).to_contain_text(" to ")
    cell = table.locator("tbody tr").nth(1).locator(".tile").nth(2)
    cell.locator(".pick").click()
    key = cell.get_attribute("data-key") or ""
    expect(page).to_have_url(re.compile(f"image={key}"))
    expect(page.locator("#evidence .exhibit")).to_have_attribute("data-key", key)
    fits_a_phone(page)


@pytest.mark.full
def test_a_run_with_many_images_opens_with_few_elements(
    page: Page, own_address: str, many: str
) -> None:
    few = evaluate(page, PENGUIN)
    page.goto(f"{own_address}?run={many}")
    expect_run(page, many)
    expect(page.locator("#cards .tile")).to_have_count(64)
    assert page.locator("#cards *").count() < 1500
    loaded = "(images) => images.filter((image) => image.loading !== 'lazy').length"
    assert page.locator("#cards .tile img").evaluate_all(loaded) == 0
    card(open_panel(page), few).locator(".run-name").click()
    expect_run(page, few)
    page.go_back()
    page.go_back()
    expect_run(page, many)
    expect(page.locator("#cards .tile")).to_have_count(64)
