"""Draws where models begin to fail: a curve for each model with its band, and the levels as table.

Axes without an order have marks with intervals in place of curves.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup, escape

from hallascope.components.html.markup import column_heads, join, scroll_region, tag
from hallascope.components.theme.model_colors import INK, LINE, model_style

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

_BAND = 0.16  # opacity of the 95 % interval of a curve
_AXIS = {"gridcolor": LINE, "zerolinecolor": LINE, "linecolor": LINE}
_LAYOUT = {
    "paper_bgcolor": "rgba(0,0,0,0)",
    "plot_bgcolor": "rgba(0,0,0,0)",
    "font": {"color": INK, "size": 13},
    "margin": {"l": 48, "r": 8, "t": 16, "b": 40},
    "height": 340,
    "legend": {"orientation": "h", "y": -0.25},
}


class ShareBand(NamedTuple):
    """Holds a share in [0, 1] with the ends of its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class ProbePoint:
    """Holds one level of a model as it is shown; `share` None: no image was answered.

    `curve` is None on axes without an order. `without` are images without an answer, or not made.
    """

    label: str
    prompt: str
    failed: int
    answered: int
    without: int
    share: ShareBand | None
    curve: ShareBand | None = None


@dataclass(frozen=True, kw_only=True)
class ProbeLine:
    """Holds the levels of one model, and what was found of it in one sentence."""

    model: str
    sentence: str
    points: tuple[ProbePoint, ...]


def probe_figure(lines: Sequence[ProbeLine], axis: str) -> "Figure":
    """Draw the share of failing images by level, in percent."""
    from plotly import graph_objects as go

    figure = go.Figure()
    models = [line.model for line in lines]
    for line in lines:
        style = model_style(line.model, models)
        curve = [point for point in line.points if point.curve]
        if curve:
            _add_curve(figure, line.model, curve, style.color, style.dash)
        _add_points(figure, line, style.color, style.mark, is_named=not curve)
    figure.add_hline(y=50, line={"color": LINE, "dash": "dot"})
    labels = list(dict.fromkeys(point.label for line in lines for point in line.points))
    return figure.update_layout(
        **_LAYOUT,
        xaxis={
            **_AXIS,
            "type": "category",
            "categoryarray": labels,
            "title": {"text": escape(axis)},
        },
        yaxis={**_AXIS, "title": {"text": "images that fail, %"}, "range": [-4, 104]},
    )


def _add_curve(
    figure: "Figure", model: str, points: Sequence[ProbePoint], color: str, dash: str
) -> None:
    labels = [point.label for point in points]
    bands = [point.curve for point in points if point.curve]
    edges = [*(band.high for band in bands), *(band.low for band in reversed(bands))]
    figure.add_scatter(
        x=[*labels, *reversed(labels)],
        y=[100 * edge for edge in edges],
        fill="toself",
        fillcolor=color,
        opacity=_BAND,
        mode="none",
        hoverinfo="skip",
        showlegend=False,
    )
    figure.add_scatter(
        name=escape(model),
        x=labels,
        y=[100 * band.value for band in bands],
        mode="lines",
        line={"color": color, "dash": dash, "width": 2},
        hoverinfo="skip",
    )


def _add_points(
    figure: "Figure", line: ProbeLine, color: str, mark: str, *, is_named: bool
) -> None:
    known = [(point, point.share) for point in line.points if point.share]
    error = {
        "type": "data",
        "symmetric": False,
        "array": [100 * (share.high - share.value) for _, share in known],
        "arrayminus": [100 * (share.value - share.low) for _, share in known],
        "color": color,
        "thickness": 1.2,
    }
    figure.add_scatter(
        name=escape(line.model),
        x=[point.label for point, _ in known],
        y=[100 * share.value for _, share in known],
        mode="markers",
        marker={"color": color, "symbol": mark, "size": 9},
        error_y=error,
        showlegend=is_named,
        hovertext=[f"{point.failed} of {point.answered} images fail" for point, _ in known],
    )


def probe_findings(
    lines: Sequence[ProbeLine], comparisons: Sequence[str], note: str = ""
) -> Markup:
    """Return what was found in sentences, and all levels as a table."""
    if not lines:
        return Markup()
    sentences = [tag("li", sentence) for sentence in (*(li.sentence for li in lines), *comparisons)]
    heads = column_heads(["model", "level", "fail", "share (95 %)", "without an answer", "prompt"])
    rows = [_row(line.model, point) for line in lines for point in line.points]
    table = tag("table", tag("thead", tag("tr", heads)), tag("tbody", *rows))
    return join(
        tag("ul", *sentences, class_="findings"),
        tag("p", note, class_="soft") if note else "",
        tag("div", scroll_region(table, "Levels of the probe"), class_="compare"),
    )


def _row(model: str, point: ProbePoint) -> Markup:
    share = point.share
    words = "no answer"
    if share:
        words = f"{share.value:.2f} ({share.low:.2f} to {share.high:.2f})"
    return tag(
        "tr",
        tag("td", model),
        tag("th", point.label, scope="row"),
        tag("td", f"{point.failed} of {point.answered}"),
        tag("td", words),
        tag("td", str(point.without)),
        tag("td", point.prompt),
    )
