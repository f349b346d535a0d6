"""Draws leaderboards as figures: bars in groups, a heat map, a radar.

Every figure can be read without its colors, on light and on dark paper;
`hallascope.components.leaderboard.controls` says in words what it shows.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup, escape

from hallascope.components.html.markup import join, tag
from hallascope.components.theme.model_colors import HOLLOW, INK, LINE, ModelStyle
from hallascope.metrics.judge_reliability import JudgeReliability
from hallascope.metrics.statistics.corrected_scores import CorrectedScore
from hallascope.metrics.statistics.ranking import RankInterval

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

PUBLISHED = "published"
CORRECTED = "corrected by people"
_CLEAR = "rgba(0, 0, 0, 0)"
_SCALE = ((0.0, "#f3f5fc"), (1.0, "#7f9fee"))  # light enough for dark words in every cell
_WORDS = "#1d1f24"
_BAND = 0.84  # of the room of a group is taken by its bars
_MARKED = 0.36  # of the room of a bar is left to the mark beside it
_SLOT = 20  # pixels that a bar and its mark take at least
_LETTERED = 20  # bars in groups are wide enough for letters above them
_FEW = 3  # groups make a radar
_HOVER_LABEL = {
    "bgcolor": _WORDS,
    "bordercolor": _WORDS,
    "font": {"color": "#ffffff"},
    "namelength": -1,
    "align": "left",
}


class Bar(NamedTuple):
    """Holds one value of a model in a group ("" by model), with its interval and counts.

    It says what it counted and left out; `source`: where it was published. `judge`: who judged it,
    None where nobody or no single judge did; `reliability`: what to expect of that judge. `rank`:
    the ranks that the model may have in its group, None where the models were not compared.
    `corrected`: the value as people's labels correct it, None where too few of its prompts are
    labeled; `labels_needed` says how many are missing.
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
    judge: str | None = None
    reliability: JudgeReliability | None = None
    rank: RankInterval | None = None
    corrected: CorrectedScore | None = None
    labels_needed: int | None = None

    @property
    def description(self) -> str:
        """Return value and interval, and where it comes from or what it counted, in words."""
        return f"{self.value_text}; {self.source or self.count_text}"

    @property
    def value_text(self) -> str:
        if self.value is None:
            return "nothing counted"
        if self.low is None or self.high is None:
            return f"{self.value:.2f}"
        return f"{self.value:.2f} ({self.low:.2f} to {self.high:.2f})"

    @property
    def count_text(self) -> str:
        return f"of {self.n:,}, left out {self.left_out:,}"

    @property
    def rank_text(self) -> str:
        return f"rank {self.rank.words}" if self.rank else ""

    @property
    def corrected_text(self) -> str:
        """Return the corrected value with its interval, in words; "" where there is none."""
        score = self.corrected
        return f"{score.value:.2f} ({score.low:.2f} to {score.high:.2f})" if score else ""

    @property
    def labeled_text(self) -> str:
        """Return how many prompts the corrected value rests on; "" where there is none."""
        return f"{self.corrected.labeled:,} prompts labeled" if self.corrected else ""


class Axis(NamedTuple):
    """Says what the values are: a title, and their range (None: as they come)."""

    title: str
    low: float | None = 0.0
    high: float | None = 1.0


class BarPosition(NamedTuple):
    """Says where a bar stands: the middle on the axis, its width, and where a mark beside it is."""

    middle: float
    width: float
    beside: float


Ticks = dict[Markup, float]  # the names along the axis, with their places
BarPositions = dict[tuple[str, str], BarPosition]  # by model and group


# --- bars ---


