"""Says how models look in figures: color, pattern, line and mark, the same everywhere.

What is drawn in them can be read on light and on dark paper.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from zlib import crc32

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
LINE = "rgba(125, 130, 141, 0.35)"
PATTERNS = ("", "/", ".", "\\", "x", "-", "+", "|")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
# without the filled diamond, which marks scores as people's labels correct them
MARKS = (
    "circle",
    "square",
    "triangle-left",
    "cross",
    "x",
    "triangle-up",
    "triangle-down",
    "star",
    "pentagon",
    "hexagon",
    "hourglass",
)
WITH = " + "  # stands between a model and the knowledge that it was given


class ModelStyle(NamedTuple):
    """Holds what tells a model from others: its color, and a pattern, or a dash and a mark.

    Without color, bars are told by the pattern, lines by dash and mark.
    """

    color: str
    pattern: str
    dash: str
    mark: str


def model_style(model: str, known: Sequence[str]) -> ModelStyle:
    """Return the look of a model by its place among all that are known.

    With knowledge it keeps the color, not the pattern. A model that is not among them gets a place
    from its name, so that its look does not depend on the models beside it.
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


def model_styles(models: Sequence[str], known: Sequence[str]) -> Mapping[str, ModelStyle]:
    """Return the look of each model."""
    return {model: model_style(model, known) for model in models}
