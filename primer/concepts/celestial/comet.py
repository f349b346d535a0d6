"""Draws the sun behind a comet, turned by chance, and mixes the tone of the comet's dust."""

from collections.abc import Sequence

from hallascope.primer.concepts.celestial.forms import blend
from hallascope.primer.drawing.parts import Art, Shape, circle, glow, star
from hallascope.primer.world import DrawnValues


def dust(v: DrawnValues, art: Art) -> str:
    return blend(art.tone("white"), art.tone("yellow"), 0.42)


def sun(v: DrawnValues, art: Art) -> Sequence[Shape]:
    x, y = -34.5, 34.5
    turn = art.vary(0, 30)
    return [
        star(x, y, 14.5, 12, 0.76, turn=turn, fill=art.tone("orange")),
        circle(x, y, 9.2, art.tone("yellow")),
        glow(x - 3, y - 3.4, 3),
    ]
