"""Draws a volcanic eruption by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Sequence

from hallascope.primer.concepts.event.forms import HEAP, Blob, flower, puffs
from hallascope.primer.drawing.parts import (
    Art,
    Part,
    Shape,
    circle,
    ellipse,
    glow,
    line,
    part,
    path,
    polar,
    polygon,
    rect,
    shade,
    star,
)
from hallascope.primer.world import FactValues

_PLUME: tuple[Blob, ...] = (
    (0.00, 0.40, 0.13, 0.16),
    (-0.05, 0.22, 0.19, 0.20),
    (0.08, 0.12, 0.22, 0.20),
    (-0.30, -0.08, 0.20, 0.26),
    (0.31, -0.06, 0.19, 0.25),
    (-0.12, -0.22, 0.22, 0.27),
    (0.15, -0.20, 0.21, 0.28),
)


def _bubble(x: float, y: float, r: float, tone: str) -> list[Shape]:
    return [
        circle(x, y, r, shade(tone, 0.55), stroke=shade(tone, -0.45), width=1.1),
        glow(x - r * 0.3, y - r * 0.35, r * 0.4),
    ]


def _mountain(form: str, tone: str) -> list[Shape]:
    dark = shade(tone, -0.22)
    light = shade(tone, 0.14)
    if form == "box":
        return [
            rect(-35, -7, 70, 51, tone),
            rect(12, -6.4, 22.4, 49.8, dark, stroke=None),
            rect(-33.5, -5, 6, 46, light, stroke=None),
        ]
    if form == "ball":
        moon = path("M14,-6.5 A28,28 0 0,1 -12,43.5 A34,34 0 0,0 14,-6.5 Z", dark, stroke=None)
        return [circle(0, 18, 28, tone), moon, ellipse(-15, 6, 4, 8, light, stroke=None)]
    body = path("M-46,44 C-30,34 -18,10 -12,-7 Q0,-3 12,-7 C18,10 30,34 46,44 Q0,49 -46,44 Z", tone)
    side = path(
        "M11.4,-6.6 C18,10 30,34 45,43.7 Q30,46 14,46 C20,30 8,14 5,-5.4 Z", dark, stroke=None
    )
    ridge = path("M-11,-4 C-16,12 -26,30 -38,40 C-28,34 -16,18 -8,-3 Z", light, stroke=None)
    return [body, side, ridge]


def _flow(tone: str) -> list[Shape]:
    body = path(
        "M-10.6,-7 C-13,4 -22,12 -22,26 C-22,33 -14,33 -13.5,26 "
        "C-13,18 -9,13 -6,8 C-4,16 -7,28 -5,38 C-3.6,44 4,44 4.6,38"
        " C5.4,28 1.6,18 4.6,9 C8,14 14,18 14.4,28 "
        "C14.8,35 23,34 22.6,27 C22,12 13,4 10.6,-7 Q0,-3.4 -10.6,-7 Z",
        tone,
    )
    core = [
        line(p, shade(tone, 0.42), 2.2)
        for p in (
            [(-8, 1), (-13, 9), (-17, 18), (-18, 26)],
            [(-1, 3), (-1.4, 14), (-1, 26), (-0.4, 37)],
            [(8, 2), (12, 9), (16.5, 18), (18.4, 27)],
        )
    ]
    return [body, *core]


def _half(form: str, y: float) -> float:
    """Return half the width of the mountain at the height `y`, roughly."""
    if form == "box":
        return 35.0
    return (
        math.sqrt(784 - (y - 18) ** 2)
        if form == "ball"
        else 12 + 0.19 * (y + 7) + 0.0092 * (y + 7) ** 2
    )


def _hoops(form: str, tone: str) -> list[Shape]:
    shapes = []
    for top in (1.0, 14.0):
        a = _half(form, top)
        b = _half(form, top + 7)
        foot = top + 7
        bow = 1.0 if form == "box" else 4.0
        d = (
            f"M{-a:.2f},{top} Q0,{top + bow} {a:.2f},{top} "
            f"L{b:.2f},{foot} Q0,{foot + bow} {-b:.2f},{foot} Z"
        )
        shapes += [
            path(d, tone),
            line(
                [(-a * 0.75, top + 3 + bow * 0.3), (-a * 0.15, top + 3 + bow * 0.5)],
                shade(tone, 0.42),
                2.0,
            ),
        ]
    return shapes


def _thrown(kind: str, x: float, y: float, art: Art) -> Part:
    if kind == "flowers":
        return part("flower", flower(x, y, 5.6, art.tone("pink"), art.tone("yellow")))
    if kind == "bubbles":
        return part("soap bubble", _bubble(x, y, 5, art.tone("light blue")))
    if kind == "stars":
        return part("star", star(x, y, 6, fill=art.tone("yellow"), width=1.0))
    rock = [
        polar(x, y, r, a)
        for r, a in ((5, 10), (4.4, 65), (5.2, 120), (4.3, 175), (5.1, 235), (4.4, 300))
    ]
    heat = [
        polar(x, y, r, a) for r, a in ((3.0, 200), (2.8, 260), (2.8, 320), (1.6, 30), (1.2, 120))
    ]
    return part("glowing rock", polygon(rock, "#4c3a38"), polygon(heat, "#ff9a3c", stroke=None))


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    ash_tone = shade(art.tone("grey"), -0.22) if v["ash"] == "grey" else art.tone(str(v["ash"]))
    lava_tone = art.tone(str(v["lava"]))
    form = str(v["mountain"])
    above = v["ash place"] == "above"
    ash = part(
        "ash cloud",
        puffs(_PLUME, 0, -27.5, 82, 45, ash_tone)
        if above
        else puffs(HEAP, 0, 38, 98, 19, ash_tone),
    )
    lip = part(
        "crater",
        ellipse(0, -7, 11.4, 3.4, "#33262b"),
        ellipse(0, -6.4, 7.6, 2, "#7c4034", stroke=None),
    )
    lava = part("lava", _flow(lava_tone) if v["flow"] == "slopes" else _hoops(form, lava_tone))
    hill = part("mountain", _mountain(form, art.tone("brown")))
    ground = part("ground", ellipse(0, 44, 48, 4.4, shade(art.tone("green"), -0.1)))
    sway = art.vary(-1.5, 1.5)
    things = [
        _thrown(str(v["thrown"]), x, y + sway, art)
        for x, y in ((-24, -9), (25, -12), (-38, 4), (39, 2))
    ]
    return [ground, *([ash] if above else []), hill, lip, lava, *([] if above else [ash]), *things]
