"""Draws forms that several concepts of the domain location share."""

import math
from collections.abc import Callable, Sequence

from hallascope.primer.drawing.forms import light
from hallascope.primer.drawing.parts import Point, Shape, circle, shade, trace

# A surface maps (s, t) to a point of the drawing:
# s is 0 to 1 from left to right, t from top to bottom.
Surface = Callable[[float, float], Point]

Height = Callable[[float], float]

DARK = "#3a332f"


def mix(a: float, b: float, t: float) -> float:
    return a + (b - a) * t


def quad(top_left: Point, top_right: Point, bottom_left: Point, bottom_right: Point) -> Surface:
    def at(s: float, t: float) -> Point:
        left = mix(top_left[0], bottom_left[0], t), mix(top_left[1], bottom_left[1], t)
        right = mix(top_right[0], bottom_right[0], t), mix(top_right[1], bottom_right[1], t)
        return mix(left[0], right[0], s), mix(left[1], right[1], s)

    return at


def box(x: float, y: float, w: float, h: float) -> Surface:
    return quad((x, y), (x + w, y), (x, y + h), (x + w, y + h))


def outline_of(at: Surface, steps: int = 16) -> list[Point]:
    right = [at(1, i / steps) for i in range(steps + 1)]
    left = [at(0, 1 - i / steps) for i in range(steps + 1)]
    return right + left


def line_across(at: Surface, t: float) -> list[Point]:
    return [at(i / 24, t) for i in range(25)]


def strokes(
    lines: Sequence[Sequence[Point]], color: str, width: float, opacity: float = 1.0
) -> Shape:
    """Return many open lines as one shape."""
    d = " ".join(trace(points) for points in lines)
    return Shape(d, None, color, width, opacity)


def span(at: Surface, t: float) -> float:
    return math.dist(at(0, t), at(1, t))


def masonry(at: Surface, rows: int, step: float) -> list[list[Point]]:
    lines = [line_across(at, row / rows) for row in range(1, rows)]
    for row in range(rows):
        count = max(1, round(span(at, (row + 0.5) / rows) / (step * 1.8)))
        for j in range(count + 1):
            s = (j + 0.5 * (row % 2)) / count
            if 0.02 < s < 0.98:
                lines.append([at(s, row / rows), at(s, (row + 1) / rows)])
    return lines


def uprights(at: Surface, step: float) -> list[list[Point]]:
    count = max(2, round(span(at, 0.8) / step))
    return [[at(j / count, t / 8) for t in range(9)] for j in range(1, count)]


def crosses(at: Surface, rows: int, step: float) -> list[list[Point]]:
    count = max(1, round(span(at, 0.5) / step))
    lines = []
    for row in range(rows):
        top = row / rows
        foot = (row + 1) / rows
        for j in range(count):
            left = j / count
            right = (j + 1) / count
            lines += [[at(left, top), at(right, foot)], [at(right, top), at(left, foot)]]
    return lines


def pattern(kind: str, at: Surface, step: float, tone: str, width: float = 0.9) -> list[Shape]:
    """Return the marks of a material on a surface.

    `step` is the height of a block or the width of a plank.
    """
    ink = shade(tone, -0.5)
    rows = max(2, round(math.dist(at(0.5, 0), at(0.5, 1)) / step))
    if kind == "blocks":
        return [strokes(masonry(at, rows, step), ink, width)]
    if kind == "planks":
        nails = [
            circle(*at(s, t), 0.7, ink, stroke=None) for s in (0.12, 0.5, 0.88) for t in (0.2, 0.85)
        ]
        return [strokes(uprights(at, step * 0.9), ink, width), *nails]
    if kind == "lattice":
        return [strokes(crosses(at, rows, step), ink, width)]
    if kind == "glass":
        panes = uprights(at, step * 1.5) + [line_across(at, row / rows) for row in range(1, rows)]
        shines = [sheen(at, s, 0.16) for s in (0.1, 0.6)]
        return [*shines, strokes(panes, "#f6fbfd", width * 1.5)]
    return [sheen(at, 0.12, 0.14), sheen(at, 0.34, 0.05)]


def sheen(at: Surface, s: float, wide: float) -> Shape:
    corners = [at(s + 0.18, 0.08), at(s + 0.18 + wide, 0.08), at(s + wide, 0.92), at(s, 0.92)]
    return light(corners, 0.45)
