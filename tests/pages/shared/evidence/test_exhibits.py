"""Every metric of a run is seen: a number as a number, each score on the card and in the panel."""

import re

import pytest

from hallascope import metrics
from hallascope.components.cards.cards import tile_card
from hallascope.data.requests import Failure, Reply, Request
from hallascope.pages.shared import run_pictures
from hallascope.pages.shared.evidence.handlers import evidence
from tests.pages.conftest import Judged, chip

NUMBERS = ("clipscore", "clip-t", "clip-i", "dino", "dino-v1", "blip-itm")
SPURIOUS = ("not judged yet", "0 of 0", "There are no questions", "not counted")


def fails(request: Request) -> Reply:
    return Failure("timeout", "The embedder took too long.")


@pytest.mark.parametrize("metric", NUMBERS)
def test_an_image_judged_by_a_number_says_this_number_wherever_it_is_shown(
    judged: Judged, metric: str
) -> None:
    services, view = judged(metric)
    (report,) = [evaluation.report for evaluation in view.evaluations]
    (tile,) = run_pictures.tiles(view)
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
    (tile,) = run_pictures.tiles(view)
    assert "no score" in tile.verdict_text
    for html in (tile_card(tile), evidence(services, view.run, tile.key)):
        assert "The embedder took too long." in html
        assert "0.000" not in html, "what is left out is no zero"
        assert [words for words in SPURIOUS if words in html] == []


def test_every_chosen_metric_stands_on_the_card_and_in_the_panel(judged: Judged) -> None:
    names = ("ihalla", "clipscore", "clip-t", "blip-itm")
    services, view = judged(*names)
    (tile,) = run_pictures.tiles(view)
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
    (tile,) = run_pictures.tiles(view)
    card = tile_card(tile)
    assert (
        chip(card, "CLIPScore")
        == "CLIPScore no score: left out 1. The embedder gave no vector: The embedder took too"
        " long."
    )
    assert "I-HallA 0.80" in chip(card, "I-HallA")
    assert "left out 1" in evidence(services, view.run, tile.key)
