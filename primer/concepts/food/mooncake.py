"""Draws a mooncake by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Sequence
from itertools import pairwise

from hallascope.primer.concepts.food.forms import (
    OutlinePoints,
    fork,
    knife,
    place_points,
    reach_of,
    scale_points,
    soft,
)
from hallascope.primer.drawing.parts import (
    INK,
    Art,
    Part,
    Shape,
    circle,
    glow,
    line,
    part,
    polar,
    polygon,
    rect,
    shade,
)
from hallascope.primer.world import FactValues

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


def _pressed(kind: str, cx: float, cy: float, r: float, tone: str, back: bool) -> list[Shape]:
    """Return the engraving on a top; `back` leaves only what lies behind the cut."""
    shapes: list[Shape] = []
    for mark in _engraving(kind):
        dense = [
            (ax + (bx - ax) * t / 4, ay + (by - ay) * t / 4)
            for (ax, ay), (bx, by) in pairwise(mark)
            for t in range(5)
        ]
        kept = [(cx + x * r, cy + y * r * SQUASH) for x, y in dense if not back or y < -0.12]
        if len(kept) > 3:
            shapes.append(line(kept, tone, 1.7))
    return shapes


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    tone = shade("#da9236", art.vary(-0.1, 0.08))
    groove = shade(tone, -0.42)
    kind = str(v["outline"])
    pattern = str(v["top"])
    cx = -9.0
    cy = -19.0
    r = 37.0
    height = 20.0
    rim = [
        (
            cx + r * _cake_reach(kind, a) * math.cos(math.radians(a)),
            cy + r * SQUASH * _cake_reach(kind, a) * math.sin(math.radians(a)),
        )
        for a in range(0, 360, 3)
    ]
    field = r * (0.82 if kind == "round" else 0.52)
    lip = [
        polygon(
            scale_points(rim, 0.91, cx, cy), shade(tone, 0.16), stroke=shade(tone, -0.25), width=0.7
        )
    ]
    whole = part(
        "cake", _prism(rim, height, tone), lip, _pressed(pattern, cx, cy, field, groove, False)
    )

    hx = 13.0
    hy = 16.0
    hr = 33.0
    deep = 29.0
    arc = [
        (hx + hr * math.cos(math.radians(a)), hy + hr * SQUASH * math.sin(math.radians(a)))
        for a in range(180, 361, 4)
    ]
    lid = [(hx + (x - hx) * 0.9, hy + (y - hy) * 0.9 - 0.6) for x, y in arc]
    half = part(
        "cut cake",
        polygon([*arc, (hx + hr, hy + deep), (hx - hr, hy + deep)], tone),
        polygon(lid, shade(tone, 0.16), stroke=shade(tone, -0.25), width=0.7),
        _pressed(pattern, hx, hy, hr * 0.82, groove, True),
        polygon(
            soft([(hx - hr, hy), (hx + hr, hy), (hx + hr, hy + deep), (hx - hr, hy + deep)], 2),
            shade(tone, -0.08),
        ),
    )
    paste = part(
        "filling",
        rect(hx - hr + 4, hy + 4, 2 * hr - 8, deep - 8, "#5a3322", r=4),
        *(
            circle(hx + art.vary(-26, 26), hy + art.vary(7, deep - 7), 0.8, "#7a4c33", stroke=None)
            for _ in range(16)
        ),
    )
    count = int(v["yolks"])
    yolk = art.tone(str(v["yolk colour"]))
    size, step = {1: (9.0, 0.0), 3: (7.0, 18.0), 5: (4.9, 11.8)}[count]
    level = hy + deep / 2 if v["yolk place"] == "inside" else hy - size * 0.75
    yolks = []
    for i in range(count):
        x = hx + step * (i - (count - 1) / 2)
        yolks.append(
            part(
                "yolk",
                circle(x, level, size, yolk),
                circle(
                    x + size * 0.12,
                    level + size * 0.14,
                    size * 0.7,
                    shade(yolk, -0.08),
                    stroke=None,
                ),
                glow(x - size * 0.3, level - size * 0.34, size * 0.3),
            )
        )
    tools = {"knife": [knife(7, -16, -43, 54, 9)], "fork": [fork(12, -20, -43, 48, 6.5)]}.get(
        str(v["tool"]), []
    )
    return [whole, *tools, half, paste, *yolks]
