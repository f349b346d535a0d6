"""Draws the grains of the sand on which a water lily may lie, scattered by chance."""

from collections.abc import Sequence

from hallascope.primer.drawing.parts import Art, Shape, circle, shade
from hallascope.primer.world import DrawnValues


def grains(v: DrawnValues, art: Art) -> Sequence[Shape]:
    tone = shade(art.tone("beige"), -0.4)
    return [circle(art.vary(-38, 38), art.vary(18, 42), 0.8, tone, stroke=None) for _ in range(40)]
