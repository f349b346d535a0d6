"""Draws what chance places around an eclipse: stars, trees and the rays of the corona."""

import math
from collections.abc import Sequence

from hallascope.primer.drawing.parts import Art, Part, Shape, circle, part, path, polar, polygon
from hallascope.primer.world import DrawnValues


def stars(v: DrawnValues, art: Art) -> Sequence[Shape]:
    places = [
        polar(0, 0, art.vary(42, 45), angle + art.vary(-8, 8))
        for angle in (165, 190, 215, 240, 300, 325, 350, 15)
    ]
    return [circle(x, y, art.vary(0.6, 0.9), "#ffffff", stroke=None) for x, y in places]


def trees(v: DrawnValues, art: Art) -> Sequence[Shape]:
    return [
        polygon([(x - 3.4, 36), (x, 36 - art.vary(9, 13)), (x + 3.4, 36)], "#171a2c", stroke=None)
        for x in (-30, -24, 22, 29)
    ]


def corona(v: DrawnValues, art: Art) -> Sequence[Part]:
    x = 0.0 if v["place"] == "front" else -8.5
    y = -8.0
    white = art.tone("white")
    shapes = [
        circle(x, y, 39 - 1.3 * i, white, stroke=None, opacity=0.05 + 0.012 * i) for i in range(11)
    ]
    for i in range(30):
        angle = 12 * i + art.vary(-4, 4)
        reach = (30.5 + 8.5 * abs(math.cos(math.radians(angle)))) * art.vary(0.9, 1.03)
        (ax, ay), (bx, by) = (polar(x, y, 22, angle + side) for side in (-13, 13))
        (cx, cy), (dx, dy) = (polar(x, y, 28, angle + side) for side in (-4, 4))
        tx, ty = polar(x, y, reach, angle)
        d = (
            f"M{ax:.2f},{ay:.2f} Q{cx:.2f},{cy:.2f} {tx:.2f},{ty:.2f} "
            f"Q{dx:.2f},{dy:.2f} {bx:.2f},{by:.2f} Z"
        )
        shapes.append(path(d, white, stroke=None, opacity=0.4))
    return [part("corona", shapes, circle(x, y, 24.8, white, stroke=None))]
