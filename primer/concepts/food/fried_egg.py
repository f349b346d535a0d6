"""Draws a fried egg, its white and yolks by chance, on what lies under it."""

import math
from collections.abc import Sequence

from hallascope.primer.concepts.food.forms import blob, oval, scale_points, smooth, soft
from hallascope.primer.drawing.parts import (
    Art,
    Part,
    Shape,
    circle,
    line,
    part,
    polar,
    polygon,
    shade,
    star,
)
from hallascope.primer.world import DrawnValues


def _outline(kind: str, x: float, y: float, r: float, tone: str) -> Shape:
    if kind == "round":
        return circle(x, y, r, tone)
    if kind == "star":
        return star(x, y, r * 1.3, inner=0.5, fill=tone)
    if kind == "square":
        sides = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        return polygon(soft([(x + dx * r * 0.9, y + dy * r * 0.9) for dx, dy in sides], 2), tone)
    corners = [polar(x, y + r * 0.15, r * 1.35, a) for a in (-90, 30, 150)]
    return polygon(soft(corners, 2.5), tone)


def _yolk(x: float, y: float, r: float, v: DrawnValues, tone: str) -> Part:
    dark = shade(tone, -0.45)
    if v["yolk surface"] == "dots":
        spots = [(0.0, 0.0), *(polar(0, 0, 0.52, a) for a in (-90, -18, 54, 126, 198))]
        marks = [circle(x + dx * r, y + dy * r, r * 0.16, dark, stroke=None) for dx, dy in spots]
    elif v["yolk surface"] == "spiral":
        spiral = [polar(x, y, r * 0.62 * t / 48, t * 17.0) for t in range(49)]
        marks = [line(spiral, dark, max(1.5, r * 0.15))]
    else:
        place = (x - r * 0.32, y - r * 0.34, r * 0.26, r * 0.15)
        marks = [oval(*place, -40, "#ffffff", stroke=None, opacity=0.75)]
    return part("yolk", _outline(v["yolk shape"], x, y, r, tone), marks)


def egg(v: DrawnValues, art: Art) -> Sequence[Part]:
    count = v["yolks"]
    beside = v["yolk place"] == "beside"
    white = art.tone(v["white colour"])
    yolk = art.tone(v["yolk colour"])
    mx, my = (-5.0, 5.0) if v["support"] == "pan" else (0.0, 0.0)
    cx, cy, r = (mx - 13, my, 22.0) if beside else (mx, my, 30.0)
    edge = blob(cx, cy, r, art, 0.09)
    rim = shade(white, -0.14)
    bubbles = [
        circle(
            *polar(cx, cy, r * art.vary(0.72, 0.82), a + art.vary(-12, 12)),
            art.vary(0.9, 1.7),
            rim,
            stroke=None,
        )
        for a in range(0, 360, 45)
    ]
    body = [
        smooth(edge, rim),
        smooth(scale_points(edge, 0.93, cx - 1, cy - 1), white, stroke=None),
        smooth(scale_points(edge, 0.64, cx, cy), shade(white, -0.07), stroke=None),
    ]
    radius = {1: 13.5, 2: 10.0, 3: 8.8, 4: 8.0}[count]
    if beside:
        radius = min(radius, 11.0)
        step = math.degrees((2 * radius + 4) / 36)
        spots = [polar(cx, cy, 25 + radius, step * (i - (count - 1) / 2)) for i in range(count)]
    else:
        ring = {1: 0.0, 2: 11.5, 3: 11.5, 4: 13.0}[count]
        turn = art.vary(0, 360)
        spots = [polar(cx, cy, ring, turn + 360 * i / count) for i in range(count)]
    shadows = [
        circle(x + 0.8, y + 1.6, radius * 1.12, rim, stroke=None)
        for x, y in spots
        if not beside and v["yolk shape"] == "round"
    ]
    whole = part("egg white", body, bubbles, shadows)
    return [whole, *(_yolk(x, y, radius, v, yolk) for x, y in spots)]
