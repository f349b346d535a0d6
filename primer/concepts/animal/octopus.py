"""Draws the arms of an octopus: as many as a fact says, curled at their ends."""

import math
from collections.abc import Sequence

from hallascope.primer.concepts.animal.forms import Ribbon, Spine
from hallascope.primer.drawing.forms import spread_evenly
from hallascope.primer.drawing.parts import Art, Part, Shape, circle, part, shade
from hallascope.primer.world import DrawnValues


def _half_width(t: float) -> float:
    """Return half the width of an arm along it: it narrows and closes in a round tip."""
    tip = 1.0 if t < 0.9 else math.sqrt(max(0.0, 1 - ((t - 0.9) / 0.1) ** 2))
    return (5.4 + (2.2 - 5.4) * t) * tip


def arms(v: DrawnValues, art: Art) -> Sequence[Part]:
    skin = art.tone(v["skin"])
    g = 1 if v["arm place"] == "below" else -1
    count = v["arms"]
    parts = []
    for turn in spread_evenly(count, 176, 4):
        sway = math.cos(math.radians(turn))
        x = sway * 43
        y = 11 + 34 * math.sin(math.radians(turn))
        curl = 13 * max(-1.0, min(1.0, 3 * sway)) if abs(sway) > 0.02 else 6.0
        spine: Spine = (
            (sway * 17, 2 * g),
            (sway * 30, (12 + 12 * (1 - abs(sway))) * g),
            (x - curl * 1.1, (y + 9) * g),
            (x + curl * 0.3, (y - 4) * g),
        )
        arm = Ribbon(spine, _half_width)
        marks: list[Shape] = []
        if v["arm surface"] == "suckers":
            under = shade(skin, 0.62)
            rim = shade(skin, -0.4)
            marks = [
                circle(*arm.point_at(t), arm.half(t) * 0.52, under, stroke=rim, width=0.7)
                for t in spread_evenly(6, 0.36, 0.92)
            ]
        elif v["arm surface"] == "stripes":
            marks = [
                arm.patch(t, t + 0.07, -0.96, 0.96, shade(skin, -0.6), stroke=None)
                for t in spread_evenly(5, 0.34, 0.88)
            ]
        parts.append(part("arm", arm.body(skin), marks))
    outer_first = sorted(range(count), key=lambda i: -abs(i - (count - 1) / 2))
    return [parts[i] for i in outer_first]