def bars(
    ours: Sequence[Bar], published: Sequence[Bar], looks: Mapping[str, ModelStyle], axis: Axis
) -> "Figure":
    """Draw bars in groups with their 95 % intervals.

    Published numbers are hollow marks at the right of their group. Without groups each model has a
    place of its own. A filled diamond beside a bar is its score as people's labels correct it.
    Models of a group whose bars share a letter cannot be told apart; where many bars stand in
    groups they have no letters. A click on a bar or on its diamond sends its model and group (its
    `customdata`).
    """
    from plotly.graph_objects import Bar as Bars
    from plotly.graph_objects import Figure

    corrected = [bar for bar in ours if bar.corrected and bar.value is not None]
    ticks, places = _places(ours, published, marked=bool(corrected))
    grouped = any(bar.group for bar in ours)
    traces: list[Any] = [
        Bars(
            **_heights(of_model, places),
            name=escape(of_model[0].name),
            showlegend=grouped,
            marker={
                "color": looks[model].color,
                "pattern": {"shape": looks[model].pattern, "solidity": 0.3},
                "line": {"width": 0},
            },
            width=places[model, of_model[0].group].width,
        )
        for model, of_model in _by_model(ours).items()
    ]
    empty = [bar for bar in ours if bar.value is None]
    if empty:
        traces.append(_dashes(empty, places))
    if corrected:
        traces.append(_diamonds(corrected, places, size=8 if grouped else 11))
    for i, of_model in enumerate(_by_model(published).values()):
        middles = [places[PUBLISHED, bar.group if grouped else ""].middle for bar in of_model]
        traces.append(_hollow_marks(of_model, middles, HOLLOW[i % len(HOLLOW)]))
    layout = _layout(axis)
    ranked = [bar for bar in ours if bar.rank and bar.value is not None]
    if ranked and (not grouped or len(ours) <= _LETTERED):
        traces.append(_letters(ranked, places))
        if axis.low is not None and axis.high is not None:
            layout["yaxis"]["range"] = [axis.low, axis.high + 0.09 * (axis.high - axis.low)]
    if corrected:  # read by figure_clicks.js, which lets the figure scroll sideways
        layout["meta"] = {"leastWidth": _SLOT * len(places)}
    layout["xaxis"] |= {
        "tickmode": "array",
        "tickvals": list(ticks.values()),
        "ticktext": list(ticks),
        "range": [-0.6, len(ticks) - 0.4],
    }
    return Figure(traces).update_layout(**layout)


def _letters(ranked: Sequence[Bar], places: BarPositions) -> Any:
    """Draw above each bar the letters of its model."""
    from plotly.graph_objects import Scatter

    return Scatter(
        x=[places[bar.model, bar.group].middle for bar in ranked],
        y=[bar.value if bar.high is None else bar.high for bar in ranked],
        mode="text",
        text=[bar.rank.letters if bar.rank else "" for bar in ranked],
        textposition="top center",
        textfont={"color": INK, "size": 12},
        cliponaxis=False,
        showlegend=False,
        hoverinfo="skip",
    )


def _diamonds(corrected: Sequence[Bar], places: BarPositions, size: int) -> Any:
    """Draw beside each bar what people's labels make of its score, with the 95 % interval."""
    from plotly.graph_objects import Scatter

    scores = [bar.corrected for bar in corrected if bar.corrected]
    return Scatter(
        x=[places[bar.model, bar.group].beside for bar in corrected],
        y=[score.value for score in scores],
        error_y=_error_bars(
            [score.high - score.value for score in scores],
            [score.value - score.low for score in scores],
        ),
        mode="markers",
        marker={"symbol": "diamond", "size": size, "color": INK, "opacity": 1},
        customdata=[[bar.model, bar.group] for bar in corrected],
        hovertext=[_hover(bar) for bar in corrected],
        hoverinfo="text",
        name=CORRECTED,
        showlegend=True,
    )


def _error_bars(above: Sequence[float], below: Sequence[float]) -> dict[str, Any]:
    """Return the whiskers of values, which reach so far above and below them."""
    return {
        "type": "data",
        "symmetric": False,
        "array": above,
        "arrayminus": below,
        "color": INK,
        "thickness": 1.3,
        "width": 3,
    }


def _hollow_marks(published: Sequence[Bar], middles: Sequence[float], symbol: str) -> Any:
    from plotly.graph_objects import Scatter

    return Scatter(
        x=middles,
        y=[bar.value for bar in published],
        mode="markers",
        marker={"symbol": symbol, "size": 9, "color": INK, "line": {"width": 1.5}},
        hovertext=[_hover(bar) for bar in published],
        hoverinfo="text",
        name=join(published[0].name, f" ({PUBLISHED})"),
    )


