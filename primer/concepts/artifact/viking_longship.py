"""Draws the masts and sails of a longship: the sails bulge in the wind."""

import math
from collections.abc import Sequence

from hallascope.primer.concepts.artifact.forms import clip, dense, round
from hallascope.primer.drawing.forms import dark
from hallascope.primer.drawing.parts import Art, Part, Point, part, path, polygon, rect, shade
from hallascope.primer.world import DrawnValues

_TOP = -40.0
_BOTTOM = 3.0
_LINEN = "#f4ead2"


def _sail(cx: float, half: float, v: DrawnValues, red: str) -> Part:
    square = v["sail shape"] == "square"
    corners = (
        [(-half, _TOP), (half, _TOP), (half, _BOTTOM), (-half, _BOTTOM)]
        if square
        else [(0.0, _TOP), (half, _BOTTOM), (-half, _BOTTOM)]
    )

    def bent(points: Sequence[Point]) -> list[Point]:
        curve = []
        for x, y in dense(points):
            t = (y - _TOP) / (_BOTTOM - _TOP)
            bulge = 4.5 * t * (1 - (x / half) ** 2)
            curve.append((cx + x * (1 + 0.1 * math.sin(math.pi * t)), y + bulge))
        return curve

    shapes = [polygon(bent(corners), red if v["sail pattern"] == "plain" else _LINEN)]
    if v["sail pattern"] == "stripes":
        count = 7 if half > 20 else 5 if half > 12 else 3
        step = 2 * half / count
        for i in range(0, count, 2):
            strip = clip(corners, 1, 0, -half + step * i, -half + step * (i + 1))
            shapes.append(polygon(bent(strip), red, width=0.7))
    elif v["sail pattern"] == "dots":
        spots = [(0.0, 0.36), (-0.3, 0.64), (0.3, 0.64), (0.0, 0.86), (-0.6, 0.88), (0.6, 0.88)]
        if square:
            spots = [(a, b) for b in (0.18, 0.5, 0.82) for a in (-0.62, 0.0, 0.62)]
        for a, b in spots:
            spot = round(half * a, _TOP + (_BOTTOM - _TOP) * b, min(4.6, half * 0.26))
            shapes.append(polygon(bent(spot), red, stroke=None))
    shadow = dark(bent(clip(corners, 1, 0, half * 0.45, half - 0.3)), 0.1)
    return part("sail", shapes, shadow, polygon(bent(corners), None))


def sails(v: DrawnValues, art: Art) -> Sequence[Part]:
    half, centers = {1: (26.0, (0.0,)), 2: (15.0, (-18.0, 18.0)), 3: (9.5, (-24.0, 0.0, 24.0))}[
        v["sails"]
    ]
    wood = shade(art.tone("brown"), 0.12)
    red = art.tone("red")
    yellow = art.tone("yellow")
    parts = []
    for x in centers:
        parts += [part("mast", rect(x - 1.7, -48, 3.4, 68, wood)), _sail(x, half, v, red)]
        if v["sail shape"] == "square":
            yard = rect(x - half - 1.5, -42.4, 2 * half + 3, 3.6, wood, 1.8)
            parts.append(part("yard", yard))
        parts.append(part("pennant", path(f"M{x},-49 l8,2.4 l-8,2.4 Z", yellow, width=0.8)))
    return parts
