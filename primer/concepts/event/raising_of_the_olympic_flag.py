"""Draws the Olympic flag: its rings pass over and under each other, and wave with the cloth."""

import math
from collections.abc import Callable, Sequence

from hallascope.primer.drawing.parts import (
    Art,
    Part,
    Point,
    Shape,
    line,
    part,
    path,
    polar,
    polygon,
    shade,
)
from hallascope.primer.world import DrawnValues

_RINGS = ("blue", "black", "red", "yellow", "green", "light blue")


def _gauge(form: str, x: float, y: float) -> float:
    """Return the distance of a point from a ring's middle as the form measures it.

    It is constant along the form's edge.
    """
    if form == "square":
        return max(abs(x), abs(y)) * 1.12
    if form == "triangle":
        return max(y, -0.5 * y + 0.866 * x, -0.5 * y - 0.866 * x) * 1.5
    return math.hypot(x, y)


def _edge(form: str, r: float) -> list[Point]:
    points = []
    for i in range(120):
        x, y = polar(0, 0, 1, 3 * i - 90)
        reach = r / _gauge(form, x, y)
        points.append((x * reach, y * reach))
    return points


def _runs(flags: Sequence[bool]) -> list[list[int]]:
    """Return the stretches of true flags around a closed loop, each as its indices in order."""
    start = next((i for i, flag in enumerate(flags) if not flag), 0)
    runs: list[list[int]] = []
    for k in range(len(flags)):
        i = (start + k) % len(flags)
        if flags[i]:
            if not runs or not flags[i - 1]:
                runs.append([])
            runs[-1].append(i)
    return runs


def _ring(
    form: str,
    place: Point,
    r: float,
    earlier: Sequence[Point],
    tone: str,
    warp: Callable[[Point], Point],
) -> list[Shape]:
    """Return one ring, cut where it passes below an earlier one: at one of their two crossings."""
    (cx, cy), thick = place, 0.33 * r
    outer, middle, inner = (
        [warp((cx + x, cy + y)) for x, y in _edge(form, r + step * thick)]
        for step in (0.5, 0.0, -0.5)
    )
    shown = [True] * 120
    for ax, ay in earlier:
        inside = [
            abs(_gauge(form, cx + x - ax, cy + y - ay) - r) < thick * 0.5 + 0.5
            for x, y in _edge(form, r)
        ]
        crossings = _runs(inside)
        if len(crossings) == 2:
            for i in crossings[0]:
                shown[i] = False
    if all(shown):
        d = line([*middle, middle[0]]).d
        return [path(d, width=thick + 1.6), path(d, stroke=tone, width=thick)]
    return [
        polygon([*(outer[i] for i in run), *(inner[i] for i in reversed(run))], tone, width=0.8)
        for run in _runs(shown)
        if len(run) > 1
    ]


def _ring_places(count: int, arrangement: str, linked: bool) -> tuple[list[Point], float]:
    """Return the middles of the rings around (0, 0) and their radius: all fit in 68 x 37."""
    if arrangement != "rows":
        step = 1.5 if linked else 2.8
        slope = 0.0 if arrangement == "row" else 0.42
        ends = (count - 1) / 2
        r = min(9.4, 34 / (step * ends + 1.2), 18 / (step * ends * slope + 1.2))
        return [((i - ends) * step * r, (ends - i) * step * slope * r) for i in range(count)], r
    upper = (count + 1) // 2
    step, fall = (2.3, 1.0) if linked else (2.8, 2.7)
    r = min(9.8, 17.5 / (fall / 2 + 1.2))
    row = [((i - (upper - 1) / 2) * step * r, -fall * r / 2) for i in range(upper)]
    shift = 0.0 if upper > count - upper else step / 4
    low = [
        ((i - (count - upper - 1) / 2) * step * r + shift * r, fall * r / 2)
        for i in range(count - upper)
    ]
    return [(x - shift * r, y) for x, y in row] + low, r


def flag(v: DrawnValues, art: Art) -> Sequence[Part]:
    """Return the cloth, which waves by chance, and the rings on it."""
    left = -36.0
    wide = 82.0
    tall = 45.0
    top = -46.0 if v["height"] == "top" else -19.0
    wave = art.vary(1.5, 2.2)

    def warp(p: Point) -> Point:
        return p[0], p[1] + wave * math.sin((p[0] - left) / wide * 2 * math.pi) * min(
            1.0, (p[0] - left) / 14
        )

    xs = [left + wide * i / 40 for i in range(41)]
    upper = [warp((x, top)) for x in xs]
    lower = [warp((x, top + tall)) for x in xs]
    field = art.tone(v["field"])
    fold = [x for x in xs if 0.55 * wide < x - left < 0.8 * wide]
    crease = [
        *(warp((x, top + 0.6)) for x in fold),
        *(warp((x - 4, top + tall - 0.6)) for x in reversed(fold)),
    ]
    cloth = part(
        "flag",
        polygon([*upper, *reversed(lower)], field),
        polygon(crease, shade(field, -0.06), stroke=None),
    )
    form = v["form"]
    linked = v["link"] == "linked"
    places, r = _ring_places(v["rings"], v["arrangement"], linked)
    centers = [(left + wide / 2 + x, top + tall / 2 + y) for x, y in places]
    rings = [
        part(
            "ring", _ring(form, center, r, centers[:i] if linked else (), art.tone(_RINGS[i]), warp)
        )
        for i, center in enumerate(centers)
    ]
    return [cloth, *rings]
