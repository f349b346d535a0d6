"""Draws a slice of watermelon by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Callable, Sequence

from hallascope.primer.concepts.food.forms import (
    OutlinePoints,
    fork,
    oval,
    place_points,
    scale_points,
    smooth,
    soft,
)
from hallascope.primer.drawing.parts import (
    INK,
    Art,
    Part,
    Shape,
    part,
    path,
    polar,
    polygon,
    rect,
    shade,
)
from hallascope.primer.world import FactValues


def _sector(tip: float, r: float, half: float) -> OutlinePoints:
    """Return a slice of a disc with its tip at (0, tip), pointing down to the rim.

    Its corners are slightly rounded.
    """
    rim = [polar(0, tip, r, 90 + half - 2 * half * i / 30) for i in range(31)]
    return [(0, tip), *rim]


def _seed(kind: str, x: float, y: float, turn: float) -> Part:
    forms: dict[str, Callable[[], Shape]] = {
        "drop": lambda: smooth(
            place_points(
                [
                    (0, -4.6),
                    (1.7, -1.2),
                    (2.6, 1.6),
                    (1.5, 3.7),
                    (0, 4.1),
                    (-1.5, 3.7),
                    (-2.6, 1.6),
                    (-1.7, -1.2),
                ],
                x,
                y,
                turn,
            ),
            INK,
        ),
        "star": lambda: polygon(
            place_points(
                [polar(0, 0, 5.2 if i % 2 == 0 else 2.2, 36 * i - 90) for i in range(10)],
                x,
                y,
                turn,
            ),
            INK,
        ),
        "square": lambda: polygon(
            place_points([(-3.6, -3.6), (3.6, -3.6), (3.6, 3.6), (-3.6, 3.6)], x, y, turn), INK
        ),
        "heart": lambda: path(f"M{x:.2f},{y + 5:.2f} c-9,-6 -4.5,-12 0,-7 c4.5,-5 9,1 0,7 Z", INK),
    }
    shine = (
        [oval(x - 0.8, y + 1.2, 0.5, 1.1, turn, "#ffffff", stroke=None, opacity=0.6)]
        if kind == "drop"
        else []
    )
    return part("seed", forms[kind](), shine)


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    tip, r, half = (-46.0, 70.0, 38.0) if v["held on"] != "nothing" else (-45.0, 89.0, 33.0)
    flip = v["stands"] == "tip"
    thin = v["larger"] == "flesh"
    tone = art.tone(str(v["flesh colour"]))
    dark = "#2c6b3a"
    green = "#4f9e4f"
    pale = "#e3efbf"
    if v["rind place"] == "curved":
        inner = tip
        width = r * (0.1 if thin else 0.54)
        bands = [_sector(tip, r - width * k, half) for k in (0.0, 0.45, 0.72, 1.0)]
        reach = r - width
    else:
        width = r * (0.085 if thin else 0.27)
        shifts = [width * k / math.sin(math.radians(half)) for k in (0.0, 0.45, 0.72, 1.0)]
        bands = [[(x, y) for x, y in _sector(tip + s, r - s * 0.985, half)] for s in shifts]
        inner = tip + shifts[3]
        reach = r - shifts[3] * 0.985
    rind = part(
        "rind",
        polygon(soft(bands[0], 2.0), dark),
        polygon(bands[1], green, stroke=None),
        polygon(bands[2], pale, stroke=None),
    )
    side = [
        (0.0, inner),
        *(polar(0, inner, reach, 90 - half + half * 0.3 * i / 10) for i in range(11)),
    ]
    flesh = part(
        "flesh",
        polygon(bands[3], tone),
        polygon(scale_points(side, 0.97, 0, inner + reach / 2), shade(tone, -0.12), stroke=None),
    )
    rows = (
        ((0.36, (0.0,)), (0.6, (-0.42, 0.42)), (0.84, (-0.66, -0.22, 0.22, 0.66)))
        if reach > 50
        else ((0.42, (0.0,)), (0.78, (-0.48, 0.48)))
    )
    seeds = []
    for depth, places in rows:
        for place in places:
            x, y = polar(0, inner, reach * depth, 90 + half * place * (0.9 if reach > 50 else 1.0))
            seeds.append(_seed(str(v["seed shape"]), x, y, half * place))
    turn = f"translate(0 {2 * tip + r:.2f}) scale(1 -1)" if flip else ""
    food = [drawn.with_transform(turn) if flip else drawn for drawn in (rind, flesh, *seeds)]
    if v["held on"] == "stick":
        return [
            part(
                "stick",
                rect(-4.5, 0, 9, 48, "#e2c08a", r=4.5),
                rect(0.5, 26, 3, 18, shade("#e2c08a", -0.15), r=1.5, stroke=None),
            ),
            *food,
        ]
    if v["held on"] == "fork":
        return [*food, fork(0, 12, 90, 36, 6)]
    return food
