"""Prints a score of FiG as the cell of a table."""

from hallascope.data.records import Report, Score


def cell(report: Report, stage: str) -> str:
    """Return a score in words: "0.50 (n 4)", "0.50 (n 4, 1 left out)", "-" where there is none."""
    score = report.scores.get(stage, Score(None, 0, 0))
    left_out = f"{score.left_out} left out" if score.left_out else ""
    if score.value is None:
        return f"- ({left_out})" if left_out else "-"
    return f"{score.value:.2f} ({', '.join(filter(None, (f'n {score.counted}', left_out)))})"
