"""Tests the cell of a score."""

import pytest

from hallascope.cli.output import stages
from hallascope.data.records import Report, Score


@pytest.mark.parametrize(
    ("score", "cell"),
    [
        (Score(0.5, 4, 0), "0.50"),
        (Score(0.5, 4, 1), "0.50 (1 left out)"),
        (Score(None, 0, 2), "- (2 left out)"),
        (Score(None, 0, 0), "-"),
    ],
)
def test_a_score_says_what_was_left_out(score: Score, cell: str) -> None:
    report = Report(metric="fig", version="1", prompt="p", image="i", scores={"object": score})
    assert stages.cell(report, "object") == cell
    assert stages.cell(report, "relation") == "-", "a score that the report does not have"
