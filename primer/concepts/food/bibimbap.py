"""Draws a bowl of bibimbap by the parameters of the facts in `facts.toml`."""

from collections.abc import Sequence

from hallascope.primer.concepts.food.forms import (
    OutlinePoints,
    blob,
    clip,
    fork,
    is_inside,
    knife,
    oval,
    pie,
    place_points,
    reach_of,
    scale_points,
    smooth,
    spoon,
    stick,
    wedge,
)
from hallascope.primer.drawing.parts import (
    INK,
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
    star,
)
from hallascope.primer.world import FactValues

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
    """Return one filling over a region, with shreds of its own."""
    name, tone, dark = FILLINGS[index % len(FILLINGS)]
    xs = [x for x, _ in region]
    ys = [y for _, y in region]
    turn = art.vary(0, 180)
    shreds: list[Shape] = []
    inner = (
        scale_points(region, 0.9, (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
        if not hole
        else scale_points(region, 0.93)
    )
    for _ in range(150):
        x = art.vary(min(xs), max(xs))
        y = art.vary(min(ys), max(ys))
        if (
            not is_inside(inner, x, y)
            or (hole and is_inside(scale_points(hole, 1.06), x, y))
            or len(shreds) >= 34
        ):
            continue
        if name in ("cucumber", "mushrooms"):
            shreds.append(circle(x, y, 2.0, shade(tone, 0.3), stroke=dark, width=0.7))
        elif name in ("spinach", "beef"):
            shreds.append(
                oval(
                    x,
                    y,
                    2.8,
                    1.4,
                    turn + art.vary(-60, 60),
                    shade(tone, -0.14),
                    stroke=dark,
                    width=0.5,
                )
            )
        else:
            ends = [
                polar(x, y, 3, turn + art.vary(-25, 25)),
                polar(x, y, 3, turn + 180 + art.vary(-25, 25)),
            ]
            if not all(
                is_inside(region, *end) and not (hole and is_inside(hole, *end)) for end in ends
            ):
                continue
            shreds.append(line(ends, art.pick((dark, shade(tone, 0.35))), 1.1))
    return part(name, polygon(region, tone, stroke=shade(dark, -0.2), width=0.8), shreds)


def _single(kind: str, x: float, y: float, r: float, art: Art) -> Part:
    """Return the one thing that lies on the fillings."""
    if kind == "fish":
        body = place_points(
            [
                (-0.75, 0),
                (-0.4, -0.42),
                (0.2, -0.52),
                (0.8, -0.25),
                (1.05, 0.05),
                (0.8, 0.32),
                (0.2, 0.5),
                (-0.4, 0.36),
            ],
            x,
            y,
            -20,
            r,
        )
        tail = place_points([(-0.6, 0), (-1.15, -0.5), (-1.0, 0), (-1.15, 0.5)], x, y, -20, r)
        (ex, ey), gill = (
            place_points([(0.72, -0.05)], x, y, -20, r)[0],
            place_points([(0.42, -0.38), (0.32, 0), (0.42, 0.36)], x, y, -20, r),
        )
        return part(
            "fish",
            polygon(tail, "#6f93b5"),
            smooth(body, "#8fb2d0"),
            line(gill, INK, 1.2),
            circle(ex, ey, r * 0.1, INK, stroke=None),
        )
    if kind == "strawberry":
        body = place_points(
            [
                (-0.9, -0.45),
                (-0.45, -0.8),
                (0.45, -0.8),
                (0.9, -0.45),
                (0.6, 0.4),
                (0, 1.1),
                (-0.6, 0.4),
            ],
            x,
            y,
            0,
            r,
        )
        seeds = [
            oval(x + dx * r, y + dy * r, 0.9, 0.55, 90, "#f7dc8a", stroke=None)
            for dx, dy in (
                (-0.5, -0.3),
                (0, -0.35),
                (0.5, -0.3),
                (-0.28, 0.1),
                (0.28, 0.1),
                (0, 0.5),
            )
        ]
        leaves = star(x, y - r * 0.72, r * 0.62, 6, 0.4, fill="#3f9a52")
        return part("strawberry", smooth(body, "#d8342f"), seeds, leaves)
    white = blob(x, y, r * 1.1, art, 0.06)
    shapes = [
        smooth(white, "#e6e2d6"),
        smooth(scale_points(white, 0.93, x - 0.6, y - 0.6), "#fcfbf6", stroke=None),
    ]
    return part(
        "fried egg",
        shapes,
        circle(x, y, r * 0.52, "#f5b82e"),
        glow(x - r * 0.16, y - r * 0.18, r * 0.15),
    )


def _regions(
    order: str, kind: str, r: float, cx: float, cy: float, art: Art
) -> list[tuple[OutlinePoints, OutlinePoints]]:
    whole = pie(kind, r, -180, 180, cx, cy)
    if order == "rows":
        low = min(x for x, _ in whole)
        high = max(x for x, _ in whole)
        step = (high - low) / 6
        return [
            (clip(clip(whole, 1, 0, low + step * (i + 1)), -1, 0, -(low + step * i)), [])
            for i in range(6)
        ]
    if order == "rings":
        scales = (1.0, 0.78, 0.55, 0.32)
        rings = [scale_points(whole, k, cx, cy) for k in scales]
        return [(rings[i], rings[i + 1] if i < 3 else []) for i in range(4)]
    turn = art.vary(0, 60)
    step = 360 / 7
    return [(wedge(whole, turn + step * i, turn + step * (i + 1), cx, cy), []) for i in range(7)]


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    kind = str(v["bowl shape"])
    spread = v["utensils"] != "none"
    cx, cy, r = (-10.0, 0.0, 37.0) if spread else (0.0, 0.0, 46.0)
    if kind == "triangle":
        cy += r * 0.2
    clay = art.tone(str(v["bowl colour"]))
    rims = [pie(kind, r * k, -180, 180, cx, cy) for k in (1.0, 0.95, 0.86)]
    arc = line(
        [polar(cx, cy, r * 0.905 * reach_of(kind, a), a) for a in range(-165, -109, 5)],
        "#ffffff",
        1.8,
        opacity=0.4,
    )
    bowl = part(
        "bowl",
        polygon(rims[0], clay),
        polygon(rims[1], shade(clay, 0.14), stroke=None),
        polygon(rims[2], shade(clay, -0.35)),
        arc,
    )
    heaps = [
        _heap(i, region, hole, art)
        for i, (region, hole) in enumerate(_regions(str(v["order"]), kind, r * 0.82, cx, cy, art))
    ]
    x, y = (cx, cy) if v["single place"] == "middle" else polar(cx, cy, r * 0.6, 150)
    tools: list[Part] = []
    if v["utensils"] == "sujeo":
        sticks = [
            part("chopstick", stick((x1, 46), (x1 + 1, -42), 3.4, 2.2, "#b9bec6"))
            for x1 in (41.5, 46.5)
        ]
        tools = [spoon(33.5, -34, 90, 80, 6), *sticks]
    elif v["utensils"] == "cutlery":
        tools = [knife(46, -44, 90, 90, 7), fork(35, -42, 90, 88, 6)]
    return [*tools, bowl, *heaps, _single(str(v["single"]), x, y, r * 0.3, art)]
