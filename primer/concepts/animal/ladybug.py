"""Draws a ladybug by the parameters of the facts in `facts.toml`."""

import math
from collections.abc import Sequence

from hallascope.primer.concepts.animal.forms import feelers, lit_ball, open_eye
from hallascope.primer.drawing.forms import petals, spread_evenly
from hallascope.primer.drawing.parts import (
    INK,
    Art,
    Part,
    Shape,
    circle,
    ellipse,
    glow,
    line,
    part,
    path,
    rect,
    shade,
)
from hallascope.primer.world import FactValues

_SPOTS: dict[int, tuple[tuple[float, float], ...]] = {
    7: ((0.0, -0.4), (0.6, -0.3), (0.64, 0.3), (0.29, 0.7)),
    5: ((0.0, -0.4), (0.6, -0.12), (0.42, 0.55)),
    3: ((0.0, -0.4), (0.5, 0.3)),
    2: ((0.5, 0.0),),
}

_NARROW_SPOTS: dict[int, tuple[tuple[float, float], ...]] = {
    7: ((0.0, -0.42), (0.5, -0.08), (0.5, 0.3), (0.4, 0.67)),
    5: ((0.0, -0.42), (0.5, 0.0), (0.47, 0.5)),
    3: ((0.0, -0.4), (0.5, 0.2)),
    2: ((0.5, 0.1),),
}


def _cover(side: int, form: str, fill: str) -> tuple[list[Shape], float, float]:
    """Return a wing cover with its half width and half height.

    Its seam is at x = 0, its middle at y = 0.
    """
    wide, high = {"round": (31.0, 31.0), "narrow": (17.0, 35.0), "square": (28.0, 30.0)}[form]
    if form == "square":
        outer = [rect(min(0, side * wide), -high, wide, 2 * high, fill)]
        if side > 0:
            outer.append(
                rect(wide - 6, -high + 1, 5.2, 2 * high - 2, shade(fill, -0.14), stroke=None)
            )
        return outer, wide, high
    sweep = 1 if side > 0 else 0
    d = f"M0,{-high} A{wide},{high} 0 0,{sweep} 0,{high} Z"
    outer = [path(d, fill)]
    if side > 0:
        inner = f"A{wide * 1.35:.1f},{high * 1.02:.1f} 0 0,0 {wide * 0.4:.1f},{-high * 0.88:.1f}"
        outer.append(
            path(
                f"M{wide * 0.4:.1f},{-high * 0.88:.1f} "
                f"A{wide * 0.97:.1f},{high * 0.97:.1f} 0 0,1 1,{high * 0.96:.1f} {inner} Z",
                shade(fill, -0.14),
                stroke=None,
            )
        )
    return outer, wide, high


def _leaf(art: Art) -> Part:
    green = art.tone("green")
    veins = [
        path(f"M{x},{2 - x * 0.12} q6,{s * 8} 13,{s * 17}", None, stroke=shade(green, 0.3), width=1)
        for x in (-30, -13, 4, 20)
        for s in (-1, 1)
    ]
    outline = path("M-50,8 C-32,-44 20,-48 49,-6 C26,40 -24,48 -50,8 Z", shade(green, 0.12))
    return part(
        "leaf",
        outline,
        path("M-50,8 Q0,4 49,-6 C26,40 -24,48 -50,8 Z", green, stroke=None),
        path("M-50,8 Q0,4 49,-6", None, stroke=shade(green, 0.35), width=1.6),
        veins,
    )


def _bloom(cx: float, cy: float, r: float, count: int, color: str, name: str = "flower") -> Part:
    return part(
        name, petals(cx, cy, r * 0.66, r * 0.36, count, color), circle(cx, cy, r * 0.5, "#f0c648")
    )


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    black = art.tone("black")
    wings = art.tone(str(v["covers"]))
    form = str(v["outline"])
    count = int(v["legs"])
    ground = {
        "leaf": [_leaf(art)],
        "flower": [_bloom(0, 0, 49, 8, art.tone("pink"))],
        "nothing": [],
    }[str(v["perch"])]
    covers = [_cover(side, form, wings) for side in (-1, 1)]
    wide, high = covers[0][1:]
    legs = []
    for side in (-1, 1):
        for slope in spread_evenly(count // 2, -1, 1):
            edge = wide * (1.0 if form == "square" else math.sqrt(1 - (slope * 0.62) ** 2))
            y = slope * high * 0.62
            knee = (side * (edge + 6), y + slope * 5)
            foot = (side * (edge + 11), y + slope * 14 + 2)
            legs.append(part("leg", line([(0, y), knee, foot], black, 4.2)))
    spots = [
        part(
            "spot",
            circle(side * x * wide, y * high, 4.6 if form == "narrow" else 5.2, black, stroke=None),
        )
        for x, y in (_NARROW_SPOTS if form == "narrow" else _SPOTS)[int(v["spots"])]
        for side in ((1, -1) if x else (1,))
    ]
    back = [part("wing cover", shapes) for shapes, _, _ in covers]
    seam = part(
        "wing cover", line([(0, -high), (0, high)], INK, 1.6), glow(-wide * 0.42, -high * 0.62, 3.6)
    )
    large = v["head"] == "large"
    frame = "translate(0 17) scale(0.78)" if large else "translate(0 10)"
    trunk = [p.with_transform(frame) for p in [*legs, *back, seam, *spots]]
    hy, r = (-20.0, 23.0) if large else (10.0 - high - 5, 11.0)
    neck = part(
        "chest",
        ellipse(0, 10 - high + 5, min(wide * 0.66, 19), 8.5, black),
        [
            ellipse(s * min(wide * 0.5, 13), 10 - high + 3, 3, 4, "#fbfaf5", stroke=None)
            for s in (-1, 1)
        ],
    )
    head = part(
        "head",
        lit_ball(0, hy, r, r * 0.92, black),
        open_eye(-r * 0.52, hy - r * 0.32, r * 0.27),
        open_eye(r * 0.52, hy - r * 0.32, r * 0.27),
    )
    if v["feelers"] == "antennae":
        top = feelers(0, hy - r * 0.7, 9, 10 if not large else 11)
    elif v["feelers"] == "ears":
        top = [
            part(
                "ear",
                circle(s * (r * 0.6 + 5), hy - r * 0.55 - 3, 7.5, black),
                circle(s * (r * 0.6 + 5), hy - r * 0.55 - 3, 4, "#d99aa8", stroke=None),
            )
            for s in (-1, 1)
        ]
    else:
        top = []
    beetle = [*trunk, *top, *([] if large else [neck]), head]
    return [*ground, *(p.with_transform("scale(0.76)") for p in beetle)] if ground else beetle
