"""Draws values with their intervals: a line a metric, a color and a sign a statistic.

Colors of text and grid are left to the style sheet, so that the figure follows the look of the
page.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from hallascope.components.labels.agreement import draw_figure, estimate_text
from hallascope.components.theme.model_colors import COLORS, INK, MARKS, distance
from hallascope.metrics.statistics.intervals import IntervalEstimate

if TYPE_CHECKING:
    from plotly.graph_objects import Figure, Scatter

_ROW = 34  # pixels of a line of the figure
_BAND = 0.6  # of a line is taken by its signs
_LONGEST = 22  # signs of a name beside its line; the whole name is in the hover text


def interval_dots(
    rows: Mapping[str, Mapping[str, IntervalEstimate]],
    title: str,
    rule: str,
    reached: float | None,
) -> "Figure | None":
    """Draw the values of each metric by statistic as signs with 95 % intervals, from the top down.

    `title` stands at the axis; a dotted line is what a `rule` without a metric reaches, where that
    is known. A value that is None is left out; None is returned where all are.
    """
    titles = list(dict.fromkeys(title for values in rows.values() for title in values))
    traces = [_trace(rows, titles, number) for number in range(len(titles))]
    traces = [trace for trace in traces if len(trace.x)]
    if not traces:
        return None
    if reached is not None:
        traces.append(_dotted_line(rule, reached, len(rows)))
    yaxis = {
        "tickvals": list(range(len(rows))),
        "ticktext": [escape(_short(name)) for name in rows],
        "range": [len(rows) - 0.5, -0.5],
        "automargin": True,
        "showgrid": False,
    }
    height = _ROW * len(titles) * len(rows) // 2 + _ROW * len(rows) // 2 + 120
    return draw_figure(traces, height, {"title": escape(title)}, yaxis, left=16)


def _dotted_line(rule: str, reached: float, rows: int) -> "Scatter":
    from plotly.graph_objects import Scatter

    return Scatter(
        x=[reached, reached],
        y=[-0.5, rows - 0.5],
        mode="lines",
        name=escape(rule),
        line={"color": INK, "width": 1.5, "dash": "dot"},
        hoverinfo="skip",
    )


def _trace(
    rows: Mapping[str, Mapping[str, IntervalEstimate]], titles: Sequence[str], number: int
) -> "Scatter":
    """Return the signs of one statistic, beside those of the others of the same line."""
    from plotly.graph_objects import Scatter

    title = titles[number]
    offset = _BAND * ((number + 0.5) / len(titles) - 0.5)
    shown = [
        (place + offset, name, value)
        for place, (name, values) in enumerate(rows.items())
        if (value := values.get(title)) is not None and value.value is not None
    ]
    return Scatter(
        x=[value.value for _, _, value in shown],
        y=[place for place, _, _ in shown],
        error_x={
            "type": "data",
            "array": [distance(value.value, value.high) for _, _, value in shown],
            "arrayminus": [distance(value.low, value.value) for _, _, value in shown],
            "thickness": 1.6,
            "width": 4,
        },
        mode="markers",
        name=escape(title),
        text=[f"{escape(name)}: {estimate_text(*value)}" for _, name, value in shown],
        hovertemplate=Markup("%{text}<extra>{}</extra>").replace("{}", escape(title)),
        marker={
            "size": 10,
            "symbol": MARKS[number % len(MARKS)],
            "color": COLORS[number % len(COLORS)],
        },
    )


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
