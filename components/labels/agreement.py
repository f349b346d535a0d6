"""Shows judges and metrics beside people: statistics as tables, and two figures.

Colors are left to the style sheet, so that the figures follow the look of the page.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup, escape

from hallascope.components.html.markup import (
    html_table,
    panel,
    scroll_region,
    soft_line,
    table_row,
    tag,
)
from hallascope.components.theme.model_colors import COLORS, MARKS, figure_layout
from hallascope.metrics.statistics.intervals import IntervalEstimate, interval_text

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

UNKNOWN = "–"
STATISTICS: Mapping[str, str] = {
    "pearson": "Pearson r",
    "spearman": "Spearman rho",
    "kendall": "Kendall tau-b",
    "pairwise_accuracy": "pairwise accuracy",
}
TIES = (
    "Ties: values equal to 12 significant digits. Spearman: mean ranks. Tau-b: left out of that"
    " side’s pairs. Pairwise accuracy: a pair tied on both sides counts as right, on one side as"
    " wrong."
)
_VIOLIN: Mapping[str, Any] = {
    "points": "all",
    "pointpos": 0,
    "jitter": 0.6,
    "spanmode": "hard",
    "showlegend": False,
    "line": {"color": COLORS[0], "width": 1},
    "marker": {"size": 7, "opacity": 0.55},
    "fillcolor": "rgba(0, 114, 178, 0.14)",
}


def estimate_text(
    value: float | None, low: float | None = None, high: float | None = None, method: str = ""
) -> str:
    """Return a number with its interval, the fields of an `IntervalEstimate`, in words."""
    if value is None:
        return UNKNOWN
    interval = "" if low is None or high is None else f" ({interval_text(low, high)})"
    return f"{value:.3f}{interval}"


class StatisticsRow(NamedTuple):
    """Holds a row of statistics by name, on `n` items.

    `note`: one sentence where one of them is not defined.
    """

    name: str
    n: int
    values: Mapping[str, IntervalEstimate]
    note: str = ""


def statistics(rows: Sequence[StatisticsRow], title: str, first: str, note: str = "") -> Markup:
    """Return a line a metric (or a pair), a column a statistic, each with its interval, and n."""
    if not rows:
        return Markup()
    lines = []
    for row in rows:
        values = [estimate_text(*row.values.get(name, (None,))) for name in STATISTICS]
        lines.append((row.name, *values, f"{row.n:,}"))
    heads = (first, *STATISTICS.values(), "n")
    return table(title, heads, lines, note, [row.note for row in rows if row.note])


def table(
    title: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    note: str = "",
    notes: Sequence[str] = (),
) -> Markup:
    """Return texts in rows, the first of each its name, with sentences beneath them.

    `note` is for them all, `notes` are for single ones.
    """
    lines = (table_row(row[0], *row[1:]) for row in rows)
    content = html_table(heads, lines)
    return panel(
        title,
        scroll_region(content, title),
        soft_line(note) if note else "",
        tag("ul", *(tag("li", sentence) for sentence in notes), class_="notes"),
        class_="statistics",
    )


def left_out_rows(rows: Sequence[str], most: int | None = None) -> Markup:
    """Return the rows that no number counts, each with file, line and problem.

    Of more than `most` the first are listed and the others counted.
    """
    if not rows:
        return Markup()
    number = "1 row is" if len(rows) == 1 else f"{len(rows):,} rows are"
    shown = rows[:most]
    more = len(rows) - len(shown)
    rest = tag("li", f"and {more:,} more: the downloaded result has all of them") if more else ""
    return tag(
        "details",
        tag("summary", f"{number} left out"),
        tag("ul", *(tag("li", row) for row in shown), rest, class_="troubles"),
        class_="rejected",
        open=True,
    )


# --- figures ---


class ScatterPoint(NamedTuple):
    """Holds an item by a metric: its score, people's mean rating, and its picture's address.

    The address is "" where it has none.
    """

    item: str
    score: float
    rating: float
    picture: str = ""


def scatter(points: Mapping[str, Sequence[ScatterPoint]]) -> "Figure":
    """Draw scores beside people's ratings, a color and a sign a metric.

    What the page shows beside a point is in its `customdata`.
    """
    from plotly.graph_objects import Scatter

    traces = [
        Scatter(
            x=[point.score for point in of_metric],
            y=[point.rating for point in of_metric],
            mode="markers",
            name=escape(name),
            marker={
                "size": 10,
                "opacity": 0.8,
                "symbol": MARKS[n % len(MARKS)],
                "color": COLORS[n % len(COLORS)],
            },
            customdata=[[point.item, point.picture] for point in of_metric],
            hoverinfo="none",  # the page shows the picture and the numbers itself
        )
        for n, (name, of_metric) in enumerate(points.items())
    ]
    return draw_figure(
        traces, 460, {"title": "score of the metric"}, {"title": "mean rating of people"}
    )


class RatingStrip(NamedTuple):
    """Holds a model's scores by people, a dot each with who gave it, and each judge's mean.

    Judges' means are over the same pictures.
    """

    model: str
    dots: tuple[tuple[str, float], ...]
    stars: Mapping[str, float]


def violins(strips: Sequence[RatingStrip]) -> "Figure":
    """Draw people's scores as violins with dots, and judges as stars, model by model.

    It follows the figure of I-HallA's user study.
    """
    from plotly.graph_objects import Violin

    shapes = [
        Violin(
            x=[escape(strip.model)] * len(strip.dots),
            y=[value for _, value in strip.dots],
            text=[escape(who) for who, _ in strip.dots],
            name=escape(strip.model),
            hovertemplate=Markup("%{text}: %{y:.2f}<extra></extra>"),
            **_VIOLIN,
        )
        for strip in strips
    ]
    judges = dict.fromkeys(judge for strip in strips for judge in strip.stars)
    stars = [_stars(judge, strips, COLORS[n % len(COLORS)]) for n, judge in enumerate(judges, 1)]
    return draw_figure(
        [*shapes, *stars],
        380,
        {"title": ""},
        {"title": "score of an image", "range": [-0.05, 1.05]},
    )


def _stars(judge: str, strips: Sequence[RatingStrip], color: str) -> object:
    """Draw the mean of one judge, a star for each model that it judged."""
    from plotly.graph_objects import Scatter

    judged = [strip for strip in strips if judge in strip.stars]
    return Scatter(
        x=[escape(strip.model) for strip in judged],
        y=[strip.stars[judge] for strip in judged],
        mode="markers",
        name=escape(judge),
        marker={"symbol": "star", "size": 17, "color": color},
        hovertemplate=Markup("%{y:.2f}<extra>judge</extra>"),
    )


def draw_figure(
    traces: Sequence[object],
    height: int,
    xaxis: Mapping[str, Any],
    yaxis: Mapping[str, Any],
    left: int = 56,
) -> "Figure":
    """Draw traces in the layout of the figures that stand beside people; `left` is a margin."""
    from plotly.graph_objects import Figure

    return Figure(list(traces)).update_layout(
        figure_layout(
            height,
            margin={"l": left, "r": 16, "t": 16, "b": 48},
            template="none",
            xaxis={"zeroline": False, **xaxis},
            yaxis={"zeroline": False, **yaxis},
            legend={"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0},
            hoverlabel={"namelength": -1},
        )
    )
