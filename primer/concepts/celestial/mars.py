"""Draws Mars and its moons, which chance places and turns."""

import math
from collections.abc import Sequence

from hallascope.primer.concepts.celestial.forms import (
    Globe,
    blend,
    cap,
    corners,
    round_corners,
    surface,
)
from hallascope.primer.drawing.forms import read_numbers
from hallascope.primer.drawing.parts import (
    Art,
    Part,
    Shape,
    circle,
    part,
    path,
    polar,
    polygon,
    rect,
    shade,
)
from hallascope.primer.world import DrawnValues

_NUMBERS = read_numbers(__file__)


def _rock(kind: str, x: float, y: float, art: Art) -> list[Shape]:
    tone = shade(art.tone("grey"), 0.1)
    if kind == "cube":
        front = rect(x - 7.5, y - 4.5, 11.5, 11.5, tone)
        top = polygon(
            [(x - 7.5, y - 4.5), (x - 4, y - 8), (x + 7.5, y - 8), (x + 4, y - 4.5)],
            shade(tone, 0.3),
        )
        side = polygon(
            [(x + 4, y - 4.5), (x + 7.5, y - 8), (x + 7.5, y + 3.5), (x + 4, y + 7)],
            shade(tone, -0.22),
        )
        return [front, top, side]
    if kind == "ring":
        hole = f"M{x - 3.6:.2f},{y:.2f} a3.6,3.6 0 1,1 7.2,0 a3.6,3.6 0 1,1 -7.2,0 Z"
        return [path(f"M{x - 8:.2f},{y:.2f} a8,8 0 1,0 16,0 a8,8 0 1,0 -16,0 Z {hole}", tone)]
    turn = art.vary(0, 360)
    outline = round_corners([polar(x, y, r, a + turn) for r, a in _NUMBERS["rock"]])
    pits = [
        circle(*polar(x, y, d, a + turn), r, shade(tone, -0.3), stroke=shade(tone, -0.5), width=0.6)
        for d, a, r in _NUMBERS["dents"]
    ]
    return [polygon(outline, tone), *pits]


def planet(v: DrawnValues, art: Art) -> Sequence[Part]:
    globe = Globe(34, view=8, roll=10)
    rust = shade(
        blend(blend(art.tone("red"), art.tone("orange"), 0.3), art.tone("brown"), 0.25), 0.06
    )
    tone = rust if v["colour"] == "red" else art.tone(v["colour"])
    plains = [
        part("plain", globe.patch(outline, shade(tone, -0.15))) for outline in _NUMBERS["plains"]
    ]
    parts = [
        part("planet", globe.disc(tone)),
        *plains,
        *surface(globe, v["surface"], tone, 5.6),
    ]
    ice = art.tone("white")
    if v["ice"] == "poles":
        parts += [part("ice", cap(globe, 58, ice)), part("ice", cap(globe, -60, ice))]
    elif v["ice"] == "equator":
        parts.append(part("ice", globe.band(-8, 12, ice, wave=2)))
    else:
        field = [
            (24 * math.cos(a / 2), 4 + 24 * math.sin(a / 2) * (1 + 0.12 * (a % 2)))
            for a in range(12)
        ]
        parts.append(part("ice", globe.patch(field, ice)))
    moons = [
        part("moon", _rock(v["moon shape"], x, y, art)) for x, y in corners(v["moons"], 39.5, art)
    ]
    return [*parts, *moons]
