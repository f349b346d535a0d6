"""Draws the legs of a spider, which bend around its body."""

import math
from collections.abc import Sequence

from hallascope.primer.drawing.forms import spread_evenly, tube
from hallascope.primer.drawing.parts import Art, Part, part, shade, trace
from hallascope.primer.world import DrawnValues

# Height, half width and half height of the sections of the body.
_SECTIONS = {
    2: ((-13.0, 12.0, 12.5), (17.0, 16.5, 19.5)),
    1: ((5.0, 17.0, 31.0),),
    3: ((-16.0, 10.5, 10.5), (3.0, 10.5, 9.5), (25.0, 14.0, 14.0)),
}


def legs(v: DrawnValues, art: Art) -> Sequence[Part]:
    tone = shade(art.tone("brown"), -0.35)
    sections = _SECTIONS[v["segments"]]
    front = v["leg place"] == "front"
    middle = -12.0 if front else 18.0

    def edge(y: float) -> float:
        """Return half the width of the body at a height."""
        widths = [rx * math.sqrt(max(0.0, 1 - ((y - cy) / ry) ** 2)) for cy, rx, ry in sections]
        return max(7.0, *widths)

    parts = []
    for side in (-1, 1):
        for k in spread_evenly(v["legs"] // 2, -1, 1):
            if v["leg length"] == "long":
                y = middle + k * 9
                foot = y + k * 25 + (7 if front else -7)
                points = [
                    (side * edge(y) * 0.4, y),
                    (side * (edge(y) + 14), y + k * 13 - 7),
                    (side * (45 - 7 * abs(k)), max(-47, min(47, foot))),
                ]
            else:
                low = middle + k * 15
                points = [
                    (0.0, middle + k * 6),
                    (side * (edge(low) + 6), low - 2),
                    (side * (edge(low) + 11), low + 2),
                ]
            parts.append(part("leg", tube(trace(points), 2.6, tone)))
    return parts
