"""Says how models look: color, mark, pattern and line, the same everywhere.

What is drawn in them can be read on light and on dark paper.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from zlib import crc32

from markupsafe import Markup

from hallascope.components.html.markup import tag

# after Okabe and Ito
COLORS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#e69f00",
    "#56b4e9",
    "#8a6d00",
    "#7d828d",
)
HOLLOW = (
    "circle-open",
    "square-open",
    "diamond-open",
    "cross-open",
    "x-open",
    "triangle-up-open",
    "triangle-down-open",
    "star-open",
    "pentagon-open",
    "hexagon-open",
    "hourglass-open",
)
INK = "#7d828d"
CLEAR = "rgba(0, 0, 0, 0)"
LINE = "rgba(125, 130, 141, 0.35)"
AXIS = {"gridcolor": LINE, "zerolinecolor": LINE, "linecolor": LINE}
PATTERNS = ("", "/", ".", "\\", "x", "-", "+", "|")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
# the outline of each mark in a box of 16 x 16, by the name that Plotly gives it; without the filled
# diamond, which marks scores as people's labels correct them
MARK_PATHS: Mapping[str, str] = {
    "circle": "M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12Z",
    "square": "M2.5 2.5h11v11h-11Z",
    "triangle-left": "M2 8 13 2 13 14Z",
    "cross": "M6 2 10 2 10 6 14 6 14 10 10 10 10 14 6 14 6 10 2 10 2 6 6 6Z",
    "x": "M3.5 2 8 6.5 12.5 2 14 3.5 9.5 8 14 12.5 12.5 14 8 9.5 3.5 14 2 12.5 6.5 8 2 3.5Z",
    "triangle-up": "M8 2 14 13 2 13Z",
    "triangle-down": "M8 14 14 3 2 3Z",
    "star": "M8 1 9.8 5.6 14.7 5.8 10.9 8.9 12.1 13.7 8 11 3.9 13.7 5.1 8.9 1.3 5.8 6.2 5.6Z",
    "pentagon": "M8 1.5 14.2 6 11.8 13.3 4.2 13.3 1.8 6Z",
    "hexagon": "M8 1.5 13.6 4.8 13.6 11.2 8 14.5 2.4 11.2 2.4 4.7Z",
    "hourglass": "M2.5 2 13.5 2 2.5 14 13.5 14Z",
}
MARKS = tuple(MARK_PATHS)
WITH = " + "  # stands between a model and the knowledge that it was given


class ModelStyle(NamedTuple):
    """Holds what tells a model from others: its color, and a mark, a pattern or a dash.

    Without color, names and dots are told by the mark, bars by the pattern, lines by the dash.
    """

    color: str
    pattern: str
    dash: str
    mark: str


def mark_icon(style: ModelStyle) -> Markup:
    """Return the mark of a model in its color, beside which the name of the model stands."""
    path = tag("path", d=MARK_PATHS[style.mark], fill=style.color)
    return tag("svg", path, class_="model-mark", viewBox="0 0 16 16", aria_hidden="true")


def model_style(model: str, known: Sequence[str]) -> ModelStyle:
    """Return the look of a model by its place among all that are known.

    Of 88 known models no two have the same color and mark. With knowledge a model keeps the color,
    not the pattern. A model that is not known gets a place from its name, so that its look does not
    depend on the models beside it.
    """
    name, _, knowledge = model.partition(WITH)
    if name in known:
        place = known.index(name)
    else:
        place = len(known) + crc32(name.encode()) % (len(COLORS) * len(MARKS))
    pattern = place // len(COLORS)
    if knowledge:
        pattern += 1 + crc32(knowledge.encode()) % (len(PATTERNS) - 1)
    return ModelStyle(
        color=COLORS[place % len(COLORS)],
        pattern=PATTERNS[pattern % len(PATTERNS)],
        dash=DASHES[(place + pattern) % len(DASHES)],
        mark=MARKS[(place + pattern) % len(MARKS)],
    )


def figure_layout(height: int, **changes: Any) -> dict[str, Any]:
    """Return the layout of a figure by Plotly on paper of any color, `height` in pixels."""
    return {
        "height": height,
        "paper_bgcolor": CLEAR,
        "plot_bgcolor": CLEAR,
        "font": {"color": INK, "size": 13},
        "margin": {"l": 48, "r": 8, "t": 16, "b": 40},
        "legend": {"orientation": "h"},
        **changes,
    }


def distance(low: float | None, high: float | None) -> float:
    """Return how far two ends of a drawn interval lie apart, 0 where one is missing."""
    return 0 if low is None or high is None else high - low


def model_styles(models: Sequence[str], known: Sequence[str]) -> Mapping[str, ModelStyle]:
    """Return the look of each model."""
    return {model: model_style(model, known) for model in models}
