"""Draws leaderboards as figures: bars or dots in groups, a heat map, a radar.

Every figure can be read without its colors, on light and on dark paper;
`hallascope.components.leaderboard.ranking_table` says in words what it shows.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup, escape

from hallascope.components.html.markup import join, tag
from hallascope.components.theme.model_colors import (
    AXIS,
    CLEAR,
    HOLLOW,
    INK,
    LINE,
    ModelStyle,
    distance,
    figure_layout,
)
from hallascope.metrics.judge_reliability import JudgeReliability
from hallascope.metrics.statistics.corrected_scores import CorrectedScore
from hallascope.metrics.statistics.intervals import interval_text
from hallascope.metrics.statistics.ranking import MIN_RANKED_PROMPTS, RankInterval

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

PUBLISHED = "published"
CORRECTED = "corrected by people"
_SCALE = ((0.0, "#f3f5fc"), (1.0, "#7f9fee"))  # light enough for dark words in every cell
_WORDS = "#1d1f24"
_BAND = 0.84  # of the room of a group is taken by its bars
_MARKED = 0.36  # of the room of a bar is left to the mark beside it
_SLOT = 20  # pixels that a bar and its mark take at least
_LETTERED = 20  # bars in groups are wide enough for letters above them
MIN_RADAR_GROUPS = 3  # fewer groups span nothing
_MAP_TEXT = 13  # pixels of the words in the cells of a heat map
_HOVER_LABEL = {
    "bgcolor": _WORDS,
    "bordercolor": _WORDS,
    "font": {"color": "#ffffff"},
    "namelength": -1,
    "align": "left",
}


class Bar(NamedTuple):
    """Holds one value of a model in a group ("" by model), with its interval and counts.

    It says what it counted and left out, in its `unit`; `source`: where it was published. `judge`:
    who judged it, None where nobody or no single judge did; `reliability`: what to expect of that
    judge. `rank`: the ranks that the model may have in its group, None where the models were not
    compared.
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
    unit: str = "prompts"
    source: str = ""
    judge: str | None = None
    reliability: JudgeReliability | None = None
    rank: RankInterval | None = None
    corrected: CorrectedScore | None = None
    labels_needed: int | None = None

    @property
    def is_few(self) -> bool:
        """Return whether it counts too little for a rank: it is shown as a dot."""
        return self.n < MIN_RANKED_PROMPTS

    @property
    def interval(self) -> str:
        """Return the 95 % interval in words; "" where there is none."""
        return (
            "" if self.low is None or self.high is None else interval_text(self.low, self.high, 2)
        )

    @property
    def value_text(self) -> str:
        """Return the value with its interval, in words."""
        if self.value is None:
            return "nothing counted"
        return f"{self.value:.2f}" + (f" ({self.interval})" if self.interval else "")

    @property
    def count_text(self) -> str:
        """Return what it counted, such as "1,200 prompts"."""
        return f"{self.n:,} {self.unit.removesuffix('s') if self.n == 1 else self.unit}"

    @property
    def corrected_text(self) -> str:
        """Return the corrected value with its interval, in words; "" where there is none."""
        score = self.corrected
        return f"{score.value:.2f} ({interval_text(score.low, score.high, 2)})" if score else ""


