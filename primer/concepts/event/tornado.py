"""Draws a tornado by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Callable, Sequence

from hallascope.primer.concepts.event.forms import HEAP, puffs
from hallascope.primer.drawing.forms import turn_points
from hallascope.primer.drawing.parts import (
    INK,
    Art,
    Part,
    Shape,
    circle,
    line,
    part,
    polygon,
    shade,
)
from hallascope.primer.world import FactValues

_WIDTHS: dict[str, Callable[[float], float]] = {
    "top": lambda t: 3.6 + 21 * (1 - t) ** 1.5,
    "bottom": lambda t: 3.6 + 21 * t**1.5,
    "middle": lambda t: 3.6 + 20 * math.sin(math.pi * t) ** 1.6,
}


def _whirl(
    x: float, top: float, foot: float, slim: float, v: FactValues, tone: str, bow: float
) -> list[Shape]:
    """One whirling column from `top` to `foot`; `slim` narrows it."""

    def spine(t: float) -> float:
        return x + bow * math.sin(t * 2.2 * math.pi) * (0.4 + 0.6 * t)

    def half(t: float) -> float:
        return max(2.6, slim * _WIDTHS[str(v["widest"])](t))

    steps = [i / 40 for i in range(41)]
    height = foot - top
    left = [(spine(t) - half(t) * (1 + 0.06 * math.sin(t * 40)), top + height * t) for t in steps]
    right = [
        (spine(t) + half(t) * (1 + 0.06 * math.sin(t * 40 + 1.5)), top + height * t) for t in steps
    ]
    shaded = [(spine(t) + half(t) * 0.35, top + height * t) for t in steps]
    shapes = [
        polygon([*left, *reversed(right)], tone),
        polygon([*shaded, *reversed(right)], shade(tone, -0.17), stroke=None),
    ]
    if v["surface"] == "dots":
        for i, t in enumerate((0.1, 0.26, 0.42, 0.58, 0.74, 0.9)):
            r = min(4.2, half(t) * 0.5)
            gaps: tuple[float, ...] = (-0.5, 0.5) if half(t) > 10 else (0.0,)
            if half(t) > 17:
                gaps = (-0.66, 0.0, 0.66) if i % 2 == 0 else (-0.4, 0.4)
            shapes += [
                circle(spine(t) + g * half(t), top + height * t, r, "#fffdf2", width=0.9)
                for g in gaps
            ]
    elif v["surface"] == "stripes":
        for g in (-0.5, 0.0, 0.5):
            shapes.append(
                line(
                    [(spine(t) + g * half(t), top + height * t) for t in steps],
                    INK,
                    2.0 * max(slim, 0.6),
                )
            )
    else:
        for t in (0.08, 0.22, 0.36, 0.5, 0.64, 0.78, 0.91):
            w = half(t) * 1.06
            cx = spine(t)
            cy = top + height * t
            dip = min(7.0, 2.0 + w * 0.3)
            d = (
                f"M{cx - w:.2f},{cy - dip * 0.4:.2f} C{cx - w * 0.6:.2f},{cy + dip:.2f}"
                f" {cx + w * 0.5:.2f},{cy + dip:.2f} {cx + w:.2f},{cy - dip * 0.5:.2f}"
            )
            shapes += [Shape(d, None, INK, 2.6), Shape(d, None, shade(tone, 0.5), 1.2)]
    return [*shapes, polygon([*left, *reversed(right)], None)]


def _house(x: float, y: float, art: Art) -> list[Shape]:
    wall = art.tone("beige")
    roof = art.tone("red")
    corners = [(-9, -3), (9, -3), (9, 10), (-9, 10)]
    eaves = [(-12, -2), (0, -12), (12, -2)]
    door = [(-3, 2), (3, 2), (3, 10), (-3, 10)]
    shapes = [
        polygon(corners, wall),
        polygon(eaves, roof),
        polygon(door, art.tone("brown"), width=0.9),
    ]
    return [
        polygon([(x + a, y + b) for a, b in turn_points(points, 16)], shape.fill, width=shape.width)
        for points, shape in zip((corners, eaves, door), shapes, strict=True)
    ]


def _car(x: float, y: float, art: Art) -> list[Shape]:
    body = [(-13, 4), (-13, -1), (-7, -2), (-4, -8), (6, -8), (9, -2), (13, 0), (13, 4)]
    pane = [(-4.6, -2), (-2.4, -6), (4.8, -6), (6.4, -2)]
    hubs = turn_points([(-7, 4.6), (7, 4.6)], 16)
    wheels = [
        circle(x + a, y + b, r, tone, width=0.8)
        for a, b in hubs
        for r, tone in ((3.4, INK), (1.3, "#cfd3da"))
    ]
    shapes = [
        polygon([(x + a, y + b) for a, b in turn_points(body, 16)], art.tone("blue")),
        polygon([(x + a, y + b) for a, b in turn_points(pane, 16)], "#dff0fa", width=0.8),
    ]
    return [*shapes, *wheels]


def _plank(x: float, y: float, turn: float, art: Art) -> Shape:
    return polygon(
        [
            (x + a, y + b)
            for a, b in turn_points([(-6, -1.7), (6, -1.7), (6, 1.7), (-6, 1.7)], turn)
        ],
        art.tone("brown"),
        width=1.0,
    )


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    above = v["cloud place"] == "above"
    count = int(v["columns"])
    top, foot = (-36.0, 42.0) if above else (-47.0, 36.0)
    tone = art.tone("grey") if v["colour"] == "grey" else art.tone(str(v["colour"]))
    slim = {1: 1.0, 2: 0.72, 3: 0.52}[count]
    places = {1: (0.0,), 2: (-23.0, 23.0), 3: (-32.0, 0.0, 32.0)}[count]
    bow = art.vary(3.0, 4.6) * (1 if count == 1 else 0.6)
    columns = [part("whirl", _whirl(x, top, foot, slim, v, tone, bow)) for x in places]
    dust = (
        [part("dust", puffs(HEAP, x, 42, 34 * slim + 4, 13, art.tone("beige"))) for x in places]
        if above
        else []
    )
    cloud = part(
        "cloud", puffs(HEAP, 0, -35 if above else 36, 96, 27, shade(art.tone("grey"), -0.4))
    )
    spread = 1.0 if v["widest"] == "top" else 1.12
    if v["carried"] == "house":
        carried = [part("house", _house(33, 12, art))]
    elif v["carried"] == "car":
        carried = [part("car", _car(32, 13, art))]
    else:
        bits = (
            (-30 * spread, 0, 30),
            (30 * spread, 4, -35),
            (-26 * spread, 24, -20),
            (28 * spread, 25, 45),
        )
        carried = [
            part("bits of wood", [_plank(x, y, turn + art.vary(-8, 8), art) for x, y, turn in bits])
        ]
    return [*columns, *dust, cloud, *carried]
