"""Draws leaderboards as figures: bars in groups, a heat map, a radar.

Every figure can be read without its colors, on light and on dark paper;
`hallascope.components.leaderboard.controls` says in words what it shows.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup, escape

from hallascope.components.html.markup import join, tag
from hallascope.components.theme.model_colors import HOLLOW, INK, LINE, ModelStyle

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

PUBLISHED = "published"
_CLEAR = "rgba(0, 0, 0, 0)"
_SCALE = ((0.0, "#f3f5fc"), (1.0, "#7f9fee"))  # light enough for dark words in every cell
_WORDS = "#1d1f24"
_BAND = 0.84  # of the room of a group is taken by its bars
_FEW = 3  # groups make a radar


class Bar(NamedTuple):
    """Holds one value of a model in a group ("" by model), with its interval and counts.

    It says what it counted and left out; `source`: where it was published.
    """

    model: str
    name: str
    group: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    left_out: int
    source: str = ""

    @property
    def description(self) -> str:
        """Return value and interval, and where it comes from or what it counted, in words."""
        return f"{self.value_text}; {self.source or self.count_text}"

    @property
    def value_text(self) -> str:
        if self.value is None:
            return "nothing counted"
        return f"{self.value:.2f}" + (
            "" if self.low is None or self.high is None else f" ({self.low:.2f} to {self.high:.2f})"
        )

    @property
    def count_text(self) -> str:
        return f"of {self.n:,}, left out {self.left_out:,}"


class Axis(NamedTuple):
    """Says what the values are: a title, and their range (None: as they come)."""

    title: str
    low: float | None = 0.0
    high: float | None = 1.0


class BarPosition(NamedTuple):
    """Says where a bar stands: the middle on the axis, and its width."""

    middle: float
    width: float


# --- bars ---


def bars(
    ours: Sequence[Bar], published: Sequence[Bar], looks: Mapping[str, ModelStyle], axis: Axis
) -> "Figure":
    """Draw bars in groups with their 95 % intervals.

    Published numbers are hollow marks at the right of their group. Without groups each model has a
    place of its own. A click on a bar sends its model and group (its `customdata`).
    """
    from plotly.graph_objects import Bar as Bars
    from plotly.graph_objects import Figure

    ticks, places = _places(ours, published)
    grouped = any(one.group for one in ours)
    traces: list[Any] = []
    for model, of_model in _by_model(ours).items():
        look = looks[model]
        first = of_model[0]
        marker = {
            "color": look.color,
            "pattern": {"shape": look.pattern, "solidity": 0.3},
            "line": {"width": 0},
        }
        traces.append(
            Bars(
                **_heights(of_model, places),
                name=escape(first.name),
                showlegend=grouped,
                marker=marker,
                width=places[first.model, first.group].width,
            )
        )
    empty = [one for one in ours if one.value is None]
    if empty:
        traces.append(_dashes(empty, places))
    for i, of_model in enumerate(_by_model(published).values()):
        xs = [places[PUBLISHED, one.group if grouped else ""].middle for one in of_model]
        traces.append(_hollow_marks(of_model, xs, HOLLOW[i % len(HOLLOW)]))
    return Figure(traces).update_layout(**_layout(axis, ticks))


def _hollow_marks(published: Sequence[Bar], xs: Sequence[float], symbol: str) -> Any:
    from plotly.graph_objects import Scatter

    return Scatter(
        x=xs,
        y=[one.value for one in published],
        mode="markers",
        marker={"symbol": symbol, "size": 9, "color": INK, "line": {"width": 1.5}},
        hovertext=[_hover(one) for one in published],
        hoverinfo="text",
        name=join(published[0].name, f" ({PUBLISHED})"),
    )


def _places(
    ours: Sequence[Bar], published: Sequence[Bar]
) -> tuple[dict[Markup, float], dict[tuple[str, str], BarPosition]]:
    """Return the names along the axis with their places, and the slot of each model and group.

    Those that were published share one.
    """
    models = list(_by_model(ours)) + ([PUBLISHED] if published else [])
    if not any(one.group for one in ours):
        titles = {one.model: one.name for one in ours} | {PUBLISHED: PUBLISHED}
        ticks = {escape(titles[model]): float(i) for i, model in enumerate(models)}
        return ticks, {(model, ""): BarPosition(i, 0.66) for i, model in enumerate(models)}
    groups = list(dict.fromkeys(one.group for one in (*ours, *published)))
    width = _BAND / len(models)
    places = {
        (model, group): BarPosition(g + (m + 0.5) * width - _BAND / 2, width * 0.9)
        for g, group in enumerate(groups)
        for m, model in enumerate(models)
    }
    return {escape(group): float(g) for g, group in enumerate(groups)}, places


def _heights(
    of_model: Sequence[Bar], places: Mapping[tuple[str, str], BarPosition]
) -> dict[str, Any]:
    """Return places, heights and intervals of a model's bars."""
    measured = [one for one in of_model if one.value is not None]
    up: list[float] = []
    down: list[float] = []
    for one in measured:
        value = one.value or 0.0
        up.append(0 if one.high is None else one.high - value)
        down.append(0 if one.low is None else value - one.low)
    return {
        "x": [places[one.model, one.group].middle for one in measured],
        "y": [one.value for one in measured],
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": up,
            "arrayminus": down,
            "color": INK,
            "thickness": 1.3,
            "width": 3,
        },
        "customdata": [[one.model, one.group] for one in measured],
        "hovertext": [_hover(one) for one in measured],
        "hoverinfo": "text",
        "textposition": "none",
    }


