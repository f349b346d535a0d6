"""Draws a bowl of bibimbap: its fillings lie by chance, as does the egg on them."""

from collections.abc import Sequence

from hallascope.primer.concepts.food.forms import (
    OutlinePoints,
    blob,
    is_inside,
    oval,
    pie,
    reach_of,
    scale_points,
    smooth,
    wedge,
)
from hallascope.primer.drawing.forms import clip_half
from hallascope.primer.drawing.parts import (
    Art,
    Part,
    Shape,
    circle,
    glow,
    line,
    part,
    polar,
    polygon,
    shade,
)
from hallascope.primer.world import DrawnValues

FILLINGS = (
    ("carrots", "#ef8a2b", "#c9641a"),
    ("spinach", "#3f8a47", "#27602f"),
    ("bean sprouts", "#f2e7b4", "#c9b667"),
    ("beef", "#8a5638", "#5d3521"),
    ("cucumber", "#a9cf77", "#6f9c45"),
    ("red pepper", "#cf3d31", "#932319"),
    ("mushrooms", "#cdb08a", "#8d6f4b"),
)


def _heap(index: int, region: OutlinePoints, hole: OutlinePoints, art: Art) -> Part:
    """Return one filling over a region around a hole, with shreds of its own."""
    name, tone, dark = FILLINGS[index % len(FILLINGS)]
    (left, right), (top, bottom) = ((min(side), max(side)) for side in zip(*region, strict=True))
    turn = art.vary(0, 180)
    middle = (0.0, 0.0) if hole else ((left + right) / 2, (top + bottom) / 2)
    inner = scale_points(region, 0.93 if hole else 0.9, *middle)
    outer_hole = scale_points(hole, 1.06)
    shreds: list[Shape] = []
    for _ in range(150):
        x = art.vary(left, right)
        y = art.vary(top, bottom)
        if not is_inside(inner, x, y) or is_inside(outer_hole, x, y) or len(shreds) >= 34:
            continue
        if name in ("cucumber", "mushrooms"):
            shreds.append(circle(x, y, 2.0, shade(tone, 0.3), stroke=dark, width=0.7))
        elif name in ("spinach", "beef"):
            leaf = shade(tone, -0.14)
            way = turn + art.vary(-60, 60)
            shreds.append(oval(x, y, 2.8, 1.4, way, leaf, stroke=dark, width=0.5))
        else:
            ends = [polar(x, y, 3, turn + half + art.vary(-25, 25)) for half in (0, 180)]
            if all(is_inside(region, *end) and not is_inside(hole, *end) for end in ends):
                shreds.append(line(ends, art.pick((dark, shade(tone, 0.35))), 1.1))
    return part(name, polygon(region, tone, stroke=shade(dark, -0.2), width=0.8), shreds)


def _regions(
    order: str, whole: OutlinePoints, cx: float, cy: float, art: Art
) -> list[tuple[OutlinePoints, OutlinePoints]]:
    """Return the regions of the fillings, each with the hole in it."""
    if order == "rows":
        low = min(x for x, _ in whole)
        step = (max(x for x, _ in whole) - low) / 6
        return [
            (clip_half(clip_half(whole, 1, 0, low + step * (i + 1)), -1, 0, -(low + step * i)), [])
            for i in range(6)
        ]
    if order == "rings":
        rings = [scale_points(whole, k, cx, cy) for k in (1.0, 0.78, 0.55, 0.32)]
        return list(zip(rings, [*rings[1:], []], strict=True))
    turn = art.vary(0, 60)
    step = 360 / 7
    return [(wedge(whole, turn + step * i, turn + step * (i + 1), cx, cy), []) for i in range(7)]


def _disc(v: DrawnValues) -> tuple[float, float, float]:
    """Return the middle of the bowl and its radius."""
    cx, r = (0.0, 46.0) if v["utensils"] == "none" else (-10.0, 37.0)
    return cx, r * 0.2 if v["bowl shape"] == "triangle" else 0.0, r


def bowl(v: DrawnValues, art: Art) -> Sequence[Part]:
    kind = v["bowl shape"]
    cx, cy, r = _disc(v)
    clay = art.tone(v["bowl colour"])
    rims = [pie(kind, r * k, -180, 180, cx, cy) for k in (1.0, 0.95, 0.86, 0.82)]
    arc = [polar(cx, cy, r * 0.905 * reach_of(kind, a), a) for a in range(-165, -109, 5)]
    empty = part(
        "bowl",
        polygon(rims[0], clay),
        polygon(rims[1], shade(clay, 0.14), stroke=None),
        polygon(rims[2], shade(clay, -0.35)),
        line(arc, "#ffffff", 1.8, opacity=0.4),
    )
    regions = _regions(v["order"], rims[3], cx, cy, art)
    return [empty, *(_heap(i, *region, art) for i, region in enumerate(regions))]


def egg(v: DrawnValues, art: Art) -> Sequence[Part]:
    cx, cy, r = _disc(v)
    x, y = (cx, cy) if v["single place"] == "middle" else polar(cx, cy, r * 0.6, 150)
    r *= 0.3
    white = blob(x, y, r * 1.1, art, 0.06)
    return [
        part(
            "fried egg",
            smooth(white, "#e6e2d6"),
            smooth(scale_points(white, 0.93, x - 0.6, y - 0.6), "#fcfbf6", stroke=None),
            circle(x, y, r * 0.52, "#f5b82e"),
            glow(x - r * 0.16, y - r * 0.18, r * 0.15),
        )
    ]
