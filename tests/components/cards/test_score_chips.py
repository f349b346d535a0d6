"""Scores of an image say in words what they rest on, and why one is missing."""

import math
from dataclasses import replace

import pytest

from hallascope.components.cards.score_chips import (
    MetricScore,
    chips,
    scale_text,
    table,
    value_text,
)
from hallascope.metrics.base import ScoreSpec
from tests.components.cards.test_cards import EVIL, no_markup_of

SCORE = MetricScore(
    metric="ihalla",
    title="I-HallA",
    presents="questions",
    spec=ScoreSpec("score", "Score"),
    value=0.6,
    counted=5,
    left_out=1,
    trials=1,
)


def test_a_score_says_what_it_counted_and_over_how_many_trials_it_is_the_mean() -> None:
    assert SCORE.summary_text == "I-HallA 0.60: counted 5, left out 1"
    assert replace(SCORE, trials=3).basis_text == "counted 5, left out 1, mean of 3 trials"


def test_a_number_alone_says_its_scale() -> None:
    number = replace(
        SCORE, presents="number", spec=ScoreSpec("score", "CLIPScore", (0.0, 2.5)), left_out=0
    )
    assert number.summary_text == "I-HallA 0.600: from 0 to 2.5"


def test_a_missing_score_says_why() -> None:
    waiting = replace(SCORE, value=None, trials=0, counted=0, left_out=0)
    assert (waiting.short, waiting.basis_text) == ("…", "not evaluated yet")
    refused = replace(waiting, reason="No key.")
    assert (refused.short, refused.basis_text) == ("not run", "No key.")
    empty = replace(SCORE, value=None, counted=0, left_out=5, reason="Nothing was answered.")
    assert empty.summary_text == "I-HallA no score: counted 0, left out 5. Nothing was answered."


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        ((0.0, 2.5), "from 0 to 2.5"),
        ((0.0, math.inf), "0 or more"),
        ((-math.inf, 1.0), "1 or less"),
        ((-math.inf, math.inf), ""),
    ],
)
def test_a_scale_is_said_as_far_as_it_has_ends(bounds: tuple[float, float], words: str) -> None:
    assert scale_text(ScoreSpec("score", "Score", bounds)) == words


def test_no_value_is_a_dash() -> None:
    assert value_text(None, "number") == "–"


def test_one_metric_has_a_chip_and_no_table() -> None:
    assert "1 left out" in chips([SCORE])
    assert 'class="score-chip none"' in chips([replace(SCORE, value=None)])
    assert table([SCORE]) == chips([]) == ""
    assert table([SCORE, SCORE]).count("<tr>") == 2


def test_text_from_elsewhere_stays_text() -> None:
    evil = replace(SCORE, title=EVIL, value=None, trials=0, reason=EVIL)
    assert no_markup_of(EVIL, chips([evil]) + table([evil, evil]))