def _dashes(empty: Sequence[Bar], places: Mapping[tuple[str, str], BarPosition]) -> Any:
    """Draw a dash for each bar of which nothing was counted: it is no bar of height 0."""
    from plotly.graph_objects import Scatter

    return Scatter(
        x=[places[one.model, one.group].middle for one in empty],
        y=[0] * len(empty),
        mode="text",
        text="–",
        textposition="top center",
        textfont={"color": INK},
        showlegend=False,
        customdata=[[one.model, one.group] for one in empty],
        hovertext=[_hover(one) for one in empty],
        hoverinfo="text",
    )


# --- heat map and radar ---


def heat_map(ours: Sequence[Bar], axis: Axis) -> "Figure":
    """Draw models down, groups across, the values written into the cells.

    An empty cell has nothing that was counted.
    """
    from plotly.graph_objects import Figure, Heatmap

    names = {one.model: escape(one.name) for one in ours}
    groups = list(dict.fromkeys(one.group for one in ours))
    cells = {(one.model, one.group): one for one in ours}
    rows = [[cells.get((model, group)) for group in groups] for model in names]
    heat = Heatmap(
        x=[escape(group) or escape(axis.title) for group in groups],
        y=list(names.values()),
        z=[[one.value if one else None for one in row] for row in rows],
        text=[
            ["–" if one is None or one.value is None else f"{one.value:.2f}" for one in row]
            for row in rows
        ],
        customdata=[[[model, group] for group in groups] for model in names],
        hovertext=[[_hover(one) if one else "" for one in row] for row in rows],
        hoverinfo="text",
        texttemplate="%{text}",
        textfont={"color": _WORDS},
        colorscale=[list(step) for step in _SCALE],
        zmin=axis.low,
        zmax=axis.high,
        xgap=3,
        ygap=3,
        hoverongaps=False,
        colorbar={"thickness": 10, "outlinewidth": 0, "len": 0.9},
    )
    layout = _layout(axis, None) | {"height": 130 + 46 * len(names)}
    layout["xaxis"] = {"showgrid": False, "side": "bottom", "automargin": True}
    layout["yaxis"] = {
        "showgrid": False,
        "autorange": "reversed",
        "automargin": True,
        "ticksuffix": "  ",
    }
    return Figure([heat]).update_layout(**layout)