def _places(
    ours: Sequence[Bar], published: Sequence[Bar], marked: bool
) -> tuple[Ticks, BarPositions]:
    """Return the names along the axis with their places, and the slot of each model and group.

    Those that were published share one. `marked`: there is room for a mark beside each bar.
    """
    models = list(_by_model(ours)) + ([PUBLISHED] if published else [])
    if any(bar.group for bar in ours):
        groups = list(dict.fromkeys(bar.group for bar in (*ours, *published)))
        return _group_places(models, groups, marked)
    names = {bar.model: bar.name for bar in ours} | {PUBLISHED: PUBLISHED}
    ticks = {escape(names[model]): float(i) for i, model in enumerate(models)}
    return ticks, {
        (model, ""): _place(i, 0.66, marked and model != PUBLISHED)
        for i, model in enumerate(models)
    }


def _group_places(
    models: Sequence[str], groups: Sequence[str], marked: bool
) -> tuple[Ticks, BarPositions]:
    """Return the same where the models of each group stand beside each other."""
    width = _BAND / len(models)
    offsets = {model: (m + 0.5) * width - _BAND / 2 for m, model in enumerate(models)}
    places = {
        (model, group): _place(g + offset, width * 0.9, marked and model != PUBLISHED)
        for g, group in enumerate(groups)
        for model, offset in offsets.items()
    }
    return {escape(group): float(g) for g, group in enumerate(groups)}, places


def _place(middle: float, width: float, marked: bool) -> BarPosition:
    """Return the bar within its room on the axis; a mark stands at the right of the bar."""
    mark = _MARKED * width if marked else 0.0
    return BarPosition(
        middle=middle - mark / 2,
        width=width - mark,
        beside=middle + width / 2 - mark / 2,
    )


def _heights(of_model: Sequence[Bar], places: BarPositions) -> dict[str, Any]:
    """Return places, heights and intervals of a model's bars."""
    measured = [bar for bar in of_model if bar.value is not None]
    return {
        "x": [places[bar.model, bar.group].middle for bar in measured],
        "y": [bar.value for bar in measured],
        "error_y": _error_bars(
            [_distance(bar.value, bar.high) for bar in measured],
            [_distance(bar.low, bar.value) for bar in measured],
        ),
        "customdata": [[bar.model, bar.group] for bar in measured],
        "hovertext": [_hover(bar) for bar in measured],
        "hoverinfo": "text",
        "textposition": "none",
    }


def _distance(low: float | None, high: float | None) -> float:
    """Return how far two values lie apart, 0 where one is missing."""
    return 0 if low is None or high is None else high - low


def _dashes(empty: Sequence[Bar], places: BarPositions) -> Any:
    """Draw a dash for each bar of which nothing was counted: it is no bar of height 0."""
    from plotly.graph_objects import Scatter

    return Scatter(
        x=[places[bar.model, bar.group].middle for bar in empty],
        y=[0] * len(empty),
        mode="text",
        text="–",
        textposition="top center",
        textfont={"color": INK},
        showlegend=False,
        customdata=[[bar.model, bar.group] for bar in empty],
        hovertext=[_hover(bar) for bar in empty],
        hoverinfo="text",
    )


# --- heat map and radar ---


