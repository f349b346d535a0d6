"""Draws a terracotta warrior by the parameters of the facts in `facts.toml`."""

from collections.abc import Sequence

from hallascope.primer.concepts.person.forms import (
    GarmentPanel,
    bare_head,
    ground_shadow,
    limb,
    shoe,
    transform_parts,
)
from hallascope.primer.drawing.forms import tube
from hallascope.primer.drawing.parts import (
    INK,
    Art,
    Part,
    Shape,
    circle,
    line,
    part,
    path,
    polygon,
    rect,
    shade,
    star,
)
from hallascope.primer.world import FactValues


def _blend(a: str, b: str, share: float) -> str:
    """Return the hex color `share` of the way from one to the other."""
    mixed = [
        round(int(a[i : i + 2], 16) * (1 - share) + int(b[i : i + 2], 16) * share)
        for i in (1, 3, 5)
    ]
    return "#" + "".join(f"{c:02x}" for c in mixed)


def _topknot(kind: str, low: str) -> list[Shape]:
    cap = path(
        "M-11.2,-28 C-13,-45 13,-45 11.2,-28 C9,-34 4,-35.6 0,-35.6 C-4,-35.6 -9,-34 -11.2,-28 Z",
        low,
    )
    groove = [
        path(
            f"M{x * 0.5},-40.4 Q{x},-38.6 {x * 1.1},-35.4", None, stroke=shade(low, -0.3), width=0.9
        )
        for x in (-5, 0, 5)
    ]
    if kind == "spikes":
        return [
            polygon(
                [
                    (-11.5, -28),
                    (-16, -36),
                    (-10.5, -37),
                    (-12, -46),
                    (-4, -41),
                    (0, -50),
                    (4, -41),
                    (12, -46),
                    (10.5, -37),
                    (16, -36),
                    (11.5, -28),
                    (5, -35),
                    (-5, -35),
                ],
                low,
            )
        ]
    if kind == "buns":
        return [
            *[
                part_shape
                for s in (-1, 1)
                for part_shape in (
                    circle(s * 11.5, -40, 5.8, low),
                    path(
                        f"M{s * 9},-42 q{s * 3},-2 {s * 5},1",
                        None,
                        stroke=shade(low, -0.3),
                        width=0.9,
                    ),
                )
            ],
            cap,
            *groove,
        ]
    if kind == "loose":
        return [
            cap,
            *[
                path(
                    f"M{s * 8},-36 C{s * 17},-34 {s * 15},-18 {s * 18},-8 "
                    f"C{s * 13},-7 {s * 10},-10 {s * 10},-16 C{s * 11},-24 "
                    f"{s * 10},-30 {s * 8},-36 Z",
                    low,
                )
                for s in (-1, 1)
            ],
            *groove,
        ]
    knot = [
        path("M-5,-40 C-8,-51 8,-51 5,-40 Z", low),
        path("M-2.6,-43.6 Q0,-47 2.8,-44", None, stroke=shade(low, -0.3), width=1),
        rect(-5, -41.6, 10, 3, shade(low, 0.25), 1),
    ]
    return [cap, *groove, *knot]


def _neckwear(kind: str, light: str) -> list[Shape]:
    if kind == "necktie":
        return [
            path("M-8,-15 Q0,-11 8,-15 L7,-12.6 Q0,-8.4 -7,-12.6 Z", light),
            polygon([(-3, -11), (3, -11), (2, -7), (4.4, 8), (0, 12), (-4.4, 8), (-2, -7)], light),
            line([(-2.4, -7), (2.4, -7)], INK, 1),
        ]
    if kind == "medal":
        return [
            *tube("M-7,-14 L-1,2 M7,-14 L1,2", 2.4, light, 2.0),
            circle(0, 5, 5.6, light),
            star(0, 5, 3.6, fill=shade(light, -0.4), stroke=None),
        ]
    if kind == "bow":
        return [
            *[
                path(f"M0,-11 L{s * 10},-16.4 Q{s * 11.6},-11 {s * 10},-5.6 Z", light)
                for s in (-1, 1)
            ],
            rect(-2.6, -13.6, 5.2, 5.2, light, 1.4),
        ]
    folds = [
        path(
            f"M{-7 + k},-{13 - k * 1.6} Q0,{-7.6 + k * 1.8} {7 - k},-{13 - k * 1.6}",
            None,
            stroke=shade(light, -0.4),
            width=0.9,
        )
        for k in (0, 2)
    ]
    return [
        path(
            "M-9.4,-16.4 Q0,-10.4 9.4,-16.4 Q12,-10 7.6,-7 Q0,-2 -7.6,-7 Q-12,-10 -9.4,-16.4 Z",
            light,
        ),
        *folds,
        path("M-1.6,-5.4 L-4.6,3 L0.4,1.6 L3.4,3.4 L2.2,-5.4 Z", light),
    ]


