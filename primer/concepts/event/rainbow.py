"""Draws a rainbow by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Sequence
from itertools import pairwise

from hallascope.primer.concepts.event.forms import HEAP, puffs
from hallascope.primer.drawing.forms import turn_points
from hallascope.primer.drawing.parts import (
    Art,
    Part,
    Point,
    Shape,
    circle,
    glow,
    line,
    part,
    path,
    polar,
    polygon,
    rect,
    shade,
)
from hallascope.primer.world import FactValues


def _walk(points: Sequence[Point], step: float) -> list[Point]:
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


_SPECTRUM: dict[int, tuple[str, ...]] = {
    7: ("red", "orange", "yellow", "green", "light blue", "blue", "purple"),
    4: ("red", "yellow", "green", "blue"),
    3: ("red", "yellow", "green"),
    2: ("red", "yellow"),
}


def _arch(shape: str, r: float) -> list[Point]:
    """Return the line of an arch at distance `r` from the middle of its foot line."""
    if shape == "square":
        return [(-r, 0.0), (-r, -r), (r, -r), (r, 0.0)]
    if shape == "pointed":
        return [(-r, 0.0), (0.0, -1.25 * r), (r, 0.0)]
    return [polar(0, 0, r, 180 + 180 * i / 48) for i in range(49)]


def _pot(x: float, y: float, art: Art) -> list[Shape]:
    heap = ((-6, -8), (6, -8), (-3.4, -11.6), (3.6, -11.4), (0, -14), (0, -9))
    coins = [circle(x + dx, y + dy, 3.9, art.tone("gold"), width=0.9) for dx, dy in heap]
    shine = [
        circle(x + dx - 0.8, y + dy - 0.8, 1.4, shade(art.tone("gold"), 0.5), stroke=None)
        for dx, dy in heap
    ]
    d = (
        f"M{x - 9:.2f},{y - 6:.2f} C{x - 15:.2f},{y + 3:.2f} "
        f"{x - 10:.2f},{y + 11:.2f} {x:.2f},{y + 11:.2f}"
        f" C{x + 10:.2f},{y + 11:.2f} {x + 15:.2f},{y + 3:.2f} {x + 9:.2f},{y - 6:.2f} Z"
    )
    rim = rect(x - 11, y - 8, 22, 4.2, shade(art.tone("black"), 0.15), 2.0)
    return [*coins, *shine, path(d, art.tone("black")), rim, glow(x - 5, y + 1, 2.6)]


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    names = list(_SPECTRUM[int(v["bands"])])
    lead = str(v["outermost"])
    if lead in names:
        names[names.index(lead)] = names[0]
    names[0] = lead
    turn = {"down": 0.0, "up": 180.0, "side": 90.0}[str(v["opening"])]
    shape = str(v["form"])
    outer = 47.0
    inner = 17.0
    drop = 23.0
    thick = (outer - inner) / len(names)
    bands = []
    for i, name in enumerate(names):
        far = outer - i * thick
        near = outer - (i + 1) * thick
        if v["surface"] == "dots":
            middle = turn_points([(x, y + drop) for x, y in _arch(shape, (far + near) / 2)], turn)
            size = min(thick * 0.47, 4.4)
            shapes = [
                circle(x, y, size, art.tone(name), width=0.8)
                for x, y in _walk(middle, max(2.4 * size, 5.4))
            ]
        else:
            rim = [(x, y + drop) for x, y in [*_arch(shape, far), *reversed(_arch(shape, near))]]
            sheen = [(x, y + drop) for x, y in _arch(shape, far - thick * 0.3)]
            shapes = [
                polygon(turn_points(rim, turn), art.tone(name), width=0.9),
                Shape(line(turn_points(sheen, turn)).d, None, "#ffffff", thick * 0.16, 0.3),
            ]
        bands.append(part("band", shapes))
    feet = [turn_points([(side * (outer + inner) / 2, drop)], turn)[0] for side in (-1, 1)]
    ends = []
    for x, y in feet:
        if v["ends"] == "clouds":
            if turn == 0:
                spot = (1.05 * x, y + 3)
            elif turn == 180:
                spot = (1.1 * x, -1.25 * drop)
            else:
                spot = (-1.25 * drop, 1.05 * y)
            ends.append(
                part("cloud", puffs(HEAP, *spot, 37, 24 if turn == 0 else 20, art.tone("white")))
            )
        elif v["ends"] == "pots":
            ends.append(part("pot of gold", _pot(x, y + 2, art)))
    return [*bands, *ends]
