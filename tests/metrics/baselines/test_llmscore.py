"""Tests LLMScore: what the writer sees, and how its rating is read."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.records import Score
from hallascope.data.requests import (
    Answer,
    Describe,
    Reply,
    Request,
    Write,
)
from hallascope.metrics.baselines.llmscore import parse_rating
from tests.support.baseline_reports import LEFT_OUT, PROMPT, judge_by
from tests.support.scripted_vision import evidence_of


def rated(rating: str, caption: str = "A red circle.") -> Callable[[Request], Reply]:
    return lambda one: Answer(caption if isinstance(one, Describe) else rating)


def test_llmscore_is_the_rating_of_a_writer_that_sees_the_caption_and_no_picture() -> None:
    asked: list[Request] = []
    report = judge_by("llmscore", rated('{"score": 40, "reason": "No squares."}'), asked)
    assert report.score == Score(0.4, 1, 0)
    describe, write = asked
    assert isinstance(describe, Describe)
    assert PROMPT not in describe.text
    assert isinstance(write, Write)
    assert "A red circle." in write.text
    assert PROMPT in write.text
    assert evidence_of(report).caption == "A red circle."


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"score": 100, "reason": ""}', 1.0),
        ("Score: 72/100", 0.72),
        ("85", 0.85),
        ("<think>90</think> 20", 0.2),
        ('{"score": 140}', None),
        ('{"score": true}', None),
        ("between 20 and 40", None),
        ("good", None),
        ("", None),
        ("1000", None),
        ("-5", None),
    ],
)
def test_a_rating_is_read_where_it_is_one_number_from_0_to_100(
    text: str, value: float | None
) -> None:
    assert parse_rating(text) == value


@given(st.text(max_size=80))
def test_any_reply_is_a_rating_in_bounds_or_none(text: str) -> None:
    value = parse_rating(text)
    assert value is None or 0 <= value <= 1


def test_an_unreadable_rating_is_left_out() -> None:
    report = judge_by("llmscore", rated("splendid"))
    assert report.score == LEFT_OUT
    assert evidence_of(report).findings[0].state == "unreadable"
