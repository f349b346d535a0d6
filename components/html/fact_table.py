"""Makes a small table of names with a value each."""

from collections.abc import Sequence

from markupsafe import Markup

from hallascope.components.html.judge_chip import judge_chip
from hallascope.components.html.markup import table_row, tag
from hallascope.metrics.judge_reliability import JudgeReliability


def fact_table(
    rows: Sequence[tuple[str, str]], reliability: JudgeReliability | None = None
) -> Markup:
    """Return a small table of names with a value each.

    A judge is a chip that leads to what is known of it; `reliability` is what to expect of it, None
    where that was not measured.
    """
    lines = (
        table_row(name, judge_chip(value, reliability) if name == "judge" else value)
        for name, value in rows
    )
    return tag("table", tag("tbody", *lines), class_="facts")
