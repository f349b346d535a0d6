"""A teacher and two pupils go through a lesson, by keys and taps, on a projector and on phones."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect

from hallascope.data.teaching.class_lesson import read_class_lessons
from tests.browser.test_accessibility import AXE
from tests.support.browser import PATIENCE, PHONE, click_at

pytestmark = pytest.mark.browser
LESSON = read_class_lessons().lessons[0]
FIRST = LESSON.steps[0]
LOOK = """() => axe.run(document, { resultTypes: ["violations"] }).then((found) =>
  found.violations.flatMap((one) => one.nodes.map((node) =>
    `${one.id}: ${node.html.slice(0, 160)} (${node.failureSummary.slice(0, 200)})`)))"""

# By how many pixels the page reaches over the edge; its policy lets no script wait for it.
OVER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
FULL = """() => new Promise((done) => {
  if (document.fullscreenElement) done(true);
  document.addEventListener("fullscreenchange", () => done(document.fullscreenElement !== null));
})"""


@contextmanager
def open_page(browser: Browser, url: str, **options: object) -> Iterator[Page]:
    """A page in a context of its own, in which no script may fail."""
    expect.set_options(timeout=PATIENCE)
    context = browser.new_context(reduced_motion="reduce", **options)  # type: ignore[arg-type]
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(url)
    yield page
    context.close()
    assert not faults, f"the page stumbled: {faults}"


def check(page: Page, what: str) -> None:
    """Axe finds nothing, and nothing is wider than the page."""
    page.evaluate(AXE)
    assert page.evaluate(LOOK) == [], what
    assert page.evaluate(OVER) <= 0, what


def start(page: Page, address: str) -> str:
    """Start a class, and return its code."""
    page.get_by_role("button", name="Start the class").click()
    code = page.locator(".join-code").inner_text().replace(" ", "")
    expect(page.locator(".address")).to_have_text(f"{address}class/{code}")
    expect(page.locator(".qr img")).to_have_js_property("complete", True)
    return code


def press(teacher: Page, key: str, shown: str) -> None:
    teacher.keyboard.press(key)
    expect(teacher.locator(f"main[data-shown='{shown}']")).to_be_visible()


@pytest.fixture
def teacher(browser: Browser, address: str) -> Iterator[Page]:
    url = f"{address}class/lessons/{LESSON.id}/start"
    with open_page(browser, url, viewport={"width": 1366, "height": 768}) as page:
        yield page


@pytest.fixture
def pupils(browser: Browser, address: str, teacher: Page) -> Iterator[list[Page]]:
    """Two pupils with phones, by day and by night, in the teacher's class."""
    code = start(teacher, address)
    with ExitStack() as opened:
        yield [
            opened.enter_context(
                open_page(
                    browser,
                    f"{address}class/{code.lower()}",
                    viewport=PHONE,
                    color_scheme=scheme,
                    has_touch=True,
                )
            )
            for scheme in ("light", "dark")
        ]


@pytest.mark.full
def test_a_class_goes_through_a_step(teacher: Page, pupils: list[Page]) -> None:
    ada, ben = pupils
    for pupil in pupils:
        expect(pupil.get_by_text("You are in the class")).to_be_visible()
    expect(teacher.locator(".count")).to_contain_text("2 pupils")
    check(teacher, "the code on the projector")

    press(teacher, "ArrowRight", "0 question")
    click_at(ada, ".field", 0.5, 0.88)
    ada.get_by_label(FIRST.choices[3]).check()
    expect(ada.get_by_role("status")).to_contain_text("Sent.")
    # by keys alone: the crosshair is moved, then a choice is made
    ben.locator(".field").focus()
    for key in ("Shift+ArrowUp", "ArrowLeft", "Enter"):
        ben.keyboard.press(key)
    expect(ben.locator(".pin")).to_be_visible()
    ben.keyboard.press("Tab")
    ben.keyboard.press("Space")
    expect(ben.get_by_label(FIRST.choices[0])).to_be_checked()
    expect(ben.get_by_role("status")).to_contain_text("Sent.")
    expect(teacher.locator(".count")).to_contain_text("2 of 2 answered")
    expect(teacher.locator(".heat")).to_have_count(0)
    for name, pupil in (("day", ada), ("night", ben)):
        check(pupil, f"a question by {name}")

    press(teacher, " ", "0 class")
    expect(teacher.locator(".heat .point")).to_have_count(2)
    expect(teacher.locator(".answers .number")).to_have_text(["1", "0", "0", "1", "0", "0"])
    expect(ben.locator(".answers .number")).to_have_text(["1", "0", "0", "1", "0", "0"])
    expect(ben.locator(".answers .mine")).to_contain_text(FIRST.choices[0])
    expect(ben.locator("input")).to_have_count(0)
    check(teacher, "the class on the projector")

    press(teacher, "PageDown", "0 judge")
    expect(ada.locator(".judge dd")).to_have_count(5)
    for page in (ada, teacher):
        expect(page.locator(".truth")).to_have_count(0)
        expect(page.locator(".outline")).to_have_count(0)
    press(teacher, "ArrowRight", "0 truth")
    for page in (ada, ben, teacher):
        expect(page.locator(".truth")).to_contain_text("Drawn: Blue. Expected: Orange.")
        expect(page.locator(".judge .found")).to_have_count(1)
        expect(page.locator(".outline")).to_have_count(1)
        expect(page.locator(".answers .right.tag")).to_have_count(1)
    expect(teacher.locator(".taps")).to_have_text("2 taps on the image, 1 on the error.")
    for name, page in (("day", ada), ("night", ben), ("projector", teacher)):
        check(page, f"the truth: {name}")


