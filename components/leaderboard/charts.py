"""Leaderboards as figures: bars in groups, a heat map, a radar.

Pure functions of rows, which are computed elsewhere.

Every figure can be read without its colours, on light and on dark paper;
`hallascope.components.leaderboard.controls` says in words what it shows.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from hallascope.components.html.markup import text
from hallascope.components.leaderboard.model_colors import HOLLOW, INK, LINE, ModelStyle

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
        """Value and interval, and where it comes from or what it counted, in words."""
        return (
            f"{self.value_text}; {self.source}"
            if self.source
            else f"{self.value_text}; {self.count_text}"
        )

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
    """What the values are: a title, and their range (None: as they come)."""

    title: str
    low: float | None = 0.0
    high: float | None = 1.0


class BarPosition(NamedTuple):
    """Where a bar stands: the middle on the axis, and its width."""

    middle: float
    width: float


# --- bars
# --------------------------------------------------------------------------------------------------


def bars(
    ours: Sequence[Bar], published: Sequence[Bar], looks: Mapping[str, ModelStyle], axis: Axis
) -> "Figure":
    """Bars in groups with their 95 % intervals.

    Published numbers as hollow marks at the right of their group.

    Without groups each model has a place of its own. A click on a bar tells its model and group
    (its `customdata`).
    """
    from plotly.graph_objects import Bar as Bars
    from plotly.graph_objects import Figure

    ticks, places = _places(ours, published)
    grouped = any(one.group for one in ours)
    traces: list[Any] = []
    for model, some in _by_model(ours).items():
        look = looks[model]
        marker: dict[str, Any] = {
            "color": look.color,
            "pattern": {"shape": look.pattern, "solidity": 0.3},
            "line": {"width": 0},
        }
        traces.append(
            Bars(
                **_heights(some, places),
                name=text(some[0].name),
                showlegend=grouped,
                marker=marker,
                width=_width(some, places),
            )
        )
    traces += _nothing(ours, places)
    for n, (_, some) in enumerate(_by_model(published).items()):
        marker = {
            "symbol": HOLLOW[n % len(HOLLOW)],
            "size": 9,
            "color": INK,
            "line": {"width": 1.5},
        }
        traces.append(
            _marks(
                some,
                [places[PUBLISHED, one.group if grouped else ""].middle for one in some],
                marker,
            )
        )
    return Figure(traces).update_layout(**_layout(axis, ticks))


def _marks(some: Sequence[Bar], xs: Sequence[float], marker: Mapping[str, Any]) -> Any:
    from plotly.graph_objects import Scatter

    told: dict[str, Any] = {
        "hovertext": [_hover(one) for one in some],
        "hoverinfo": "text",
        "name": f"{text(some[0].name)} ({PUBLISHED})",
    }
    return Scatter(x=xs, y=[one.value for one in some], mode="markers", marker=marker, **told)


def _places(
    ours: Sequence[Bar], published: Sequence[Bar]
) -> tuple[dict[str, float], dict[tuple[str, str], BarPosition]]:
    """The names along the axis with their places, and the slot of each model in each group.

    Those that were published share one.
    """
    models = list(_by_model(ours)) + ([PUBLISHED] if published else [])
    groups = list(dict.fromkeys(one.group for one in ours))
    if groups in ([], [""]):
        titles = {one.model: one.name for one in ours} | {PUBLISHED: PUBLISHED}
        return {text(titles[model]): float(i) for i, model in enumerate(models)}, {
            (model, ""): BarPosition(i, 0.66) for i, model in enumerate(models)
        }
    groups += [one.group for one in published if one.group not in groups]
    groups = list(dict.fromkeys(groups))
    width = _BAND / len(models)
    places = {
        (model, group): BarPosition(g + (m + 0.5) * width - _BAND / 2, width * 0.9)
        for g, group in enumerate(groups)
        for m, model in enumerate(models)
    }
    return {text(group): float(g) for g, group in enumerate(groups)}, places


def _heights(some: Sequence[Bar], places: Mapping[tuple[str, str], BarPosition]) -> dict[str, Any]:
    told = [one for one in some if one.value is not None]
    up = [
        one.high - one.value if one.high is not None and one.value is not None else 0
        for one in told
    ]
    down = [
        one.value - one.low if one.low is not None and one.value is not None else 0 for one in told
    ]
    return {
        "x": [places[one.model, one.group].middle for one in told],
        "y": [one.value for one in told],
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": up,
            "arrayminus": down,
            "color": INK,
            "thickness": 1.3,
            "width": 3,
        },
        "customdata": [[one.model, one.group] for one in told],
        "hovertext": [_hover(one) for one in told],
        "hoverinfo": "text",
        "textposition": "none",
    }


def _width(some: Sequence[Bar], places: Mapping[tuple[str, str], BarPosition]) -> float:
    return places[some[0].model, some[0].group].width


def _nothing(ours: Sequence[Bar], places: Mapping[tuple[str, str], BarPosition]) -> list[Any]:
    """A dash where a bar would stand of which nothing was counted: it is no bar of height 0."""
    from plotly.graph_objects import Scatter

    empty = [one for one in ours if one.value is None]
    if not empty:
        return []
    xs = [places[one.model, one.group].middle for one in empty]
    about = [_hover(one) for one in empty]
    return [
        Scatter(
            x=xs,
            y=[0] * len(empty),
            mode="text",
            text="–",
            textposition="top center",
            textfont={"color": INK},
            showlegend=False,
            customdata=[[one.model, one.group] for one in empty],
            hovertext=about,
            hoverinfo="text",
        )
    ]


# --- heat map and radar
# --------------------------------------------------------------------------------------------------


def heat_map(ours: Sequence[Bar], axis: Axis) -> "Figure":
    """Models down, groups across, the values written into the cells.

    An empty cell has nothing that was counted.
    """
    from plotly.graph_objects import Figure, Heatmap

    names = {one.model: text(one.name) for one in ours}
    groups = list(dict.fromkeys(one.group for one in ours))
    cells = {(one.model, one.group): one for one in ours}
    rows = [[cells.get((model, group)) for group in groups] for model in names]
    found = Heatmap(
        x=[text(group) or text(axis.title) for group in groups],
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
    return Figure([found]).update_layout(**layout)


def radar(ours: Sequence[Bar], looks: Mapping[str, ModelStyle], axis: Axis) -> "Figure | None":
    """A line a model round all groups; None under three groups, which span nothing."""
    from plotly.graph_objects import Figure, Scatterpolar

    groups = list(dict.fromkeys(one.group for one in ours))
    if len(groups) < _FEW:
        return None
    traces = []
    for model, some in _by_model(ours).items():
        look = looks[model]
        of = {one.group: one for one in some}
        round_ = [of.get(group) for group in (*groups, groups[0])]
        traces.append(
            Scatterpolar(
                r=[one.value if one else None for one in round_],
                theta=[text(group) for group in (*groups, groups[0])],
                customdata=[[model, group] for group in (*groups, groups[0])],
                hovertext=[_hover(one) if one else "" for one in round_],
                hoverinfo="text",
                mode="lines+markers",
                name=text(some[0].name),
                line={"color": look.color, "dash": look.dash, "width": 2},
                marker={"symbol": look.mark, "size": 8},
                connectgaps=False,
            )
        )
    ring = {
        "gridcolor": LINE,
        "linecolor": LINE,
        "range": None if axis.high is None else [axis.low or 0, axis.high],
        "angle": 90,
    }
    polar = {
        "bgcolor": _CLEAR,
        "radialaxis": {**ring, "tickangle": 90},
        "angularaxis": {"gridcolor": LINE, "linecolor": LINE},
    }
    layout = _layout(axis, None) | {
        "polar": polar,
        "height": 520,
        "margin": {"l": 60, "r": 60, "t": 40, "b": 30},
    }
    return Figure(traces).update_layout(**layout)


# --- what they share
# --------------------------------------------------------------------------------------------------


def _by_model(some: Sequence[Bar]) -> dict[str, list[Bar]]:
    found: dict[str, list[Bar]] = {}
    for one in some:
        found.setdefault(one.model, []).append(one)
    return found


def _hover(one: Bar) -> str:
    """Plotly reads some tags in texts; escaped, a name is only a name."""
    return "<br>".join(_lines(one))


def _lines(one: Bar) -> Iterator[str]:
    yield f"<b>{text(one.name)}</b>" + (f" · {text(one.group)}" if one.group else "")
    yield text(one.value_text)
    yield text(f"{PUBLISHED}: {one.source}" if one.source else one.count_text)


def _layout(axis: Axis, ticks: Mapping[str, float] | None) -> dict[str, Any]:
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
        "yaxis": {**line, **span, "fixedrange": True, "title": {"text": text(axis.title)}},
    }
