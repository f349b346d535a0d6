"""Tests the two baselines with BLIP: image-text matching, and questions on noun phrases."""

from collections.abc import Callable
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.records import Score
from hallascope.data.requests import (
    Answer,
    Ask,
    Match,
    Matched,
    Reply,
    Request,
)
from tests.support.baseline_reports import LEFT_OUT, PROMPT, judge_by
from tests.support.scripted_vision import evidence_of


def test_image_text_matching_is_the_models_probability() -> None:
    asked: list[Request] = []
    report = judge_by("blip-itm", lambda _: Matched(0.83), asked)
    assert report.score == Score(0.83, 1, 0)
    assert [one.text for one in asked if isinstance(one, Match)] == [PROMPT]


def chances(*each: float) -> Callable[[Request], Reply]:
    rest = iter(each)
    return lambda _: Answer("Yes", (chance := next(rest), 1 - chance))


def test_blip_vqa_is_the_product_over_the_noun_phrases_asked_one_by_one() -> None:
    asked: list[Request] = []
    report = judge_by("blip-vqa", chances(0.9, 0.4), asked)
    assert [one.question for one in asked if isinstance(one, Ask)] == [
        "a red circle?",
        "two blue squares?",
    ]
    assert report.score == Score(report.score.value, 1, 0)
    assert report.score.value == pytest.approx(0.36)
    assert [(one.expected, one.state) for one in evidence_of(report).findings] == [
        ("a red circle", "correct"),
        ("two blue squares", "incorrect"),
    ]
    assert [PROMPT[slice(*one.prompt_spans[0])] for one in evidence_of(report).findings] == [
        "a red circle",
        "two blue squares",
    ]


def test_a_judge_without_probabilities_is_left_out_and_told_what_to_choose() -> None:
    report = judge_by("blip-vqa", lambda _: Answer("Yes"))
    assert report.score == LEFT_OUT
    assert "choose one that ranks answers" in evidence_of(report).findings[0].note


def test_a_prompt_without_noun_phrases_has_no_score() -> None:
    assert judge_by("blip-vqa", lambda _: Answer("Yes", (1.0, 0.0)), prompt="!").score == LEFT_OUT


@given(st.lists(st.floats(0, 1), min_size=2, max_size=2))
def test_the_product_stays_between_zero_and_the_least(each: list[float]) -> None:
    value = judge_by("blip-vqa", chances(*each)).score.value
    assert value == pytest.approx(prod(each))
    assert value is not None
    assert 0 <= value <= min(each) + 1e-12