class Axis(NamedTuple):
    """Says what the values are: a title, their range (None: as they come), and the better end."""

    title: str
    low: float | None = 0.0
    high: float | None = 1.0
    higher_is_better: bool = True


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

    A value that counts fewer than 20 prompts is a dot instead. Published numbers are hollow marks
    at the right of their group. Without groups each model has a place of its own. A filled diamond
    beside a bar is its score as people's labels correct it. Models of a group whose bars share a
    letter do not differ significantly; where many bars stand in groups they have no letters. A
    click on a bar or on its diamond sends its model and group (its `customdata`). What was
    published may be drawn as `ours` alone, with `hollow_styles`.
    """
    from plotly.graph_objects import Figure

    corrected = [bar for bar in ours if bar.corrected and bar.value is not None]
    ticks, places = _places(ours, published, marked=bool(corrected))
    grouped = any(bar.group for bar in ours)
    traces: list[Any] = []
    for model, of_model in _by_model(bar for bar in ours if bar.value is not None).items():
        few = [bar for bar in of_model if bar.is_few or bar.source]
        many = [bar for bar in of_model if bar not in few]
        if many:
            traces.append(_bars_of_model(many, places, looks[model], named=grouped))
        if few:
            named = grouped and not many
            traces.append(_dots_of_model(few, places, looks[model], 9 if grouped else 12, named))
    empty = [bar for bar in ours if bar.value is None]
    if empty:
        traces.append(_dashes(empty, places, axis.low or 0.0))
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


def hollow_styles(published: Sequence[Bar]) -> dict[str, ModelStyle]:
    """Return the looks of published numbers that are drawn alone."""
    models = _by_model(published)
    return {
        model: ModelStyle(INK, "", "solid", HOLLOW[i % len(HOLLOW)])
        for i, model in enumerate(models)
    }


def _bars_of_model(
    of_model: Sequence[Bar], places: BarPositions, look: ModelStyle, named: bool
) -> Any:
    from plotly.graph_objects import Bar as Bars

    return Bars(
        **_heights(of_model, places),
        name=escape(of_model[0].name),
        showlegend=named,
        marker={
            "color": look.color,
            "pattern": {"shape": look.pattern, "solidity": 0.3},
            "line": {"width": 0},
        },
        width=places[of_model[0].model, of_model[0].group].width,
        textposition="none",
    )


def _dots_of_model(
    of_model: Sequence[Bar], places: BarPositions, look: ModelStyle, size: int, named: bool
) -> Any:
    from plotly.graph_objects import Scatter

    return Scatter(
        **_heights(of_model, places),
        name=escape(of_model[0].name),
        showlegend=named,
        mode="markers",
        marker={"symbol": look.mark, "size": size, "color": look.color},
        cliponaxis=False,
    )


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
        **_labels(corrected),
        error_y=_error_bars(
            [score.high - score.value for score in scores],
            [score.value - score.low for score in scores],
        ),
        mode="markers",
        marker={"symbol": "diamond", "size": size, "color": INK, "opacity": 1},
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
    if not any(bar.group for bar in ours):
        names = {bar.model: bar.name for bar in ours} | {PUBLISHED: PUBLISHED}
        ticks = {escape(names[model]): float(i) for i, model in enumerate(models)}
        return ticks, {
            (model, ""): _place(i, 0.66, marked and model != PUBLISHED)
            for i, model in enumerate(models)
        }
    groups = list(dict.fromkeys(bar.group for bar in (*ours, *published)))
    width = _BAND / len(models)  # the models of each group stand beside each other
    places = {
        (model, group): _place(
            g + (m + 0.5) * width - _BAND / 2, width * 0.9, marked and model != PUBLISHED
        )
        for g, group in enumerate(groups)
        for m, model in enumerate(models)
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
    """Return places, heights and intervals of a model's bars or dots."""
    return {
        "x": [places[bar.model, bar.group].middle for bar in of_model],
        "y": [bar.value for bar in of_model],
        "error_y": _error_bars(
            [distance(bar.value, bar.high) for bar in of_model],
            [distance(bar.low, bar.value) for bar in of_model],
        )
        | {"visible": any(bar.interval for bar in of_model)},
        **_labels(of_model),
    }


def _labels(bars: Sequence[Bar]) -> dict[str, Any]:
    """Return what is shown at bars, and what a click on them sends."""
    return {
        "customdata": [[bar.model, bar.group] for bar in bars],
        "hovertext": [_hover(bar) for bar in bars],
        "hoverinfo": "text",
    }