def heat_map(ours: Sequence[Bar], axis: Axis) -> "Figure":
    """Draw models down, groups across, the values written into the cells.

    An empty cell has nothing that was counted.
    """
    from plotly.graph_objects import Figure, Heatmap

    names = {bar.model: escape(bar.name) for bar in ours}
    groups = list(dict.fromkeys(bar.group for bar in ours))
    cells = {(bar.model, bar.group): bar for bar in ours}
    rows = [[cells.get((model, group)) for group in groups] for model in names]
    values = [[cell.value if cell else None for cell in row] for row in rows]
    heat = Heatmap(
        x=[escape(group) or escape(axis.title) for group in groups],
        y=list(names.values()),
        z=values,
        text=[["–" if value is None else f"{value:.2f}" for value in row] for row in values],
        customdata=[[[model, group] for group in groups] for model in names],
        hovertext=[[_hover(cell) if cell else "" for cell in row] for row in rows],
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
    layout = _layout(axis) | {
        "height": 130 + 46 * len(names),
        "xaxis": {"showgrid": False, "side": "bottom", "automargin": True},
        "yaxis": {
            "showgrid": False,
            "autorange": "reversed",
            "automargin": True,
            "ticksuffix": "  ",
        },
    }
    return Figure([heat]).update_layout(**layout)


def radar(ours: Sequence[Bar], looks: Mapping[str, ModelStyle], axis: Axis) -> "Figure | None":
    """Draw a line a model round all groups; None under three groups, which span nothing."""
    from plotly.graph_objects import Figure

    groups = list(dict.fromkeys(bar.group for bar in ours))
    if len(groups) < _FEW:
        return None
    ring = [*groups, groups[0]]
    lines = [
        _radar_line(of_model, ring, looks[model]) for model, of_model in _by_model(ours).items()
    ]
    radius = {
        "gridcolor": LINE,
        "linecolor": LINE,
        "range": None if axis.high is None else [axis.low or 0, axis.high],
        "angle": 90,
        "tickangle": 90,
    }
    layout = _layout(axis) | {
        "polar": {
            "bgcolor": _CLEAR,
            "radialaxis": radius,
            "angularaxis": {"gridcolor": LINE, "linecolor": LINE},
        },
        "height": 520,
        "margin": {"l": 60, "r": 60, "t": 64, "b": 30},
    }
    return Figure(lines).update_layout(**layout)


def _radar_line(of_model: Sequence[Bar], ring: Sequence[str], look: ModelStyle) -> Any:
    from plotly.graph_objects import Scatterpolar

    by_group = {bar.group: bar for bar in of_model}
    corners = [by_group.get(group) for group in ring]
    return Scatterpolar(
        r=[corner.value if corner else None for corner in corners],
        theta=[escape(group) for group in ring],
        customdata=[[of_model[0].model, group] for group in ring],
        hovertext=[_hover(corner) if corner else "" for corner in corners],
        hoverinfo="text",
        mode="lines+markers",
        name=escape(of_model[0].name),
        line={"color": look.color, "dash": look.dash, "width": 2},
        marker={"symbol": look.mark, "size": 8},
        connectgaps=False,
    )


# --- what they share ---


def _by_model(bars: Sequence[Bar]) -> dict[str, list[Bar]]:
    by_model: dict[str, list[Bar]] = {}
    for bar in bars:
        by_model.setdefault(bar.model, []).append(bar)
    return by_model


def _hover(shown: Bar) -> Markup:
    """Return what is shown at a bar. Plotly reads some tags in texts, so all text is escaped."""
    group = f" · {shown.group}" if shown.group else ""
    basis = f"{PUBLISHED}: {shown.source}" if shown.source else shown.count_text
    lines = [join(tag("b", shown.name), group), shown.value_text, basis, shown.rank_text]
    if shown.corrected:
        lines += [f"{CORRECTED}: {shown.corrected_text}", shown.labeled_text]
    return Markup("<br>").join(filter(None, lines))


def _layout(axis: Axis) -> dict[str, Any]:
    """Return the layout of every figure, on paper of any color."""
    line = {"gridcolor": LINE, "linecolor": LINE, "zerolinecolor": LINE}
    span: dict[str, Any] = {"rangemode": "tozero"}
    if axis.low is not None and axis.high is not None:
        span = {"range": [axis.low, axis.high * 1.02]}
    return {
        "height": 430,
        "template": "none",
        "paper_bgcolor": _CLEAR,
        "plot_bgcolor": _CLEAR,
        "font": {"color": INK, "size": 13},
        "margin": {"l": 56, "r": 10, "t": 10, "b": 40},
        "barmode": "overlay",
        "dragmode": False,
        "legend": {"orientation": "h", "yref": "container", "yanchor": "top", "y": 0.99, "x": 0},
        "hoverlabel": _HOVER_LABEL,
        "xaxis": {
            **line,
            "showgrid": False,
            "zeroline": False,
            "automargin": True,
            "fixedrange": True,
        },
        "yaxis": {**line, **span, "fixedrange": True, "title": {"text": escape(axis.title)}},
    }
