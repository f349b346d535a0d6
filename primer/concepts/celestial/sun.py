"""Draws the Sun by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Sequence

from hallascope.primer.concepts.celestial.forms import blend, round_corners
from hallascope.primer.drawing.parts import (
    Art,
    Part,
    Point,
    Shape,
    circle,
    ellipse,
    glow,
    part,
    path,
    polar,
    polygon,
    shade,
)
from hallascope.primer.world import DrawnValues

RADIUS = 27.0


def _corona(art: Art) -> list[Shape]:
    gold = art.tone("yellow")
    orange = art.tone("orange")
    turn = art.vary(0, 360)

    def flames(height: float, base: float) -> list[Point]:
        waves = [
            (math.sin(math.radians(7 * a + turn)), math.sin(math.radians(12 * a - turn)))
            for a in range(0, 360, 3)
        ]
        return [
            polar(0, 0, RADIUS + base + height * (slow + 0.6 * fast), 3 * i)
            for i, (slow, fast) in enumerate(waves)
        ]

    return [
        *(
            circle(0, 0, RADIUS + far, shade(orange, 0.3), stroke=None, opacity=0.12)
            for far in (20, 18, 16, 14)
        ),
        polygon(flames(3.2, 11.5), shade(orange, 0.3), stroke=orange, width=0.8),
        polygon(flames(2.2, 7.5), shade(gold, 0.2), stroke=None),
        circle(0, 0, RADIUS + 3.4, shade(gold, 0.55), stroke=None),
    ]


def _prominence(kind: str, turn: float, tone: str, scale: float) -> Part:
    dark = shade(tone, -0.4)
    if kind == "arch":
        arch = "M-9,1.4 C-11,-18 11,-18 9,1.4 L5.4,1.4 C6,-11.5 -6,-11.5 -5.4,1.4 Z"
        gleam = path("M-6.8,-2 C-5.6,-13 5.6,-13 6.8,-2", None, stroke=shade(tone, 0.35), width=1.0)
        shapes = [path(arch, tone, stroke=dark, width=1.0), gleam]
    elif kind == "spike":
        shapes = [polygon([(-7, 1), (0, -15), (7, 1)], tone, stroke=dark, width=1.0)]
    else:
        shapes = [circle(0, -6.4, 6.4, tone, stroke=dark, width=1.0), glow(-2, -8.6, 1.9)]
    return part("prominence", shapes).with_transform(
        f"rotate({turn:.1f}) translate(0 {-RADIUS:.1f}) scale({scale:.2f})"
    )


def _spot_places(place: str) -> tuple[tuple[float, float, float], ...]:
    """Return centers and half widths of the sunspots."""
    if place == "poles":
        return ((-5.5, -20, 4.6), (6.5, -18.5, 3.6), (-6, 18.5, 3.6), (5, 20, 4.6))
    if place == "rim":
        return tuple((*polar(0, 0, 21.2, 20 + 60 * i), 4.2) for i in range(6))
    return (
        (-12.5, -7.5, 5.0),
        (-4.0, -11.0, 2.8),
        (10, -8, 3.9),
        (-8, 10, 3.6),
        (8, 8, 5.2),
        (15.8, 10.5, 2.8),
    )


def _spot(x: float, y: float, r: float, rim: str, dark: str, art: Art) -> list[Shape]:
    rough = [art.vary(0.88, 1.12) for _ in range(9)]
    rings = [
        [polar(0, 0, r * share * k, 40 * i) for i, k in enumerate(rough)] for share in (1.16, 0.72)
    ]
    outer, inner = ([(x + dx, y + 0.76 * dy) for dx, dy in round_corners(ring)] for ring in rings)
    return [
        polygon(outer, rim, stroke=shade(rim, -0.35), width=0.6),
        polygon(inner, dark, stroke=None),
    ]


def draw(v: DrawnValues, art: Art) -> Sequence[Part]:
    tone = (
        blend(art.tone("yellow"), art.tone("white"), 0.3)
        if v["colour"] == "yellow"
        else shade(art.tone(v["colour"]), 0.12)
    )
    parts = []
    if v["around"] == "corona":
        parts.append(part("corona", _corona(art)))
    if v["around"] == "ring":
        grey = shade(art.tone("grey"), 0.2)
        hoop = (
            "M-47,0 a47,47 0 1,0 94,0 a47,47 0 1,0 -94,0 Z "
            "M-42,0 a42,42 0 1,1 84,0 a42,42 0 1,1 -84,0 Z"
        )
        parts.append(part("hoop", path(hoop, grey)))
    first = art.vary(15, 75)
    flame = blend(art.tone("red"), art.tone("orange"), 0.55)
    parts += [
        _prominence(v["edge"], first + 90 * i + art.vary(-16, 16), flame, art.vary(0.85, 1.12))
        for i in range(4)
    ]
    cells = [
        (*polar(0, 0, RADIUS * art.vary(0.1, 0.82), 36 * i + art.vary(-14, 14)), art.vary(1.6, 3.2))
        for i in range(10)
    ]
    grain = [ellipse(x, y, r * 1.5, r, shade(tone, 0.42), stroke=None) for x, y, r in cells]
    rings = [
        circle(0, 0, RADIUS * k, shade(tone, light), stroke=None)
        for k, light in ((0.88, 0.1), (0.7, 0.22))
    ]
    parts.append(part("disk", circle(0, 0, RADIUS, shade(tone, -0.05)), rings, grain))
    dark = art.tone(v["spot colour"])
    rim = {"black": blend(tone, art.tone("brown"), 0.5)}.get(v["spot colour"], shade(dark, -0.15))
    return [
        *parts,
        *(part("spot", _spot(x, y, r, rim, dark, art)) for x, y, r in _spot_places(v["spots"])),
    ]
