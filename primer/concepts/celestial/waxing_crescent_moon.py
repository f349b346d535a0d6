"""Draws a waxing crescent moon by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Sequence

from hallascope.primer.concepts.celestial.forms import blend, crater
from hallascope.primer.drawing.parts import (
    Art,
    Part,
    Point,
    circle,
    ellipse,
    part,
    polygon,
    shade,
    star,
)
from hallascope.primer.world import DrawnValues

MOON = 42.0


def _half_width(outline: str, y: float) -> float:
    if outline == "square":
        return MOON * 0.82
    if outline == "diamond":
        return MOON * 1.1 - abs(y)
    return math.sqrt(max(MOON**2 - y * y, 0.0))


def _slice(outline: str, left: float, right: float) -> list[Point]:
    """Return the part of the moon's disc between two shares of its half width.

    A share is -1 at the left edge and 1 at the right edge.
    """
    top = {"round": MOON, "square": MOON * 0.82, "diamond": MOON * 1.1}[outline]
    ys = [-top * math.cos(math.pi * i / 60) for i in range(61)]
    return [
        *((right * _half_width(outline, y), y) for y in ys),
        *((left * _half_width(outline, y), y) for y in reversed(ys)),
    ]


def draw(v: DrawnValues, art: Art) -> Sequence[Part]:
    outline = v["outline"]
    edge = {"thin": 0.44, "half": 0.0, "most": -0.42}[v["amount"]]
    night = blend(art.tone("grey"), "#2c3050", 0.62)
    light = (
        blend(art.tone("white"), art.tone("beige"), 0.22)
        if v["colour"] == "white"
        else shade(art.tone(v["colour"]), 0.1)
    )
    dim = [
        ellipse(MOON * x, MOON * y, MOON * r, MOON * r * 0.8, shade(night, -0.14), stroke=None)
        for x, y, r in ((-0.5, -0.3, 0.17), (-0.34, 0.34, 0.22), (-0.66, 0.12, 0.1))
    ]
    parts = [part("unlit part", polygon(_slice(outline, -1, 1), night), dim)]
    lit = [
        polygon(_slice(outline, edge, 1), light),
        polygon(_slice(outline, edge, edge + 0.1), shade(light, -0.13), stroke=None),
    ]
    parts.append(part("lit part", lit))
    if v["surface"] == "craters":
        rows = [(-1, 0.56, 6.2), (-18, 0.54, 4.4), (16, 0.54, 4.8)]
        if v["amount"] != "thin":
            rows += [(7, 0.2, 3.8), (-12, 0.24, 3.4), (20, 0.22, 3.0)]
        for y, share, r in rows:
            half = _half_width(outline, y)
            x = half * (edge + (1 - edge) * share)
            parts.append(part("crater", crater(x, y, min(r, half * (1 - edge) * 0.3), light)))
    if v["surface"] == "stripes":
        for y0 in (-27, -9, 9, 27):
            ys = [y0 - 3.5 + 7 * i / 6 for i in range(7)]
            right = [(_half_width(outline, y) * 0.985, y) for y in ys]
            left = [(_half_width(outline, y) * (edge + 0.02), y) for y in reversed(ys)]
            parts.append(part("stripe", polygon([*right, *left], shade(light, -0.42), stroke=None)))
    parts.append(part("outline", polygon(_slice(outline, -1, 1), None)))
    dark = (edge - 1) / 2 * _half_width(outline, 0)
    if v["unlit"] == "star":
        parts.append(
            part(
                "star",
                star(
                    dark,
                    0,
                    min(11, 0.23 * (1 + edge) * MOON + 3.5),
                    5,
                    0.48,
                    fill=art.tone("yellow"),
                ),
            )
        )
    if v["unlit"] == "lights":
        spots = [
            (_half_width(outline, y) * ((edge - 1) / 2 + side * (edge + 1)), y)
            for y in (-13, 0, 13)
            for side in (-0.17, 0.17)
        ]
        parts += [part("light", circle(x, y, 3.1, art.tone("yellow"), width=0.9)) for x, y in spots]
    turn = {"right": 0, "bottom": 90, "left": 180, "top": 270}[v["side"]]
    return [p.with_transform(f"rotate({turn})") for p in parts]
