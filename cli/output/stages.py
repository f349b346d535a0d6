"""Prints a score of FiG as the cell of a table."""

from hallascope.data.records import Report, Score


def cell(report: Report, stage: str) -> str:
    """Return a score in words: "0.50", "0.50 (1 left out)", "-" where there is none."""
    score = report.scores.get(stage, Score(None, 0, 0))
    value = "-" if score.value is None else f"{score.value:.2f}"
    return f"{value} ({score.left_out} left out)" if score.left_out else value
