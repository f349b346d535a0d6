"""Draws the bands of a rainbow: as many as a fact says, in the form of an arch."""

import math
from collections.abc import Sequence
from itertools import pairwise

from hallascope.primer.drawing.forms import turn_points
from hallascope.primer.drawing.parts import (
    Art,
    Part,
    Point,
    circle,
    line,
    part,
    polar,
    polygon,
)
from hallascope.primer.world import DrawnValues

_SPECTRUM: dict[int, tuple[str, ...]] = {
    7: ("red", "orange", "yellow", "green", "light blue", "blue", "purple"),
    4: ("red", "yellow", "green", "blue"),
    3: ("red", "yellow", "green"),
    2: ("red", "yellow"),
}
_OUTER = 47.0
_INNER = 17.0
_DROP = 23.0


def _spread(points: Sequence[Point], step: float) -> list[Point]:
    """Return points evenly spread along a polyline, about `step` apart, both ends included."""
    lengths = [math.dist(a, b) for a, b in pairwise(points)]
    total = sum(lengths)
    count = max(1, round(total / step))
    places = []
    for i in range(count + 1):
        left = total * i / count
        k = 0
        while k < len(lengths) - 1 and left > lengths[k]:
            left -= lengths[k]
            k += 1
        (ax, ay), (bx, by) = points[k], points[k + 1]
        t = min(1.0, left / lengths[k])
        places.append((ax + (bx - ax) * t, ay + (by - ay) * t))
    return places


def _arch(form: str, r: float) -> list[Point]:
    """Return the line of an arch at distance `r` from the middle of its foot line."""
    if form == "square":
        points = [(-r, 0.0), (-r, -r), (r, -r), (r, 0.0)]
    elif form == "pointed":
        points = [(-r, 0.0), (0.0, -1.25 * r), (r, 0.0)]
    else:
        points = [polar(0, 0, r, 180 + 180 * i / 48) for i in range(49)]
    return [(x, y + _DROP) for x, y in points]


def bands(v: DrawnValues, art: Art) -> Sequence[Part]:
    names = list(_SPECTRUM[v["bands"]])
    lead = v["outermost"]
    if lead in names:
        names[names.index(lead)] = names[0]
    names[0] = lead
    turn = {"down": 0.0, "up": 180.0, "side": 90.0}[v["opening"]]
    form = v["form"]
    thick = (_OUTER - _INNER) / len(names)
    parts = []
    for i, name in enumerate(names):
        far = _OUTER - i * thick
        near = _OUTER - (i + 1) * thick
        tone = art.tone(name)
        if v["surface"] == "dots":
            size = min(thick * 0.47, 4.4)
            middle = turn_points(_arch(form, (far + near) / 2), turn)
            shapes = [
                circle(x, y, size, tone, width=0.8)
                for x, y in _spread(middle, max(2.4 * size, 5.4))
            ]
        else:
            rim = [*_arch(form, far), *reversed(_arch(form, near))]
            sheen = turn_points(_arch(form, far - thick * 0.3), turn)
            shapes = [
                polygon(turn_points(rim, turn), tone, width=0.9),
                line(sheen, "#ffffff", thick * 0.16, 0.3),
            ]
        parts.append(part("band", shapes))
    return parts
