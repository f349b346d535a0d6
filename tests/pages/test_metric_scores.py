"""Every metric of a run is seen on the page: a number as a number, each score on the card and in
the panel.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hallascope import metrics
from hallascope.backends.base import CallLimits
from hallascope.backends.scripted import Scripted
from hallascope.components.cards.cards import grid, tile_card
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.requests import Embed, Embedded, Failure, Match, Matched, Reply, Request
from hallascope.engine.events import EvaluateRequest, RunView
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.pages import ihalla
from hallascope.pages.shared import run_progress
from hallascope.pages.shared.context import CurrentRun
from hallascope.pages.shared.evidence import evidence
from tests.conftest import says

PROMPT = "a molecule of methane"
NUMBERS = ("clipscore", "clip-t", "clip-i", "dino", "blip-itm")
EMBEDDERS = ("primer/embedder", "dinov2-base", "blip-itm-base")
SPURIOUS = ("not judged yet", "0 of 0", "There are no questions", "not counted")
Compare = Callable[[Request], Reply]


def compares(request: Request) -> Reply:
    """Everything is near everything else: a cosine of 0.8, a probability of 0.75."""
    if isinstance(request, Match):
        return Matched(0.75)
    assert isinstance(request, Embed)
    return Embedded((1.0, 0.0) if request.text or "reference" in str(request.image) else (0.8, 0.6))


def fails(request: Request) -> Reply:
    return Failure("timeout", "The embedder took too long.")


@pytest.fixture
def judged(tmp_path: Path) -> Iterator[Callable[..., tuple[Services, RunView]]]:
    """Runs metrics over one picture of methane and gives what is stored of it."""
    opened: list[Store] = []

    def judge(*names: str, compare: Compare = compares, **changes: Any) -> tuple[Services, RunView]:
        spec = ModelSpec(
            id="primer/judge", title="Scripted judge", roles=("judge",), backend="scripted"
        )
        backends: dict[str, Any] = {spec.id: Scripted(spec, says, limits=CallLimits(1, 1))}
        for name in EMBEDDERS:
            backends[name] = Scripted(
                ModelSpec(id=name, title=name, roles=("embedder",), backend="scripted"), compare
            )
        opened.append(Store(folder=tmp_path / "home"))
        services = Services(opened[-1], read_models(), backends)
        request = EvaluateRequest(prompt=PROMPT, models=("primer/exact",), metrics=names, **changes)
        run = [event.run for event in services.evaluate(request)][-1]
        return services, services.view(run)

    yield judge
    for store in opened:
        store.close()


Judged = Callable[..., tuple[Services, RunView]]


@pytest.mark.parametrize("metric", NUMBERS)
def test_an_image_judged_by_a_number_says_this_number_wherever_it_is_shown(
    judged: Judged, metric: str
) -> None:
    services, view = judged(metric)
    (report,) = [evaluation.report for evaluation in view.evaluations]
    (tile,) = run_progress.tiles(view)
    value, title = f"{report.score.value:.3f}", metrics.get(metric).title
    assert f"{title} {value}" in tile.alt_text, "the alternative text"
    assert f"{title} {value}" in tile.verdict_text
    viewer = evidence(services, view.run, tile.key)
    assert f'<p class="value">{value}</p>' in viewer
    low, high = metrics.score(metric, "score").bounds
    assert f"from {low:g} to {high:g}" in viewer
    for html in (tile_card(tile), viewer):
        assert [words for words in SPURIOUS if words in html] == []


@pytest.mark.parametrize("metric", NUMBERS)
def test_a_number_that_could_not_be_told_is_left_out_and_says_why(
    judged: Judged, metric: str
) -> None:
    services, view = judged(metric, compare=fails)
    (tile,) = run_progress.tiles(view)
    assert "no score" in tile.verdict_text
    for html in (tile_card(tile), evidence(services, view.run, tile.key)):
        assert "The embedder took too long." in html
        assert "0.000" not in html, "what is left out is no zero"
        assert [words for words in SPURIOUS if words in html] == []


def chip(card: str, title: str) -> str:
    """What the chip of a metric says to those who hear the page."""
    chips: list[str] = re.findall(r'<span class="unseen">(.*?)</span>', card)
    return next(words for words in chips if words.startswith(title))


def test_every_chosen_metric_stands_on_the_card_and_in_the_panel(judged: Judged) -> None:
    names = ("ihalla", "clipscore", "clip-t", "blip-itm")
    services, view = judged(*names)
    (tile,) = run_progress.tiles(view)
    card, panel = tile_card(tile), evidence(services, view.run, tile.key)
    assert [score.metric for score in tile.scores] == list(names)
    assert chip(card, "I-HallA") == "I-HallA 0.80: counted 5, left out 0"
    assert chip(card, "CLIP-T") == "CLIP-T 0.800: from -1 to 1"
    for evaluation in view.evaluations:
        value = f"{evaluation.report.score.value:.{2 if evaluation.metric == 'ihalla' else 3}f}"
        title = metrics.get(evaluation.metric).title
        assert f'{title}</span> <span class="number">{value}</span>' in card
        assert re.search(
            rf'<th scope="row">{re.escape(title)}<span'
            rf' class="about">.*?</span></th><td>{value}</td>',
            panel,
        )
    assert "4 of 5" in tile.verdict_text, "the answers go before the number"


def test_what_was_left_out_stands_on_the_chip(judged: Judged) -> None:
    services, view = judged("ihalla", "clipscore", compare=fails)
    (tile,) = run_progress.tiles(view)
    card = tile_card(tile)
    assert (
        chip(card, "CLIPScore")
        == "CLIPScore no score: left out 1. The embedder gave no vector: The embedder took too"
        " long."
    )
    assert "I-HallA 0.80" in chip(card, "I-HallA")
    assert "left out 1" in evidence(services, view.run, tile.key)


def test_a_score_that_is_awaited_keeps_its_place_and_is_no_number(judged: Judged) -> None:
    _, view = judged("ihalla", "clipscore")
    waiting = replace(view, state="running", evaluations=view.evaluations[:0])
    (tile,) = run_progress.tiles(waiting)
    assert [score.value for score in tile.scores] == [None, None]
    assert chip(tile_card(tile), "CLIPScore") == "CLIPScore: not evaluated yet"
    before, after = (
        re.search(r'data-version="(.*?)"', tile_card(run_progress.tiles(each)[0]))
        for each in (waiting, view)
    )
    assert before is not None
    assert after is not None
    assert before[1] != after[1], "the panel is asked anew when a score comes"


def test_several_trials_of_a_judge_are_one_score(judged: Judged) -> None:
    _, view = judged("ihalla", trials=3)
    (tile,) = run_progress.tiles(view)
    assert (
        chip(tile_card(tile), "I-HallA") == "I-HallA 0.80: counted 15, left out 0, mean of 3 trials"
    )


def test_the_number_stands_behind_the_answers_in_whatever_order_they_are_named(
    judged: Judged,
) -> None:
    _, view = judged("clipscore", "ihalla")
    assert run_progress.primary(view) == "ihalla"
    assert [score.title for score in run_progress.tiles(view)[0].scores] == ["CLIPScore", "I-HallA"]


def test_the_ihalla_tab_says_where_a_run_has_no_answers(judged: Judged) -> None:
    services, view = judged("clipscore")
    current = CurrentRun(view.run, done=True)
    assert ihalla.answers(services, current) == ihalla.NOT_ASKED
    assert ihalla.by_coi(services, current) == ""


def test_titles_and_reasons_are_escaped_before_they_are_markup(judged: Judged) -> None:
    evil = "<img src=x onerror=alert(1)>"
    _, view = judged("ihalla", "clipscore", compare=lambda request: Failure("timeout", evil))
    html = grid(run_progress.tiles(view))
    assert evil not in html
    assert "&lt;img src=x" in html
