"""Draws what a volcano throws out, higher or lower by chance."""

from collections.abc import Sequence

from hallascope.primer.drawing.forms import flower
from hallascope.primer.drawing.parts import (
    Art,
    Part,
    circle,
    glow,
    part,
    polar,
    polygon,
    shade,
    star,
)
from hallascope.primer.world import DrawnValues


def _thing(kind: str, x: float, y: float, art: Art) -> Part:
    if kind == "flowers":
        return part("flower", flower(x, y, 5.6, art.tone("pink"), art.tone("yellow")))
    if kind == "bubbles":
        tone = art.tone("light blue")
        film = circle(x, y, 5, shade(tone, 0.55), stroke=shade(tone, -0.45), width=1.1)
        return part("soap bubble", film, glow(x - 1.5, y - 1.75, 2.0))
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


def thrown(v: DrawnValues, art: Art) -> Sequence[Part]:
    sway = art.vary(-1.5, 1.5)
    return [
        _thing(v["thrown"], x, y + sway, art) for x, y in ((-24, -9), (25, -12), (-38, 4), (39, 2))
    ]
