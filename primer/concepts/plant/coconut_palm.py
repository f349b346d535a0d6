"""Draws the crowns of a coconut palm: feathered leaves and fruit where the trunk carries them."""

import math
from collections.abc import Sequence

from hallascope.primer.drawing.forms import put_at
from hallascope.primer.drawing.parts import (
    INK,
    Art,
    Part,
    Point,
    Shape,
    circle,
    glow,
    line,
    part,
    path,
    polar,
    polygon,
    shade,
)
from hallascope.primer.world import FactValues


def _frond(start: Point, bend: Point, end: Point, width: float, tone: str) -> list[Shape]:
    """Return a feather-shaped palm leaf along a curve."""

    def spot(t: float, offset: float) -> Point:
        u = 1 - t
        x = u * u * start[0] + 2 * u * t * bend[0] + t * t * end[0]
        y = u * u * start[1] + 2 * u * t * bend[1] + t * t * end[1]
        dx = u * (bend[0] - start[0]) + t * (end[0] - bend[0])
        dy = u * (bend[1] - start[1]) + t * (end[1] - bend[1])
        size = math.hypot(dx, dy) or 1.0
        return x - dy / size * offset, y + dx / size * offset

    teeth = 6
    edges: list[list[Point]] = []
    for side in (-1, 1):
        edge: list[Point] = []
        for i in range(teeth):
            t = i / teeth
            swell = width * math.sin(math.pi * (0.2 + 0.86 * t))
            edge += [spot(t, side * width * 0.22), spot(min(1.0, t + 0.2), side * swell)]
        edges.append(edge)
    rib = line([spot(k / 8, 0) for k in range(9)], shade(tone, 0.35), 0.9)
    return [polygon([start, *edges[0], end, *reversed(edges[1])], tone, width=0.9), rib]


def _fruits(kind: str, x: float, y: float, size: float, art: Art) -> list[Part]:
    places = ((-9.5, 3), (9.5, 3), (0, 6.5))
    if kind == "coconuts":
        brown = art.tone("brown")
        shapes = [
            circle(0, 0, 6, brown),
            path("M4,-4.4 A6,6 0 0,1 -4,4.4 A8,8 0 0,0 4,-4.4 Z", shade(brown, -0.14), stroke=None),
            glow(-2, -2, 1.6),
        ]
    elif kind == "apples":
        red = art.tone("red")
        shapes = [circle(0, 0, 6, red), line([(0, -5), (1, -8)], INK, 1.4), glow(-2, -2, 1.6)]
    else:
        shapes = [path("M-3,-7 C-7,2 -3,10 5,11 C3,8 1,2 2,-6 Z", art.tone("yellow"))]
    return [
        part(kind[:-1], shapes).with_transform(
            f"{put_at(x + size * dx, y + size * dy)} scale({size})"
        )
        for dx, dy in places
    ]


def _crown(x: float, y: float, size: float, v: FactValues, art: Art) -> list[Part]:
    tone = art.tone(str(v["colour"]))
    parts = []
    if v["fronds"] == "upright":
        for turn, dark in (
            (-34, -0.2),
            (34, -0.2),
            (-11, -0.12),
            (11, -0.12),
            (-23, 0.04),
            (23, 0.04),
            (0, 0.08),
        ):
            end = polar(x, y, size * 34, turn - 90)
            parts.append(
                part(
                    "frond",
                    _frond(
                        (x, y),
                        ((x + end[0]) / 2, (y + end[1]) / 2),
                        end,
                        size * 5.0,
                        shade(tone, dark),
                    ),
                )
            )
        return [*_fruits(str(v["fruit"]), x, y, size, art), *parts]
    plan = (
        (-14, -26, -30, -24, -0.1),
        (14, -26, 30, -24, -0.1),
        (-26, -24, -43, 0, 0.02),
        (26, -24, 43, 0, 0.02),
        (0, -20, -5, -31, 0.0),
        (-20, -14, -31, 19, 0.14),
        (20, -14, 31, 19, 0.14),
    )
    for bx, by, ex, ey, dark in plan:
        bend = (x + size * bx, y + size * by)
        end = (x + size * ex, y + size * ey)
        parts.append(part("frond", _frond((x, y), bend, end, size * 7.6, shade(tone, dark))))
    return [*parts, *_fruits(str(v["fruit"]), x, y, size, art)]


def crowns(v: FactValues, art: Art) -> Sequence[Part]:
    forked = v["stem"] == "forked"
    if v["crown"] == "top":
        places = [(-22.0, -17.0, 0.66), (22.0, -17.0, 0.66)] if forked else [(5.0, -17.0, 1.0)]
    else:
        level = 6.0 if v["crown"] == "middle" else 35.0
        trunk = [(-5 + 10 * (k / 12) ** 1.6, 45 - 85 * k / 12) for k in range(13)]
        x = 0.0 if forked else min(trunk, key=lambda spot: abs(spot[1] - level))[0]
        places = [(x, level, 0.74)]
    return [drawn for place in places for drawn in _crown(*place, v, art)]
