"""Draws the whirling columns of a tornado, which sway by chance, and the wood that they carry."""

import math
from collections.abc import Callable, Mapping, Sequence

from hallascope.primer.drawing.forms import turn_points
from hallascope.primer.drawing.parts import (
    INK,
    Art,
    Part,
    Shape,
    circle,
    line,
    part,
    path,
    polygon,
    shade,
)
from hallascope.primer.world import DrawnValues

_WIDTHS: Mapping[str, Callable[[float], float]] = {
    "top": lambda t: 3.6 + 21 * (1 - t) ** 1.5,
    "bottom": lambda t: 3.6 + 21 * t**1.5,
    "middle": lambda t: 3.6 + 20 * math.sin(math.pi * t) ** 1.6,
}


def _whirl(x: float, slim: float, v: DrawnValues, tone: str, bow: float) -> list[Shape]:
    """Return one column around x; `slim` narrows it."""
    top, foot = (-36.0, 42.0) if v["cloud place"] == "above" else (-47.0, 36.0)
    height = foot - top

    def spine(t: float) -> float:
        return x + bow * math.sin(t * 2.2 * math.pi) * (0.4 + 0.6 * t)

    def half(t: float) -> float:
        return max(2.6, slim * _WIDTHS[v["widest"]](t))

    steps = [i / 40 for i in range(41)]
    left = [(spine(t) - half(t) * (1 + 0.06 * math.sin(t * 40)), top + height * t) for t in steps]
    right = [
        (spine(t) + half(t) * (1 + 0.06 * math.sin(t * 40 + 1.5)), top + height * t) for t in steps
    ]
    shaded = [(spine(t) + half(t) * 0.35, top + height * t) for t in steps]
    outline = [*left, *reversed(right)]
    shadow = polygon([*shaded, *reversed(right)], shade(tone, -0.17), stroke=None)
    marks: list[Shape] = []
    if v["surface"] == "dots":
        for i, t in enumerate((0.1, 0.26, 0.42, 0.58, 0.74, 0.9)):
            gaps: tuple[float, ...] = (-0.5, 0.5) if half(t) > 10 else (0.0,)
            if half(t) > 17:
                gaps = (-0.66, 0.0, 0.66) if i % 2 == 0 else (-0.4, 0.4)
            size = min(4.2, half(t) * 0.5)
            marks += [
                circle(spine(t) + g * half(t), top + height * t, size, "#fffdf2", width=0.9)
                for g in gaps
            ]
    elif v["surface"] == "stripes":
        for g in (-0.5, 0.0, 0.5):
            stripe = [(spine(t) + g * half(t), top + height * t) for t in steps]
            marks.append(line(stripe, INK, 2.0 * max(slim, 0.6)))
    else:
        for t in (0.08, 0.22, 0.36, 0.5, 0.64, 0.78, 0.91):
            w = half(t) * 1.06
            cx = spine(t)
            cy = top + height * t
            dip = min(7.0, 2.0 + w * 0.3)
            d = (
                f"M{cx - w:.2f},{cy - dip * 0.4:.2f} C{cx - w * 0.6:.2f},{cy + dip:.2f}"
                f" {cx + w * 0.5:.2f},{cy + dip:.2f} {cx + w:.2f},{cy - dip * 0.5:.2f}"
            )
            marks += [path(d, width=2.6), path(d, stroke=shade(tone, 0.5))]
    return [polygon(outline, tone), shadow, *marks, polygon(outline, None)]


def whirls(v: DrawnValues, art: Art) -> Sequence[Part]:
    slim, bend, places = {
        1: (1.0, 1.0, (0.0,)),
        2: (0.72, 0.6, (-23.0, 23.0)),
        3: (0.52, 0.6, (-32.0, 0.0, 32.0)),
    }[v["columns"]]
    tone = art.tone(v["colour"])
    bow = art.vary(3.0, 4.6) * bend
    return [part("whirl", _whirl(x, slim, v, tone, bow)) for x in places]


def planks(v: DrawnValues, art: Art) -> Sequence[Part]:
    spread = 1.0 if v["widest"] == "top" else 1.12
    board = [(-6, -1.7), (6, -1.7), (6, 1.7), (-6, 1.7)]
    shapes = []
    for x, y, turn in ((-30, 0, 30), (30, 4, -35), (-26, 24, -20), (28, 25, 45)):
        corners = turn_points(board, turn + art.vary(-8, 8))
        shapes.append(
            polygon([(x * spread + a, y + b) for a, b in corners], art.tone("brown"), width=1.0)
        )
    return [part("bits of wood", shapes)]
