"""Draws a hamburger by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Sequence

from hallascope.primer.concepts.food.forms import OutlinePoints, oval, soft
from hallascope.primer.drawing.forms import petals
from hallascope.primer.drawing.parts import (
    Art,
    Part,
    circle,
    line,
    part,
    path,
    polygon,
    rect,
    shade,
)
from hallascope.primer.world import FactValues

BUN = "#d9964a"


def _bun_top(kind: str, low: float, height: float) -> OutlinePoints:
    top = low - height
    if kind == "box":
        return soft([(-42, top), (42, top), (42, low), (-42, low)], 3)
    if kind == "cone":
        return soft([(0, top - 2), (45, low), (-45, low)], 5)
    arc = [
        (44 * math.sin(math.radians(a)), low - 4 - (height - 4) * math.cos(math.radians(a)) ** 0.8)
        for a in range(-90, 91, 6)
    ]
    return [*arc, (43, low - 1.5), (40, low), (-40, low), (-43, low - 1.5)]


def _topping(kind: str, low: float, height: float, art: Art) -> list[Part]:
    """Return what stands or lies on the front of the upper bun."""
    spots = [
        (-0.5, 0.42),
        (-0.27, 0.62),
        (0.0, 0.5),
        (0.27, 0.62),
        (0.5, 0.42),
        (-0.12, 0.8),
        (0.13, 0.8),
    ]
    if kind == "candles":
        parts = []
        for x in (-20, 0, 20):
            base = low - height * (0.55 if x else 0.8)
            tone = "#5aa0d8" if x else "#e9799f"
            parts.append(
                part(
                    "candle",
                    rect(x - 2.4, base - 13, 4.8, 14, tone, r=1),
                    line([(x - 2, base - 4), (x + 2, base - 7)], "#ffffff", 1.2),
                    path(
                        f"M{x},{base - 21:.1f} q4,5 0,7.5 q-4,-2.5 0,-7.5 Z", "#f7b733", width=0.9
                    ),
                )
            )
        return parts
    if kind == "flowers":
        parts = []
        for x in (-22, 0, 22):
            y = low - height * (0.55 if x else 0.74)
            daisy = petals(x, y, 3.6, 2.5, 6, "#fdf6fb", width=0.7)
            parts.append(part("flower", daisy, circle(x, y, 2.4, "#c8407c", width=0.7)))
        return parts
    width = 40.0
    return [
        part(
            "sesame seed",
            oval(
                x * width + art.vary(-1, 1),
                low - y * height,
                2.7,
                1.6,
                art.vary(-40, 40),
                "#fbefcf",
                stroke="#8a5a26",
                width=0.7,
            ),
        )
        for x, y in spots
    ]


def _leafy(level: float, up: bool, tone: str) -> Part:
    """Return the leafy layer at a level, its frilly edge pointing up or down."""
    way = -1 if up else 1
    edge = []
    for i in range(91):
        x = -46 + i * 92 / 90
        edge.append((x, level + way * (7 + 4 * math.sin(i / 90 * 6.28 * 6.5 + 0.6))))
    folds = [
        line([(x, level + way * 1.5), (x + 1.2, level + way * 5.5)], shade(tone, -0.28), 1.1)
        for x in range(-40, 42, 14)
    ]
    return part(
        "leaf",
        polygon([(-46, level - way * 2.5), *edge, (46, level - way * 2.5)], tone),
        line([(-44, level - way), (44, level - way)], shade(tone, 0.35), 1.3),
        folds,
    )


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    upper, lower = (39.0, 18.0) if v["thicker"] == "upper" else (23.0, 37.5)
    meat = "#7a4a2e"
    level = 47.0

    def patty(low: float) -> Part:
        specks = [
            oval(
                art.vary(-38, 38),
                low - art.vary(3.5, 13.5),
                1.4,
                0.9,
                art.vary(0, 90),
                shade(meat, art.pick((-0.3, 0.2))),
                stroke=None,
            )
            for _ in range(22)
        ]
        return part(
            "patty",
            rect(-43, low - 17, 86, 17, meat, r=7),
            rect(-40, low - 5.5, 80, 4.8, shade(meat, -0.18), r=2.2, stroke=None),
            specks,
        )

    parts: list[Part] = []
    if v["patty place"] == "below":
        parts.append(patty(level))
        level -= 16
    foot = soft(
        [(-41, level - lower), (41, level - lower), (40, level), (-40, level)],
        min(8.0, lower * 0.48),
    )
    parts.append(
        part(
            "lower bun",
            polygon(foot, BUN),
            rect(-36, level - lower * 0.3, 72, lower * 0.24, shade(BUN, -0.15), r=3, stroke=None),
            rect(-37, level - lower + 0.7, 74, 2.6, "#f3d9a6", r=1.2, stroke=None),
        )
    )
    level -= lower - 0.5
    if v["patty place"] == "between":
        parts.append(patty(level))
        level -= 16.5
    tomatoes = [
        part(
            "tomato",
            rect(x, level - 6, 40, 6.5, "#d8402f", r=3.2),
            line([(x + 5, level - 3.8), (x + 30, level - 3.8)], "#ef8573", 1.2),
        )
        for x in (-41, 1)
    ]
    level -= 6
    hat = _bun_top(str(v["bun shape"]), level, upper)
    shine = oval(
        -19,
        level - upper * 0.62,
        9,
        upper * 0.1,
        -24 if v["bun shape"] != "box" else 0,
        "#ffffff",
        stroke=None,
        opacity=0.35,
    )
    shadow = [(x, y) for x, y in hat if y > level - upper * 0.3]
    ends = max(x for x, _ in shadow)
    band = polygon(
        soft(
            [
                (-ends + 2, level - upper * 0.24),
                (0, level - upper * 0.16),
                (ends - 2, level - upper * 0.24),
                (ends - 4, level - 0.8),
                (-ends + 4, level - 0.8),
            ],
            4,
        ),
        shade(BUN, -0.14),
        stroke=None,
    )
    parts += [*tomatoes, part("upper bun", polygon(hat, BUN), band, shine)]
    leaf = _leafy(level, v["leaf edge"] == "up", art.tone(str(v["leaf colour"])))
    return [*parts, leaf, *_topping(str(v["topping"]), level, upper, art)]
