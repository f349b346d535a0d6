"""Draws a coconut palm by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Sequence
from dataclasses import replace

from hallascope.primer.concepts.plant.forms import shadow_side
from hallascope.primer.drawing.forms import put_at
from hallascope.primer.drawing.parts import (
    INK,
    Art,
    Part,
    Point,
    Shape,
    circle,
    ellipse,
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
            shadow_side("M4,-4.4 A6,6 0 0,1 -4,4.4 A8,8 0 0,0 4,-4.4 Z", brown),
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


def _taper(points: Sequence[Point], low: float, high: float, bark: str) -> list[Shape]:
    """A trunk from foot to top with ring scars; `low` and `high` are its widths."""
    last = len(points) - 1
    widths = [low + (high - low) * i / last for i in range(last + 1)]
    left = [(x - w / 2, y) for (x, y), w in zip(points, widths, strict=True)]
    right = [(x + w / 2, y) for (x, y), w in zip(points, widths, strict=True)]
    inner = [(x + w * 0.14, y) for (x, y), w in zip(points, widths, strict=True)]
    whole = polygon([*left, *reversed(right)], bark)
    shadow = polygon([*inner, *reversed(right)], shade(bark, -0.14), stroke=None)
    scars = [
        f"M{a:.1f},{y:.1f} Q{(a + b) / 2:.1f},{y + 2.4:.1f} {b:.1f},{y:.1f}"
        for (a, y), (b, _) in zip(left, right, strict=True)
    ]
    return [
        whole,
        shadow,
        *(path(d, None, stroke=shade(bark, -0.4), width=0.9) for d in scars[1:-1]),
        replace(whole, fill=None),
    ]


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    bark = shade(art.tone("brown"), 0.22)
    thick = v["trunk"] == "thick"
    forked = v["stem"] == "forked"
    low, high = (27.0, 23.0) if thick else (8.0, 5.6)
    lean = 0.0 if forked else 5.0
    foot = 45.0
    top = -14.0 if v["crown"] == "top" else -40.0
    run = [(-lean + 2 * lean * (k / 12) ** 1.6, foot + (top - foot) * k / 12) for k in range(13)]
    parts = [part("sand", ellipse(0, 44, 30, 6, art.tone("beige")))]
    tops = [run[-1]]
    if forked:
        run = run[: 8 if v["crown"] == "top" else 6]
        tops = [(-22.0, top), (22.0, top)]
        for tip in tops:
            sx, sy = run[-1]
            limb = [
                (sx + (tip[0] - sx) * (k / 7) ** 0.8, sy + 6 + (tip[1] - sy - 6) * k / 7)
                for k in range(8)
            ]
            parts.append(part("trunk", _taper(limb, low * 0.62, high * 0.62, bark)))
    parts.append(part("trunk", _taper(run, low, low if forked else high, bark)))
    if v["crown"] == "top":
        for x, y in tops:
            parts += _crown(x, y - 3, 0.66 if forked else 1.0, v, art)
    else:
        level = 6.0 if v["crown"] == "middle" else 35.0
        x = min(run, key=lambda spot: abs(spot[1] - level))[0]
        parts += _crown(x, level, 0.74, v, art)
    return parts
