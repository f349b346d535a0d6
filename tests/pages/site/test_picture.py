"""The page of a picture shows what every metric says of it, each in a section of its own."""

from dataclasses import replace

from hallascope.data.records import Score
from hallascope.engine.events import UPLOADED, Evaluation, RunView
from hallascope.engine.services import Services
from hallascope.pages.site import picture
from hallascope.pages.site.frame import PageLink
from tests.support.run_events import ASKED, MADE, evaluation


def of_metric(metric: str, *, with_answers: bool = True) -> Evaluation:
    report = replace(evaluation().report, metric=metric)
    if not with_answers:
        report = replace(report, verdicts=(), scores={"score": Score(0.5, 1, 0)})
    return replace(evaluation(), metric=metric, report=report)


def view_of(*evaluations: Evaluation) -> RunView:
    return RunView(
        run="r1",
        request=replace(ASKED, metrics=("tifa", "ihalla")),
        state="finished",
        shots=(MADE,),
        evaluations=evaluations,
    )


def test_a_picture_is_named_by_its_model_and_seed_and_an_upload_has_none() -> None:
    assert picture.picture_name(MADE) == "exact, seed 0"
    assert picture.picture_name(replace(MADE, model=UPLOADED)) == "Uploaded image"


def test_metrics_that_were_asked_for_come_first_and_those_with_nothing_to_show_not_at_all() -> None:
    view = view_of(of_metric("haloquest"), of_metric("ihalla"), of_metric("tifa"))
    assert list(picture.metrics_to_show(view, MADE)) == ["tifa", "ihalla", "haloquest"]
    alone = view_of(of_metric("ihalla"), of_metric("clipscore", with_answers=False))
    assert list(picture.metrics_to_show(alone, MADE)) == ["ihalla"]


def test_where_nothing_was_judged_a_section_says_so_all_the_same() -> None:
    assert len(list(picture.metrics_to_show(view_of(), MADE))) == 1


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


def test_two_metrics_keep_their_choices_apart_and_are_linked_at_the_top(ranked: Services) -> None:
    run, *_ = ranked.store.runs()
    view = ranked.view(run.id)
    shot = view.shots[0]
    own = next(e for e in view.evaluations if e.generation == shot.generation)
    tifa = replace(own, metric="tifa", report=replace(own.report, metric="tifa"))
    html = picture.page(ranked, replace(view, evaluations=(own, tifa)), shot)
    assert 'href="#ihalla"' in html
    assert 'href="#tifa"' in html
    assert f"{shot.generation}.ihalla" in html
    assert f"{shot.generation}.tifa" in html


def test_a_bare_number_stands_among_the_other_scores(ranked: Services) -> None:
    run, *_ = ranked.store.runs()
    view = ranked.view(run.id)
    shot = view.shots[0]
    own = next(e for e in view.evaluations if e.generation == shot.generation)
    bare = replace(
        own,
        metric="clipscore",
        report=replace(own.report, metric="clipscore", verdicts=(), evidence=None),
    )
    html = picture.page(ranked, replace(view, evaluations=(own, bare)), shot)
    assert "<h2>Other scores</h2>" in html.partition('id="ihalla"')[2]
