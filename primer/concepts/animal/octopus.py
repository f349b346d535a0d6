"""Draws an octopus by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Callable, Sequence

from hallascope.primer.concepts.animal.forms import Ribbon, Spine, lit_ball
from hallascope.primer.drawing.forms import spread_evenly
from hallascope.primer.drawing.parts import (
    INK,
    Art,
    Part,
    Shape,
    circle,
    ellipse,
    glow,
    part,
    path,
    polygon,
    rect,
    shade,
)
from hallascope.primer.world import FactValues


def _taper(start: float, end: float) -> Callable[[float], float]:
    """Return the half width of an arm along it, from `start` to `end`, closing in a round tip."""
    return lambda t: (
        (start + (end - start) * t)
        * (1.0 if t < 0.9 else math.sqrt(max(0.0, 1 - ((t - 0.9) / 0.1) ** 2)))
    )


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    skin = art.tone(str(v["skin"]))
    g = 1 if v["arm place"] == "below" else -1
    count = int(v["arms"])
    under = shade(skin, 0.62)
    arms = []
    for turn in spread_evenly(count, 176, 4):
        sway = math.cos(math.radians(turn))
        end = (sway * 43, 11 + 34 * math.sin(math.radians(turn)))
        curl = 13 * max(-1.0, min(1.0, 3 * sway)) if abs(sway) > 0.02 else 6.0
        root = (sway * 17, 2 * g)
        bend = (sway * 30, (12 + 12 * (1 - abs(sway))) * g)
        spine: Spine = (
            root,
            bend,
            (end[0] - curl * 1.1, (end[1] + 9) * g),
            (end[0] + curl * 0.3, (end[1] - 4) * g),
        )
        arm = Ribbon(spine, _taper(5.4, 2.2))
        marks: list[Shape] = []
        if v["arm surface"] == "suckers":
            marks = [
                circle(
                    *arm.point_at(t), arm.half(t) * 0.52, under, stroke=shade(skin, -0.4), width=0.7
                )
                for t in spread_evenly(6, 0.36, 0.92)
            ]
        elif v["arm surface"] == "stripes":
            marks = [
                arm.patch(t, t + 0.07, -0.96, 0.96, shade(skin, -0.6), stroke=None)
                for t in spread_evenly(5, 0.34, 0.88)
            ]
        arms.append(part("arm", arm.body(skin), marks))
    cy = -16.0 * g
    shapes = {
        "round": lit_ball(0, cy - 3 * g, 25, 26, skin),
        "triangle": [
            path(
                f"M0,{-49 * g} Q4,{-48 * g} 6,{-44 * g} L27,{4 * g} Q27,{9 * g} 20,{9 * g} "
                f"H-20 Q-27,{9 * g} -27,{4 * g} L-6,{-44 * g} Q-4,{-48 * g} 0,{-49 * g} Z",
                skin,
            ),
            polygon([(8, -36 * g), (25, 5 * g), (12, 7 * g)], shade(skin, -0.14), stroke=None),
        ],
        "square": [
            rect(-24, cy - 3 * g - 25, 48, 50, skin, 3),
            rect(14, cy - 3 * g - 24, 9, 48, shade(skin, -0.14), stroke=None),
            glow(-14, cy - 3 * g - 17, 5),
        ],
    }[str(v["head shape"])]
    freckles = [
        circle(x, cy + y * g, r, shade(skin, -0.2), stroke=None)
        for x, y, r in ((-9, -13, 1.6), (4, -17, 1.9), (9, -10, 1.3), (-3, -8, 1.2))
    ]
    eyes = []
    for x in {1: (0.0,), 2: (-11.0, 11.0), 3: (-14.0, 0.0, 14.0)}[int(v["eyes"])]:
        y = cy + 8 * g
        eyes.append(
            part(
                "eye",
                ellipse(x, y, 6, 6.8, "#fbf4dc"),
                ellipse(x, y + 0.6, 4.3, 3, INK, stroke=None),
                circle(x - 1.6, y - 0.6, 1.2, "#ffffff", stroke=None),
                path(
                    f"M{x - 6},{y - 1.5} A6,6.8 0 0,1 {x + 6},{y - 1.5} "
                    f"Q{x},{y - 5.5} {x - 6},{y - 1.5} Z",
                    shade(skin, -0.2),
                    width=0.9,
                ),
            )
        )
    order = sorted(range(count), key=lambda i: -abs(i - (count - 1) / 2))
    return [*(arms[i] for i in order), part("head", shapes, freckles), *eyes]
