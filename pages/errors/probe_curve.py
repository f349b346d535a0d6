"""Draws where models begin to fail: a curve for each model with its band, and the levels as table.

Axes without an order have marks with intervals in place of curves.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from hallascope.components.html.markup import html_table, join, scroll_region, soft_line, tag
from hallascope.components.theme.model_colors import AXIS, LINE, figure_layout, model_style
from hallascope.engine.error_analysis.probe.findings import (
    LevelFinding,
    ModelFinding,
    ProbeFindings,
    comparison_sentence,
    model_sentence,
)

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

_BAND = 0.16  # opacity of the 95 % interval of a curve


def probe_figure(findings: ProbeFindings, known_models: Sequence[str]) -> "Figure":
    """Draw the share of failing images by level, in percent; known models have their looks."""
    from plotly import graph_objects as go

    figure = go.Figure()
    for found in findings.models:
        style = model_style(found.model, known_models)
        curve = [level for level in found.levels if level.curve]
        if curve:
            _add_curve(figure, found.model, curve, style.color, style.dash)
        _add_points(figure, found, style.color, style.mark, is_named=not curve)
    figure.add_hline(y=50, line={"color": LINE, "dash": "dot"})
    labels = [level.level.label for found in findings.models[:1] for level in found.levels]
    return figure.update_layout(
        figure_layout(
            340,
            legend={"orientation": "h", "y": -0.25},
            xaxis={
                **AXIS,
                "type": "category",
                "categoryarray": labels,
                "title": {"text": escape(findings.axis)},
            },
            yaxis={**AXIS, "title": {"text": "images that fail, %"}, "range": [-4, 104]},
        )
    )


def _add_curve(
    figure: "Figure", model: str, levels: Sequence[LevelFinding], color: str, dash: str
) -> None:
    labels = [level.level.label for level in levels]
    bands = [level.curve for level in levels if level.curve]
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
    figure: "Figure", found: ModelFinding, color: str, mark: str, *, is_named: bool
) -> None:
    known = [(level, level.share) for level in found.levels if level.share]
    error = {
        "type": "data",
        "symmetric": False,
        "array": [100 * (share.high - share.value) for _, share in known],
        "arrayminus": [100 * (share.value - share.low) for _, share in known],
        "color": color,
        "thickness": 1.2,
    }
    figure.add_scatter(
        name=escape(found.model),
        x=[level.level.label for level, _ in known],
        y=[100 * share.value for _, share in known],
        mode="markers",
        marker={"color": color, "symbol": mark, "size": 9},
        error_y=error,
        showlegend=is_named,
        hovertext=[f"{_failed(level)} images fail" for level, _ in known],
    )


def probe_table(findings: ProbeFindings, note: str = "") -> Markup:
    """Return what was found in sentences, and all levels as a table."""
    words = [model_sentence(findings.axis, found) for found in findings.models]
    words += map(comparison_sentence, findings.comparisons)
    heads = ("model", "level", "fail", "share (95 %)", "without an answer", "prompt")
    rows = [_row(found.model, level) for found in findings.models for level in found.levels]
    table = html_table(heads, rows)
    return join(
        tag("ul", *(tag("li", sentence) for sentence in words), class_="findings"),
        soft_line(note) if note else "",
        tag("div", scroll_region(table, "Levels of the probe"), class_="compare"),
    )


def _failed(found: LevelFinding) -> str:
    return f"{found.counts.failed} of {found.counts.answered}"


def _row(model: str, found: LevelFinding) -> Markup:
    share = found.share
    words = "no answer"
    if share:
        words = f"{share.value:.2f} ({share.low:.2f} to {share.high:.2f})"
    return tag(
        "tr",
        tag("td", model),
        tag("th", found.level.label, scope="row"),
        tag("td", _failed(found)),
        tag("td", words),
        tag("td", str(found.unanswered + found.not_made)),
        tag("td", found.level.prompt),
    )
