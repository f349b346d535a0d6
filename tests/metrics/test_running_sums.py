"""Tests that sums of prompts give the mean of their scores, with an interval within the bounds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.records import Report, Score
from hallascope.metrics.running_sums import ALL, Sums, mean, score_contributions

SCORES = st.lists(st.floats(0, 1), min_size=1, max_size=20)


def sums_of(scores: list[float]) -> Sums:
    total = Sums()
    for score in scores:
        own = Sums(
            prompts=1, total=score, weight=1.0, squares=score * score, products=score, weights=1.0
        )
        total = total.plus(own)
    return total


@given(SCORES)
def test_the_mean_of_sums_is_that_of_the_scores_and_lies_in_its_interval(
    scores: list[float],
) -> None:
    found = mean(sums_of(scores), (0.0, 1.0))
    assert found.n == len(scores)
    assert found.value == pytest.approx(sum(scores) / len(scores))
    if found.low is not None and found.high is not None:
        assert found.value is not None
        assert 0 <= found.low <= found.value <= found.high
        assert found.high <= max(1.0, found.value)


def test_without_prompts_there_is_no_mean() -> None:
    found = mean(Sums(empty=3), (0.0, 1.0))
    assert (found.value, found.n, found.left_out) == (None, 0, 3)


def test_a_score_without_a_value_adds_nothing_but_what_was_left_out() -> None:
    report = Report(
        metric="fig",
        version="1",
        prompt="p",
        image="i",
        scores={
            "score": Score(None, 0, 4),
            "object": Score(0.5, 2, 0),
            "unused": Score(None, 0, 0),
        },
    )
    left_out, counted = score_contributions(report)
    assert (left_out.score, left_out.part, left_out.weight, left_out.unanswered) == (
        "score",
        ALL,
        0.0,
        4,
    )
    assert (counted.score, counted.total, counted.weight) == ("object", 0.5, 1.0)


def test_a_value_that_is_no_number_counts_as_none() -> None:
    report = Report(
        metric="clipscore",
        version="1",
        prompt="p",
        image="i",
        scores={"score": Score(float("nan"), 1, 0)},
    )
    (contribution,) = score_contributions(report)
    assert (contribution.total, contribution.weight) == (0.0, 0.0)
