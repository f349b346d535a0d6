"""What a judge makes of a fact whose truth is known has one of four names."""

import pytest

from hallascope.data.records import Letter
from hallascope.metrics.true_answers import TrueAnswer, is_violated, judge_outcome
from tests.support.tiles import verdict


@pytest.mark.parametrize(
    ("answer", "true", "outcome"),
    [
        ("C", "C", "right"),
        ("B", "B", "found"),
        ("D", "B", "found"),
        ("E", "B", "found"),
        ("C", "B", "missed"),
        ("C", None, "missed"),
        ("B", "C", "false alarm"),
        (None, "B", None),
    ],
)
def test_an_answer_is_compared_with_what_the_image_shows(
    answer: str | None, true: Letter | None, outcome: str | None
) -> None:
    # the expected answer is C
    assert judge_outcome(verdict("correct", answer), TrueAnswer(true, "it", "drawn")) == outcome


def test_nothing_is_said_where_the_truth_is_not_known() -> None:
    assert judge_outcome(verdict("correct"), None) is None
    assert is_violated(verdict("correct").question, None) is None
