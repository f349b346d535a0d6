"""Tests that only reports with rounds have rows of them."""

from hallascope.cli.output import rounds
from hallascope.data.records import Report, Score


def test_a_report_of_another_metric_has_no_rounds() -> None:
    report = Report(
        metric="ihalla", version="1", prompt="p", image="i", scores={"score": Score(1.0, 5, 0)}
    )
    assert list(rounds.rows(report)) == []


def test_every_state_of_a_criterion_has_words() -> None:
    from typing import get_args

    from hallascope.data.records import State

    assert set(get_args(State)) <= set(rounds._STATE_WORDS)