def _dashes(empty: Sequence[Bar], places: BarPositions, low: float) -> Any:
    """Draw a dash, where the axis begins, for each bar of which nothing was counted."""
    from plotly.graph_objects import Scatter

    return Scatter(
        x=[places[bar.model, bar.group].middle for bar in empty],
        y=[low] * len(empty),
        **_labels(empty),
        mode="text",
        text="–",
        textposition="top center",
        textfont={"color": INK},
        showlegend=False,
    )


# --- heat map and radar ---


def heat_map(ours: Sequence[Bar], axis: Axis) -> "Figure":
    """Draw models down, groups across, the values written into the cells.

    An empty cell has nothing that was counted. A second line in a cell, with a filled diamond, is
    the value as people's labels correct it; its interval stands in the hover.
    """
    from plotly.graph_objects import Figure, Heatmap, Scatter

    names = {bar.model: escape(bar.name) for bar in ours}
    groups = list(dict.fromkeys(bar.group for bar in ours))
    cells = {(bar.model, bar.group): bar for bar in ours}
    rows = [[cells.get((model, group)) for group in groups] for model in names]
    values = [[cell.value if cell else None for cell in row] for row in rows]
    heat = Heatmap(
        x=[escape(group) or escape(axis.title) for group in groups],
        y=list(names.values()),
        z=values,
        text=[[_cell_text(cell) for cell in row] for row in rows],
        customdata=[[[model, group] for group in groups] for model in names],
        hovertext=[[_hover(cell) if cell else "" for cell in row] for row in rows],
        hoverinfo="text",
        texttemplate="%{text}",
        textfont={"color": _WORDS, "size": _MAP_TEXT},
        colorscale=[list(step) for step in _SCALE],
        zmin=axis.low,
        zmax=axis.high,
        xgap=3,
        ygap=3,
        hoverongaps=False,
        colorbar={"thickness": 10, "outlinewidth": 0, "len": 0.9},
    )
    corrected = any(bar.corrected for bar in ours)
    layout = _layout(axis) | {
        "height": 130 + (54 if corrected else 46) * len(names),
        "xaxis": {"showgrid": False, "side": "bottom", "automargin": True},
        "yaxis": {
            "showgrid": False,
            "autorange": "reversed",
            "automargin": True,
            "ticksuffix": "  ",
        },
    }
    if not corrected:
        return Figure([heat]).update_layout(**layout)
    layout["margin"] |= {"t": 40}
    layout["height"] += 30
    return Figure([heat, _diamond_in_legend(Scatter)]).update_layout(**layout)


def _cell_text(cell: Bar | None) -> str:
    """Return what stands in a cell: the value, and below it the corrected one."""
    if cell is None or cell.value is None:
        return "–"
    if cell.corrected is None:
        return f"{cell.value:.2f}"
    return Markup("<br>").join([f"{cell.value:.2f}", f"◆ {cell.corrected.value:.2f}"])


def _diamond_in_legend(kind: type[Any], axes: tuple[str, str] = ("x", "y")) -> Any:
    """Draw nothing but the line of the legend that says what a diamond is."""
    return kind(
        **{axis: [None] for axis in axes},
        mode="markers",
        marker={"symbol": "diamond", "size": 9, "color": INK},
        name=CORRECTED,
        showlegend=True,
        hoverinfo="skip",
    )


