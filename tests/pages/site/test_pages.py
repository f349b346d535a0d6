"""Pages of a site: framed alike, linked relatively, named by ids, and no person is named."""

from dataclasses import replace
from pathlib import PurePosixPath

from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from hallascope.components.html.judge_chip import judge_chip, judge_mark
from hallascope.data.requests import Failure
from hallascope.engine.events import UPLOADED, EvaluationFailed
from hallascope.engine.run.result import RunResult
from hallascope.engine.services import Services
from hallascope.engine.storage.people.ratings import IHALLA, QUESTION, Rating
from hallascope.pages.shared import run_pictures
from hallascope.pages.site import frame, index, paths, people, picture
from hallascope.pages.site.frame import PageLink
from tests.support.run_events import ASKED, MADE, SHOTS, evaluation
from tests.support.run_events import QUESTION as ASKED_QUESTION

# --- frames ---


def test_what_only_a_server_can_do_is_left_out_and_what_a_person_said_stays() -> None:
    plain = frame.without_server(judge_chip("primer/judge"))
    assert plain.startswith(
        '<span class="judge-chip"><span class="called">primer/<wbr>judge</span>'
    )
    assert "<a" not in plain
    assert "<a" not in frame.without_server(judge_mark("primer/judge", None))
    button = '<button type="button" class="fine" aria-pressed="{}">Fine</button>'
    assert frame.without_server(Markup(button.format("false"))) == ""
    assert "a person calls this fine" in frame.without_server(Markup(button.format("true")))


# --- the index ---


VIEW = RunResult(
    run="r1",
    request=replace(ASKED, prompt="<i>a molecule"),
    state="finished",
    shots=(MADE, SHOTS[1]),
    evaluations=(evaluation(),),
)


def test_the_head_says_what_was_not_judged_and_what_failed() -> None:
    failed = EvaluationFailed("r1", "g2", "ihalla", 0, Failure("broken", "It broke."))
    for view, words in (
        (VIEW, "1 image of exact, hasty; 1 evaluation, all questions answered."),
        (replace(VIEW, evaluations=()), "1 image of exact, hasty; not judged."),
        (replace(VIEW, failures=(failed,)), "; 1 evaluation, 1 evaluation failed."),
    ):
        (html,) = index.pages([index.head(view)], Markup())
        assert words in html


def test_many_runs_stand_on_several_pages_that_lead_to_each_other() -> None:
    entries = [index.head(VIEW)] * (index.PROMPTS + 1)
    first, second = index.pages(entries, Markup("<p>boards</p>"))
    assert first.count('href="runs/r1.html"') == index.PROMPTS
    assert second.count('href="runs/r1.html"') == 1
    assert 'href="prompts-2.html"' in first
    assert 'href="index.html">← earlier prompts' in second
    assert "<p>boards</p>" in first
    assert "<p>boards</p>" not in second
    assert f"{index.PROMPTS + 1} images of exact, hasty" in first
    assert "<i>a molecule" not in first + second


def test_the_page_of_a_run_links_each_picture_that_has_a_page() -> None:
    html = index.of_run(VIEW, 0.0, run_pictures.tiles(VIEW))
    assert "run r1 · 1970-01-01 · ihalla · " in html
    assert f'href="../{paths.picture(VIEW, MADE)}"' in html
    assert html.count('class="tile"') == 2
    assert html.count('<article class="tile"') == 1, "the image that is not there leads nowhere"
    assert 'data-count="2"' in html


# --- paths ---


@given(st.text(), st.text())
def test_no_id_leads_out_of_its_folder(run: str, generation: str) -> None:
    view, shot = replace(VIEW, run=run), replace(MADE, generation=generation)
    for name, folder in ((paths.run(view), "runs"), (paths.picture(view, shot), "pictures")):
        path = PurePosixPath(name)
        assert path.parts[0] == folder
        assert len(path.parts) == 2
        assert path.suffix == ".html"


# --- people ---


def rating(rater: str, metric: str, value: str, finding: str = "") -> Rating:
    return Rating(
        image="ab" * 32,
        metric=metric,
        prompt="a molecule",
        finding=finding,
        rater=rater,
        value=value,
        created=0.0,
    )


ANSWER = f"{QUESTION}{ASKED_QUESTION.text}"


def test_answers_are_counted_the_most_frequent_first_without_names() -> None:
    html = people.section(
        [
            rating("ann", IHALLA, "Two", ANSWER),
            rating("bo", IHALLA, "Four", ANSWER),
            rating("cy", IHALLA, "Four", ANSWER),
        ],
        (ASKED_QUESTION,),
    )
    assert "3 people." in html
    assert "<td>Four</td><td>Four (2), Two (1)</td>" in html, "gold, then what people say"
    assert not any(name in html for name in ("ann", ">bo<", ">cy<"))


# --- images ---


def test_a_page_has_the_evidence_the_way_back_and_its_neighbors(ranked: Services) -> None:
    run, *_ = ranked.store.runs()
    view = ranked.view(run.id)
    shot = view.shots[0]
    html = picture.page(ranked, view, shot, (None, PageLink("next.html", "hasty, seed 0")))
    assert f"<h1>{view.request.prompt}</h1>" in html
    assert 'id="ihalla"' in html
    assert f"SHA-256 {shot.image}" in html
    assert 'href="next.html">hasty, seed 0 →' in html
    assert f'href="../runs/{view.run}.html"' in html
    assert "/gradio_api" not in html, "no address of a server"


def test_the_page_of_an_uploaded_image_tells_no_seed(ranked: Services) -> None:
    view = ranked.view(ranked.store.runs()[0].id)
    shot = view.shots[0]
    uploaded = replace(shot, model=UPLOADED)
    assert f"seed {shot.seed}" in picture.page(ranked, view, shot, (None, None))
    assert "seed" not in picture.page(ranked, view, uploaded, (None, None))
