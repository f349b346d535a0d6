"""The labeling queue by keys alone, and the page that shows raters nothing but their task."""

import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from hallascope.engine.storage.store import Store
from hallascope.primer import scenes
from tests.browser.test_accessibility import AXE
from tests.browser.test_small_screens import BROKEN, OUTSIDE
from tests.support import drawn_plan
from tests.support.browser import PHONE, fits_a_phone, ready, too_wide, visit
from tests.support.labeled_stores import PROMPTS
from tests.support.shared_apps import SharedApps

pytestmark = pytest.mark.browser
IMAGES = PROMPTS * len(drawn_plan.MODELS)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def address(apps: SharedApps, home: Path) -> str:
    return apps.fresh("labeling", folder=home)


def open_queue(page: Page, rater: str) -> None:
    expect(page.locator("#queue-plan input:checked")).to_have_count(1)
    page.locator("#queue-name input").fill(rater)
    page.locator("#queue-name input").press("Enter")
    ready(page, "queue-desk")
    expect(page.locator("#queue-desk fieldset")).to_have_count(5)


def open_link(page: Page, rater: str) -> None:
    page.locator("#rater-name input").fill(rater)
    page.locator("#rater-name input").press("Enter")
    ready(page, "rater-desk")
    expect(page.locator("#rater-desk fieldset")).to_have_count(5)


def finish(page: Page, desk: str, key: str, done: int) -> None:
    """Answer all questions of the image by one key, and wait for the next."""
    for _ in range(5):
        page.keyboard.press(key)
    expect(page.locator(f"#{desk} .done")).to_contain_text(f"{done} labeled")
    expect(page.locator(f"#{desk} input:checked")).to_have_count(0)


def test_images_are_labeled_by_keys_alone_and_the_next_visit_goes_on(
    browser: Browser, address: str
) -> None:
    with visit(browser, address, "?tab=trust&part=labels") as page:
        open_queue(page, "Ann")
        expect(page.locator("#queue-desk .why")).to_contain_text("random within primer/")
        for done in range(1, 5):
            expect(page.locator("#queue-desk .number")).to_have_text(f"Image {done}")
            finish(page, "queue-desk", "1", done)
            expect(page.locator("#queue-desk input:focus")).to_have_count(1)
        expect(page.locator("#queue-desk .done")).to_have_text(f"4 labeled, {IMAGES - 4} left")
        expect(page.locator("#queue-desk .forecast")).to_contain_text("primer/careless: ±0.")

        page.keyboard.press("s")
        expect(page.locator("#queue-desk .done")).to_contain_text("5 labeled")
        page.keyboard.press("u")
        expect(page.locator("#queue-desk .done")).to_contain_text("4 labeled")
        expect(page.locator("#queue-desk .number")).to_have_text("Image 5")
        page.keyboard.press("Backspace")
        expect(page.locator("#queue-desk .done")).to_contain_text("3 labeled")
        expect(page.locator("#queue-desk .number")).to_have_text("Image 4")
        expect(page.locator("#queue-desk input:checked")).to_have_count(4)
        page.keyboard.press("2")
        expect(page.locator("#queue-desk .done")).to_contain_text("4 labeled")
        expect(page.locator("#queue-desk .number")).to_have_text("Image 5")
        page.keyboard.press("ArrowLeft")
        expect(page.locator("#queue-desk .number")).to_have_text("Image 4")
        expect(page.locator("#queue-desk input:checked").last).to_have_value("B")
        page.locator("#queue-refresh").click()
        expect(page.locator("#queue-report")).to_contain_text("Human ceiling")

        page.reload()
        open_queue(page, "Ann")
        expect(page.locator("#queue-desk .number")).to_have_text("Image 5")
        expect(page.locator("#queue-desk .done")).to_have_text(f"4 labeled, {IMAGES - 4} left")


def test_answers_that_could_not_be_saved_stay_and_are_the_first_to_be_taken_back(
    browser: Browser, address: str
) -> None:
    with visit(browser, address, "?tab=trust&part=labels") as page:
        open_queue(page, "Ann")
        finish(page, "queue-desk", "1", 1)
        expect(page.locator("#queue-desk .forecast")).not_to_be_empty()
        page.route("**/component_server/**", lambda route: route.abort(), times=1)
        for _ in range(5):
            page.keyboard.press("1")
        expect(page.locator("#queue-desk .told")).to_contain_text("Not saved")
        left = """() => {
          const event = new Event("beforeunload", { cancelable: true });
          return window.dispatchEvent(event);
        }"""
        assert page.evaluate(left) is False, "the page asks before it closes"
        page.keyboard.press("u")
        expect(page.locator("#queue-desk .number")).to_have_text("Image 2")
        expect(page.locator("#queue-desk input:checked")).to_have_count(4)
        expect(page.locator("#queue-desk .done")).to_contain_text("1 labeled")
        page.keyboard.press("2")
        expect(page.locator("#queue-desk .done")).to_contain_text("2 labeled")