def radar(ours: Sequence[Bar], looks: Mapping[str, ModelStyle], axis: Axis) -> "Figure | None":
    """Draw a line a model round all groups; None under three groups, which span nothing.

    A filled diamond in the color of a model is its value as people's labels correct it.
    """
    from plotly.graph_objects import Figure, Scatterpolar

    groups = list(dict.fromkeys(bar.group for bar in ours))
    if len(groups) < MIN_RADAR_GROUPS:
        return None
    ring = [*groups, groups[0]]
    traces = [
        _radar_line(of_model, ring, looks[model]) for model, of_model in _by_model(ours).items()
    ]
    corrected = [bar for bar in ours if bar.corrected and bar.value is not None]
    traces += [
        _radar_diamonds(of_model, looks[model]) for model, of_model in _by_model(corrected).items()
    ]
    if corrected:
        traces.append(_diamond_in_legend(Scatterpolar, ("r", "theta")))
    radius = {
        "gridcolor": LINE,
        "linecolor": LINE,
        "range": None if axis.high is None else [axis.low or 0, axis.high],
        "angle": 90,
        "tickangle": 90,
    }
    layout = _layout(axis) | {
        "polar": {
            "bgcolor": CLEAR,
            "radialaxis": radius,
            "angularaxis": {"gridcolor": LINE, "linecolor": LINE},
        },
        "height": 520,
        "margin": {"l": 60, "r": 60, "t": 64, "b": 30},
    }
    return Figure(traces).update_layout(**layout)


def _radar_line(of_model: Sequence[Bar], ring: Sequence[str], look: ModelStyle) -> Any:
    from plotly.graph_objects import Scatterpolar

    missing = of_model[0]._replace(value=None)
    by_group = {bar.group: bar for bar in of_model}
    corners = [by_group.get(group, missing._replace(group=group)) for group in ring]
    return Scatterpolar(
        r=[corner.value for corner in corners],
        theta=[escape(group) for group in ring],
        **_labels(corners),
        mode="lines+markers",
        name=escape(of_model[0].name),
        line={"color": look.color, "dash": look.dash, "width": 2},
        marker={"symbol": look.mark, "size": 7},
        connectgaps=False,
    )


def _radar_diamonds(corrected: Sequence[Bar], look: ModelStyle) -> Any:
    """Draw the corrected values of a model; the interval of each stands in its hover."""
    from plotly.graph_objects import Scatterpolar

    line = {"color": INK, "width": 1}
    return Scatterpolar(
        r=[bar.corrected.value for bar in corrected if bar.corrected],
        theta=[escape(bar.group) for bar in corrected],
        **_labels(corrected),
        mode="markers",
        marker={"symbol": "diamond", "size": 8, "color": look.color, "line": line},
        name=CORRECTED,
        showlegend=False,
    )


# --- what they share ---


def _by_model(bars: Iterable[Bar]) -> dict[str, list[Bar]]:
    by_model: dict[str, list[Bar]] = {}
    for bar in bars:
        by_model.setdefault(bar.model, []).append(bar)
    return by_model


def _hover(shown: Bar) -> Markup:
    """Return what is shown at a bar. Plotly reads some tags in texts, so all text is escaped."""
    group = f" · {shown.group}" if shown.group else ""
    basis = f"{shown.count_text}, {shown.left_out:,} left out"
    if shown.source:
        basis = f"{PUBLISHED}: {shown.source}"
    lines = [
        join(tag("b", shown.name), group),
        shown.value_text,
        basis,
        f"rank {shown.rank.words}" if shown.rank else "",
    ]
    if shown.corrected:
        labeled = f"{shown.corrected.labeled:,} prompts labeled"
        lines += [f"{CORRECTED}: {shown.corrected_text}", labeled]
    return Markup("<br>").join(filter(None, lines))


def _layout(axis: Axis) -> dict[str, Any]:
    """Return the layout of every figure, on paper of any color."""
    span: dict[str, Any] = {"rangemode": "tozero"}
    if axis.low is not None and axis.high is not None:
        span = {"range": [axis.low, axis.high * 1.02]}
    return figure_layout(
        430,
        template="none",
        margin={"l": 56, "r": 10, "t": 10, "b": 40},
        barmode="overlay",
        dragmode=False,
        legend={"orientation": "h", "yref": "container", "yanchor": "top", "y": 0.99, "x": 0},
        hoverlabel=_HOVER_LABEL,
        xaxis={
            **AXIS,
            "showgrid": False,
            "zeroline": False,
            "automargin": True,
            "fixedrange": True,
        },
        yaxis={**AXIS, **span, "fixedrange": True, "title": {"text": escape(axis.title)}},
    )
