"""The static site of two runs, opened from the disk: what belongs together lights up together, by
day, by night and on a phone.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from hallascope.data.models.specs import read_models
from hallascope.data.records import Question, Report, Score, Verdict
from hallascope.data.requests import Failure, Generated, Role
from hallascope.engine.events import EvaluateRequest, Evaluation
from hallascope.engine.export.formats import ExportSource, export
from hallascope.engine.export.secret_scan import Secrets
from hallascope.engine.services import Services
from hallascope.engine.storage.store import PictureSlot, Store
from tests.support import scene_graphs, viewer_app
from tests.support.browser import shot, too_wide, visit
from tests.support.marks import paint

pytestmark = pytest.mark.browser
ASKED = (
    Question(
        text="How many circles are red?",
        choices=("one", "two", "three", "four", "None of the above"),
        gold="B",
        coi="counting",
    ),
    Question(
        text="What colour is the square?",
        choices=("red", "black", "green", "blue", "None of the above"),
        gold="D",
        coi="color",
    ),
)
HOSTILE = viewer_app.EVIL[:60]


def answered(prompt: str, image: str, wrong: bool) -> Report:
    first = Verdict(
        question=ASKED[0],
        answer="A" if wrong else "B",
        state="incorrect" if wrong else "correct",
        raw="A) one" if wrong else "B) two",
        probability=0.75,
    )
    scores = {
        "score": Score(0.5 + 0.5 * (not wrong), 2, 0),
        "strict": Score(float(not wrong), 1, 0),
    }
    return Report(
        metric="ihalla",
        version="2",
        prompt=prompt,
        image=image,
        scores=scores,
        verdicts=(first, Verdict(question=ASKED[1], answer="D", state="correct", raw="D) blue")),
        published={"score": 0.5},
    )


def keep(store: Store, run: str, prompt: str, folder: Path) -> None:
    """Three pictures by questions, stages and graphs, and one that could not be made."""
    models = ("primer/exact", "primer/hasty", "primer/careless", "primer/diffusion-tiny")
    places = [
        PictureSlot(id=f"{run}-{i}", prompt=prompt, model=model, revision="r1", seed=i, settings={})
        for i, model in enumerate(models)
    ]
    store.start_run(
        run,
        EvaluateRequest(prompt=prompt, models=models, metrics=("ihalla", "fig", "scene-graph")),
        places,
        ASKED,
    )
    for place in places[:-1]:
        drawn = paint(viewer_app.evidence(), folder / f"{run}.png", 384 + place.seed)
        image = store.keep_image(drawn.read_bytes())
        store.keep_picture(place, image, Generated(b""), 0.4)
        said = [
            answered(prompt, image.sha256, wrong=place.seed > 0),
            viewer_app.report(viewer_app.evidence()),
            scene_graphs.report(scene_graphs.evidence()),
        ]
        for report in said:
            report = replace(report, prompt=prompt, image=image.sha256)
            lineup: dict[Role, str] = {"judge": "primer/judge", "detector": "primer/segmenter"}
            judge = None if report.metric == "fig" else "primer/judge"
            store.keep_evaluation(
                run,
                Evaluation(
                    generation=place.id,
                    model=place.model,
                    image=image.sha256,
                    metric=report.metric,
                    judge=judge,
                    trial=0,
                    report=report,
                    cached=False,
                    lineup=lineup,
                ),
            )
    store.keep_failure(
        places[-1], Failure("timeout", "primer/diffusion-tiny took too long: try again.")
    )
    store.end_run(run, "finished")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    store = Store(folder=folder / "home")
    keep(store, "run1", viewer_app.PROMPT, folder)
    keep(store, "run2", HOSTILE, folder)
    export(
        ExportSource(services=Services(store, read_models()), runs=["run1", "run2"]),
        "site",
        folder / "out",
        secrets=Secrets({}),
    )
    store.close()
    return folder / "out"


@pytest.fixture
def page(browser: Browser, site: Path) -> Iterator[Page]:
    """The page of the second picture."""
    with visit(browser, f"{site.as_uri()}/", "pictures/run1.run1-1.html") as opened:
        expect(opened.locator("[data-viewer][data-ready]")).to_have_count(3)
        yield opened


def by(page: Page, metric: str) -> Locator:
    return page.locator(f"#{metric}")


def test_pointing_at_a_segment_lights_its_rows_and_choosing_it_marks_them(page: Page) -> None:
    fig = by(page, "fig")
    star = fig.locator('.region[data-part="star"]')
    star.hover()
    expect(fig.locator(".extras tr.near")).to_have_count(1)
    expect(fig.locator(".word.near")).to_have_text("small star")
    star.click()
    expect(fig.locator(".extras tr.lit")).to_have_count(1)
    expect(fig.locator(".hint")).to_have_text("Not in the prompt star.")
    expect(fig.locator("img")).to_have_js_property("naturalWidth", 385)
    shot(page, "site-picture")


@pytest.mark.full
def test_what_is_chosen_of_one_metric_leaves_the_others_alone_and_stands_in_the_address(
    page: Page,
) -> None:
    suggested = by(page, "ihalla").locator(".question.lit .question-title")
    expect(suggested).to_have_count(1)  # the first that is wrong
    before = suggested.inner_text()
    fig = by(page, "fig")
    fig.locator(
        ".rows tr", has=page.get_by_role("button", name=re.compile("two red circles"))
    ).first.click()
    assert [one.get_attribute("data-part") for one in fig.locator(".region.lit").all()] == [
        "circle",
        "circle",
    ]
    expect(suggested).to_have_text(before)
    expect(by(page, "scene-graph").locator(".lit")).to_have_count(0)
    expect(page).to_have_url(re.compile("finding=4"))
    page.reload()
    expect(by(page, "fig").locator(".region.lit")).to_have_count(2)
    expect(by(page, "scene-graph").locator(".lit")).to_have_count(0)


@pytest.mark.full
def test_nothing_is_offered_that_needs_a_server(page: Page) -> None:
    expect(page.locator("a.judge-chip, button.fine")).to_have_count(0)
    links = page.locator("a[href]").evaluate_all(
        "links => links.map((link) => link.getAttribute('href'))"
    )
    assert links
    assert not [link for link in links if re.match(r"[a-z]+:|/|\?", link)]


@pytest.mark.full
def test_from_the_index_every_picture_can_be_reached_and_left(browser: Browser, site: Path) -> None:
    with visit(browser, f"{site.as_uri()}/", "index.html") as page:
        expect(page.locator(".board")).to_have_count(3)
        shot(page, "site-index")
        page.get_by_role("link", name=viewer_app.PROMPT).click()
        expect(page.locator(".tile")).to_have_count(4)
        expect(page.locator(".tile img")).to_have_count(3)
        shot(page, "site-run")
        page.locator("a.tile").first.click()
        expect(page.locator(".turning")).to_contain_text("hasty, seed 1 →")
        page.get_by_role("link", name="hasty, seed 1 →").click()
        expect(page.locator(".turning")).to_contain_text("← exact, seed 0")
        page.get_by_role("link", name="All results").click()
        expect(page.locator("h1")).to_have_text("2 prompts")


@pytest.mark.full
def test_texts_that_try_to_be_markup_are_texts(browser: Browser, site: Path) -> None:
    for name in ("index.html", "runs/run2.html", "pictures/run2.run2-0.html"):
        with visit(browser, f"{site.as_uri()}/", name) as page:
            expect(page.locator("body")).to_contain_text(HOSTILE)
            assert page.evaluate("window.hit") is None


@pytest.mark.full
def test_the_look_is_kept_and_a_phone_shows_everything(browser: Browser, site: Path) -> None:
    with visit(browser, f"{site.as_uri()}/", "pictures/run1.run1-1.html") as page:
        page.locator("[data-look]").click()
        expect(page.locator("body")).to_have_class("dark")
        page.reload()
        expect(page.locator("body")).to_have_class("dark")
        shot(page, "site-dark")
        page.set_viewport_size({"width": 390, "height": 844})
        for name in ("pictures/run1.run1-1.html", "runs/run1.html", "index.html"):
            page.goto(f"{site.as_uri()}/{name}")
            assert too_wide(page) == 0, name
            shot(page, f"site-phone-{name.partition('/')[0].removesuffix('.html')}")