@pytest.mark.full
def test_pupils_follow_to_the_end_and_a_reload_keeps_an_answer(
    teacher: Page, pupils: list[Page]
) -> None:
    ada, ben = pupils
    press(teacher, "ArrowRight", "0 question")
    ada.get_by_label(FIRST.choices[2]).check()
    expect(ada.get_by_role("status")).to_contain_text("Sent.")
    ada.reload()
    expect(ada.get_by_label(FIRST.choices[2])).to_be_checked()
    expect(teacher.locator(".count")).to_contain_text("2 pupils")
    teacher.reload()
    expect(teacher.locator("main[data-shown='0 question']")).to_be_visible()

    for number, step in enumerate(LESSON.steps):
        for phase in step.phases:
            if (number, phase) != (0, "question"):
                press(teacher, "ArrowRight", f"{number} {phase}")
        if not step.choices:
            expect(ben.get_by_text(step.reveal)).to_be_visible()
    press(teacher, "ArrowRight", f"{len(LESSON.steps)} question")
    expect(ben.get_by_text("Thank you for your answers")).to_be_visible()
    press(teacher, "ArrowLeft", f"{len(LESSON.steps) - 1} truth")

    teacher.on("dialog", lambda dialog: dialog.accept())
    teacher.get_by_role("button", name="End the class").click()
    expect(teacher.get_by_role("heading", name="The class is over")).to_be_visible()
    for pupil in pupils:
        expect(pupil.get_by_role("heading", name="The class is over")).to_be_visible()
        assert pupil.evaluate("localStorage.length") == 0
        assert pupil.evaluate("document.cookie") == ""


@pytest.mark.full
def test_a_lesson_is_projected_without_a_class(browser: Browser, address: str) -> None:
    url = f"{address}class/lessons/{LESSON.id}"
    with open_page(browser, url, viewport={"width": 1920, "height": 1080}) as page:
        expect(page.get_by_text(LESSON.goals[0])).to_be_visible()
        for shown in ("0 question", "0 judge", "0 truth", "1 question"):
            press(page, "ArrowRight", shown)
        press(page, "ArrowLeft", "0 truth")
        page.keyboard.press("n")
        expect(page.locator(".notes")).to_contain_text(FIRST.teacher)
        check(page, "the projector with notes")
        page.keyboard.press("f")
        assert page.evaluate(FULL)
        page.get_by_role("button", name="Next step").focus()
        page.keyboard.press("Space")
        expect(page.locator("main[data-shown='1 question']")).to_be_visible()


@pytest.mark.full
@pytest.mark.parametrize("page_name", ["sheet", "key"])
def test_sheets_are_printed_with_all_images(browser: Browser, address: str, page_name: str) -> None:
    with open_page(browser, f"{address}class/lessons/{LESSON.id}/{page_name}") as page:
        check(page, page_name)
        for image in page.locator("img").all():
            assert image.evaluate("(node) => node.complete && node.naturalWidth > 0")
        page.emulate_media(media="print")
        expect(page.locator(".screen-only")).to_be_hidden()
        assert page.pdf(format="A4").startswith(b"%PDF")
        page.set_viewport_size(PHONE)
        page.emulate_media(media="screen", color_scheme="dark")
        check(page, f"{page_name} on a phone by night")


@pytest.mark.full
def test_a_wrong_code_is_a_sentence_with_a_way_on(
    browser: Browser, address: str, teacher: Page
) -> None:
    code = start(teacher, address)
    with open_page(browser, f"{address}class/BBBBBBBB", viewport=PHONE) as page:
        expect(page.get_by_role("alert")).to_contain_text("look at the code again")
        check(page, "a wrong code")
        page.get_by_label("Code of the class").fill(code.lower())
        page.keyboard.press("Enter")
        expect(page.get_by_text("You are in the class")).to_be_visible()


@pytest.mark.full
def test_a_teacher_removes_a_pupil_and_stops_joining(
    browser: Browser, address: str, teacher: Page, pupils: list[Page]
) -> None:
    ada, ben = pupils
    expect(ada.get_by_text("You are pupil")).to_be_visible()
    expect(ben.get_by_text("You are pupil")).to_be_visible()
    press(teacher, "ArrowRight", "0 question")
    ada.get_by_label(FIRST.choices[3]).check()
    expect(teacher.locator(".count")).to_contain_text("1 of 2 answered")
    teacher.keyboard.press("p")
    check(teacher, "the pupils on the projector")
    teacher.on("dialog", lambda dialog: dialog.accept())
    teacher.get_by_role("button", name="Remove 1 pupil without an answer").click()
    expect(teacher.locator(".count")).to_contain_text("1 of 1 answered")
    for _ in range(2):  # a reload joins no more
        expect(ben.get_by_role("alert")).to_contain_text("has removed this phone")
        ben.reload()
    teacher.get_by_role("button", name="Stop joining").click()
    expect(teacher.get_by_role("button", name="Allow joining")).to_be_focused()
    with open_page(browser, ada.url, viewport=PHONE) as late:
        expect(late.get_by_role("alert")).to_contain_text("takes no more pupils")
    expect(ada.get_by_label(FIRST.choices[3])).to_be_checked()
