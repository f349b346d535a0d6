"""Draws the points of a map as a figure by Plotly, colored by groups."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd
from markupsafe import escape

from hallascope.components.html.judge_chip import percent
from hallascope.components.theme.model_colors import COLORS, INK, MARKS, figure_layout, model_styles
from hallascope.data.nouns import count_noun
from hallascope.data.records import COIS
from hallascope.engine.error_analysis.error_map.points import NOTHING_WRONG
from hallascope.pages.shared.run_pictures import short_name

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

TRUTH = "truth"  # the coloring that is computed only when it is chosen
MOST_GROUPS = 40
REST = "all others"
UNKNOWN = "not known"
SCALE = ("#0072b2", "#56b4e9", "#e69f00", "#d55e00", "#b3261e")  # from nothing to all
BINS = ("0 %", "up to 25 %", "up to 50 %", "up to 75 %", "up to 100 %")
_EDGES = (1e-9, 0.25, 0.5, 0.75)  # the highest share of each bin but the last
MOST_DRAWN = 2_000  # points that are drawn as shapes; more are drawn by WebGL
TITLES = {
    "error": "Error",
    "wrong": "What is wrong",
    "model": "Model",
    "disagreement": "Judge disagreement",
    "cluster": "Cluster",
    TRUTH: "Distance from truth",
}


class PointGroup(NamedTuple):
    """Holds the points of a group, in the columns of `POINT_COLUMNS`, and how they look."""

    label: str
    color: str
    points: pd.DataFrame

    @property
    def words(self) -> str:
        """Return the group for people: its name, how many images it has, and their errors."""
        error = percent(self.points["error"].mean())
        return f"{self.label}: {len(self.points):,}, error rate {error}"


def colorings(points: pd.DataFrame) -> dict[str, str]:
    """Return by what points can be colored, titles by name; what is one group is left out."""
    differs = {
        "error": True,
        "wrong": bool((points["wrong"] != "").any()),
        "model": points["model"].nunique() > 1,
        "disagreement": bool(points["disagreement"].notna().any()),
        "cluster": points["cluster"].nunique() > 1,
        TRUTH: True,
    }
    return {name: TITLES[name] for name, offered in differs.items() if offered}


def point_groups(
    points: pd.DataFrame, coloring: str, known_models: Sequence[str] = ()
) -> list[PointGroup]:
    """Return the groups of a coloring: those that have an order in it, else the largest first.

    `TRUTH` needs the column of that name. At most 40 groups are told apart.
    """
    colors: dict[str, str] = {}
    match coloring:
        case "model":
            labels = points["model"].map(short_name)
            styles = model_styles(list(points["model"].unique()), known_models)
            colors = {short_name(model): style.color for model, style in styles.items()}
            order = [short_name(model) for model in known_models]
        case "wrong":
            labels, order = points["wrong"], [*COIS, NOTHING_WRONG]
        case "cluster":
            labels = points["cluster"]
            order = sorted(labels.unique(), key=lambda text: (len(text), text))
        case _:
            labels = _bins(points[coloring])
            order = list(BINS)
            colors = dict(zip(BINS, SCALE, strict=True))
    labels = labels.replace("", UNKNOWN)
    present = list(labels.value_counts().index)
    order = [name for name in order if name in present]
    order += [name for name in present if name not in order]
    order.sort(key=lambda name: name == UNKNOWN)
    if len(order) > MOST_GROUPS:
        kept = order[: MOST_GROUPS - 1]
        labels = labels.where(labels.isin(kept), REST)
        order = [*kept, REST]
    gray = dict.fromkeys((UNKNOWN, REST, NOTHING_WRONG), INK)
    own = {name: COLORS[place % len(COLORS)] for place, name in enumerate(order)} | gray | colors
    return [PointGroup(name, own[name], points[labels == name]) for name in order]


def _bins(shares: pd.Series) -> pd.Series:
    """Return shares in [0, 1] as the names of five bins; NaN is not known."""
    places = np.digitize(shares.fillna(0.0), _EDGES, right=True)
    names = pd.Series([BINS[place] for place in places], index=shares.index, dtype=object)
    return names.where(shares.notna(), UNKNOWN)


def map_figure(groups: Sequence[PointGroup]) -> "Figure":
    """Draw the points by group, in colors and shapes; a lasso is drawn at once."""
    from plotly import graph_objects as go

    number = sum(len(group.points) for group in groups)
    scatter = go.Scattergl if number > MOST_DRAWN else go.Scatter
    figure = go.Figure()
    for place, group in enumerate(groups):
        figure.add_trace(
            scatter(
                name=escape(group.words),
                x=group.points["x"].tolist(),
                y=group.points["y"].tolist(),
                customdata=group.points["evaluation"].tolist(),
                mode="markers",
                hoverinfo="none",
                marker={
                    "color": group.color,
                    "symbol": MARKS[place % len(MARKS)],
                    "size": 7 if number > MOST_DRAWN else 10,
                },
            )
        )
    axis = {"visible": False}
    return figure.update_layout(
        figure_layout(
            520,
            margin={"l": 8, "r": 8, "t": 8, "b": 8},
            legend={"orientation": "h", "y": 0, "yanchor": "top"},
            modebar={"remove": ["zoom2d", "zoomIn2d", "zoomOut2d", "autoScale2d"]},
            xaxis=axis,
            yaxis=axis,
            dragmode="lasso",
            hovermode="closest",
            showlegend=True,
        )
    )


def summary(points: pd.DataFrame) -> str:
    """Return what the map shows in words, for those who cannot see it."""
    if points.empty:
        return ""
    words = (
        f"{count_noun(len(points), 'image')} as points: near ones look alike to the embedder."
        f" The error rate is {percent(points['error'].mean())}."
    )
    clusters = points[points["cluster"] != ""].groupby("cluster")["error"].agg(["size", "mean"])
    if len(clusters) > 1:
        most, least = (
            ", ".join(
                f"cluster {name} ({percent(share)} of {size:,})"
                for name, size, share in clusters.itertuples()
                if share == extreme
            )
            for extreme in (clusters["mean"].max(), clusters["mean"].min())
        )
        words += f" Of {len(clusters)} clusters, most is wrong in {most} and least in {least}."
    return words
