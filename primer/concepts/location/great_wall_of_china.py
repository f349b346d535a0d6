"""Draws the Great Wall of China by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from hallascope.primer.concepts.location.forms import (
    DARK,
    WATER,
    line_across,
    mix,
    pattern,
    strokes,
    wall_top,
)
from hallascope.primer.drawing.parts import (
    Art,
    Part,
    Point,
    circle,
    ellipse,
    line,
    part,
    path,
    polygon,
    rect,
    shade,
)
from hallascope.primer.world import FactValues

GRASS = "#8dbb69"

_RIDGE: list[Point] = [(-50, 16), (-26, 2), (-4, 15), (23, -12), (50, 10)]


def _ridge(x: float) -> float:
    for (x0, y0), (x1, y1) in pairwise(_RIDGE):
        if x <= x1:
            return mix(y0, y1, 0.5 - 0.5 * math.cos(math.pi * (x - x0) / (x1 - x0)))
    return _RIDGE[-1][1]


def _level(x: float) -> float:
    return 2.0


def _mountains(snowy: bool) -> list[Part]:
    far, mid, near = ("#c9d6e6", "#aebfd6", "#f1f6fb") if snowy else ("#a8c3bd", "#7fa893", GRASS)
    outline = [
        (-49, 34),
        (-38, -4),
        (-29, -17),
        (-20, -11),
        (-4, -45),
        (6, -33),
        (14, -37),
        (36, -8),
        (49, 34),
    ]
    flank = [(-4, -45), (6, -33), (14, -37), (36, -8), (49, 34), (20, 20), (13, -14), (4, -24)]
    back = part(
        "far mountains",
        polygon(outline, far),
        polygon(flank, mid, stroke=None),
        polygon(outline, None),
    )
    brow = [(x, _ridge(x) + 11) for x in range(-47, 48)]
    hill = [*brow, (49, 36), (50, 45), (34, 48), (0, 49.5), (-34, 48), (-50, 45), (-49, 36)]
    dusk = [(x, _ridge(x) + 11) for x in range(26, 48)] + [
        (49, 36),
        (49.5, 44.6),
        (34, 47.5),
        (24, 48),
        (31, 32),
        (25, 18),
    ]
    creases = ("M-27,26 q-5,8 -11,13", "M-4,33 q4,6 -1,11", "M15,20 q-5,12 0,21")
    folds = [path(d, None, stroke=shade(near, -0.25), width=1.0) for d in creases]
    leaf = shade(near, -0.12 if snowy else -0.28)
    trees = [
        circle(x, y, r, leaf, width=0.9)
        for x, y, r in ((-41, 40, 3.8), (-35, 42, 2.8), (6, 43, 3.2), (38, 41, 3.8), (43, 43, 2.6))
    ]
    slope = [polygon(hill, near, stroke=None), polygon(dusk, shade(near, -0.14), stroke=None)]
    return [back, part("mountain", slope, folds, trees, polygon(hill, None))]


def _far_wall(tone: str) -> Part:
    """Return the wall winding on towards the far peak, narrower with distance."""
    left = []
    right = []
    for i in range(33):
        t = i / 32
        x = -4 + (1 - (1 - t) ** 1.5) * 7.5 * math.sin(2.1 * math.pi * t**0.8)
        half = 1.1 + 2.3 * t
        left.append((x - half, -37 + 54 * t))
        right.append((x + half, -37 + 54 * t))
    edge = [(x - (x - u) * 0.4, y) for (x, y), (u, _) in zip(right, left, strict=True)]
    side = polygon([*right, *reversed(edge)], shade(tone, -0.25), stroke=None)
    whole = [*left, *reversed(right)]
    return part(
        "far wall", polygon(whole, tone, stroke=None), side, polygon(whole, None, width=1.0)
    )


def _field(snowy: bool) -> list[Part]:
    tone = "#f1f6fb" if snowy else GRASS
    tufts = [
        path(
            f"M{x},{y} q1,-4 0,-5 M{x},{y} q-2,-3 -3,-4 M{x},{y} q2,-3 4,-4",
            None,
            stroke=shade(tone, -0.3),
            width=1.0,
        )
        for x, y in ((-36, 26), (-14, 38), (8, 24), (24, 40), (37, 28), (-28, 38))
    ]
    return [
        part(
            "field",
            ellipse(0, 25, 50, 22, tone),
            ellipse(0, 40, 30, 6, shade(tone, -0.08), stroke=None),
            tufts,
        )
    ]


def _lake() -> list[Part]:
    places = ((-36, 26), (6, 24), (-14, 35), (16, 36), (-22, 43))
    waves = [
        path(f"M{x},{y} q4,-4 8,0 t8,0 t8,0", None, stroke="#dff1fa", width=1.5) for x, y in places
    ]
    return [part("sea", ellipse(0, 25, 50, 22, WATER), waves)]


def _watchtower(x: float, foot: float, tone: str) -> Part:
    body = rect(x - 9, foot - 20, 18, 20, tone)
    openings = [
        path(f"M{x + dx - 2.2},{foot - 7} v-4 a2.2,2.6 0 0,1 4.4,0 v4 Z", DARK, stroke=None)
        for dx in (-4.2, 4.2)
    ]
    slope = (
        f"M{x - 13},{foot - 21} Q{x - 6},{foot - 22} {x - 4},{foot - 30} "
        f"H{x + 4} Q{x + 6},{foot - 22} {x + 13},{foot - 21}"
    )
    roof = path(f"{slope} Q{x},{foot - 17} {x - 13},{foot - 21} Z", "#5d4a44")
    side = rect(x + 4, foot - 19, 4.4, 18.4, shade(tone, -0.22), stroke=None)
    return part(
        "watchtower",
        body,
        side,
        line([(x - 9, foot - 15), (x + 9, foot - 15)], width=0.8),
        openings,
        roof,
    )


def _windmill(x: float, foot: float) -> Part:
    body = polygon(
        [(x - 4.5, foot - 22), (x + 4.5, foot - 22), (x + 8, foot), (x - 8, foot)], "#f6efe0"
    )
    cap = path(f"M{x - 5.5},{foot - 21} Q{x},{foot - 31} {x + 5.5},{foot - 21} Z", "#8a4a35")
    hub_y = foot - 21
    blades = []
    for turn in (45, 135, 225, 315):
        dx = math.cos(math.radians(turn))
        dy = math.sin(math.radians(turn))
        ends = [
            (x, hub_y),
            (x + 12 * dx - 3 * dy, hub_y + 12 * dy + 3 * dx),
            (x + 12 * dx + 3 * dy, hub_y + 12 * dy - 3 * dx),
        ]
        blades.append(polygon(ends, "#fdf8e8"))
    return part(
        "windmill",
        body,
        rect(x - 2.2, foot - 7, 4.4, 7, DARK, r=2, stroke=None),
        cap,
        blades,
        circle(x, hub_y, 2, "#8a4a35"),
    )


def _tent(x: float, foot: float) -> Part:
    corners = [(x, foot - 24), (x + 14, foot), (x - 14, foot)]
    pole = line([(x, foot - 24), (x, foot - 29)], width=1.2)
    stripes = [
        polygon([(x, foot - 24), (x + a, foot), (x + b, foot)], "#d4573f", stroke=None)
        for a, b in ((-14, -9), (9, 14))
    ]
    door = polygon([(x, foot - 14), (x + 4.5, foot), (x - 4.5, foot)], DARK, width=0.9)
    flag = polygon([(x, foot - 29), (x + 7, foot - 27), (x, foot - 25)], "#d4573f", width=0.9)
    return part(
        "tent", pole, flag, polygon(corners, "#f5d36b"), stripes, polygon(corners, None), door
    )


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    snowy = v["scene"] == "snow"
    tone = art.tone(str(v["colour"]))
    hilly = v["landscape"] == "mountains"
    top = _ridge if hilly else _level
    if hilly:
        land = _mountains(snowy)
    elif v["landscape"] == "field":
        land = _field(snowy)
    else:
        land = _lake()
    left = -47.0
    right = 47.0
    deep = 15.0

    def at(s: float, t: float) -> Point:
        x = mix(left, right, s)
        return x, top(x) + deep * t

    foot = [(x, top(x) + deep) for x in range(47, -48, -2)]
    body = polygon([*wall_top(str(v["edge"]), top, left, right, 13, 4.6), *foot], tone)
    low = polygon(
        [*((x, top(x) + deep * 0.72) for x in range(-47, 48, 2)), *foot],
        shade(tone, -0.16),
        stroke=None,
    )
    marks = pattern(str(v["material"]), at, 4.7 if v["material"] == "blocks" else 5.0, tone, 0.9)
    if v["material"] == "smooth":
        marks = [strokes([line_across(at, 0.3)], shade(tone, 0.55), 2.2)]
    rim = line(line_across(at, 0.03), width=0.9)
    wall = part(
        "wall",
        body,
        low,
        marks,
        rim,
        polygon([*wall_top(str(v["edge"]), top, left, right, 13, 4.6), *foot], None),
    )
    makers: dict[str, Callable[[float, float], Part]] = {
        "watchtower": lambda x, y: _watchtower(x, y, shade(tone, 0.06)),
        "windmill": _windmill,
        "tent": _tent,
    }
    make = makers[str(v["buildings"])]
    if v["place"] == "on":
        places = [(x, top(x) + (9 if v["buildings"] == "watchtower" else 2)) for x in (-26, 23)]
    else:
        places = [(-22, 46), (18, 46)]
    if hilly:
        land.insert(1, _far_wall(shade(tone, 0.12)))
    return [*land, wall, *(make(x, y) for x, y in places)]