def radar(ours: Sequence[Bar], looks: Mapping[str, ModelStyle], axis: Axis) -> "Figure | None":
    """Draw a line a model round all groups; None under three groups, which span nothing."""
    from plotly.graph_objects import Figure, Scatterpolar

    groups = list(dict.fromkeys(one.group for one in ours))
    if len(groups) < _FEW:
        return None
    ring = [*groups, groups[0]]
    traces = []
    for model, of_model in _by_model(ours).items():
        look = looks[model]
        by_group = {one.group: one for one in of_model}
        corners = [by_group.get(group) for group in ring]
        traces.append(
            Scatterpolar(
                r=[one.value if one else None for one in corners],
                theta=[escape(group) for group in ring],
                customdata=[[model, group] for group in ring],
                hovertext=[_hover(one) if one else "" for one in corners],
                hoverinfo="text",
                mode="lines+markers",
                name=escape(of_model[0].name),
                line={"color": look.color, "dash": look.dash, "width": 2},
                marker={"symbol": look.mark, "size": 8},
                connectgaps=False,
            )
        )
    radius = {
        "gridcolor": LINE,
        "linecolor": LINE,
        "range": None if axis.high is None else [axis.low or 0, axis.high],
        "angle": 90,
    }
    polar = {
        "bgcolor": _CLEAR,
        "radialaxis": {**radius, "tickangle": 90},
        "angularaxis": {"gridcolor": LINE, "linecolor": LINE},
    }
    layout = _layout(axis, None) | {
        "polar": polar,
        "height": 520,
        "margin": {"l": 60, "r": 60, "t": 40, "b": 30},
    }
    return Figure(traces).update_layout(**layout)


# --- what they share ---


def _by_model(values: Sequence[Bar]) -> dict[str, list[Bar]]:
    by_model: dict[str, list[Bar]] = {}
    for one in values:
        by_model.setdefault(one.model, []).append(one)
    return by_model


def _hover(shown: Bar) -> Markup:
    """Return what is shown at a bar. Plotly reads some tags in texts, so all text is escaped."""
    group = f" · {shown.group}" if shown.group else ""
    basis = f"{PUBLISHED}: {shown.source}" if shown.source else shown.count_text
    return Markup("<br>").join([join(tag("b", shown.name), group), shown.value_text, basis])


def _layout(axis: Axis, ticks: Mapping[Markup, float] | None) -> dict[str, Any]:
    line = {"gridcolor": LINE, "linecolor": LINE, "zerolinecolor": LINE}
    along = {**line, "showgrid": False, "zeroline": False, "automargin": True, "fixedrange": True}
    if ticks is not None:
        along |= {
            "tickmode": "array",
            "tickvals": list(ticks.values()),
            "ticktext": list(ticks),
            "range": [-0.6, len(ticks) - 0.4],
        }
    span = (
        {"range": [axis.low, axis.high * 1.02]}
        if axis.low is not None and axis.high is not None
        else {"rangemode": "tozero"}
    )
    return {
        "height": 430,
        "template": "none",
        "paper_bgcolor": _CLEAR,
        "plot_bgcolor": _CLEAR,
        "font": {"color": INK, "size": 13},
        "margin": {"l": 56, "r": 10, "t": 10, "b": 40},
        "barmode": "overlay",
        "dragmode": False,
        "legend": {"orientation": "h", "yanchor": "bottom", "y": 1.02, "x": 0},
        "hoverlabel": {
            "bgcolor": _WORDS,
            "bordercolor": _WORDS,
            "font": {"color": "#ffffff"},
            "namelength": -1,
            "align": "left",
        },
        "xaxis": along,
        "yaxis": {**line, **span, "fixedrange": True, "title": {"text": escape(axis.title)}},
    }
