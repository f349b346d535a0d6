"""Tests CLIPScore: its numbers by hand, and vectors that do not fit."""

from collections.abc import Callable

import pytest

from hallascope import metrics
from hallascope.data.records import Score
from hallascope.data.requests import (
    Embed,
    Embedded,
    Reply,
    Request,
)
from tests.support.baseline_reports import LEFT_OUT, judge_by
from tests.support.scripted_vision import evidence_of


def vectors(seen: tuple[float, ...], text: tuple[float, ...]) -> Callable[[Request], Reply]:
    return lambda one: Embedded(seen if isinstance(one, Embed) and one.image else text)


@pytest.mark.parametrize(
    ("text", "cosine", "score"),
    [((0.6, 0.8), 0.6, 1.5), ((1.0, 0.0), 1.0, 2.5), ((-0.6, 0.8), -0.6, 0.0)],
)
def test_clipscore_is_two_and_a_half_times_the_cosine_and_never_below_zero(
    text: tuple[float, ...], cosine: float, score: float
) -> None:
    report = judge_by("clipscore", vectors((1.0, 0.0), text))
    assert report.scores["cosine"].value == pytest.approx(cosine)
    assert report.score == Score(report.score.value, 1, 0)
    assert report.score.value == pytest.approx(score)
    low, high = metrics.score("clipscore", "score").bounds
    assert low <= score <= high


def test_vectors_of_two_lengths_are_left_out_and_judge_by() -> None:
    report = judge_by("clipscore", vectors((1.0, 0.0), (1.0,)))
    assert report.score == LEFT_OUT
    assert "choose one with a common space" in evidence_of(report).findings[0].note


@pytest.mark.parametrize(
    ("text", "share", "percent"),
    [((0.3, 0.954), 0.75, 30.0), ((0.6, 0.8), 1.0, 60.0), ((-0.6, 0.8), 0.0, 0.0)],
)
def test_each_normalization_of_a_paper_has_a_score_with_its_own_range(
    text: tuple[float, ...], share: float, percent: float
) -> None:
    report = judge_by("clipscore", vectors((1.0, 0.0), text))
    assert report.scores["share"].value == pytest.approx(share)
    assert report.scores["percent"].value == pytest.approx(percent)
    ranges = [spec.bounds for spec in metrics.scores("clipscore")]
    assert len(set(ranges)) == len(ranges) == len(report.scores)
