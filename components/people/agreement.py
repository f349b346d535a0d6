"""Judges and metrics beside people: statistics as tables, and two figures.

It is given numbers and computes none.

Colours are left to the style sheet, so that the figures follow the look of the page.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from hallascope.components.html.markup import text

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
    "95 % bootstrap intervals, resampled by item. Ties: mean ranks for Spearman; left out of their"
    " side’s pairs for tau-b; a pair tied on both sides counts as right, on one side as wrong, for"
    " the pairwise accuracy."
)
SYMBOLS = ("circle", "diamond", "square", "cross", "x", "triangle-up", "star", "hexagon")
COLOURS = ("#3f6fd8", "#c77d1e", "#2a9168", "#b0483f", "#7d5bc0", "#4f8aa3", "#8a7a2c", "#b3568f")
_VIOLIN: Mapping[str, Any] = {
    "points": "all",
    "pointpos": 0,
    "jitter": 0.6,
    "spanmode": "hard",
    "showlegend": False,
    "line": {"color": COLOURS[0], "width": 1},
    "marker": {"size": 7, "opacity": 0.55},
    "fillcolor": "rgba(63, 111, 216, 0.14)",
}


class IntervalValue(NamedTuple):
    """A number with its interval; None where it is not defined."""

    value: float | None
    low: float | None = None
    high: float | None = None

    @property
    def value_text(self) -> str:
        if self.value is None:
            return UNKNOWN
        return f"{self.value:.3f}" + (
            "" if self.low is None or self.high is None else f" ({self.low:.3f} to {self.high:.3f})"
        )


class StatisticsRow(NamedTuple):
    """A row of statistics by name, on `n` items.

    `note`: one sentence where one of them is not defined.
    """

    name: str
    n: int
    values: Mapping[str, IntervalValue]
    note: str = ""


def statistics(lines: Sequence[StatisticsRow], title: str, first: str, note: str = "") -> str:
    """A line a metric (or a pair), a column a statistic, each with its interval, and n."""
    if not lines:
        return ""
    rows = [
        (
            line.name,
            *(line.values.get(name, IntervalValue(None)).value_text for name in STATISTICS),
            f"{line.n:,}",
        )
        for line in lines
    ]
    return table(
        title,
        (first, *STATISTICS.values(), "n"),
        rows,
        note,
        [line.note for line in lines if line.note],
    )


def table(
    title: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    note: str = "",
    notes: Sequence[str] = (),
) -> str:
    """Return texts in rows, the first of each its name, with sentences beneath them.

    One sentence is for them all, and one for each that needs it.
    """
    head = "".join(f'<th scope="col">{text(name)}</th>' for name in heads)
    lines = "".join(
        f'<tr><th scope="row">{text(row[0])}</th>'
        f"{''.join(f'<td>{text(cell)}</td>' for cell in row[1:])}</tr>"
        for row in rows
    )
    said = f'<p class="soft">{text(note)}</p>' if note else ""
    listed = "".join(f"<li>{text(one)}</li>" for one in notes)
    return (
        f'<section class="panel statistics"><h2>{text(title)}</h2>'
        f'<div class="scroll" tabindex="0" role="region" aria-label="{text(title)}">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table></div>"
        f'{said}<ul class="notes">{listed}</ul></section>'
    )


def rejected(rows: Sequence[str]) -> str:
    """Rows that are in no number, each with file, line and problem."""
    if not rows:
        return ""
    lines = "".join(f"<li>{text(row)}</li>" for row in rows)
    many = "1 row is" if len(rows) == 1 else f"{len(rows):,} rows are"
    return (
        f'<details class="rejected" open><summary>{many} left out</summary><ul'
        f' class="troubles">{lines}</ul></details>'
    )


# --- figures
# --------------------------------------------------------------------------------------------------


class ScatterPoint(NamedTuple):
    """Holds an item by a metric: its score, people's mean rating, and its picture's address.

    The address is "" where it has none.
    """

    item: str
    score: float
    rating: float
    picture: str = ""


def scatter(points: Mapping[str, Sequence[ScatterPoint]]) -> "Figure":
    """Scores beside people's ratings, a colour and a sign a metric.

    What the page shows beside a point is in its `customdata`.
    """
    from plotly.graph_objects import Scatter

    traces = [
        Scatter(
            x=[one.score for one in some],
            y=[one.rating for one in some],
            mode="markers",
            name=_plain(name),
            marker={
                "size": 10,
                "opacity": 0.8,
                "symbol": SYMBOLS[n % len(SYMBOLS)],
                "color": COLOURS[n % len(COLOURS)],
            },
            customdata=[[one.item, one.picture] for one in some],
            hoverinfo="none",  # the page shows the picture and the numbers itself
        )
        for n, (name, some) in enumerate(points.items())
    ]
    return _figure(traces, "score of the metric", "mean rating of people", height=460)


class RatingStrip(NamedTuple):
    """Holds a model's scores by people, a dot each with who gave it, and each judge's mean.

    Judges' means are over the same pictures.
    """

    model: str
    dots: tuple[tuple[str, float], ...]
    stars: Mapping[str, float]


def strips(found: Sequence[RatingStrip]) -> "Figure":
    """Draw people's scores as violins with dots, and judges as stars, model by model.

    It follows the figure of I-HallA's user study.
    """
    from plotly.graph_objects import Scatter, Violin

    traces: list[object] = [
        Violin(
            x=[_plain(one.model)] * len(one.dots),
            y=[value for _, value in one.dots],
            text=[_plain(who) for who, _ in one.dots],
            name=_plain(one.model),
            hovertemplate="%{text}: %{y:.2f}<extra></extra>",
            **_VIOLIN,
        )
        for one in found
    ]
    judges = dict.fromkeys(judge for one in found for judge in one.stars)
    for n, judge in enumerate(judges, 1):
        places = [one for one in found if judge in one.stars]
        traces.append(
            Scatter(
                x=[_plain(one.model) for one in places],
                y=[one.stars[judge] for one in places],
                mode="markers",
                name=_plain(judge),
                marker={"symbol": "star", "size": 17, "color": COLOURS[n % len(COLOURS)]},
                hovertemplate="%{y:.2f}<extra>judge</extra>",
            )
        )
    return _figure(traces, "", "score of a picture", height=380, span=(-0.05, 1.05))


def _figure(
    traces: Sequence[object], x: str, y: str, height: int, span: tuple[float, float] | None = None
) -> "Figure":
    from plotly.graph_objects import Figure

    clear = "rgba(0, 0, 0, 0)"
    found = Figure(list(traces))
    found.update_layout(
        height=height,
        paper_bgcolor=clear,
        plot_bgcolor=clear,
        margin={"l": 56, "r": 16, "t": 16, "b": 48},
        template="none",
        xaxis={"title": x, "zeroline": False},
        yaxis={"title": y, "zeroline": False, **({"range": list(span)} if span else {})},
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0},
        hoverlabel={"namelength": -1},
    )
    return found


def _plain(said: str) -> str:
    """Plotly reads some tags in texts; with its brackets written out, a name is only a name."""
    return said.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
