"""Draws a fried egg by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Sequence

from hallascope.primer.concepts.food.forms import blob, oval, scale_points, smooth, soft, stick
from hallascope.primer.drawing.parts import (
    INK,
    Art,
    Part,
    Shape,
    circle,
    ellipse,
    line,
    part,
    polar,
    polygon,
    shade,
    star,
)
from hallascope.primer.world import FactValues


def _support(kind: str) -> Part:
    if kind == "pan":
        handle = [
            stick((47, -45), (20, -18), 8, 8, "#6b4a34"),
            stick((28, -26), (18, -16), 6, 8, "#5a5e68"),
            circle(43.6, -41.6, 1.4, INK, stroke=None),
        ]
        dish = [
            circle(-5, 5, 43, "#454954"),
            circle(-5, 5, 38.5, "#5c616e", width=0.8),
            ellipse(-10, -2, 28, 25, "#6a6f7d", stroke=None),
        ]
        return part("frying pan", handle, dish)
    if kind == "toast":
        crumb = soft(
            [(-42, -22), (-46, -42), (0, -47), (46, -42), (42, -22), (41, 46), (-41, 46)], 13
        )
        specks = [
            circle(*polar(0, 0, 38, a), 1.1, "#c8924e", stroke=None) for a in range(10, 360, 31)
        ]
        return part(
            "toast",
            polygon(crumb, "#a9682f"),
            polygon(scale_points(crumb, 0.91), "#e9bd7c", width=0.8),
            specks,
        )
    rings = [
        circle(0, 0, 47, "#7fa6bd"),
        circle(0, 0, 44, "#93b7cb", stroke=None),
        circle(0, 0, 35, "#86adc3", stroke="#5f879e", width=0.9),
    ]
    return part("plate", rings)


def _yolk(x: float, y: float, r: float, v: FactValues, tone: str) -> Part:
    shapes = {
        "round": lambda k: circle(x, y, r * k, tone),
        "square": lambda k: polygon(
            soft(
                [
                    (x + dx * r * k * 0.9, y + dy * r * k * 0.9)
                    for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
                ],
                2,
            ),
            tone,
        ),
        "star": lambda k: star(x, y, r * 1.3 * k, inner=0.5, fill=tone),
        "triangle": lambda k: polygon(
            soft([polar(x, y + r * 0.15, r * 1.35 * k, a) for a in (-90, 30, 150)], 2.5), tone
        ),
    }
    dark = shade(tone, -0.45)
    marks: list[Shape] = []
    if v["yolk surface"] == "dots":
        spots = [(0.0, 0.0), *(polar(0, 0, 0.52, a) for a in (-90, -18, 54, 126, 198))]
        marks = [circle(x + dx * r, y + dy * r, r * 0.16, dark, stroke=None) for dx, dy in spots]
    elif v["yolk surface"] == "spiral":
        marks = [
            line(
                [polar(x, y, r * 0.62 * t / 48, t * 17.0) for t in range(49)],
                dark,
                max(1.5, r * 0.15),
            )
        ]
    else:
        marks = [
            oval(
                x - r * 0.32,
                y - r * 0.34,
                r * 0.26,
                r * 0.15,
                -40,
                "#ffffff",
                stroke=None,
                opacity=0.75,
            )
        ]
    return part("yolk", shapes[str(v["yolk shape"])](1.0), marks)


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    count = int(v["yolks"])
    beside = v["yolk place"] == "beside"
    white = art.tone(str(v["white colour"]))
    yolk = art.tone(str(v["yolk colour"]))
    mx, my = (-5.0, 5.0) if v["support"] == "pan" else (0.0, 0.0)
    cx, cy, r = (mx - 13, my, 22.0) if beside else (mx, my, 30.0)
    edge = blob(cx, cy, r, art, 0.09)
    rim = shade(white, -0.14)
    folds = shade(white, -0.07)
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
        smooth(scale_points(edge, 0.64, cx, cy), folds, stroke=None),
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
    return [
        _support(str(v["support"])),
        part("egg white", body, bubbles, shadows),
        *(_yolk(x, y, radius, v, yolk) for x, y in spots),
    ]