def draw(v: FactValues, art: Art) -> Sequence[Part]:
    name = str(v["colour"])
    clay = shade(
        _blend(art.tone("brown"), art.tone("orange"), 0.3) if name == "brown" else art.tone(name),
        0.22,
    )
    low = shade(clay, -0.2)
    deep = shade(clay, -0.5)
    light = shade(clay, 0.48)
    parts: list[Part] = [
        part(
            "base",
            path("M-19,43 H19 L22,47.6 H-22 Z", low),
            line([(-20, 45.4), (20, 45.4)], deep, 0.9),
        )
    ]
    for s in (-1, 1):
        x = s * 7
        parts.append(
            part("leg", limb([(x, 24), (x, 32), (x, 38)], clay, 8.4), shoe(x, s, low, 43.6))
        )
    robe = GarmentPanel(y0=12, y1=32, top=13, bottom=17.5)
    parts.append(
        part(
            "robe",
            robe.cloth(clay),
            [line([(x * 0.8, 20), (x, 32.6)], deep, 1) for x in (-12, -6, 6, 12)],
        )
    )
    count = int(v["arms"])
    arms = [
        [(-14, -7), (-21, 4), (-19, 15)],
        [(14, -7), (21, 4), (19, 15)],
        [(-13, -8), (-26, -8), (-33, -17)],
        [(13, -8), (26, -8), (33, -17)],
    ]
    for points in reversed(arms[:count]):
        hx, hy = points[2]
        parts.append(
            part(
                "arm",
                limb(points, clay, 7.6),
                circle(hx, hy, 4.6, low),
                circle(hx, hy + (1.6 if hy > 0 else -1.6), 3.4, clay),
            )
        )
    chest = GarmentPanel(y0=-13, y1=19, top=15, bottom=13.5, sag=3)
    kind = str(v["armour"])
    marks = chest.pattern(kind, deep)
    if kind == "stripes":
        marks = [
            line([(t * 14, -11 if abs(t) > 0.2 else -12), (t * 12.6, 20 - 2 * abs(t))], deep, 3.2)
            for t in (-0.8, -0.4, 0, 0.4, 0.8)
        ]
    parts.append(part("armor", chest.cloth(clay), marks))
    parts += [
        part(
            "shoulder guard",
            path(
                f"M{s * 9},-13 C{s * 16},-15 {s * 21},-10 {s * 21},-1 "
                f"Q{s * 17},0.6 {s * 14},-1 Q{s * 13},-8 {s * 9},-13 Z",
                clay,
            ),
            path(f"M{s * 14.6},-6 Q{s * 18},-7 {s * 20},-5.4", None, stroke=deep, width=1),
        )
        for s in (-1, 1)
    ]
    behind = [part("hair", _topknot("loose", low))] if v["hair"] == "loose" else []
    parts += behind
    parts.append(
        part(
            "head",
            bare_head(clay, deep, mouth="calm"),
            *[
                path(f"M{s * 0.6},-21.8 q{s * 3},-0.8 {s * 5},1.2", None, stroke=deep, width=1.4)
                for s in (-1, 1)
            ],
        )
    )
    parts.append(part("hair", _topknot(str(v["hair"]), low)))
    parts.append(part("neckwear", _neckwear(str(v["neck"]), light)))
    turned = {"stand": "", "lie": "rotate(90)", "headstand": "rotate(180)"}[str(v["bearing"])]
    shadow = ground_shadow(v) if v["bearing"] == "stand" else []
    return [*shadow, *(transform_parts(parts, turned) if turned else parts)]
