"""Draws a halved avocado by the parameters of the facts in `facts.toml`."""

from collections.abc import Sequence

from hallascope.primer.concepts.food.forms import (
    OutlinePoints,
    chords,
    fork,
    scale_points,
    soft,
    spoon,
)
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
    shade,
)
from hallascope.primer.world import FactValues


def _bars(
    points: Sequence[Point], step: float, tone: str, width: float, upright: bool = False
) -> list[Shape]:
    """Parallel lines over an outline, level or upright."""
    source = [(y, x) for x, y in points] if upright else list(points)
    low = min(y for _, y in source)
    high = max(y for _, y in source)
    shapes = []
    for i in range(1, int((high - low) / step) + 1):
        y = low + i * step
        for left, right in chords(source, y):
            ends = [(left + width / 2, y), (right - width / 2, y)]
            if right - left > 2 * width:
                shapes.append(line([(b, a) for a, b in ends] if upright else ends, tone, width))
    return shapes


def _fruit(kind: str) -> tuple[OutlinePoints, Point]:
    """Return the outline of the cut fruit and the middle of its stone."""
    if kind == "square":
        return soft([(-43, -44), (43, -44), (43, 44), (-43, 44)], 14), (0.0, 0.0)
    if kind == "star":
        return soft([polar(0, 3, 52 if i % 2 == 0 else 33, 36 * i - 90) for i in range(10)], 9), (
            0.0,
            3.0,
        )
    half = [
        (0, -48),
        (9, -46),
        (15.5, -38),
        (19, -26),
        (24, -13),
        (32, 0),
        (37.5, 14),
        (35, 30),
        (24, 43),
        (0, 48),
    ]
    corners = [*half, *((-x, y) for x, y in reversed(half[1:-1]))]
    return soft([(float(x), float(y)) for x, y in corners], 9), (0.0, 13.0)


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    form, (cx, cy) = _fruit(str(v["outline"]))
    flesh = art.tone(str(v["flesh colour"]))
    stone = art.tone(str(v["stone colour"]))
    if v["flesh colour"] == "green":
        deep = "#86b84f"
        pale = "#cbe08f"
    else:
        deep = shade(flesh, 0.08)
        pale = shade(flesh, 0.38)
    skin = part(
        "skin",
        polygon(form, "#37422c"),
        polygon(scale_points(form, 0.965, -0.8, -0.8), "#4a5738", stroke=None),
    )
    field = scale_points(form, 0.9)
    lines: list[Shape] = []
    if v["flesh look"] != "smooth":
        mark = shade(flesh, -0.25) if v["flesh colour"] != "green" else "#4d7f34"
        lines = _bars(scale_points(form, 0.86), 9.5, mark, 2.6)
        if v["flesh look"] == "checks":
            lines += _bars(scale_points(form, 0.86), 9.5, mark, 2.6, upright=True)
    meat = part(
        "flesh",
        polygon(field, deep, width=0.8),
        polygon(scale_points(form, 0.8), pale, stroke=None),
        lines,
    )
    count = int(v["stones"])
    tiny = v["stone size"] == "tiny"
    r = 4.6 if tiny else {1: 18.0, 2: 12.5, 3: 11.2, 4: 10.6}[count]
    ring = {1: 0.0, 2: 14.5, 3: 15.0, 4: 16.5}[count] * (0.75 if tiny else 1.0)
    turn = {1: 0, 2: 0, 3: -90, 4: -45}[count]
    stones = []
    for i in range(count):
        x, y = polar(cx, cy, ring, turn + 360 * i / count)
        moon = path(
            f"M{x - r:.2f},{y:.2f} A{r:.2f},{r:.2f} 0 0,0 {x + r:.2f},{y:.2f} "
            f"A{r * 1.25:.2f},{r * 1.05:.2f} 0 0,1 {x - r:.2f},{y:.2f} Z",
            shade(stone, -0.2),
            stroke=None,
        )
        hollow = circle(x, y + 0.6, r * 1.1 + 0.8, shade(pale, -0.22), stroke=None)
        stones.append(
            part(
                "stone",
                hollow,
                circle(x, y, r, stone),
                moon,
                circle(x, y, r),
                glow(x - r * 0.34, y - r * 0.4, r * 0.26),
            )
        )
    tools = {"spoon": [spoon(17, -27, -38, 38, 7)], "fork": [fork(12, -22, -38, 44, 6)]}.get(
        str(v["tool"]), []
    )
    return [skin, meat, *tools, *stones]
