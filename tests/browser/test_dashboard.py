"""The dashboard in a browser: from a prompt to the marked region, by mouse and by keyboard."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from tests.support.browser import (
    choose_chips,
    expect_answers,
    expect_chosen,
    generate,
    open_tab,
    ready,
    unfold_settings,
    visit,
)
from tests.support.shared_apps import SharedApps

pytestmark = pytest.mark.browser
PROMPT = "a molecule of methane"
FIRST = "a gentoo penguin"  # of the prompts to try


def generated(page: Page, pictures: int = 4, answers: int = 20) -> None:
    expect(page.locator("#cards .frame img")).to_have_count(pictures)
    expect_answers(page, answers)
    expect(page.locator("#evidence .question .state:not(.waiting)")).to_have_count(5)
    expect(page.locator("#generate")).to_be_enabled()


def test_from_a_prompt_to_a_marked_region_and_back_by_the_address(page: Page) -> None:
    choose_chips(page, "models", "primer/exact", "primer/careful", "primer/careless")
    generate(page, PROMPT)
    expect(page.locator("#cards .tile")).to_have_count(3)
    generated(page, pictures=3, answers=15)
    page.get_by_role(
        "button", name="Which atom is at the center of the molecule in the image?"
    ).click()
    lit = page.locator("#evidence .region.lit")
    expect(lit).to_have_attribute("data-part", "carbon atom")
    expect(page.locator("#evidence .question.lit")).to_have_count(1)
    expect(page.locator("#evidence .hint")).to_have_text("Marked: carbon atom.")
    expect(page).to_have_url(re.compile(r"run=\w+&image=\w+&question=2"))

    page.reload()
    generated(page, pictures=3, answers=15)
    expect(page.locator("#prompt input")).to_have_value(PROMPT)
    expect_chosen(page, "models", "primer/exact", "primer/careful", "primer/careless")
    expect(page.locator("#evidence .region.lit")).to_have_attribute("data-part", "carbon atom")

    page.locator("[data-look]").click()
    expect(page.locator("body")).to_have_class(re.compile(r"\bdark\b"))


def test_a_newcomer_finds_what_is_wrong_with_the_penguin_by_what_is_visible(page: Page) -> None:
    """The walk of docs/penguin.md, step by step."""
    page.get_by_role("button", name=FIRST, exact=True).click()
    expect(page.get_by_label("Prompt", exact=True)).to_have_value(FIRST)
    said = page.get_by_text("Most errors: ")
    expect(said).to_contain_text("Select an image to see its errors.")
    name = re.search(r"Most errors: (\w+) \([1-5] of 5 wrong\)", said.inner_text())
    assert name
    page.get_by_role("button", name=re.compile(f"{name[1]}.*Show the evidence")).click()
    expect(page.get_by_role("article", name=f"The evidence of {name[1]}")).to_be_visible()
    page.get_by_role("button", name="What color are the animal's feet in the image?").click()
    expect(page.get_by_text("Marked: foot")).to_be_visible()
    expect(page.locator("#evidence .region.lit").first).to_be_visible()


def test_the_keyboard_alone_is_enough(page: Page) -> None:
    page.locator("#prompt input").focus()
    completions = page.locator(f"#prompt-completions option[value='{PROMPT}']")
    expect(completions).to_have_count(1)
    expect(page.locator("#prompt input")).to_have_attribute("list", "prompt-completions")
    page.keyboard.type(PROMPT)
    page.keyboard.press("Enter")
    generated(page)

    page.locator("#cards .pick").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#cards .tile").nth(1)).to_have_class(re.compile("chosen"))
    expect(page.locator("#evidence .which")).to_have_text("careful")

    page.locator("#evidence .question-title").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#evidence .question.lit")).to_have_attribute("data-question", "0")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#evidence .question.lit")).to_have_attribute("data-question", "1")
    page.keyboard.press("Escape")
    expect(page.locator("#evidence .question.lit")).to_have_count(0)


def test_a_run_can_be_stopped_from_the_moment_it_is_asked_for_and_goes_on(page: Page) -> None:
    unfold_settings(page)
    page.get_by_label("Images per model").fill("3")
    generate(page, "a ladybug")
    page.locator("#stop").click()
    expect(page.locator("#status")).to_contain_text("Stopped. Generate resumes this run.")
    page.locator("#generate").click()
    expect(page.locator("#cards .frame img")).to_have_count(12)
    expect_answers(page, 60)


def test_an_upload_is_judged_and_a_damaged_one_gives_a_sentence(page: Page, tmp_path: Path) -> None:
    from PIL import Image

    Image.effect_noise((200, 200), 80).convert("RGB").save(tmp_path / "mine.png")
    (tmp_path / "cut.png").write_bytes((tmp_path / "mine.png").read_bytes()[:9000])
    unfold_settings(page)
    page.locator("#upload input[type=file]").set_input_files(tmp_path / "cut.png")
    expect(page.locator("#upload")).to_contain_text("cut")
    generate(page, PROMPT)
    expect(page.locator("#status [role=alert]")).to_contain_text("damaged or cut off")
    page.locator("#upload").get_by_label("Clear").click()
    page.locator("#upload input[type=file]").set_input_files(tmp_path / "mine.png")
    expect(page.locator("#upload")).to_contain_text("mine")
    page.locator("#generate").click()
    generated(page, pictures=1, answers=5)
    expect(page.locator("#cards h3")).to_have_text("Uploaded image")


@pytest.mark.full
def test_the_worst_picture_is_chosen_after_a_run_unless_the_person_chose_one(page: Page) -> None:
    generate(page, "a ladybug")
    generated(page)
    first = page.locator("#cards .pictures").get_attribute("data-first")
    assert first
    expect(page.locator("#cards .tile.chosen")).to_have_attribute("data-key", first)
    expect(page.locator("#evidence .exhibit")).to_have_attribute("data-key", first)
    expect(page).to_have_url(re.compile(f"image={first}"))
    other = page.locator(f"#cards .tile:not([data-key='{first}'])").first
    key = other.get_attribute("data-key") or ""
    other.click()
    page.locator("#generate").click()
    expect(page.locator("#stop")).to_be_enabled()
    expect(page.locator("#generate")).to_be_enabled()
    expect(page.locator("#cards .tile.chosen")).to_have_attribute("data-key", key)


@pytest.mark.full
@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_a_chosen_tile_brings_its_evidence_into_sight(page: Page, by: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 600})
    generate(page, PROMPT)
    generated(page)
    pick = page.locator("#cards .pick").nth(1)
    if by == "mouse":
        pick.click()
    else:
        pick.focus()
        page.keyboard.press("Enter")
    expect(page.locator("#evidence .which")).to_have_text("careful")
    page.wait_for_function(
        "() => { const { top } = document.querySelector('#evidence').getBoundingClientRect();"
        " return top >= -1 && top < 200; }"
    )


@pytest.mark.full
def test_verdicts_and_evidence_of_a_run_are_seen_without_scrolling(page: Page) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    page.locator(".example", has_text=PROMPT).click()
    generated(page)
    for what in ("#cards .tile >> nth=3", "#evidence .stage", "#evidence .question >> nth=0"):
        expect(page.locator(what)).to_be_in_viewport(ratio=0.9)


@pytest.mark.full
def test_pictures_of_the_run_before_are_marked_under_an_error_and_go_when_the_next_run_begins(
    page: Page,
) -> None:
    generate(page, PROMPT)
    generated(page)
    unfold_settings(page)
    page.get_by_label("Images per model").fill("20")
    generate(page, "a ladybug")
    expect(page.locator("#status [role=alert]")).to_contain_text("give a whole number from 1 to 16")
    expect(page.locator("#cards .earlier")).to_contain_text(f"from the last run: “{PROMPT}”")
    expect(page.locator("#cards .tile")).to_have_count(4)
    page.get_by_label("Images per model").fill("1")
    page.locator("#generate").click()
    expect(page.locator("#cards .earlier")).to_be_hidden()
    generated(page)


@pytest.mark.full
def test_who_finds_the_queue_full_reads_so_and_can_press_again(
    browser: Browser, address: str
) -> None:
    def refuse_runs(route: Route) -> None:
        if PROMPT in (route.request.post_data or ""):
            route.fulfill(status=503, json={"detail": "Queue is full."})
        else:
            route.continue_()

    with browser.new_context() as context:
        page = context.new_page()
        page.goto(address)
        ready(page, "prompts-to-try")
        page.route("**/queue/join*", refuse_runs)
        generate(page, PROMPT)
        expect(page.get_by_text("currently busy. Please try again").first).to_be_visible()
        expect(page.locator("#generate")).to_be_enabled()
        expect(page.locator("#stop")).to_be_disabled()


@pytest.mark.full
def test_the_page_and_a_run_ask_for_nothing_on_tabs_that_nobody_sees(
    browser: Browser, shipped: str
) -> None:
    with visit(browser, shipped) as page:
        ready(page, "prompts-to-try")
        config = page.evaluate("fetch('config').then((reply) => reply.json())")
        names = {each["id"]: each["props"].get("elem_id") for each in config["components"]}
        outputs = {each["id"]: each["outputs"] for each in config["dependencies"]}
        asked: list[str] = []

        def note(request: Request) -> None:
            if "/queue/join" in request.url and request.post_data_json:
                of_event = outputs[request.post_data_json["fn_index"]]
                asked.extend(str(names[output]) for output in of_event)

        page.on("request", note)
        page.reload()
        ready(page, "generate")
        expect(page.locator("#cards .tile").first).to_be_visible()
        generate(page, "four green squares")
        expect(page.locator("#status")).to_contain_text("4 judged in")
        expect(page.locator("#generate")).to_be_enabled()
        assert "status" in asked
        tabs = ("fig-", "scene-graph-", "factual-", "answers", "beside", "compositions")
        later = ("board", "judges-", "people-", "errors-")
        assert [name for name in asked if name.startswith((*tabs, *later))] == []
        open_tab(page, "I-HallA")
        expect(page.locator("#answers")).to_contain_text("What kind of shape")


@pytest.mark.full
def test_a_tab_that_is_opened_during_a_run_follows_it_to_its_end(
    browser: Browser, apps: SharedApps
) -> None:
    with visit(browser, apps.fresh(latency=0.3)) as page:
        ready(page, "prompts-to-try")
        generate(page, PROMPT)
        expect(page.locator("#status")).to_contain_text("0 of 4 judgments")
        open_tab(page, "I-HallA")
        expect(page.locator("#answers")).to_contain_text("queued")
        expect(page.locator("#answers")).not_to_contain_text("queued")


def test_arrow_keys_open_the_tabs_beside_and_the_tab_key_passes_each_row_once(
    browser: Browser, address: str
) -> None:
    with visit(browser, address) as page:
        stops = page.locator("#tabs > .tab-wrapper [role=tab][tabindex='0']:visible")
        expect(stops).to_have_count(1)
        page.locator("#tabs > .tab-wrapper [role=tab][data-tab-id=evaluate]").first.focus()
        for key, title in (("ArrowRight", "Leaderboard"), ("End", "Learn"), ("Home", "Evaluate")):
            page.keyboard.press(key)
            opened = page.locator("#tabs > .tab-wrapper [role=tab][aria-selected=true]:visible")
            expect(opened).to_have_text(title)
            expect(opened).to_be_focused()
        expect(stops).to_have_count(1)
