"""What four people come for, in a browser, counted in actions: a click, a key or a text is one.

The engineer's way, a metric of their own in CI, is a page of the docs (tests/test_ci_page.py).
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Download, Locator, Page, expect

from tests.support.browser import open_tab, ready, visit
from tests.support.shared_apps import SharedApps

pytestmark = pytest.mark.browser


class Person:
    """Acts on a page, and counts the actions."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.actions = 0

    def click(self, place: Locator) -> None:
        place.first.click()
        self.actions += 1

    def open_tab(self, title: str) -> None:
        open_tab(self.page, title)
        self.actions += 1

    def download(self, name: str) -> Download:
        with self.page.expect_download() as begun:
            self.click(
                self.page.get_by_role("button", name=name).or_(
                    self.page.get_by_role("link", name=name)
                )
            )
        return begun.value


@pytest.fixture
def visitor(browser: Browser, shipped: str) -> Iterator[Person]:
    with visit(browser, shipped) as page:
        yield Person(page)


@pytest.fixture
def researcher(browser: Browser, apps: SharedApps) -> Iterator[Person]:
    """A person whose folder of 3,000 images was judged by `hallascope judge`."""
    with visit(browser, apps.shared("judged-grid", 0)) as page:
        yield Person(page)


def test_a_visitor_sees_the_wrong_part_of_an_image_after_one_click(visitor: Person) -> None:
    expect(visitor.page.locator("#status")).to_contain_text("An example")
    visitor.click(
        visitor.page.locator("#cards [aria-label='Answers of the judge'] .sign.incorrect")
    )
    expect(visitor.page.locator("#evidence .question.incorrect.lit")).to_be_visible()
    expect(visitor.page.locator("#evidence .region.lit").first).to_be_visible()
    assert visitor.actions == 1
    visitor.page.locator("#cards [aria-label='Answers of the judge'] li").nth(1).click()
    expect(visitor.page.locator("#evidence .question.lit")).to_have_attribute("data-question", "1")
    assert "run=" not in visitor.page.url, "the example has no address"


def test_a_researcher_finds_a_weakness_its_images_a_figure_and_a_table(researcher: Person) -> None:
    page = researcher.page
    researcher.open_tab("Errors")
    first = page.locator("#errors-slices .slice-row").first
    expect(first).to_contain_text("% wrong in")
    researcher.click(first.get_by_role("button", name="Show images"))
    image = page.locator("#errors-slices-gallery [role=option]").first
    expect(image).to_contain_text("prompt 0")
    researcher.open_tab("Leaderboard")
    expect(page.locator("#board-table tbody tr").first).to_be_visible()
    expect(page.locator("#board-figure .main-svg").first).to_be_visible()
    assert researcher.download("Download SVG").suggested_filename.endswith(".svg")
    assert researcher.download("Download LaTeX").suggested_filename.endswith(".tex")
    assert researcher.actions <= 12


def test_a_teacher_makes_a_set_for_the_class(browser: Browser, shipped: str) -> None:
    with visit(browser, shipped, "?tab=learn&part=sets") as page:
        teacher = Person(page)
        ready(page, "sets-bench")
        bench = page.locator("#sets-bench")
        page.get_by_label("Title of the set").fill("Class 7b")
        teacher.actions += 1
        teacher.click(bench.get_by_role("button", name="Add random exercises"))
        expect(bench.locator("#set-items label").first).to_be_visible()
        teacher.click(bench.get_by_role("button", name="Make the set"))
        expect(bench.get_by_role("button", name="Copy the link")).to_be_visible()
        teacher.click(bench.get_by_role("button", name="Copy the link"))
        assert teacher.actions == 4