@pytest.mark.full
def test_the_labels_of_the_chosen_plan_are_downloaded(browser: Browser, address: str) -> None:
    with visit(browser, address, "?tab=trust&part=labels") as page:
        chosen = page.locator("#queue-plan input:checked")
        expect(chosen).to_have_count(1)
        with page.expect_download() as download:
            page.get_by_role("button", name="Download labels").click()
        assert download.value.suggested_filename == f"labels-{chosen.input_value()}.zip"
        with zipfile.ZipFile(download.value.path()) as archive:
            names = ["frame.csv", "labels.csv", "questions.csv"]
            assert sorted(archive.namelist()) == names
            assert archive.read("frame.csv").count(b"\n") == 1 + IMAGES
        expect(page.locator("#queue-export .export-wrong")).to_be_empty()


@pytest.mark.full
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_and_all_fits_a_phone(
    browser: Browser, address: str, theme: str
) -> None:
    with visit(browser, address, f"?tab=trust&part=labels&__theme={theme}") as page:
        open_queue(page, "Fay")
        page.set_viewport_size(PHONE)
        page.keyboard.press("?")
        page.get_by_role("button", name="New plan").click()
        expect(page.locator("#queue-seed")).to_be_visible()
        page.locator("#queue-refresh").click()
        expect(page.locator("#queue-report table").first).to_be_visible()
        assert fit(page) == ([], [], 0)
        assert serious_faults(page) == []
        raters = page.locator("#queue-link a").get_attribute("href")
    with visit(browser, address, f"{raters}&__theme={theme}") as page:
        page.set_viewport_size(PHONE)
        expect(page.locator("#rater-name")).to_be_visible()
        assert serious_faults(page) == []
        open_link(page, "Gil")
        page.keyboard.press("?")
        assert fit(page, "body") == ([], [], 0)
        assert serious_faults(page) == []


def fit(page: Page, root: str = "#tabs") -> tuple[list[str], list[str], int]:
    """Controls outside the screen, words that are broken, and by how much the page is too wide."""
    broken = BROKEN.replace("#tabs", root)
    outside = OUTSIDE.replace("#header, #terms, #tabs, #footer", f"#header, #footer, {root}")
    return page.evaluate(outside), page.evaluate(broken), too_wide(page)


@pytest.mark.full
def test_the_link_shows_raters_nothing_but_their_task(
    browser: Browser, address: str, home: Path
) -> None:
    store = Store(folder=home)
    (plan,) = [one for one in store.labeling.plans() if one.title == drawn_plan.TITLE]
    store.close()
    with visit(browser, address, f"label?plan={plan.id}") as page:
        open_link(page, "Cy")
        finish(page, "rater-desk", "1", 1)
        page.keyboard.press("0")
        expect(page.locator("#rater-desk .done")).to_contain_text("2 labeled")
        shown = page.content()
        for word in (*drawn_plan.MODELS, *scenes.benchmark(12), "primer/judge", "kappa"):
            assert word not in shown
        expect(page.get_by_role("tab")).to_have_count(0)
        expect(page.get_by_role("link")).to_have_count(0)
        expect(page.locator("#rater-desk .why")).to_be_empty()
        expect(page.locator("#rater-desk .forecast")).to_be_empty()
        fits_a_phone(page)
        for _ in range(4):
            page.keyboard.press("1")
        expect(page.locator("#rater-desk fieldset").last).to_be_in_viewport()
        expect(page.locator("#rater-desk img")).to_be_in_viewport(ratio=0.9)


def serious_faults(page: Page) -> list[str]:
    page.evaluate(AXE)
    found: list[str] = page.evaluate(
        """() => axe.run(document.querySelector("main")).then((result) => result.violations
          .filter((fault) => ["serious", "critical"].includes(fault.impact))
          .flatMap((fault) => fault.nodes.map((node) => `${fault.id}: ${node.html}`)))"""
    )
    return found
