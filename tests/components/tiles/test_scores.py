"""Scores say in words what they rest on, and why one is missing."""

import math
from dataclasses import replace

import pytest

from hallascope.components.tiles.scores import (
    MetricScore,
    correct_of,
    count_text,
    number_text,
    scale_text,
    score_with_counts,
    trial_rows,
    value_text,
    verdict_summary,
    yes_no,
)
from hallascope.data.records import Score, State
from hallascope.metrics.base import ScoreSpec
from tests.support.tiles import report

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


def test_a_score_says_what_it_counted() -> None:
    assert score_with_counts(Score(0.6, 5, 0)) == "0.60, counted 5, left out 0"
    assert score_with_counts(Score(None, 0, 5)) == "no score, counted 0, left out 5"


def test_two_answers_left_out_show_a_score_over_three() -> None:
    states: list[State] = ["correct", "incorrect", "correct", "failed", "unreadable"]
    assert correct_of(states) == "2 of 3"
    assert verdict_summary(states) == "2 of 3 correct, 2 left out"


def test_nothing_judged_is_no_share() -> None:
    assert verdict_summary([]) == "not judged yet"


@pytest.mark.parametrize(
    ("score", "words"),
    [
        (None, "not counted"),
        (Score(None, 0, 1), "not counted"),
        (Score(1.0, 1, 0), "yes"),
        (Score(0.5, 1, 0), "no"),
    ],
)
def test_the_strict_score_is_yes_or_no(score: Score | None, words: str) -> None:
    assert yes_no(score) == words


def test_several_trials_have_a_mean_with_its_standard_deviation() -> None:
    assert trial_rows([report()]) == []
    assert trial_rows([report(value=0.4), report(value=0.8)]) == [
        ("mean of 2 trials", "0.60 ± 0.28")
    ]
    assert trial_rows([report(value=None), report(value=None)]) == [("mean of 2 trials", "–")]


def test_a_number_has_two_digits_and_says_what_was_left_out_where_anything_was() -> None:
    assert [number_text(value) for value in (0.6, 0.0, None)] == ["0.60", "0.00", "–"]
    assert [count_text(5, 0), count_text(5, 1)] == ["of 5", "of 5, left out 1"]
