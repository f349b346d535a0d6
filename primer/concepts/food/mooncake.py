"""Draws the pastry of a mooncake, which is more or less brown, and the seeds in its filling."""

import math
from collections.abc import Sequence
from itertools import pairwise

from hallascope.primer.concepts.food.forms import (
    OutlinePoints,
    place_points,
    reach_of,
    scale_points,
    soft,
)
from hallascope.primer.drawing.parts import (
    INK,
    Art,
    Shape,
    circle,
    line,
    polar,
    polygon,
    shade,
)
from hallascope.primer.world import DrawnValues

SQUASH = 0.56


def _cake_reach(kind: str, degrees: float) -> float:
    if kind == "star":
        off = abs((degrees + 90) % 72 - 36) / 36
        return 0.6 + 0.5 * off
    if kind == "triangle":
        return reach_of("triangle", degrees)
    return 1 + 0.028 * math.cos(math.radians(degrees * 14))


def _prism(rim: OutlinePoints, height: float, tone: str) -> list[Shape]:
    """Return an upright solid seen from above its front.

    These are its side, lit from the left, and its top.
    """
    quads = []
    for (ax, ay), (bx, by) in zip(rim, [*rim[1:], rim[0]], strict=True):
        facing = (by - ay) / (math.hypot(bx - ax, by - ay) or 1)
        quads.append(
            (
                [(ax, ay), (bx, by), (bx, by + height), (ax, ay + height)],
                shade(tone, -0.22 - 0.14 * facing),
                ay + by,
            )
        )
    quads.sort(key=lambda quad: quad[2])
    ink = [polygon(points, INK, width=2.4) for points, _, _ in quads]
    return [
        *ink,
        *(polygon(points, fill, stroke=fill, width=0.4) for points, fill, _ in quads),
        polygon(rim, tone),
    ]


def _engraving(kind: str) -> list[OutlinePoints]:
    """Return the lines pressed into the top, in a disc of radius 1."""
    if kind == "stripes":
        return [
            [(x, -math.sqrt(1 - x * x)), (x, math.sqrt(1 - x * x))]
            for x in (-0.8, -0.48, -0.16, 0.16, 0.48, 0.8)
        ]
    if kind == "plain":
        return []
    petals = []
    for i in range(8):
        bend = [
            (0.59 - 0.35 * math.cos(t), 0.24 * math.sin(t) * (1 - 0.25 * math.cos(t)))
            for t in (j * math.pi / 12 for j in range(25))
        ]
        petals.append(place_points(bend, 0, 0, 45 * i))
    return [*petals, [polar(0, 0, 0.24, 12 * i) for i in range(31)]]


def _lip(points: OutlinePoints, tone: str) -> Shape:
    return polygon(points, shade(tone, 0.16), stroke=shade(tone, -0.25), width=0.7)


def _pressed(
    kind: str, cx: float, cy: float, r: float, tone: str, behind: float = 1.0
) -> list[Shape]:
    """Return the engraving on a top, as far as it lies at less than `behind` of its radius."""
    shapes: list[Shape] = []
    for mark in _engraving(kind):
        dense = [
            (ax + (bx - ax) * t / 4, ay + (by - ay) * t / 4)
            for (ax, ay), (bx, by) in pairwise(mark)
            for t in range(5)
        ]
        kept = [(cx + x * r, cy + y * r * SQUASH) for x, y in dense if y < behind]
        if len(kept) > 3:
            shapes.append(line(kept, shade(tone, -0.42), 1.7))
    return shapes


def _tone(art: Art) -> str:
    return art.shade("#da9236", -0.1, 0.08)


def cake(v: DrawnValues, art: Art) -> Sequence[Shape]:
    tone = _tone(art)
    kind = v["outline"]
    cx, cy, r = -9.0, -19.0, 37.0
    reach = [(math.radians(a), _cake_reach(kind, a)) for a in range(0, 360, 3)]
    rim = [(cx + r * k * math.cos(a), cy + r * SQUASH * k * math.sin(a)) for a, k in reach]
    field = r * (0.82 if kind == "round" else 0.52)
    return [
        *_prism(rim, 20.0, tone),
        _lip(scale_points(rim, 0.91, cx, cy), tone),
        *_pressed(v["top"], cx, cy, field, tone),
    ]


def cut_cake(v: DrawnValues, art: Art) -> Sequence[Shape]:
    tone = _tone(art)
    x, y, r, low = 13.0, 16.0, 33.0, 45.0
    arc = [
        (x + r * math.cos(math.radians(a)), y + r * SQUASH * math.sin(math.radians(a)))
        for a in range(180, 361, 4)
    ]
    face = [(x - r, y), (x + r, y), (x + r, low), (x - r, low)]
    return [
        polygon([*arc, *face[2:]], tone),
        _lip([(px, py - 0.6) for px, py in scale_points(arc, 0.9, x, y)], tone),
        *_pressed(v["top"], x, y, r * 0.82, tone, behind=-0.12),
        polygon(soft(face, 2), shade(tone, -0.08)),
    ]


def seeds(v: DrawnValues, art: Art) -> Sequence[Shape]:
    return [
        circle(13 + art.vary(-26, 26), 16 + art.vary(7, 22), 0.8, "#7a4c33", stroke=None)
        for _ in range(16)
    ]
